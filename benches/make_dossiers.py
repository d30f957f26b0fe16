"""Writes the made files of tests/data/dossiers: spreadsheets, pictures, proofs. Run: python -m benches.make_dossiers

Everything in them is fictional.
"""

from __future__ import annotations

from benches import dossier_ca, dossier_en, dossier_es
from benches.dossier_files import ROOT, png

FOLDERS = ("ca-hort/photos", "ca-hort/proofs", "es-aguasens/photos", "en-riverlink/photos", "en-riverlink/partners")


def main() -> None:
    for name in FOLDERS:
        (ROOT / name).mkdir(parents=True, exist_ok=True)
    for dossier in (dossier_ca, dossier_es, dossier_en):
        dossier.write()
    png(ROOT / "ca-hort" / "photos" / "logotip.png")


if __name__ == "__main__":
    main()
