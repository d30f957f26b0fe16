"""What a GGUF model thinks comes next, token by token, as llama.cpp itself computes it.

Knows how the embedded server is asked for probabilities. For looking at an exported file again; it does not write.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx

from fabai.errors import WriterError
from fabai.settings import WriterSettings
from fabai.writers.gguf import read_gguf
from fabai.writers.loading import loaded, parameters

_TIMEOUT = httpx.Timeout(600.0)
_LEAST = 256


class Probe:
    """A GGUF file, with or without a GGUF adapter. Close it when done."""

    def __init__(self, path: Path, context: int, adapter: Path | None = None, threads: int | None = None) -> None:
        """adapter: a GGUF file. WriterError where llama.cpp does not load them."""
        self.path = path
        read_gguf(path)
        self._folder = Path(tempfile.mkdtemp(prefix="fabai-"))
        self._server: Any = None
        try:
            at = self._folder / "model.sock"
            size = max(_LEAST, context)
            with parameters(path, size, WriterSettings(context=size, threads=threads)) as params:
                params.hostnames = [str(at)]
                if adapter is not None:
                    params.lora_adapters = [_lora(adapter)]
                self._server = loaded(params, path)
            self._http = httpx.Client(
                transport=httpx.HTTPTransport(uds=str(at)), base_url="http://embedded", timeout=_TIMEOUT
            )
        except BaseException:
            self.close()
            raise

    def following(self, ids: Sequence[int], start: int, most: int) -> Iterator[dict[int, float]]:
        """For each place from `start` on: the `most` likeliest tokens there and their log-probabilities, given all
        before; {} where the server keeps a token back that is no character by itself.
        """
        for place in range(start, len(ids)):
            body = {
                "prompt": list(ids[:place]),
                "n_predict": 1,
                "n_probs": most,
                "temperature": 0.0,
                "cache_prompt": True,
                "post_sampling_probs": False,
            }
            try:
                reply = self._http.post("/completion", json=body)
                reply.raise_for_status()
                said = reply.json().get("completion_probabilities") or [{}]
            except (httpx.HTTPError, ValueError) as error:
                raise WriterError(f"{self.path.name} does not answer in llama.cpp ({error})") from error
            yield {int(one["id"]): float(one["logprob"]) for one in said[0].get("top_logprobs", ())}

    def close(self) -> None:
        """Free the model."""
        if self._server is not None:
            self._http.close()
            self._server = None
        shutil.rmtree(self._folder, ignore_errors=True)


def _lora(adapter: Path) -> Any:
    import xllamacpp  # type: ignore[import-untyped]

    one = xllamacpp.CommonAdapterLoraInfo()
    one.path, one.scale = str(adapter), 1.0
    return one
