"""Examples of a corpus: how they are made, mixed, written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fabai.corpus.briefs import past_brief
from fabai.corpus.dataset import read_rows
from fabai.corpus.examples import Example, Lost, Origin, Player
from fabai.corpus.general import Mix, general, mix
from fabai.corpus.making import corpus_id
from fabai.corpus.reader import ModelReader

from fabai.cli import main
from fabai.errors import BadSetting, UnreadableFile
from fabai.example import encoder, fingerprint
from fabai.message import Message
from fabai.settings import ExampleSettings, WindowSettings

from .conftest import document, write_corpus

WINDOW = WindowSettings(mode="warm", cap=5_000, reserve=700)
PARAGRAPH = "La entidad ordenó el archivo y repasó las cuentas con calma antes de cerrar el curso."


def play(
    texts: list[str],
    model: Path,
    settings: ExampleSettings | None = None,
    window: WindowSettings = WINDOW,
    room: int = 500,
) -> list[Example | Lost]:
    reader = ModelReader(model)
    given = document("a", [(f"Parte {n}", 1, text) for n, text in enumerate(texts)])
    brief = past_brief(given, "es", room=room, count=reader.count)
    player = Player(reader, window, settings or ExampleSettings(fill=0.0))
    return list(player.play(brief, Origin("a", "a", "report")))


def test_a_statement_that_the_prompt_does_not_hold_stays_in_the_target_without_a_loss(tiny_model: Path) -> None:
    text = f"{PARAGRAPH} Se gastaron 7.431 € en ello. Nada faltó."
    (held,) = play([text], tiny_model)
    (free,) = play([text], tiny_model, room=0)
    assert isinstance(held, Example)
    assert isinstance(free, Example)
    assert (held.masked, held.said, held.supported) == ((), 1, 1)
    assert held.target == free.target == text
    assert [free.target[start:end] for start, end in free.masked] == ["Se gastaron 7.431 € en ello. "]
    assert (free.said, free.supported) == (1, 0)
    assert held.labelled - free.labelled == len("Se gastaron 7.431 € en ello. ".encode())


def test_what_the_prompt_holds_nothing_of_gives_no_example(tiny_model: Path) -> None:
    assert play(["Se gastaron 7.431 €."], tiny_model, room=0) == [Lost("a:s0:0", "the prompt supports nothing of it")]


def test_a_section_longer_than_its_room_goes_on_at_a_paragraph_and_loses_nothing(tiny_model: Path) -> None:
    text = "\n\n".join(f"{PARAGRAPH} {word}." for word in ("Uno", "Dos", "Tres", "Cuatro") * 8)
    found = [one for one in play([text], tiny_model) if isinstance(one, Example)]
    assert len(found) > 3
    assert "\n\n".join(one.target for one in found) == text
    assert [one.id for one in found] == [f"a:s0:{n}" for n in range(len(found))]
    assert "ya empieza así" not in found[0].messages[-1].content
    assert all("ya empieza así" in one.messages[-1].content for one in found[1:])
    assert all(one.tokens <= WINDOW.cap for one in found)


def test_the_room_for_the_answer_is_the_forms_and_never_the_targets(tiny_model: Path) -> None:
    short, long = (play([PARAGRAPH * times, "Fin."], tiny_model) for times in (1, 6))
    prompts = [one.messages for found in (short, long) for one in found[:1] if isinstance(one, Example)]
    assert prompts[0] == prompts[1]


def test_one_sentence_longer_than_the_room_is_told_and_the_rest_is_kept(tiny_model: Path) -> None:
    text = f"{PARAGRAPH}\n\n{'palabra ' * 200}sin fin.\n\n{PARAGRAPH}"
    found = play([text], tiny_model)
    assert [one.reason for one in found if isinstance(one, Lost)] == [
        "one sentence is longer than the room for the answer"
    ]
    assert [one.target for one in found if isinstance(one, Example)] == [PARAGRAPH, PARAGRAPH]


def test_a_cap_that_the_fixed_parts_overrun_is_told(tiny_model: Path) -> None:
    found = play([PARAGRAPH], tiny_model, window=replace(WINDOW, cap=1_500))
    assert found == [Lost("a:s0:0", "the fixed parts do not fit under the cap")]


def test_earlier_sections_stand_in_the_prompt_and_later_ones_by_heading_only(tiny_model: Path) -> None:
    found = play(["Alfa bravo.", "Casa delta.", "Eco foxtrot."], tiny_model)
    assert isinstance(found[1], Example)
    shown = found[1].messages[-1].content
    assert "Alfa bravo." in shown
    assert "Parte 2" in shown
    assert "Eco foxtrot." not in shown


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve reports of twelve projects with 9 sections each, a proposal and a law."""
    places = ("Olmedilla", "Murgadas", "Valdeluz", "Pinarejo")
    documents = [
        document(
            f"d{n}",
            [
                (f"Parte {k}", 1, f"{PARAGRAPH} En {places[k % 4]} hubo {n + 2}{k} talleres número{n} cosa{k}.\n\n" * 2)
                for k in range(9)
            ],
        )
        for n in range(12)
    ]  # fmt: skip
    call = document("ley", [("Artículo", 1, PARAGRAPH * 3)], kind="law")
    return write_corpus(tmp_path_factory.mktemp("corpus"), [*documents, call])


