"""The nearest name: a small pure function whose answers never depend on the order of the names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesrun.suggestions import edit_distance, nearest

WORDS = st.text("abcd_", max_size=7)


@pytest.mark.parametrize(
    ("written", "names", "meant"),
    [
        ("atribute", ["attribute", "skill"], "attribute"),
        ("Attribute", ["attribute", "skill"], "attribute"),
        ("drone-damage", ["drone_damage"], "drone_damage"),
        ("sucess_on", ["success_on", "critical_on"], "success_on"),
        ("diff", ["difficulty", "damage"], "difficulty"),
        ("sed", ["set", "seed"], "seed"),
        ("ab", ["ba"], "ba"),
        ("x", ["y", "z"], None),
        ("strength", ["willpower", "skill"], None),
        ("", ["a"], None),
        ("a", [], None),
    ],
)
def test_what_was_meant(written: str, names: list[str], meant: str | None) -> None:
    assert nearest(written, names) == meant


@given(WORDS, st.lists(WORDS, max_size=6))
def test_order_of_the_names_does_not_matter(written: str, names: list[str]) -> None:
    assert nearest(written, names) == nearest(written, reversed(names))


@given(WORDS, WORDS)
def test_distance_is_symmetric_and_zero_only_for_equals(a: str, b: str) -> None:
    far = len(a) + len(b)
    assert edit_distance(a, b, far) == edit_distance(b, a, far)
    assert (edit_distance(a, b, far) == 0) == (a == b)


@given(WORDS, WORDS, st.integers(0, 4))
def test_a_limit_only_cuts(a: str, b: str, limit: int) -> None:
    assert edit_distance(a, b, limit) == min(edit_distance(a, b, len(a) + len(b)), limit + 1)
