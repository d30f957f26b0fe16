"""The Writer on PyTorch: a model folder, with or without a trained adapter, on a graphics card in 4 bits or on the
processor.

Knows transformers, PEFT and bitsandbytes, and imports them only when a model is loaded. Does not know where models
come from.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import queue
import threading
import time
import warnings
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from fabai.errors import MissingPart, WriterError
from fabai.lock import Constraint
from fabai.lock.doubt import Doubt
from fabai.lock.held import Held
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.adapter import CONFIG, adapter_in, base_of, read_adapter
from fabai.writers.base import Finish, Usage
from fabai.writers.decoding import decoding
from fabai.writers.prefix import Prefix
from fabai.writers.stop import Stop
from fabai.writers.template import prompt_ids

if TYPE_CHECKING:
    from fabai.lock.vocabulary import Vocabulary
    from fabai.writers.masking import Masking, Masks

DEFAULTS = WriterSettings()


class Transformers:
    """A Writer on a model folder, or on an adapter folder that names its base. One answer at a time; others wait."""

    def __init__(self, folder: Path, settings: WriterSettings = DEFAULTS) -> None:
        """Loads the model. WriterError or MissingPart with one sentence where that cannot be done here."""
        missing = [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]
        if missing:
            raise MissingPart(f"the transformers writer needs {' and '.join(missing)}: pip install 'fabai[train]'")
        self._folder = folder
        base, adapter = _parts(folder)
        self._tokenizer, self._model = _load(base, adapter)
        most = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        self._context = min(settings.context, most) if isinstance(most, int) else settings.context
        self._lock = threading.Lock()
        self._prefix = Prefix(settings.cache, self._model)
        self._masks: WeakKeyDictionary[Constraint, Masks] = WeakKeyDictionary()

    @property
    def name(self) -> str:
        return f"transformers:{self._folder.resolve().name}:{len(self._tokenizer)}"

    @property
    def context(self) -> int:
        return self._context

    @property
    def chat(self) -> bool:
        return self._tokenizer.chat_template is not None

    @property
    def locks(self) -> bool:
        return True

    def count(self, text: str) -> int:
        return len(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    def count_messages(self, messages: Sequence[Message]) -> int:
        return len(prompt_ids(self._tokenizer, messages))

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        """As in Writer. Text comes a word at a time."""
        prompt = prompt_ids(self._tokenizer, messages)
        if len(prompt) >= self._context:
            raise WriterError(
                f"the prompt has {len(prompt)} tokens and the model takes {self._context}: "
                "give a smaller --cap, or a model with a longer context"
            )
        with self._lock:
            doubt = Doubt()
            lock = None if constraint is None else self._figure_lock(constraint, doubt)
            answer = _Answer(self._model, self._tokenizer, self._prefix, prompt, sampling, lock)
            watch, held = Stop(stop), None if constraint is None else Held(constraint.automaton)
            try:
                for text in answer.texts():
                    piece = watch.feed(text)
                    if piece := piece if held is None else held.feed(piece):
                        yield piece
                    if watch.found:
                        break
                rest = watch.rest()
                if rest := rest if held is None else held.feed(rest):
                    yield rest
            finally:
                answer.cancel()
            yield replace(answer.usage(stopped=watch.found), doubtful=doubt.figures)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        # numpy, which comes with PyTorch
        from fabai.lock.vocabulary import Vocabulary, token_bytes

        rows = self._model.get_output_embeddings().weight.shape[0]
        return Vocabulary(token_bytes(self._tokenizer), rows)

    def _figure_lock(self, constraint: Constraint, doubt: Doubt) -> Masking:
        # numpy, which comes with PyTorch
        from fabai.lock.masker import Masker
        from fabai.writers.masking import Masking, Masks

        if constraint not in self._masks:
            # its masks are good for the next answer under the same lock
            ends = _ends(self._model, self._tokenizer)
            masker = Masker(constraint.automaton, self._vocabulary, ends)
            self._masks[constraint] = Masks(masker, self._model.device)
        return Masking(self._masks[constraint], doubt)

    def close(self) -> None:
        """Free the model and its cache."""
        self._model = None
        self._prefix = Prefix("fresh", None)
        self._masks.clear()


class _Answer:
    """One answer under way in a thread; what a criterion says after each token ends it."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        prefix: Prefix,
        prompt: list[int],
        sampling: SamplingSettings,
        lock: Masking | None = None,
    ) -> None:
        import torch

        transformers: Any = importlib.import_module("transformers")

        self._until = time.monotonic() + sampling.timeout
        self._timeout = sampling.timeout
        self._unwanted = threading.Event()
        self._failure: Exception | None = None
        self._prompt_tokens, self._tokens, self._most = len(prompt), 0, sampling.max_tokens
        self._streamer = transformers.TextIteratorStreamer(
            tokenizer, skip_prompt=True, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        own = model.generation_config
        config = transformers.GenerationConfig(
            max_new_tokens=sampling.max_tokens,
            do_sample=sampling.temperature > 0,
            repetition_penalty=sampling.repetition_penalty,
            eos_token_id=own.eos_token_id if own.eos_token_id is not None else tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id,
            bos_token_id=own.bos_token_id,
        )
        if sampling.temperature > 0:
            config.temperature, config.top_p, config.top_k = sampling.temperature, sampling.top_p, sampling.top_k
        ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
        self._ended = False
        begun = prefix.begin(prompt, sampling.max_tokens, config)
        self._cached = begun.found

        def ended(tokens: Any, _scores: Any, **_: Any) -> Any:
            over = self._unwanted.is_set() or time.monotonic() > self._until
            return torch.full((tokens.shape[0],), over, dtype=torch.bool, device=tokens.device)

        def run() -> None:
            try:
                devices = [model.device] if model.device.type == "cuda" else []
                ids = torch.tensor([prompt], device=model.device)
                with torch.random.fork_rng(devices), torch.inference_mode():
                    torch.manual_seed(torch.seed() if sampling.seed is None else sampling.seed)
                    found = model.generate(
                        ids,
                        attention_mask=torch.ones_like(ids),
                        generation_config=config,
                        streamer=self._streamer,
                        stopping_criteria=transformers.StoppingCriteriaList([ended]),
                        custom_generate=decoding(begun, prefix.chunk, self._streamer.put, lock),
                    )
                self._streamer.end()
                prefix.end(found[0].tolist())
                self._tokens = found.shape[1] - len(prompt)
                self._ended = int(found[0, -1]) in ends
            except Exception as error:  # noqa: BLE001 - a thread that died unheard would be waited for
                prefix.drop()
                self._failure = error
                self._streamer.end()

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def texts(self) -> Generator[str, None, None]:
        while True:
            try:
                # the criterion ends a slow answer; a token that never comes is not waited for much longer
                text = self._streamer.text_queue.get(timeout=max(0.0, self._until - time.monotonic()) + 1.0)
            except queue.Empty:
                raise WriterError(f"the model did not finish within {self._timeout:g} seconds") from None
            if text == self._streamer.stop_signal:
                break
            if text:
                yield text
        self._thread.join()
        if self._failure is not None:
            raise WriterError(_sentence(self._failure)) from self._failure
        if time.monotonic() > self._until:
            raise WriterError(f"the model did not finish within {self._timeout:g} seconds")

    def usage(self, stopped: bool) -> Usage:
        finish: Finish = "length" if self._tokens >= self._most and not self._ended and not stopped else "stop"
        return Usage(self._prompt_tokens, self._tokens, finish, self._cached)

    def cancel(self) -> None:
        """Ends the answer after the token that is being made, and waits for that."""
        self._unwanted.set()
        self._thread.join()


def _ends(model: Any, tokenizer: Any) -> list[int]:
    """The tokens that end an answer."""
    found = model.generation_config.eos_token_id
    found = tokenizer.eos_token_id if found is None else found
    return [] if found is None else list(found) if isinstance(found, list) else [found]


def load_tokenizer(folder: Path | str) -> Any:
    """The tokenizer of a folder, or of a name in the hub's cache; WriterError where there is none."""
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise WriterError(f"{folder} holds no tokenizer that can be loaded: {_sentence(error)}") from error


def _parts(folder: Path) -> tuple[str, Path | None]:
    """The base model (a folder, or a name in the hub's cache) and the adapter's folder, None where there is none."""
    if not folder.is_dir():
        raise WriterError(f"there is no model folder {folder}; fabai get lists the models and fetches them")
    if adapter_in(folder) is not None:
        adapter = read_adapter(folder)
        return str(base_of(adapter)), adapter.folder
    if (folder / "config.json").is_file():
        return str(folder), None
    raise WriterError(f"{folder} is no model folder: it has neither a config.json nor an {CONFIG}")


def _load(base: str, adapter: Path | None) -> tuple[Any, Any]:
    import torch

    transformers: Any = importlib.import_module("transformers")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    # PEFT imports it, and it tells of kernels that no processor needs
    logging.getLogger("bitsandbytes").setLevel(logging.ERROR)
    card = torch.cuda.is_available()
    how: dict[str, Any] = {"dtype": torch.bfloat16 if card else "auto", "local_files_only": True}
    if card:
        how["device_map"] = {"": 0}
        if importlib.util.find_spec("bitsandbytes") is not None:
            how["quantization_config"] = transformers.BitsAndBytesConfig(
                load_in_4bit=True,
                bnb_4bit_quant_type="nf4",
                bnb_4bit_use_double_quant=True,
                bnb_4bit_compute_dtype=torch.bfloat16,
            )
    try:
        config: Any = transformers.AutoConfig.from_pretrained(base, local_files_only=True)
        rope = None if adapter is None else read_adapter(adapter).trained.rope(config.to_dict())
        if rope is not None:
            config.rope_parameters = rope
            config.max_position_embeddings = int(rope["factor"] * rope["original_max_position_embeddings"])
        model: Any = transformers.AutoModelForCausalLM.from_pretrained(base, config=config, **how)
        if not card and model.dtype == torch.float16:
            # half precision is slow or absent on processors
            model = model.float()
        if adapter is not None:
            if importlib.util.find_spec("peft") is None:
                raise MissingPart("a trained adapter needs the package peft: pip install 'fabai[train]'")
            from peft import PeftModel

            with warnings.catch_warnings():
                # names that transformers is about to change, which concern nobody who drafts
                warnings.simplefilter("ignore", FutureWarning)
                model = PeftModel.from_pretrained(model, str(adapter), local_files_only=True)
        own = adapter if adapter is not None and (adapter / "tokenizer_config.json").is_file() else base
        tokenizer = load_tokenizer(own)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise WriterError(f"the model {adapter or base} cannot be loaded: {_sentence(error)}") from error
    model.eval()
    return tokenizer, model


def _sentence(error: Exception) -> str:
    if "out of memory" in str(error):
        return "the graphics card has too little memory for it; give a smaller --cap or another model"
    return str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
