from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabai.errors import WriterError
from fabai.writers.gguf import read_gguf


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key: str, value: str | int) -> bytes:
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    return text(key) + struct.pack("<II", 4, value)


def model(template: str | None = "{{ messages }}", version: int = 3, weights: int = 64) -> bytes:
    """A small GGUF file with one tensor of 32-bit floats and an array of strings, as the format lays them out."""
    words = text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("ñ")
    entries = [entry("general.architecture", "llama"), entry("llama.context_length", 8192), words]
    if template is not None:
        entries.append(entry("tokenizer.chat_template", template))
    head = b"GGUF" + struct.pack("<IQQ", version, 1, len(entries)) + b"".join(entries)
    head += text("output.weight") + struct.pack("<IQIQ", 1, weights, 0, 0)
    return head + bytes(-len(head) % 32) + bytes(weights * 4)


def test_the_head_tells_architecture_context_and_chat_template(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(model())
    found = read_gguf(path)
    assert (found.architecture, found.context, found.chat_template) == ("llama", 8192, "{{ messages }}")


def test_a_base_model_has_no_template_and_another_mark(tmp_path: Path) -> None:
    one, two = tmp_path / "1.gguf", tmp_path / "2.gguf"
    one.write_bytes(model())
    two.write_bytes(model(template=None))
    assert read_gguf(two).chat_template is None
    assert read_gguf(one).mark != read_gguf(two).mark


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a GGUF"),
        (b"PK\x03\x04 a zip", "not a GGUF"),
        (model(version=99), "version 99"),
        (model()[:60], "cut short"),
        (model(weights=10_000)[:-39_000], "cut short"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 2**60), "damaged"),
        (model().replace(b"context_length", b"context_height"), "no language model"),
    ],
)
def test_a_file_that_is_no_whole_model_is_answered_with_a_sentence(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    with pytest.raises(WriterError, match=said):
        read_gguf(path)


def test_a_missing_file_says_how_to_get_models(tmp_path: Path) -> None:
    with pytest.raises(WriterError, match="fabai get"):
        read_gguf(tmp_path / "no.gguf")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 200), junk=st.binary(min_size=1, max_size=12), end=st.integers(0, 400))
def test_no_damage_to_the_head_ends_in_anything_but_a_sentence(tmp_path: Path, at: int, junk: bytes, end: int) -> None:
    data = bytearray(model())
    data[at : at + len(junk)] = junk
    path = tmp_path / "m.gguf"
    path.write_bytes(bytes(data[:end]))
    # anything but a WriterError fails the test by itself
    with contextlib.suppress(WriterError):
        assert read_gguf(path).context > 0
