"""The text that a slice is chosen from: files by language, read as a stream, every tenth line held out; word lists.

Knows .txt, .md and .jsonl files and lists of words. Does not know tokenizers.
"""

from __future__ import annotations

import importlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.errors import BadSetting, UnreadableFile

SUFFIXES = (".txt", ".md", ".jsonl")
MIXED = "mixed"
_LONGEST = 20_000  # characters given to the encoder as one piece

# The script of a language, by the first word of its letters' Unicode names; others are taken from the text.
SCRIPTS = {
    **dict.fromkeys(("es", "ca", "gl", "eu", "oc", "ast", "an", "pt", "fr", "it", "ro"), "LATIN"),
    **dict.fromkeys(("en", "de", "nl", "sv", "da", "nb", "nn", "no", "ga", "mt", "fi", "et"), "LATIN"),
    **dict.fromkeys(("pl", "cs", "sk", "sl", "hr", "lv", "lt", "hu", "tr"), "LATIN"),
    **dict.fromkeys(("ru", "uk", "be", "bg", "mk", "sr"), "CYRILLIC"),
    "el": "GREEK",
    "ar": "ARABIC",
    "fa": "ARABIC",
    "he": "HEBREW",
    "hi": "DEVANAGARI",
    "zh": "CJK",
    "ja": "CJK",
    "ko": "HANGUL",
}


@dataclass(frozen=True, slots=True)
class TextFile:
    """One file and the language that it counts for."""

    path: Path
    language: str


@dataclass(frozen=True, slots=True)
class WordList:
    """Frequent words of one language, most frequent first, with a relative frequency each; `name` says where they are
    from.
    """

    language: str
    name: str
    words: tuple[tuple[str, float], ...]


def find(entries: Sequence[str], languages: Sequence[str]) -> list[TextFile]:
    """Files named as PATH or LANG=PATH; folders are searched for .txt, .md and .jsonl.

    Without LANG= a file's language is a folder above it or the end of its name (es/a.txt, a-es.txt, a.es.txt); where
    there is only one language, that one; else it counts as "mixed".
    """
    found: list[TextFile] = []
    for entry in entries:
        path, language = named(entry, languages)
        if not path.exists():
            raise UnreadableFile(f"{path} does not exist; give a text file or a folder of .txt, .md or .jsonl files")
        files = sorted(one for one in path.rglob("*") if one.suffix in SUFFIXES) if path.is_dir() else [path]
        root = path if path.is_dir() else path.parent
        found += [TextFile(one, language or _language(one.relative_to(root.parent), languages)) for one in files]
    if not found:
        raise UnreadableFile(
            "no text to count tokens in; give --text FILE or a --corpus folder that holds .txt, .md or .jsonl files"
        )
    return found


def named(entry: str, languages: Sequence[str]) -> tuple[Path, str | None]:
    """Split LANG=PATH; the language is None where the entry is a plain path."""
    head, sign, tail = entry.partition("=")
    if sign and re.fullmatch(r"[a-z]{2,3}", head) and not Path(entry).exists():
        if head not in languages:
            raise BadSetting(
                f"{entry}: '{head}' is not among the languages {', '.join(languages)}; add it to --languages"
            )
        return Path(tail), head
    return Path(entry), None


def _language(path: Path, languages: Sequence[str]) -> str:
    if len(languages) == 1:
        return languages[0]
    words = {*path.parts[:-1], *re.split(r"[-_.]", path.stem)[-1:]}
    told = [language for language in languages if language in words]
    return told[0] if len(told) == 1 else MIXED


def pieces(files: Iterable[TextFile], holdout: int) -> Iterator[tuple[str, bool, str]]:
    """(language, held out, text) for runs of lines: with holdout 10 every tenth line is held out, with 0 none.

    A text of fewer lines than that is all counted.
    """
    for file in files:
        run: list[str] = []
        length = 0
        for number, line in enumerate(_lines(file.path)):
            held = holdout > 0 and number % holdout == holdout - 1
            if held or length > _LONGEST:
                if run:
                    yield file.language, False, "".join(run)
                run, length = [], 0
            for part in _short(line):
                if held or len(part) >= _LONGEST:
                    yield file.language, held, part
                else:
                    run.append(part)
                    length += len(part)
        if run:
            yield file.language, False, "".join(run)


def _short(line: str) -> Iterator[str]:
    while len(line) > _LONGEST:
        cut = line.rfind(" ", _LONGEST // 2, _LONGEST)
        cut = cut if cut > 0 else _LONGEST
        yield line[:cut]
        line = line[cut:]
    yield line


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            if path.suffix != ".jsonl":
                yield from stream
                return
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield from (checked(text, f"{path}, line {number}") for text in _strings(json.loads(line)))
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8 first") from None
    except json.JSONDecodeError as error:
        raise UnreadableFile(f"{path} has a line that is not JSON: {error}") from None
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}") from None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.splitlines(keepends=True)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)


def checked(text: str, where: str) -> str:
    """The text itself; UnreadableFile where it holds half of a surrogate pair, which no encoder can take."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnreadableFile(
            f"{where} holds half of a surrogate pair (U+{ord(text[error.start]):04X} at character {error.start}), "
            "which is not text; remove it"
        ) from None
    return text


def word_lists(entries: Sequence[str], languages: Sequence[str], most: int) -> list[WordList]:
    """Lists from files (a word a line, or word TAB frequency, or wordfreq's word TAB -119 cB), else from the package
    wordfreq.

    An empty result where neither is there; `most` words of each language are taken.
    """
    if entries:
        return [_list_file(*named(entry, languages), languages, most) for entry in entries]
    try:
        wordfreq = importlib.import_module("wordfreq")
    except ImportError:
        return []
    known = set(wordfreq.available_languages("best"))
    return [
        WordList(
            language,
            f"wordfreq, {most:,} words",
            tuple((word, wordfreq.word_frequency(word, language)) for word in wordfreq.top_n_list(language, most)),
        )
        for language in languages
        if language in known
    ]


def word_lists_missing(languages: Sequence[str]) -> str:
    """The notice for a slice chosen without lists."""
    return (
        f"no lists of frequent words for {', '.join(languages)}, so the slice knows only the words of the text; "
        "give --words LANG=FILE or run: pip install wordfreq"
    )


def _list_file(path: Path, language: str | None, languages: Sequence[str], most: int) -> WordList:
    language = language or _language(path, languages)
    words: list[tuple[str, float]] = []
    for rank, line in enumerate(_lines(path), 1):
        word, _, number = line.strip().partition("\t")
        if word:
            words.append((word, _frequency(number, rank)))
        if len(words) >= most:
            break
    return WordList(language, f"{path.name}, {len(words):,} words", tuple(words))


def _frequency(number: str, rank: int) -> float:
    if number.endswith("cB"):
        return float(10 ** (float(number[:-2]) / 100))
    try:
        return float(number)
    except ValueError:
        return 1.0 / rank  # Zipf, for lists that give an order and no numbers


def letter_scripts(text: str) -> Counter[str]:
    """Letters by script ("LATIN", "CYRILLIC", "CJK" ...), the first word of the Unicode name."""
    counts: Counter[str] = Counter()
    for char in text:
        if char < "\x80":
            if char.isalpha():
                counts["LATIN"] += 1
        elif unicodedata.category(char)[0] == "L":
            counts[unicodedata.name(char, "UNKNOWN").split(" ")[0].split("-")[0]] += 1
    return counts
