"""An adapter trained by the shipped recipe for processors, in all three Writers."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from fabai.draft import draft
from fabai.form import Form, SectionSpec
from fabai.message import Message
from fabai.settings import WindowSettings
from fabai.store.project import Project
from fabai.writers.choose import choose
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.secret import KEY as KEY_NAME
from fabai.writers.template import prompt_ids
from fabai.writers.transformers import Transformers
from tests.with_vllm.conftest import KEY, NEAR, STORY, Served, parting, written

PROMPTS = (
    STORY,
    [Message("user", "Describe the choir of the village in three sentences.")],
    [Message("system", "You write reports."), Message("user", "What did the families do in the library?")],
)


def test_the_same_prompt_gives_the_same_greedy_text_or_parts_where_two_tokens_are_as_likely(
    server: Served, learnt: Path, english_model: Path
) -> None:
    """Of transformers, vLLM and llama.cpp. Where they part is printed: the place, both tokens, and how far apart."""
    partings = []
    with (
        closing(Transformers(learnt)) as ours,
        closing(server.writer()) as vllm,
        closing(LlamaCpp(english_model, adapter=learnt)) as llama,
    ):
        for messages in PROMPTS:
            assert server.ids(messages) == prompt_ids(ours._tokenizer, messages) == llama._prompt(messages)
            text = written(ours, messages)[0]
            for name, writer in (("vllm", vllm), ("llamacpp", llama)):
                found = parting(ours, messages, text, written(writer, messages)[0])
                partings.append({"writer": name, **found})
    print(json.dumps({"partings": partings}))
    assert all(found["apart"] <= NEAR for found in partings), partings


@pytest.mark.parametrize("kind", ["llamacpp", "transformers", "openai"])
def test_a_section_is_drafted_with_it_through_each_writer(
    server: Served, learnt: Path, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)
    wish = {
        "llamacpp": f"llamacpp:smollm2-135m+{learnt}",
        "transformers": f"transformers:{learnt}",
        "openai": f"openai:{server.url}#{server.model}",
    }[kind]
    form = Form("f", {"en": "F"}, ("en",), "c", "2026-01-01", sections=(SectionSpec("s1", {"en": "Results"}),))
    with Project.create(tmp_path / "p.fabai", form, "en", "Report") as project, closing(choose(wish)) as writer:
        version = draft(project, "s1", writer, window=WindowSettings(cap=1_200, reserve=40))
    assert version.made.model.startswith(f"{kind}:")
    assert "memorias-1" in version.made.model
    assert version.text
