"""A prompt's tokens as a model folder's own tokenizer gives them: its chat template, or one text for a base model.

Knows what a transformers tokenizer object can do; the one place that renders prompts for it, so that training shows a
model what drafting shows it. Does not import transformers and does not know models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabai.message import Message
from fabai.writers.completion import completion_prompt


def prompt_ids(tokenizer: Any, messages: Sequence[Message]) -> list[int]:
    """The prompt up to where the answer begins; thinking is off where the template knows of it."""
    if tokenizer.chat_template is None:
        return list(tokenizer(completion_prompt(messages), verbose=False)["input_ids"])
    # a template that does not know enable_thinking ignores it
    found = tokenizer.apply_chat_template(
        [message.as_dict() for message in messages],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        enable_thinking=False,
    )
    return list(found["input_ids"])
