"""Two pools that explode without end, compared die by die: each chance lies where plain enumeration leaves room."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesrun

from .nearly import lies_where_enumeration_leaves_room
from .test_endless import Law, Pool, cancelled, exploding, plain, widest, wins
from .test_saturated import again

TAIL = Fraction(1, 10**5)
Answer = Callable[[Pool, Pool], object]


def outranks(left: Pool, right: Pool) -> bool:
    return left[::-1] > right[::-1]


QUESTIONS: dict[str, Answer] = {
    "1 if p outranks q otherwise 0": lambda p, q: int(outranks(p, q)),
    "2 if p outranks q otherwise 1 if q outranks p otherwise 0": lambda p, q: (
        2 if outranks(p, q) else int(outranks(q, p))
    ),
    "wins of p over q": wins,
    "wins of q over p": lambda p, q: wins(q, p),
    "wins of p over q - wins of q over p": lambda p, q: wins(p, q) - wins(q, p),
    "sum of p if p outranks q otherwise -1": lambda p, q: sum(p) if outranks(p, q) else -1,
    "size of q if p outranks q otherwise 0": lambda p, q: len(q) if outranks(p, q) else 0,
    "sum of p - sum of q if q outranks p otherwise 99": lambda p, q: sum(p) - sum(q) if outranks(q, p) else 99,
    "1 if (p outranks q and any 1 in q) otherwise 0": lambda p, q: int(outranks(p, q) and 1 in q),
    "1 if highest 2 of p outranks highest 2 of q otherwise 0": lambda p, q: int(outranks(p[-2:], q[-2:])),
}
THROWS: dict[str, tuple[str, Law]] = {
    "d6!": ("d6!", exploding(1, 6, (6,))),
    "2d6!": ("2d6!", exploding(2, 6, (6,))),
    "2d4 on 3": ("2d4, explode on 3", exploding(2, 4, (3,))),
    "d8!": ("1d8!", exploding(1, 8, (8,))),
}


def agree(text: str, left: Law, right: Law, answer: Answer, room: Fraction = TAIL) -> None:
    wanted: dict[object, Fraction] = {}
    for p, chance in left.items():
        for q, other in right.items():
            value = answer(p, q)
            wanted[value] = wanted.get(value, Fraction(0)) + chance * other
    found = rulesrun.parse(text)["r"].odds().of("x")
    lies_where_enumeration_leaves_room(found, wanted, room)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("throws", [("2d6!", "d6!"), ("2d4 on 3", "d8!"), ("d8!", "2d6!")], ids=str)
def test_questions_to_two_pools(question: str, throws: tuple[str, str]) -> None:
    (first, left), (second, right) = (THROWS[throw] for throw in throws)
    agree(
        f"rule r\n    roll p = {first}\n    roll q = {second}\n    x = {question}\n", left, right, QUESTIONS[question]
    )


@settings(max_examples=12, deadline=None)
@given(
    st.integers(1, 2), st.integers(1, 2), st.sampled_from([(4, 4), (4, 6), (5, 4)]), st.sampled_from(sorted(QUESTIONS))
)
def test_any_numbers_of_dice(first: int, second: int, sides: tuple[int, int], question: str) -> None:
    left, right = (exploding(count, faces, (faces,)) for count, faces in zip((first, second), sides, strict=True))
    text = f"rule r\n    roll p = {first}d{sides[0]}!\n    roll q = {second}d{sides[1]}!\n    x = {question}\n"
    agree(text, left, right, QUESTIONS[question])


@pytest.mark.parametrize("question", ["1 if p outranks q otherwise 0", "wins of p over q", "wins of q over p"])
def test_dice_beside_those_that_explode(question: str) -> None:
    text = f"rule r\n    roll a = 1d4!\n    roll b = 2d6\n    roll q = 1d4!\n    p = a + b\n    x = {question}\n"
    both: dict[Pool, Fraction] = {}
    for a, chance in exploding(1, 4, (4,)).items():
        for b, other in plain(2, 6).items():
            key = tuple(sorted(a + b))
            both[key] = both.get(key, Fraction(0)) + chance * other
    agree(text, both, exploding(1, 4, (4,)), QUESTIONS[question])


ONE_SIDED: dict[str, Answer] = {
    "wins of p over q + sum of p": lambda p, q: wins(p, q) + sum(p),
    "sum of p - 2 * wins of q over p": lambda p, q: sum(p) - 2 * wins(q, p),
    "size of p + (10 if p outranks q otherwise 0)": lambda p, q: len(p) + 10 * outranks(p, q),
}


@pytest.mark.parametrize("question", ONE_SIDED)
def test_a_pool_without_end_beside_one_that_ends(question: str) -> None:
    text = f"rule r\n    roll p = 2d4!\n    roll q = 2d4\n    x = {question}\n"
    agree(text, exploding(2, 4, (4,)), plain(2, 4), ONE_SIDED[question])


def test_the_chance_of_an_even_contest() -> None:
    text = "rule r\n    roll p = 3d6!\n    roll q = 3d6!\n    outcome\n        + win if p outranks q\n"
    text += "        - lose if q outranks p\n        ~ tie otherwise\n"
    odds = rulesrun.parse(text)["r"].odds()
    assert odds["win"] == odds["lose"]
    assert odds["win"] + odds["lose"] + odds["tie"] == 1
    same = sum(
        (chance**2 for chance in plain(3, 5).values()), Fraction(0)
    )  # equal faces below the six, and equally many sixes
    sixes = sum((Fraction((k + 1) * (k + 2), 2) * Fraction(1, 6) ** k * Fraction(5, 6) ** 3) ** 2 for k in range(60))
    assert 0 <= odds["tie"] - same * sixes < Fraction(1, 10**40)


AGAIN: dict[str, Law] = {
    "2d4, again on all 4": again(plain(2, 4), lambda dice: dice == (4, 4)),
    "2d3, again on all 1": again(plain(2, 3), lambda dice: dice == (1, 1)),
    "d4, again on any 2": again(plain(1, 4), lambda dice: dice == (2,)),
    "2d2, again on sum >= 4": again(plain(2, 2), lambda dice: sum(dice) == 4),
    "d4!": exploding(1, 4, (4,)),
}


MORE: dict[str, Answer] = {
    "size of (p cancelled by q)": lambda p, q: len(cancelled(p, q)),
    "1 if (p outranks q and largest set in p >= 2) otherwise 0": lambda p, q: int(outranks(p, q) and widest(p) > 1),
}
SOME = (
    "wins of p over q", "sum of p if p outranks q otherwise -1", "1 if (p outranks q and any 1 in q) otherwise 0"
)  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "question"),
    [
        *(("2d4, again on all 4", "2d4, again on all 4", question) for question in (*QUESTIONS, *MORE)),
        *(("d4, again on any 2", "d4!", question) for question in QUESTIONS),
        *(("2d3, again on all 1", "2d3, again on all 1", question) for question in SOME),
        *(("2d2, again on sum >= 4", "2d3, again on all 1", question) for question in SOME),
    ],
)
def test_groups_thrown_again_that_show_one_face(first: str, second: str, question: str) -> None:
    text = f"rule r\n    roll p = {first}\n    roll q = {second}\n    x = {question}\n"
    try:
        agree(text, AGAIN[first], AGAIN[second], {**QUESTIONS, **MORE}[question], Fraction(1, 10**3))
    except rulesrun.RulesError as error:
        assert error.diagnostics[0].code == "budget"
        assert "cancelled" in question


def test_groups_thrown_again_that_show_several_faces_are_refused() -> None:
    text = "rule r\n    roll p = 2d4, again on any 4\n    roll q = 2d4, again on any 4\n    flag w if p outranks q\n"
    with pytest.raises(rulesrun.RulesError, match="too large"):
        rulesrun.parse(text)["r"].odds()


def test_several_faces_that_explode_in_both_are_refused() -> None:
    text = "rule r\n    roll p = 2d6, explode on 5..6\n    roll q = 2d6, explode on 5..6\n    flag w if p outranks q\n"
    with pytest.raises(rulesrun.RulesError, match="too large"):
        rulesrun.parse(text)["r"].odds()
