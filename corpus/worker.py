"""The first pass over one file, as a process of the pool runs it: read, clean, replace personal data, keep the result.

Knows the order of the steps. Does not know other files: what needs several (boilerplate, one key for one person in a
whole project) is the second pass, `corpus.assembly`.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import signal
import threading
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from multiprocessing import util
from pathlib import Path

from fabai import __version__
from fabai.errors import FabaiError
from fabai.formats import pandoc
from fabai.settings import CorpusSettings

from . import cleaned, intake
from .cleaning import clean
from .sources import Candidate

PIPELINE = 6
"""Counts up with every change of what cleaning makes of the same file."""

_UNSAFE = re.compile(r"[^A-Za-z0-9]+")
_SLUG = 60
_stack = ExitStack()


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a file. id: None where it was refused. fresh: read now, not kept from an earlier build."""

    name: str
    id: str | None
    reason: str = ""
    fresh: bool = True


def begin() -> None:
    """What a process of the pool does first: it keeps a pandoc that ends with it, and it ends with the build."""
    _stack.enter_context(pandoc.kept())
    # a process of a pool runs no atexit functions
    util.Finalize(None, _stack.close, exitpriority=1)
    threading.Thread(target=_follow, daemon=True).start()
    # Ctrl-C is for the build: the files that are under way are finished
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _follow() -> None:
    """A build that is killed leaves its pool behind, which would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def recipe(settings: CorpusSettings) -> str:
    """What a Cleaned depends on besides its file."""
    relevant = {**asdict(settings), "workers": None, "boilerplate": None}
    return hashlib.sha256(json.dumps([__version__, PIPELINE, relevant]).encode()).hexdigest()[:16]


def identify(name: str, sha256: str) -> str:
    """The id of a file: a readable beginning, and a hash of path and content."""
    stem = _UNSAFE.sub("-", Path(name).stem.encode("ascii", "ignore").decode()).strip("-")[:_SLUG].strip("-")
    tail = hashlib.sha256(f"{name}\0{sha256}".encode("utf-8", "replace")).hexdigest()[:12]
    return f"{stem or 'document'}-{tail}"


def work(candidate: Candidate, folder: Path, key: bytes, settings: CorpusSettings, removed: frozenset[str]) -> Done:
    """Read and clean one file, unless an earlier build did; never raises for what a file holds."""
    try:
        intake.check_consent(candidate)
        sha256 = intake.fingerprint(candidate.path, settings)
        if sha256 in removed:
            return Done(candidate.name, None, f"{candidate.name} was taken out with 'fabai corpus remove'")
        identity = identify(candidate.name, sha256)
        made_by = recipe(settings)
        if cleaned.kept(folder, identity, made_by) is not None:
            return Done(candidate.name, identity, fresh=False)
        taken = intake.take(candidate, settings)
        content = clean(taken, key, settings)
        if intake.fingerprint(candidate.path, settings) != sha256:
            return Done(candidate.name, None, f"{candidate.name} changed while it was read: build again")
        cleaned.keep(folder, replace(content, id=identity, recipe=made_by, sha256=sha256))
    except FabaiError as error:
        return Done(candidate.name, None, str(error))
    except OSError as error:
        return Done(candidate.name, None, f"{candidate.name} cannot be read ({error.strerror or error})")
    except MemoryError:
        return Done(candidate.name, None, f"{candidate.name} needs more memory than there is: split it")
    except RecursionError:
        return Done(candidate.name, None, f"{candidate.name} is nested too deeply: save it anew in its own program")
    return Done(candidate.name, identity)
