"""The report in three languages: every figure, no sentence of another language, pictures inside."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabai.training.evaluate import plots, report
from fabai.training.evaluate.battery import Score
from fabai.training.evaluate.bootstrap import Interval
from fabai.training.evaluate.drafting import Drafted
from fabai.training.evaluate.general import Distance
from fabai.training.evaluate.measure import Group
from fabai.training.evaluate.quality import Sums
from fabai.training.evaluate.report import Findings
from fabai.training.evaluate.settings import EvalSettings
from fabai.training.evaluate.verdict import Memory, verdict

from fabai.report import LANGUAGES, Language

DOWN, LOST = Interval(-0.07, -0.09, -0.05, 0.01), Interval(-0.15, -0.17, -0.13, 0.01)
TITLES: dict[Language, tuple[str, ...]] = {
    "es": ("Apartados reservados", "Olvido", "Texto general", "Memoria del texto", "Borradores", "Qué cambiar"),
    "ca": ("Apartats reservats", "Oblit", "Text general", "Memòria del text", "Esborranys", "Què cal canviar"),
    "en": ("Held-out sections", "Forgetting", "General text", "Memory of training", "Drafts", "What to change"),
}


def findings() -> Findings:
    groups = {
        "all": [Group("all", 90, 9, 12.0, 9.0, 2.5, 2.2, 0.60, 0.53, DOWN)],
        "language": [Group("ca", 4, 2, 45.6, 25.8, 3.8, 3.2, 1.2, 1.0, None)],
        "kind": [Group("table", 7, 5, 8.0, 7.0, 2.1, 1.9, 0.5, 0.4, DOWN)],
    }
    forgetting = [Score("all", 2_700, 0.70, 0.55, LOST, LOST), Score("facts", 675, 0.70, 0.55, LOST, LOST)]
    distances = {"ca": Distance(0.6, 3.1, 2.5, 1_234), "en": Distance(0.9, 2.5, 3.2, 400)}
    memory = Memory(12, 2.4, 0.1, 180, 6)
    drafts = Sums(6, 210.0, 71.5, 6, 0.5, 0.31, 9, 0.8, 0, None, 1.0, 0.2, 51, 0.4, 12.5, 300.0)
    run = {"settings": {"learning_rate": 2e-3, "rank": 16, "general": 0.0, "dropout": 0.0}, "steps": 1_400}
    judged = verdict(
        EvalSettings(), run, groups["all"][0], groups["language"], forgetting, distances, memory, drafts, drafts
    )
    sample = Drafted("0:s1", "Resultats <2>", "Text & text", "Humà", (), None, 1.0, 9, "")
    return Findings(
        "memories-1", "2026-11-30T10:00:00+00:00", "corpus", "test", "SmolLM2", "float32", 0, groups, forgetting,
        distances, memory, drafts, drafts, drafts, judged, (), 200.0, 100.0, ((sample, sample),),
    )  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_says_all_of_it_in_its_language(language: Language, tmp_path: Path) -> None:
    found = findings()
    plots.losses([one for part in found.groups.values() for one in part], tmp_path / "losses.png", language)
    plots.forgetting(found.forgetting, tmp_path / "forgetting.png", language)
    page = report.page(found, [tmp_path / "losses.png", tmp_path / "forgetting.png"], language)
    text = report.markdown(found, ["losses.png"], language)
    for told in (page, text):
        assert all(title in told for title in TITLES[language])
        assert not any(title in told for other in LANGUAGES if other != language for title in TITLES[other])
        assert ("1.234" if language != "en" else "1,234") in told
        assert ("0,530" if language != "en" else "0.530") in told
    assert f"<html lang={language}>" in page
    assert page.count("data:image/png;base64,") == 2
    assert "Resultats &lt;2&gt;" in page
    assert "learning_rate" in page


def test_the_table_is_in_english_whatever_the_reports_language_is() -> None:
    table = findings().as_json()
    assert table["verdict"]["failures"][0].startswith("forgotten: all fell")
    assert any(one.startswith("learnt: 0.60") for one in table["verdict"]["sentences"])
    assert "samples" not in table
