"""vLLM and a model whose vocabulary was cut; started without --lock."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from fabai.cli import main
from fabai.draft import draft
from fabai.errors import WriterError
from fabai.form import Form, SectionSpec
from fabai.lock import Constraint
from fabai.message import Message
from fabai.store.project import Project
from fabai.writers.template import prompt_ids
from fabai.writers.transformers import Transformers
from tests.with_vllm.conftest import NEAR, STORY, Served, parting, serving, written

TEXT = Path(__file__).parents[2] / "README.md"


def test_a_sliced_model_is_served_as_it_is_and_writes_what_it_writes_in_transformers(
    smollm2: Path, tmp_path: Path
) -> None:
    sliced, text = tmp_path / "smollm2-cut", tmp_path / "en.txt"
    text.write_text(TEXT.read_text(encoding="utf-8") + "\n".join(one.content for one in STORY), encoding="utf-8")
    words = ["slice", str(smollm2), "--text", f"en={text}", "--languages", "en", "--size", "24576"]
    assert main([*words, "-o", str(sliced)]) == 0
    assert json.loads((sliced / "config.json").read_text())["vocab_size"] == 24_576
    with closing(Transformers(sliced)) as ours:
        with serving(sliced, tmp_path / "vllm.log") as server, closing(server.writer()) as writer:
            assert server.model == "smollm2-cut"
            assert server.ids(STORY) == prompt_ids(ours._tokenizer, STORY)
            theirs, usage = written(writer, STORY)
            assert usage.prompt_tokens == writer.count_messages(STORY)
            refuses(server, tmp_path)
            # letters that the text had not
            assert written(writer, [Message("user", "¿Qué tal, 東京? 😀")])[1].completion_tokens > 0
        found = parting(ours, STORY, written(ours, STORY)[0], theirs)
    assert found["apart"] <= NEAR, found


def refuses(server: Served, folder: Path) -> None:
    """A server that was started without --lock: one sentence and no draft."""
    form = Form("f", {"en": "F"}, ("en",), "c", "2026-01-01", sections=(SectionSpec("s1", {"en": "Results"}),))
    with Project.create(folder / "p.fabai", form, "en", "Report") as project, closing(server.writer()) as writer:
        with pytest.raises(WriterError, match="fabai serve --lock") as caught:
            draft(project, "s1", writer, constraint=Constraint([], "en"))
        assert not project.versions("s1")
    assert "\n" not in str(caught.value)
