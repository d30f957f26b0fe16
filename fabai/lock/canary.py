"""The canary: a request whose answer shows whether a server really keeps to a lock.

Knows what must come back. Does not know servers. Some ignore a lock that they do not know, or one that they cannot
read, and answer as if nothing had been asked; so before a locked text they are asked for a word that no model would
choose.
"""

from __future__ import annotations

from fabai.errors import WriterError

WORD = "[zqxj]"
CANARY_TOKENS = 12
CANARY_GBNF = f'root ::= "{WORD}"\n'


def prove(said: str, who: str) -> None:
    """WriterError where the answer to the canary is not its word. who: "the server at http://..." """
    if said.strip() != WORD:
        raise WriterError(
            f"{who} does not lock figures: asked to write only '{WORD}' it wrote '{' '.join(said.split())[:40]}'; use "
            "another writer"
        )
