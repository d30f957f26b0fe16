"""What `--logits-processors fabai_figure_lock:Processor` loads in a vLLM that `fabai serve --lock` started.

Knows the interface of vLLM's V1 model runner (0.32) and where fabai lies: vLLM's environment does not have it, and
must not be shown the packages of ours.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

_FABAI = Path(__file__).parents[2]
if "fabai" not in sys.modules:
    _found = importlib.util.spec_from_file_location(
        "fabai", _FABAI / "__init__.py", submodule_search_locations=[str(_FABAI)]
    )
    assert _found is not None
    assert _found.loader is not None
    sys.modules["fabai"] = importlib.util.module_from_spec(_found)
    _found.loader.exec_module(sys.modules["fabai"])

from fabai.lock.order import FIELD, check  # noqa: E402
from fabai.serving.figure_lock import Answer, FigureLock  # noqa: E402


class Processor(AdapterLogitsProcessor):  # type: ignore[misc]
    """Locks the answers whose request has the field FIELD in vllm_xargs."""

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """ValueError, which the server answers with status 400, for a lock that it cannot read."""
        told = _told(sampling_params)
        if told is not None:
            check(told)

    def __init__(self, vllm_config: Any, device: Any, is_pin_memory: bool) -> None:
        super().__init__(vllm_config, device, is_pin_memory)
        model = vllm_config.model_config
        self._lock = FigureLock(AutoTokenizer.from_pretrained(model.tokenizer), model.get_vocab_size(), device)

    def is_argmax_invariant(self) -> bool:
        return False

    def new_req_logits_processor(self, params: Any) -> Answer | None:
        told = _told(params)
        return None if told is None else self._lock.answer(told, frozenset(params.all_stop_token_ids))

    def apply(self, logits: Any) -> Any:
        # req_info: by place in the batch, the answer with the ids that it has written put into its call
        return self._lock.forbid(logits, self.req_info)


def _told(params: Any) -> Any:
    return (params.extra_args or {}).get(FIELD)
