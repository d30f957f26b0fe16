"""What was made of texts is kept while they are in use, and no longer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fabai.checks.reading import Reading, read, remembered
from fabai.remembered import Kept, by_text, forget, kept


def test_a_text_is_read_once_until_it_is_typed_over() -> None:
    asked: list[tuple[str, int]] = []

    @by_text
    def doubled(text: str, times: int = 2) -> str:
        asked.append((text, times))
        return text * times

    assert [doubled("a"), doubled("a"), doubled("a", 3), doubled("a", times=3)] == ["aa", "aa", "aaa", "aaa"]
    assert asked == [("a", 2), ("a", 3), ("a", 3)]
    forget("b")
    doubled("a")
    assert len(asked) == 3
    forget("a")
    assert (doubled("a"), len(asked)) == ("aa", 4)


def test_texts_are_kept_up_to_a_number_of_characters_and_those_asked_for_last_stay() -> None:
    kept = Kept[str](10)
    for text in ("aaaa", "bbbb"):
        kept.put(text, "", text)
    assert kept.get("aaaa", "") == "aaaa"
    kept.put("cccc", "", "cccc")
    assert [kept.get(one, "") for one in ("aaaa", "bbbb", "cccc")] == ["aaaa", None, "cccc"]
    # a text longer than all that may be kept is kept alone
    kept.put("d" * 20, "", "d")
    assert [kept.get(one, "") for one in ("aaaa", "cccc", "d" * 20)] == [None, None, "d"]


STEPS = st.lists(st.tuples(st.text("abc", max_size=9), st.sampled_from([None, 0, 1])), max_size=60)


@given(STEPS)
def test_the_size_of_what_is_kept_is_right_after_any_order_of_steps(steps: list[tuple[str, int | None]]) -> None:
    kept = Kept[int](40)
    for text, asked in steps:
        if asked is None:
            kept.forget(text)
        else:
            kept.put(text, asked, 1)
        assert kept._size == sum(map(len, kept._made)) <= 40


def test_a_rule_looks_again_only_when_it_is_asked_something_else() -> None:
    looked: list[tuple[str, int]] = []

    @remembered
    def rule(section: str, reading: Reading, limit: int) -> int:
        looked.append((section, limit))
        return len(reading.text) - limit

    @remembered
    def words(reading: Reading) -> int:
        looked.append(("words", 0))
        return len(reading.text.split())

    one = read("Doce talleres.", "es")
    assert [rule("a", one, 2), rule("a", one, 2), rule("b", one, 2), rule("a", one, 2)] == [12] * 4
    assert [words(one), words(one)] == [2, 2]
    assert looked == [("a", 2), ("b", 2), ("words", 0)]
    assert rule("a", one, 3) == 11
    assert rule("a", read("Diez.", "es"), 3) == 2
    assert len(looked) == 5


def test_what_is_made_of_many_texts_at_a_time_is_forgotten_with_them() -> None:
    memory = kept()
    memory.put("a", None, 1)
    memory.put("b", None, 2)
    forget("a")
    assert [memory.get(text, None) for text in ("a", "b")] == [None, 2]
