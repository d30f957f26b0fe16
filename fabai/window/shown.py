"""What a text looks like when the model is shown it: composed accents, and nothing that a chat template takes for its
own.

Knows Unicode and the control marks of chat templates. Does not know which text is shown.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# <|im_end|>, <｜end▁of▁sentence｜>, <start_of_turn>, </s>, <think>, [INST], <<SYS>>: a document that holds one must not
# end our turn
_CONTROL = re.compile(
    r"<(?=[|｜][^<>\n]{1,60}[|｜]>)"
    r"|<(?=/?(?:s|bos|eos|pad|unk|mask|think|tool_call|tool_response|start_of_turn|end_of_turn|image_soft_token)>)"
    r"|<(?=<SYS>>|</SYS>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\])"
)
_REPLACEMENT = {"<": "‹", "[": "⟦"}
_FENCE = re.compile(r"~{3,}")


@lru_cache(maxsize=8192)
def shown(text: str) -> str:
    """The text in NFC, line ends as \\n, control marks of chat templates made harmless, blank ends stripped."""
    plain = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _CONTROL.sub(lambda match: _REPLACEMENT[match[0]], plain).strip()


def fenced(text: str) -> str:
    """The text between two lines of tildes, longer than any run of tildes inside, so that it cannot close its fence."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=0)
    fence = "~" * max(4, longest + 1)
    return f"{fence}\n{text}\n{fence}"
