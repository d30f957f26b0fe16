"""The order in which tokens are dropped, and what is measured along it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabai.training.slice.choice import Survey, Wanted
from fabai.training.slice.closure import closed
from fabai.training.slice.families import read_family
from fabai.training.slice.selection import weigh
from fabai.training.slice.texts import TextFile, find, word_lists

from fabai.errors import BadSetting
from fabai.settings import SliceSettings

from .conftest import TEXT


@pytest.fixture(scope="module")
def survey(small: Path) -> Survey:
    """The SmolLM-like tokenizer seen through three languages."""
    family = read_family(small / "tokenizer.json")
    files = [TextFile(TEXT / f"{language}.txt", language) for language in ("es", "ca", "en")]
    return Survey(small, family, files, [], ["es", "ca", "en"], SliceSettings())


def test_what_a_loss_costs_is_what_encoding_everything_again_shows(survey: Survey) -> None:
    order = survey.dropping().order(1_000)
    _, units = weigh(survey.counts, [], 0.0)
    alone, _ = weigh(survey.counts, [], 0.0)
    strings, encode = survey.family.strings, survey.ladder.encode

    def tokens(drops: int) -> float:
        alive = order.alive(drops, survey.ladder.everything)
        return sum(weight * len(encode(strings[token], alive)) for token, weight in alone.items()) + sum(
            weight * len(encode("".join(strings[token] for token in unit), alive)) for unit, weight in units.items()
        )

    for drops in (order.seen, order.seen + 50, 700, 1_000):
        added = tokens(drops) - tokens(0)
        stated = sum(order.costs[:drops])
        # the costs hold a thousandth for each use that is cut differently, besides
        assert stated == pytest.approx(added, rel=5e-3, abs=50.0)


def test_no_cheaper_loss_was_there_to_take(survey: Survey) -> None:
    order = survey.dropping().order(800)
    alone, units = weigh(survey.counts, [], 0.0)
    strings, ladder = survey.family.strings, survey.ladder
    drops = order.seen + 40
    alive = order.alive(drops, ladder.everything)
    parents = {parent for token, pair in ladder.parents_of.items() if alive[token] for parent in pair}

    def cost(token: int) -> float:
        def length(string: str) -> int:
            return len(ladder.encode(string, alive))

        held = [(strings[one], weight) for one, weight in alone.items()]
        held += [("".join(strings[one] for one in unit), weight) for unit, weight in units.items()]
        held = [(text, weight) for text, weight in held if strings[token] in text]
        before = [length(text) for text, _ in held]
        alive[token] = 0
        after = [length(text) for text, _ in held]
        alive[token] = 1
        return sum(weight * (new - old) for (_, weight), new, old in zip(held, after, before, strict=True))

    leaves = [
        token
        for token in survey.family.vocab.values()
        if alive[token] and token not in order.required and token not in parents
    ]
    chosen = order.dropped[drops]
    assert chosen in leaves
    cheapest = min(map(cost, leaves[::7]))
    assert cost(chosen) <= cheapest * 1.01 + 1.0


def test_every_size_along_the_order_is_closed_and_holds_the_smaller_ones(survey: Survey) -> None:
    order = survey.dropping().order(1_200)
    for drops in (0, 300, 900, 1_200):
        alive = order.alive(drops, survey.ladder.everything)
        kept = {token for token in survey.family.vocab.values() if alive[token]}
        assert closed(kept, survey.ladder) == kept
        assert order.required <= kept


def test_without_a_size_nothing_that_the_text_uses_is_lost(survey: Survey) -> None:
    order, drops = survey.order(Wanted())
    alive = order.alive(drops, survey.ladder.everything)
    assert all(alive[token] for count in survey.counts.values() for unit in count.units for token in unit)
    assert len(survey.kept(order, drops)) % 64 == 0 or drops == 0


def test_a_coverage_is_reached_in_every_language_with_no_more_rows_than_it_needs(survey: Survey) -> None:
    order, drops = survey.order(Wanted(coverage=0.97))
    assert min(survey.shares(order, drops).values()) >= 0.97
    assert min(survey.shares(order, drops + 65).values()) < 0.97


def test_a_size_below_bytes_and_specials_is_refused_with_the_least_that_works(survey: Survey) -> None:
    with pytest.raises(BadSetting, match="too few: the 256 bytes, 3 added") as told:
        survey.order(Wanted(size=128))
    least = int(str(told.value).split("--size ")[1].split(" ")[0].replace(",", ""))
    order, drops = survey.order(Wanted(size=least))
    assert len(survey.kept(order, drops)) >= least


def test_size_and_coverage_together_are_refused() -> None:
    with pytest.raises(BadSetting, match="not both"):
        Wanted(size=100, coverage=0.9)
    with pytest.raises(BadSetting, match=r"between 0\.5 and 1"):
        Wanted(coverage=1.5)


def test_word_lists_keep_words_that_the_text_lacks(small: Path, tmp_path: Path) -> None:
    family = read_family(small / "tokenizer.json")
    (tmp_path / "es.txt").write_text("La casa.\n" * 40, encoding="utf-8")
    (tmp_path / "list-es.tsv").write_text("que\t-140 cB\nproyecto\t-250 cB\n", encoding="utf-8")
    files = find([str(tmp_path / "es.txt")], ["es"])
    lists = word_lists([str(tmp_path / "list-es.tsv")], ["es"], 10)
    assert [word for word, _ in lists[0].words] == ["que", "proyecto"]
    assert lists[0].words[0][1] > lists[0].words[1][1]

    def kept(survey: Survey) -> set[int]:
        order = survey.dropping().order(until=0.0)
        alive = order.alive(len(order.dropped), survey.ladder.everything)
        return {token for token in range(family.size) if alive[token]}

    settings = SliceSettings(holdout=0)
    with_list = kept(Survey(small, family, files, lists, ["es"], settings))
    without = kept(Survey(small, family, files, [], ["es"], settings))
    assert family.vocab["Ġque"] in with_list - without


def test_a_text_in_another_script_is_doubted_with_the_numbers(small: Path, tmp_path: Path) -> None:
    (tmp_path / "es.txt").write_text("Это совсем другой язык.\nDos palabras.\n" * 30, encoding="utf-8")
    files = find([str(tmp_path / "es.txt")], ["es"])
    survey = Survey(small, read_family(small / "tokenizer.json"), files, [], ["es"], SliceSettings())
    assert any("another script" in notice and "% Cyrillic" in notice for notice in survey.notices)


def test_a_jsonl_text_with_half_a_surrogate_pair_is_refused(small: Path, tmp_path: Path) -> None:
    from fabai.errors import UnreadableFile

    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "memoria \ud83d"}) + "\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"a\.jsonl, line 1 holds half of a surrogate pair \(U\+D83D"):
        Survey(small, read_family(small / "tokenizer.json"), find([str(tmp_path)], ["es"]), [], ["es"], SliceSettings())
