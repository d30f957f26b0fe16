"""Several processes, one for each card, through PyTorch's own launcher; the main one has the terminal.

Knows torchrun's interface. Does not know what the processes do: they run the same command, which finds RANK set.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence


def inside() -> bool:
    """Whether this process is one of those that a launcher started."""
    return "LOCAL_RANK" in os.environ


def launch(words: Sequence[str], processes: int) -> int:
    """Run `fabai WORDS` in that many processes; the exit code is that of the first one that failed, else 0."""
    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    for name in ("torch.distributed", "torch.distributed.elastic"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # processes that share a processor would otherwise each take all of it
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // processes)))
    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=processes,
        run_id="fabai",
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        max_restarts=0,
        logs_specs=DefaultLogsSpecs(local_ranks_filter={0}),
    )
    try:
        elastic_launch(config, sys.executable)("-m", "fabai", *words)
    except ChildFailedError as error:
        code = error.get_first_failure()[1].exitcode
        return code if code > 0 else 128 - code
    return 0
