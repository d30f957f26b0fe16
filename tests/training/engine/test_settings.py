"""Settings that do not go together are refused."""

from __future__ import annotations

import pytest
from fabai.training.engine import EngineSettings

from fabai.errors import BadSetting


@pytest.mark.parametrize("name", ["groups", "tile", "spacing", "loss_rows"])
def test_a_count_below_one_is_refused(name: str) -> None:
    with pytest.raises(BadSetting, match=f"{name} is 0"):
        EngineSettings(**{name: 0})  # type: ignore[arg-type]


def test_kept_residuals_and_spaced_checkpoints_exclude_each_other() -> None:
    with pytest.raises(BadSetting, match="spacing must be 1"):
        EngineSettings(keep="residual", spacing=2)


def test_each_word_of_keep_includes_those_before_it() -> None:
    settings = EngineSettings(keep="residual")
    assert settings.keeps("attention")
    assert not settings.keeps("projections")
