"""From a tokenizer and text to the set of tokens that a slice keeps.

Puts counting, lists, required tokens and the order of dropping together. Does not read or write weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from fabai.errors import BadSetting
from fabai.settings import SliceSettings

from .closure import Ladder, irreplaceable
from .counts import Counting, Ids, LanguageCount, encode, scripts_of
from .families import Family
from .measure import identical
from .selection import Dropping, Order, check_size, weigh
from .texts import MIXED, SCRIPTS, TextFile, WordList, letter_scripts, pieces, word_lists_missing
from .tokenizer import template_texts


@dataclass(frozen=True)
class Wanted:
    """How much to keep: a number of rows, a share of tokens that must be cut as before in every language, or (neither)
    all that the text and the lists use.
    """

    size: int | None = None
    coverage: float | None = None

    def __post_init__(self) -> None:
        if self.size is not None and self.coverage is not None:
            raise BadSetting("give either a size or a coverage, not both")
        if self.size is not None and self.size < 1:
            raise BadSetting(f"size is {self.size}; it must be at least 1")
        if self.coverage is not None and not 0.5 <= self.coverage <= 1.0:
            raise BadSetting(f"coverage is {self.coverage}; it must lie between 0.5 and 1")


class Survey:
    """A tokenizer seen through text: counts, the order of dropping, and any size along it."""

    def __init__(
        self,
        folder: Path,
        family: Family,
        files: Sequence[TextFile],
        lists: Sequence[WordList],
        languages: Sequence[str],
        settings: SliceSettings,
        special: Iterable[int] = (),
        rows: int | None = None,
    ) -> None:
        self.family = family
        self.ladder = Ladder(family)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.settings = settings
        self.lists = lists
        self._files = files
        # an added token that the model has no row for cannot be used (Gemma 3's image token in its text models)
        words = set(family.vocab.values())
        self.rowless = {token for token in family.added if rows is not None and token >= rows and token not in words}
        counting = Counting(family, self.tokenizer)
        both = counting.count(
            (f"{language} {held:d}", text) for language, held, text in pieces(files, settings.holdout)
        )
        self.counts = {key[:-2]: count for key, count in both.items() if key.endswith("0")}
        held = {key[:-2]: count for key, count in both.items() if key.endswith("1")}
        if not any(count.total for count in self.counts.values()):
            raise BadSetting("the text is empty or too short to choose tokens from; give more text")
        self.held = held or self.counts
        self.held_out = bool(held)
        self._listed = [counting.count_list(words) for words in lists]
        self._required = self._always(folder, special)
        self.notices = [*self._doubts(languages)]
        if not lists:
            self.notices.append(word_lists_missing(languages))
        if self.rowless:
            names = ", ".join(family.added[token] for token in sorted(self.rowless))
            self.notices.append(f"left out, because the model has no row for it: {names}")

    def held_out_text(self) -> Iterable[tuple[str, str]]:
        """(language, text) that the choice has not seen, streamed again; all of it where nothing is held out."""
        return (
            (language, text)
            for language, held, text in pieces(self._files, self.settings.holdout)
            if held == self.held_out
        )

    def _always(self, folder: Path, special: Iterable[int]) -> set[int]:
        family = self.family
        kept = {*family.byte_ids, *family.added, *special, *irreplaceable(family)}
        for encoding in encode(self.tokenizer, template_texts(folder)):
            kept.update(encoding.ids)
        return kept - self.rowless

    def _doubts(self, languages: Sequence[str]) -> Iterable[str]:
        for language, count in sorted(self.counts.items()):
            expected = SCRIPTS.get(language) or (SCRIPTS.get(languages[0]) if language == MIXED and languages else None)
            found = scripts_of(count)
            letters = sum(found.values())
            if expected is None or not letters:
                continue
            share = found[expected] / letters
            if share < self.settings.own_script:
                most, times = found.most_common(1)[0]
                yield (
                    f"the {language} text is in another script: of {letters:,} letters {share:.1%} are "
                    f"{expected.capitalize()} and {times / letters:.1%} {most.capitalize()}; "
                    "check the files and --languages"
                )

    @cached_property
    def scripts(self) -> set[str]:
        """Scripts that the text is written in (one letter in a hundred, in some language)."""
        found = set()
        for count in self.counts.values():
            letters = scripts_of(count)
            found |= {script for script, times in letters.items() if times >= 0.01 * sum(letters.values())}
        return found

    @cached_property
    def foreign(self) -> set[int]:
        """Tokens that hold a letter of a script that the text is not written in."""
        return {
            token
            for token in self.family.vocab.values()
            if not self.scripts.issuperset(letter_scripts(self.family.raw(token).decode("utf-8", errors="ignore")))
        }

    def dropping(self) -> Dropping:
        """A fresh search for the order of dropping."""
        alone, units = weigh(self.counts, self._listed, self.settings.list_share)
        return Dropping(self.ladder, alone, units, self._required, self.foreign)

    def order(self, wanted: Wanted) -> tuple[Order, int]:
        """(the order as far as it was needed, how many of it to drop)."""
        total = self.total
        if wanted.size is not None:
            size = self.padded(wanted.size)
            order = self.dropping().order(max(0, total - size))
            if total - len(order.dropped) > size:
                kept = total - len(order.dropped)
                check_size(wanted.size, kept, len(self.family.byte_ids), len(self.family.added))
            return order, len(order.dropped)
        if wanted.coverage is None:
            order = self.dropping().order(until=0.0)
            drops = len(order.dropped)
        else:
            # a token that is lost adds one piece or more, nearly always
            order = self.dropping().order(until=2e6 * (1 - wanted.coverage))
            drops = self._most_drops(order, wanted.coverage)
        return order, max(0, drops - (-(total - drops)) % self.settings.multiple)

    def _most_drops(self, order: Order, coverage: float) -> int:
        low, high = 0, len(order.dropped)
        while low < high:
            middle = (low + high + 1) // 2
            if min(self.shares(order, middle).values()) >= coverage:
                low = middle
            else:
                high = middle - 1
        return low

    @cached_property
    def total(self) -> int:
        """Tokens of the tokenizer that have a row."""
        return len({*self.family.vocab.values(), *self.family.added} - self.rowless)

    def padded(self, size: int) -> int:
        """Up to the next multiple."""
        return -(-size // self.settings.multiple) * self.settings.multiple

    def kept(self, order: Order, drops: int) -> Ids:
        """Old ids of the kept tokens, rising."""
        alive = order.alive(drops, self.ladder.everything)
        for token in self.family.added:
            alive[token] = token not in self.rowless
        return np.flatnonzero(np.frombuffer(bytes(alive), np.uint8)).astype(np.int64)

    def shares(self, order: Order, drops: int) -> dict[str, float]:
        """Share of each language's held-out tokens that are cut as before when `drops` tokens have gone."""
        alive = order.alive(drops, self.ladder.everything)
        return {language: self._share(count, alive) for language, count in self.held.items()}

    def _share(self, count: LanguageCount, alive: bytearray) -> float:
        mask = np.frombuffer(bytes(alive), np.uint8).astype(bool)
        mask[list(self.family.added)] = True
        lost = int(count.tokens[~mask].sum())
        for unit, times in count.units.items():
            if not all(alive[token] for token in unit):
                raw, family = self.family.raw, self.family
                new = self.ladder.encode("".join(family.strings[token] for token in unit), alive)
                same = identical(np.array([len(raw(one)) for one in unit]), np.array([len(raw(one)) for one in new]))
                lost += times * int((~(same & mask[list(unit)])).sum())
        return 1 - lost / max(1, count.total)

    def all_counts(self) -> dict[str, LanguageCount]:
        """The text that the choice has seen and the held-out text together."""
        return {
            language: count + self.held[language] if self.held_out and language in self.held else count
            for language, count in self.counts.items()
        }

    def curve(self, order: Order, drops: int, points: int = 12) -> list[tuple[int, Mapping[str, float]]]:
        """(tokens kept, shares) along the order and at the chosen size."""
        places = sorted({drops, *np.linspace(0, len(order.dropped), points, dtype=int).tolist()})
        return [(self.total - place, self.shares(order, place)) for place in places]
