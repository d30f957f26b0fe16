"""The whole of `fabai slice`: a model folder in, a smaller one out, with its map, report and proof.

Does not know the command line.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from fabai.errors import UnreadableFile
from fabai.settings import SliceSettings

from . import dropped_rows, llamacpp
from .checkpoint import Checkpoint, locate, read_checkpoint
from .choice import Survey, Wanted
from .counts import Ids
from .families import Family, read_family
from .manifest import FOLDER, FORMAT, Manifest, sha256, write_manifest
from .measure import losses, measure
from .report import Sizes, SliceReport
from .rows import sum_bytes, write_rows
from .selection import Order
from .staging import staged
from .texts import find, word_lists
from .tokenizer import load, read_json, remapped, sliced_table, special_ids, write_json, write_tokenizer
from .verify import verify

CONFIGS = ("config.json", "generation_config.json")
_PLAIN = ("LICENSE", "LICENSE.txt", "NOTICE", "USE_POLICY.md")


class Watch(Protocol):
    """Told that a stage begins, with its total in bytes where it has one; the answer takes the bytes done."""

    def __call__(self, stage: str, total: int | None = None, /) -> Callable[[int], None]: ...


def unwatched(_stage: str, _total: int | None = None, /) -> Callable[[int], None]:
    """A Watch that looks away."""
    return lambda _done: None


@dataclass(frozen=True)
class Request:
    """What to slice. text, words: entries as `texts.find` and `texts.word_lists` take them. verify None: small models
    only.
    """

    model: str
    text: Sequence[str]
    languages: Sequence[str]
    wanted: Wanted = field(default_factory=Wanted)
    words: Sequence[str] = ()
    verify: bool | None = None
    keep_dropped: bool = False
    settings: SliceSettings = field(default_factory=SliceSettings)


@dataclass(frozen=True)
class Cut:
    """A slice decided on: kept[row] = original row, padding rows at the end; tokens: rows that are tokens."""

    kept: Ids
    tokens: int

    @property
    def ids(self) -> dict[int, int]:
        """Old id -> new id."""
        return {old: new for new, old in enumerate(self.kept[: self.tokens].tolist())}


def slice_model(request: Request, target: Path, watch: Watch = unwatched) -> SliceReport:
    """Write the slice to `target` and return its report; nothing is left at `target` where it fails or is stopped."""
    folder = locate(request.model)
    family = read_family(folder / "tokenizer.json")
    source = read_checkpoint(folder)
    survey, order, drops = choose(request, folder, family, source, watch)
    cut = with_padding(survey.kept(order, drops), source.rows, request.settings.multiple)
    report = describe(folder.name, survey, order, drops, cut, source, watch)
    extra = sum_bytes(source, source.rows - len(cut.kept)) if request.keep_dropped else 0
    with staged(target, sum_bytes(source, len(cut.kept)) + extra + 2**26) as work:
        write_rows(source, work, cut.kept, watch("writing the model", sum_bytes(source, len(cut.kept))))
        watch("writing the tokenizer")
        report = _write_small(request, folder, family, source, cut, report, work)
        if request.verify or (request.verify is None and source.parameters <= request.settings.verify_parameters):
            watch("proving the slice")
            report = _proven(request, source, survey, cut, report, work)
        report.write(work / FOLDER)
    return report


def choose(
    request: Request, folder: Path, family: Family, source: Checkpoint | None, watch: Watch = unwatched
) -> tuple[Survey, Order, int]:
    """(what was counted, the order of dropping, how many of it go)."""
    special = _belong(folder, family, source) if source is not None else set()
    files = find(request.text, request.languages)
    lists = word_lists(request.words, request.languages, request.settings.list_words)
    watch("counting the text")
    survey = Survey(
        folder,
        family,
        files,
        lists,
        request.languages,
        request.settings,
        special,
        source.rows if source is not None else None,
    )
    watch("choosing the tokens")
    return survey, *survey.order(request.wanted)


def describe(
    name: str,
    survey: Survey,
    order: Order,
    drops: int,
    cut: Cut,
    source: Checkpoint | None,
    watch: Watch = unwatched,
) -> SliceReport:
    """Measure a cut on the held-out text. Without a checkpoint the bytes of a row are 0."""
    watch("measuring the cut")
    after = load(sliced_table(survey.family, cut.ids))
    alive = order.alive(drops, survey.ladder.everything)
    widths = [source.tensors[one].row_bytes for one in source.vocabulary] if source is not None else [0]
    return SliceReport(
        model=name,
        family=survey.family.name,
        sizes=Sizes(
            source.rows if source is not None else survey.total, len(cut.kept), cut.tokens, widths[0], sum(widths[1:])
        ),
        languages=measure(survey.held_out_text(), survey.family, survey.tokenizer, after, cut.kept[: cut.tokens]),
        losses=losses(survey.all_counts(), survey.ladder, alive),
        lists=[f"{words.language}: {words.name}" for words in survey.lists],
        notices=list(survey.notices),
        held_out=survey.held_out,
        curve=survey.curve(order, drops),
        gguf=llamacpp.gguf_advice(survey.family),
    )


def with_padding(kept: Ids, rows: int, multiple: int) -> Cut:
    """Fill up to a multiple with rows that are no kept token's: first those of no token at all, so that an id without a
    token is as unlikely as it was (a row of zeros could outbid real ones). Never more rows than the original has.
    """
    wanted = min(rows, -(-len(kept) // multiple) * multiple)
    spare = np.setdiff1d(np.arange(rows, dtype=np.int64), kept)[::-1][: wanted - len(kept)]
    return Cut(np.concatenate([kept, np.sort(spare)]), len(kept))


def _belong(folder: Path, family: Family, source: Checkpoint) -> set[int]:
    """Ids that the configs name; UnreadableFile where tokenizer and model are not of one kind."""
    largest = max(family.vocab.values())
    if largest >= source.rows or source.rows > family.size + max(1_024, family.size // 50):
        raise UnreadableFile(
            f"{folder}: the tokenizer has {family.size:,} tokens and the model {source.rows:,} rows: they do not "
            "belong together; "
            "put the tokenizer.json of this very model there"
        )
    named: set[int] = set()
    for name in CONFIGS:
        if (folder / name).is_file():
            ids = special_ids(read_json(folder / name))
            wrong = sorted(token for token in ids if token >= family.size or not family.strings[token])
            if wrong:
                raise UnreadableFile(
                    f"{folder / name} names token {wrong[0]:,}, which the tokenizer does not have: the two do not "
                    "belong together"
                )
            named |= ids
    return named


def _write_small(
    request: Request, folder: Path, family: Family, source: Checkpoint, cut: Cut, report: SliceReport, work: Path
) -> SliceReport:
    left_out = write_tokenizer(folder, work, family, cut.ids)
    for name in CONFIGS:
        if (folder / name).is_file():
            config = remapped(read_json(folder / name), cut.ids, folder / name)
            for part in (config, config.get("text_config", {})):
                if "vocab_size" in part:
                    part["vocab_size"] = len(cut.kept)
            write_json(work / name, config)
    for name in _PLAIN:
        if (folder / name).is_file():
            shutil.copyfile(folder / name, work / name)
    manifest = Manifest(
        format=FORMAT,
        original=str(folder.resolve()) if Path(request.model).is_dir() else request.model,
        tokenizer_sha256=sha256(folder / "tokenizer.json"),
        family=family.name,
        rows_before=source.rows,
        rows=len(cut.kept),
        tokens_before=family.size,
        tokens=cut.tokens,
        vocabulary=source.vocabulary,
        pre=llamacpp.pre_name(family),
        gguf=llamacpp.gguf_advice(family),
        command=" ".join(["fabai", *sys.argv[1:]]),
    )
    write_manifest(work, folder, manifest, cut.kept)
    if request.keep_dropped:
        dropped_rows.save(source, work, cut.kept)
    if left_out:
        notice = (
            f"left out: {', '.join(left_out)} (tokenizer.json holds the sliced tokenizer; "
            "tools that need the other form need fabai unslice)"
        )
        return replace(report, notices=[*report.notices, notice])
    return report


def _proven(
    request: Request, source: Checkpoint, survey: Survey, cut: Cut, report: SliceReport, work: Path
) -> SliceReport:
    texts = [
        text
        for _, text in zip(
            range(20 * request.settings.sample), (text for _, text in survey.held_out_text()), strict=False
        )
    ]
    texts = [text for text in texts if text.strip()][: request.settings.sample]
    run = source.parameters <= request.settings.verify_parameters
    after = load(sliced_table(survey.family, cut.ids))
    proof = verify(source, work, cut.kept, survey.tokenizer, after, texts, run=run)
    notices = (
        report.notices
        if run
        else [*report.notices, "the model is too large to run here, so rows were compared and logits were not"]
    )
    return replace(report, proof=asdict(proof), notices=notices)
