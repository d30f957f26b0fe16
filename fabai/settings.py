"""Every default, in one place. Frozen dataclasses, checked on construction; other modules take them as arguments.

Knows the numbers and their bounds. Does not know where they are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fabai.bounds import AppSettings as AppSettings
from fabai.bounds import ExportSettings as ExportSettings
from fabai.bounds import ReadingLimits as ReadingLimits
from fabai.bounds import StoreSettings as StoreSettings
from fabai.bounds import between as _between
from fabai.errors import BadSetting

Mode = Literal["fill", "tiers", "warm"]
Cache = Literal["auto", "kept", "fresh", "static", "quantised"]

_SERVING = (("port", 1, 65_535), ("context", 256, 10_000_000), ("window", 16, 10_000_000), ("memory", 0.1, 0.99),
            ("slots", 1, 1_024), ("patience", 0.1, 86_400), ("grace", 0, 3_600), ("restarts", 0, 1_000),
            ("settled", 0, 86_400), ("backoff", 0, 600), ("every", 0.1, 3_600))  # fmt: skip


@dataclass(frozen=True, slots=True)
class SliceSettings:
    """How a vocabulary is cut.

    multiple: rows are a multiple of this. holdout: every so many lines are kept out of the choice and measured (0:
    none). list_words: words taken from each frequent-word list. list_share: weight of the lists against the text.
    own_script: share of letters in the languages' own script below which the text is doubted. verify_parameters:
    models up to this size are proven by default, and loaded for it. sample: lines that the proof encodes.
    """

    multiple: int = 64
    holdout: int = 10
    list_words: int = 50_000
    list_share: float = 0.1
    own_script: float = 0.8
    verify_parameters: int = 1_000_000_000
    sample: int = 64

    def __post_init__(self) -> None:
        _between("multiple", self.multiple, 1, 4_096)
        _between("holdout", self.holdout, 0, 1_000)
        _between("list_words", self.list_words, 1, 1_000_000)
        _between("list_share", self.list_share, 0.0, 0.9)
        _between("own_script", self.own_script, 0.0, 1.0)
        _between("sample", self.sample, 1, 10_000)


@dataclass(frozen=True, slots=True)
class WarmSettings:
    """What mode `warm` weighs against each other, and how far ahead it looks.

    used, fidelity: worth of a window that is full, and of one that keeps to the shares of `fill`, where a prompt that
    is read again for nothing is worth 1. least: fidelity below which no window falls. steps, width: sections looked
    ahead, courses followed side by side. depths: how many of the last sections may be written anew (all of them,
    always). slacks: room left free by a deep rewriting, in mean sections. steep: exponent on the decay for a hasty
    rewriting. spare: tokens that every rewriting leaves free, so that a fact changed meanwhile does not cost the
    prefix.
    """

    used: float = 0.6
    fidelity: float = 1.0
    least: float = 0.65
    steps: int = 8
    width: int = 6
    depths: tuple[int, ...] = (1, 2, 3, 4, 6, 9, 14)
    slacks: tuple[float, ...] = (0.0, 0.5, 1.0, 1.5)
    steep: float = 3.5
    spare: int = 64

    def __post_init__(self) -> None:
        _between("used", self.used, 0.0, 100.0)
        _between("fidelity", self.fidelity, 0.0, 100.0)
        _between("least", self.least, 0.0, 1.0)
        _between("steps", self.steps, 0, 60)
        _between("width", self.width, 1, 100)
        _between("steep", self.steep, 1.0, 20.0)
        _between("spare", self.spare, 0, 10_000)


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """How the context of one section is cut.

    cap: most tokens of prompt and reserved output together. decay: weight of a section per step of distance, in (0, 1).
    due: share of the body for imported text behind the section being written, while a past report is rewritten in
    order.
    reserve: tokens kept free for the answer. retrieval: share of the body kept for retrieved passages.
    reserve_room: a limit's tokens times this are kept for the answer. words_per_page: of a printed page, for limits
    in pages. headings: share of the cap that the list of headings may take. floors: share of the body that keeps far
    sections present. needs: share of the body for sections that the form declares as needed, and again for pinned ones.
    last: tokens of the last paragraph repeated before the instruction. written: tokens of a section's own text that are
    shown where what follows it is asked for. passages: most passages retrieved. slack:
    share of the body that mode `tiers` frees at once.
    """

    mode: Mode = "fill"
    cap: int = 20_000
    decay: float = 0.75
    due: float = 0.03
    reserve: int = 2_000
    retrieval: float = 0.15
    reserve_room: float = 1.15
    words_per_page: int = 450
    headings: float = 0.15
    floors: float = 0.25
    needs: float = 0.3
    last: int = 160
    written: int = 480
    passages: int = 12
    slack: float = 0.18
    warm: WarmSettings = WarmSettings()

    def __post_init__(self) -> None:
        _between("cap", self.cap, 256, 1_000_000)
        _between("reserve", self.reserve, 16, 64_000)
        _between("retrieval", self.retrieval, 0.0, 0.5)
        _between("reserve_room", self.reserve_room, 1.0, 4.0)
        _between("words_per_page", self.words_per_page, 50, 2_000)
        _between("due", self.due, 0.0, 1.0)
        for share in ("headings", "floors", "needs", "slack"):
            _between(share, getattr(self, share), 0.0, 0.5)
        _between("last", self.last, 0, 4_000)
        _between("written", self.written, 16, 16_000)
        _between("passages", self.passages, 0, 1_000)
        if not 0.0 < self.decay < 1.0:
            raise BadSetting(f"decay is {self.decay}; it must lie between 0 and 1, both excluded")


@dataclass(frozen=True, slots=True)
class CuttingSettings:
    """long_sentence: tokens from which a sentence may be cut between words. long_word: characters without a space,
    likewise.
    """

    long_sentence: int = 200
    long_word: int = 80

    def __post_init__(self) -> None:
        _between("long_sentence", self.long_sentence, 20, 20_000)
        _between("long_word", self.long_word, 20, 20_000)


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """How sources are parted into passages and ranked.

    least, most: characters of a passage (150 to 250 tokens); a longer table row or list item stays whole.
    heading_weight: what a word in the headings above a passage counts, where one in the passage counts 1. alike:
    share of words in common from which two passages say the same.
    """

    least: int = 500
    most: int = 900
    heading_weight: float = 0.6
    alike: float = 0.7

    def __post_init__(self) -> None:
        _between("least", self.least, 1, 20_000)
        _between("most", self.most, self.least, 40_000)
        _between("heading_weight", self.heading_weight, 0.0, 10.0)
        _between("alike", self.alike, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class SummarySettings:
    """tokens: most of a section's summary. words: asked of a Writer. worth: a text shorter than `worth` summaries has
    none.
    """

    tokens: int = 96
    words: int = 50
    worth: float = 2.0

    def __post_init__(self) -> None:
        _between("tokens", self.tokens, 8, 4_000)
        _between("words", self.words, 5, 2_000)
        _between("worth", self.worth, 1.0, 100.0)


@dataclass(frozen=True, slots=True)
class SamplingSettings:
    """How a Writer picks tokens. seed None means a fresh one each time; 0 is a seed like any other.

    dry: strength of llama.cpp's penalty on repeated runs of tokens (0 is off); other Writers do not have it. timeout:
    seconds for a whole answer.
    """

    max_tokens: int = 2_000
    temperature: float = 0.6
    top_p: float = 0.9
    top_k: int = 20
    repetition_penalty: float = 1.05
    dry: float = 0.0
    seed: int | None = 0
    timeout: float = 3_600.0

    def __post_init__(self) -> None:
        _between("max_tokens", self.max_tokens, 1, 64_000)
        _between("temperature", self.temperature, 0.0, 5.0)
        _between("top_p", self.top_p, 0.01, 1.0)
        _between("repetition_penalty", self.repetition_penalty, 0.5, 2.0)
        _between("dry", self.dry, 0.0, 10.0)
        _between("timeout", self.timeout, 0.1, 86_400.0)


@dataclass(frozen=True, slots=True)
class WriterSettings:
    """How a Writer is set up.

    context: most tokens that an embedded model keeps in memory (never more than it was trained on); also what is
    assumed of a server that does not tell. threads None: as many as there are cores. retries, backoff (seconds, doubled
    each time): for servers, and only while nothing has been written. connect, question, silence: seconds to wait for a
    server, for what it is and how it counts, and for its next piece of text. moved: fewest tokens in a row that the
    embedded model takes from its cache although they stand at another place now (llama.cpp's n_cache_reuse), 0 for
    none; docs/window.md has measures. continues: how often an answer that a server cut before its budget is taken up
    again. cache: of the transformers Writer (fabai.writers.prefix).
    """

    model: str = "gemma3-270m"
    context: int = 24_576
    threads: int | None = None
    retries: int = 3
    backoff: float = 0.5
    connect: float = 10.0
    question: float = 30.0
    silence: float = 300.0
    moved: int = 0
    continues: int = 16
    cache: Cache = "auto"

    def __post_init__(self) -> None:
        _between("context", self.context, 256, 10_000_000)
        if self.threads is not None:
            _between("threads", self.threads, 1, 1_024)
        _between("retries", self.retries, 0, 20)
        _between("backoff", self.backoff, 0.0, 60.0)
        _between("connect", self.connect, 0.1, 600.0)
        _between("question", self.question, 0.1, 600.0)
        _between("silence", self.silence, 0.1, 86_400.0)
        _between("moved", self.moved, 0, 100_000)
        _between("continues", self.continues, 0, 1_000)


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """Whose turn it is. spare: of the answers that a model writes at a time, those that batches leave free for people
    (never all). row: jobs of one project that follow each other while another project waits.
    """

    spare: int = 1
    row: int = 6

    def __post_init__(self) -> None:
        _between("spare", self.spare, 0, 1_000)
        _between("row", self.row, 1, 10_000)


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """How `fabai serve` runs a server.

    context: most tokens of prompt and answer. window: tokens of the windows whose number that stay warm is told.
    memory: share of a card's memory that the server takes. slots: answers that llama.cpp writes at a time, each with a
    context of its own. patience, grace: seconds until it must answer, and until it must have ended. restarts: after
    crashes, within `settled` seconds of each other; backoff (seconds) doubles each time. every: seconds between two
    lines while it loads.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    context: int = 24_576
    window: int = 20_000
    memory: float = 0.9
    slots: int = 1
    patience: float = 1_800.0
    grace: float = 30.0
    restarts: int = 3
    settled: float = 600.0
    backoff: float = 2.0
    every: float = 10.0

    def __post_init__(self) -> None:
        for name, low, high in _SERVING:
            _between(name, getattr(self, name), low, high)


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """How past reports are cleaned.

    names: whether people's names are replaced. boilerplate: projects in which a paragraph stands before it is taken for
    boilerplate, 0 for never. text_bytes: largest file of plain text, Markdown, LaTeX or HTML. workers None: as many as
    there are cores. pandoc_heap_mib, pdf_memory_mib: of each worker.
    """

    names: bool = True
    boilerplate: int = 3
    text_bytes: int = 16 * 2**20
    workers: int | None = None
    pandoc_heap_mib: int = 768
    pdf_memory_mib: int = 768

    def __post_init__(self) -> None:
        _between("boilerplate", self.boilerplate, 0, 1_000)
        _between("text_bytes", self.text_bytes, 1_024, 2**30)
        _between("pandoc_heap_mib", self.pandoc_heap_mib, 128, 65_536)
        _between("pdf_memory_mib", self.pdf_memory_mib, 256, 65_536)
        if self.workers is not None:
            _between("workers", self.workers, 1, 256)


@dataclass(frozen=True, slots=True)
class SplitSettings:
    """How documents are shared out between training, validation and test, and what counts as a near-duplicate.

    validation, test: share of the words of each language. shingle: words in a row that are compared. least: words from
    which a section is compared at all. alike: share of shingles in common from which two sections are the same text.
    permutations: of the MinHash; more of them miss fewer pairs and cost time. merge: share of the words of a document
    that another one must repeat for both to be of one project.
    """

    seed: int = 0
    validation: float = 0.1
    test: float = 0.1
    shingle: int = 4
    least: int = 25
    alike: float = 0.7
    permutations: int = 64
    merge: float = 0.5

    def __post_init__(self) -> None:
        _between("validation", self.validation, 0.0, 0.5)
        _between("test", self.test, 0.0, 0.5)
        _between("shingle", self.shingle, 1, 20)
        _between("least", self.least, 1, 10_000)
        _between("alike", self.alike, 0.3, 1.0)
        _between("permutations", self.permutations, 16, 512)
        _between("merge", self.merge, 0.05, 1.0)


@dataclass(frozen=True, slots=True)
class ExampleSettings:
    """How examples are made of a corpus.

    mode, fill: the mode of the window, and the share of examples in mode `fill` all the same. ledger: share of the cap
    that the facts of a rebuilt Brief may take. distractors: facts of other reports, as a share of a report's own.
    common: projects from which a capitalised word is everybody's and no name. kinds: of the documents whose sections
    are targets. support: least share of supported statements among those with a loss.
    """

    mode: Mode = "warm"
    fill: float = 0.2
    ledger: float = 0.15
    distractors: float = 0.15
    common: int = 3
    kinds: tuple[str, ...] = ("report", "memoria", "project", "proposal", "thesis")
    support: float = 0.98
    seed: int = 0

    def __post_init__(self) -> None:
        _between("fill", self.fill, 0.0, 1.0)
        _between("ledger", self.ledger, 0.0, 0.5)
        _between("distractors", self.distractors, 0.0, 2.0)
        _between("common", self.common, 1, 10_000)
        _between("support", self.support, 0.0, 1.0)