@pytest.fixture(scope="module")
def made(corpus: Path, tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made")
    chat = out / "chat.jsonl"
    turns = [{"from": "human", "value": "¿Qué hora es?"}, {"from": "gpt", "value": "Las tres."}]
    roles = [{"role": "user", "content": "Di algo."}, {"role": "assistant", "content": "Algo."}]
    lines = [{"conversations": turns}, {"messages": roles}, {"messages": roles[:1]}] * 30
    chat.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    arguments = [
        "corpus", "examples", str(corpus), "--model", str(tiny_model), "-o", str(out / "examples"), "--cap", "5000",
        "--reserve", "700", "--mix", f"{chat}:0.1", "--workers", "1",
    ]  # fmt: skip
    assert main(arguments) == 0
    return out / "examples"


def rows(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from read_rows(folder)


def test_the_files_hold_what_training_counts_and_the_sidecar_says_so(
    made: Path, tiny_model: Path, corpus: Path
) -> None:
    told = json.loads((made / "examples.json").read_text())
    own = encoder(tiny_model)
    seen: dict[str, int] = {}
    for where, row in rows(made):
        seen[where] = seen.get(where, 0) + 1
        messages = [Message(one["role"], one["content"]) for one in row["messages"]]
        encoded = own.encode(messages, row["target"], [(one["start"], one["end"]) for one in row["masked"]])
        assert (row["tokens"], row["labelled"]) == (encoded.tokens, encoded.labelled)
        assert row["tokens"] <= 5_000
    assert seen == told["counts"]["examples"]
    assert set(seen) == {"train", "validation", "test"}
    assert told["tokenizer"] == fingerprint(tiny_model)
    assert (told["mode"], told["cap"], told["decay"], told["chat"]) == ("warm", 5_000, 0.75, True)
    assert told["corpus"] == corpus_id(corpus)
    assert set(told["files"]) == {"train.parquet", "validation.parquet", "test.parquet"}


def test_a_fifth_is_in_mode_fill_and_a_tenth_of_what_teaches_is_general(made: Path) -> None:
    found = [row["mode"] for where, row in rows(made) if where == "train"]
    assert 0.1 < found.count("fill") / len(found) < 0.3
    assert found.count("general") / len(found) == pytest.approx(0.1, abs=0.02)
    assert all(row["mode"] != "general" for where, row in rows(made) if where != "train")


def test_laws_and_calls_teach_nothing_and_reports_stay_in_their_split(made: Path, corpus: Path) -> None:
    homes: dict[str, set[str]] = {}
    for where, row in rows(made):
        homes.setdefault(row["report"], set()).add(where)
    assert "ley" not in homes
    assert all(len(places) == 1 for places in homes.values())
    split = json.loads((corpus / "split.json").read_text())["documents"]
    assert all(split[report] in places for report, places in homes.items() if report in split)


def test_ids_are_unique_and_two_runs_give_the_same_bytes(
    made: Path, corpus: Path, tiny_model: Path, tmp_path: Path
) -> None:
    ids = [row["id"] for _, row in rows(made)]
    assert len(ids) == len(set(ids))
    arguments = ["corpus", "examples", str(corpus), "--model", str(tiny_model), "--cap", "5000", "--reserve", "700"]
    one, two = tmp_path / "one", tmp_path / "two"
    assert main([*arguments, "-o", str(one), "--jsonl", "--workers", "1"]) == 0
    assert main([*arguments, "-o", str(two), "--jsonl", "--workers", "2"]) == 0
    for name in ("train.jsonl", "validation.jsonl", "test.jsonl", "examples.json"):
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


def test_hugging_face_datasets_loads_both_layouts(made: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    found = datasets.load_dataset("parquet", data_files=str(made / "train.parquet"), split="train")
    assert found.column_names == [
        "id", "report", "project", "language", "kind", "mode", "tokens", "labelled", "messages", "target", "masked"
    ]  # fmt: skip
    assert found[0]["messages"][0]["role"] == "system"


def test_a_failure_leaves_the_examples_that_were_there(
    made: Path, corpus: Path, tiny_model: Path, tmp_path: Path
) -> None:
    before = {path.name: path.read_bytes() for path in made.iterdir()}
    arguments = ["corpus", "examples", str(corpus), "--model", str(tiny_model), "-o", str(made), "--cap", "5000"]
    assert main([*arguments, "--mix", f"{tmp_path / 'none.jsonl'}:0.1", "--workers", "1"]) == 1
    assert {path.name: path.read_bytes() for path in made.iterdir()} == before


@pytest.mark.parametrize("wish", ["chat.jsonl", "chat.jsonl:1.5", ":0.1", "chat.jsonl:x"])
def test_a_mix_that_is_none_is_told(wish: str) -> None:
    with pytest.raises(BadSetting, match="write it like"):
        mix(wish)


@pytest.mark.parametrize("content", ["[1, 2]", '{"a": 1}', "kein json", '[{"messages": []}]'])
def test_a_file_without_conversations_is_told(content: str, tiny_model: Path, tmp_path: Path) -> None:

    (tmp_path / "m.json").write_text(content)
    with pytest.raises(UnreadableFile):
        list(general(Mix(tmp_path / "m.json", 0.5), 10, 5_000, ModelReader(tiny_model), 0))


def test_a_corpus_without_a_report_is_told(
    tmp_path: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_corpus(tmp_path, [document("a", [("Uno", 1, PARAGRAPH)], language=None)])
    assert main(["corpus", "examples", str(folder), "--model", str(tiny_model), "--workers", "1"]) == 1
    assert "no example came of" in capsys.readouterr().err
    assert not list(folder.glob("examples/*"))


def test_an_unknown_kind_is_told_with_the_nearest(
    corpus: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["corpus", "examples", str(corpus), "--model", str(tiny_model), "--kind", "memorial"]
    assert main(arguments) == 1
    assert "did you mean 'memoria'" in capsys.readouterr().err
