"""The list of this machine's Releases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabai import releases
from fabai.cli import main
from fabai.errors import BadSetting, UnknownName, UnreadableFile
from fabai.settings import WindowSettings


@pytest.fixture(autouse=True)
def own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABAI_RELEASES", str(tmp_path / "list"))


def release(folder: Path, passed: bool | None = True, **about: object) -> Path:
    """A folder that says it is a Release."""
    folder.mkdir(parents=True)
    table = {"created": "2026-11-30", "base": {"name": "m"}, "corpus": {"mode": "tiers", "cap": 4096, "decay": 0.5}}
    verdict = None if passed is None else {"passed": passed, "sentences": [], "figures": {"bits per byte": 0.5}}
    (folder / "release.json").write_text(json.dumps(table | {"evaluation": verdict} | about), encoding="utf-8")
    return folder


def test_what_is_promoted_is_in_use_until_it_is_rolled_back(tmp_path: Path) -> None:
    for name in ("one", "two"):
        releases.register(release(tmp_path / name))
    assert releases.in_use() is None
    releases.promote("one")
    releases.promote("two")
    releases.promote("two")
    used = releases.in_use()
    assert used is not None
    assert used.name == "two"
    back = releases.rollback()
    assert back is not None
    assert back.name == "one"
    assert releases.rollback() is None
    with pytest.raises(BadSetting, match="nothing to roll back"):
        releases.rollback()


def test_a_release_that_failed_is_promoted_only_on_purpose(tmp_path: Path) -> None:
    releases.register(release(tmp_path / "bad", passed=False))
    with pytest.raises(BadSetting, match="failed its evaluation"):
        releases.promote("bad")
    assert releases.promote("bad", even_so=True).in_use


def test_two_releases_cannot_have_one_name_and_a_wrong_name_gets_the_nearest(tmp_path: Path) -> None:
    releases.register(release(tmp_path / "a" / "memorias"))
    with pytest.raises(BadSetting, match="another release is called memorias"):
        releases.register(release(tmp_path / "b" / "memorias"))
    with pytest.raises(UnknownName, match="did you mean 'memorias'"):
        releases.find("memoria")


def test_a_release_whose_folder_has_gone_is_listed_and_not_promoted(tmp_path: Path) -> None:
    releases.register(release(tmp_path / "gone"))
    (tmp_path / "gone" / "release.json").unlink()
    assert releases.known()[0].path is None
    with pytest.raises(UnreadableFile, match="has gone"):
        releases.promote("gone")


def test_a_version_tells_which_release_wrote_it_and_drafting_takes_its_windows(tmp_path: Path) -> None:
    folder = release(tmp_path / "r1")
    releases.register(folder)
    found = releases.wrote("llamacpp:smollm2-135m+r1:0123456789ab")
    assert found is not None
    assert found.name == "r1"
    assert releases.wrote("llamacpp:smollm2-135m:0123456789ab") is None
    window = releases.window_of(folder, WindowSettings())
    assert (window.mode, window.cap, window.decay) == ("tiers", 4096, 0.5)


def test_the_command_lists_compares_promotes_and_rolls_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["releases"]) == 0
    assert "no release was made" in capsys.readouterr().out
    for name in ("one", "two"):
        releases.register(release(tmp_path / name))
    assert main(["releases", "promote", "one"]) == 0
    assert main(["releases", "list", "--json"]) == 0
    out = capsys.readouterr().out
    listed = json.loads(out[out.index("[") :])
    assert {one["name"]: one["in_use"] for one in listed} == {"one": True, "two": False}
    assert main(["releases", "compare", "one", "two"]) == 0
    assert "bits per byte" in capsys.readouterr().out
    assert main(["releases", "rollback"]) == 0
    assert main(["releases", "compare", "one"]) == 2
