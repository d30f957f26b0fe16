"""What a text looks like when the model is shown it: composed accents, and nothing that a chat template takes for its
own, nor that could end the fence it stands in.

Every text that comes from a document stands between two lines of tildes, or, where it is a title, between quotation
marks on one line. Neither can be closed from inside: runs of tildes become backticks, which mean the same in Markdown,
and quotation marks inside a title become single ones. So the fence is the same in every prompt, which a server's prefix
cache needs, and a text cannot know how to leave it.

Knows Unicode, fences and the control marks of chat templates. Does not know which text is shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
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
FENCE = "~~~~"
_FENCE = re.compile(r"~{4,}")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""Whatever some program takes for the end of a line, so that a fence is looked for where a model may see one."""
_QUOTES = str.maketrans({"«": "‹", "»": "›", "“": "‘", "”": "’", '"': "'"})


@lru_cache(maxsize=8192)
def shown(text: str) -> str:
    """The text in NFC, line ends as \\n, control marks of chat templates and fences made harmless, blank ends
    stripped.
    """
    plain = unicodedata.normalize("NFC", _LINE_END.sub("\n", text))
    plain = _CONTROL.sub(lambda match: _REPLACEMENT[match[0]], plain).strip()
    return _FENCE.sub(lambda run: "`" * len(run[0]), plain)


def fenced(text: str) -> str:
    """The text between two lines of tildes, longer than any run of tildes inside, so that it cannot close its fence."""
    fence = fence_for((text,))
    return f"{fence}\n{text}\n{fence}"


def fence_for(texts: Iterable[str]) -> str:
    """The line that texts stand between: FENCE, unless one that was not made ready by `shown` holds as many tildes."""
    longest = max((len(run) for text in texts for run in _FENCE.findall(text)), default=0)
    return "~" * max(len(FENCE), longest + 1 if longest else 0)


def quoted(text: str) -> str:
    """A title as it stands between quotation marks in a sentence of ours: one line that cannot close them."""
    return " ".join(shown(text).translate(_QUOTES).split())
