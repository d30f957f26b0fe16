"""What /proc/cpuinfo tells of a processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.serving.processor import multiplies_bfloat16


@pytest.mark.parametrize(
    ("lines", "does"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx2 fma\n", False),
        ("processor\t: 0\nflags\t\t: fpu avx2 avx512_bf16 fma\n", True),
        ("processor\t: 0\nFeatures\t: fp asimd bf16 i8mm\n", True),
        ("processor\t: 0\nmodel name\t: bf16\n", False),
        ("", False),
    ],
)
def test_bfloat16_is_multiplied_where_the_processors_flags_say_so(tmp_path: Path, lines: str, does: bool) -> None:
    told = tmp_path / "cpuinfo"
    told.write_text(lines)
    assert multiplies_bfloat16(told) is does


def test_a_machine_that_does_not_tell_is_taken_not_to(tmp_path: Path) -> None:
    assert not multiplies_bfloat16(tmp_path / "cpuinfo")
