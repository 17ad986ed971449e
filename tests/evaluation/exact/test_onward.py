"""Dice that explode adding to themselves: what is asked of them holds for every face, however high."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import rulesrun
from rulesrun import RulesError
from rulesrun.dice import TooLarge
from rulesrun.evaluation.exact.onward import limit

Shown = tuple[tuple[int, int], ...]
"""Faces with the sides of their dice."""

FURTHEST = 90
"""Faces are told one by one up to here."""


def bursting(sides: int, on: int) -> dict[int, Fraction]:
    """The chances of what such a die shows, below `FURTHEST`."""
    chances: dict[int, Fraction] = {}
    for times in range(FURTHEST):
        for face in range(1, sides + 1):
            if face != on and (total := times * on + face) < FURTHEST:
                chances[total] = chances.get(total, Fraction(0)) + Fraction(1, sides ** (times + 1))
    return chances


def plain(sides: int) -> dict[int, Fraction]:
    return {face: Fraction(1, sides) for face in range(1, sides + 1)}


def told(dice: list[tuple[int, dict[int, Fraction]]], ask: Callable[[Shown], Any]) -> tuple[Counter[Any], Fraction]:
    """The chances of the answers, and that of all faces that were not told."""
    found: Counter[Any] = Counter()
    for faces in product(*(chances.items() for _, chances in dice)):
        weight = Fraction(1)
        for _, chance in faces:
            weight *= chance
        found[ask(tuple((face, sides) for (face, _), (sides, _) in zip(faces, dice, strict=True)))] += weight  # type: ignore[assignment]
    return found, 1 - Fraction(sum(found.values()))


def faces(shown: Shown) -> list[int]:
    return sorted((face for face, _ in shown), reverse=True)


def run(shown: list[int]) -> int:
    there = set(shown)
    return max(
        (next(n for n in range(1, 9) if face + n not in there) for face in there if face - 1 not in there), default=0
    )


def widest(shown: list[int]) -> tuple[int, int]:
    return max(((number, face) for face, number in Counter(shown).items()), default=(0, 0))


def cancelled(mine: list[int], others: list[int]) -> list[int]:
    return list((Counter(mine) - Counter(others)).elements())


OF_ONE: dict[str, Callable[[list[int]], Any]] = {
    "distinct in p": lambda f: len(set(f)),
    "sets of 2 in p": lambda f: sum(number == 2 for number in Counter(f).values()),
    "largest set in p": lambda f: widest(f)[0],
    "longest run in p": run,
    "(1 if all equal in p otherwise 0)": lambda f: int(len(set(f)) == 1),
    "face of largest set in p": lambda f: widest(f)[1],
    "distinct in (p where die >= 4)": lambda f: len({face for face in f if face >= 4}),
    "largest set in (p showing not 1)": lambda f: widest([face for face in f if face != 1])[0],
    "highest of (p showing ..7)": lambda f: max((face for face in f if face <= 7), default=0),
    "lowest of (p where die > 2)": lambda f: min((face for face in f if face > 2), default=0),
    "size of (lowest 1 of (p where die >= 4))": lambda f: min(1, sum(face >= 4 for face in f)),
    "sum of (p where die >= 4)": lambda f: sum(face for face in f if face >= 4),
    "sum of (p showing 3..)": lambda f: sum(face for face in f if face >= 3),
    "sum of (p with each die as min(die, 4))": lambda f: sum(min(face, 4) for face in f),
    "largest set in (p with each die as max(die, 4))": lambda f: widest([max(face, 4) for face in f])[0],
    "distinct in (p with each die as die * 2 + 1)": lambda f: len(set(f)),
    "longest run in (p with each die as die * 2)": lambda f: 1,
    "highest of (p with each die as die * 2)": lambda f: 2 * f[0],
    "for each die in p: die - 3 if die > 4 otherwise 0": lambda f: sum(face - 3 for face in f if face > 4),
    "for each die in p: die if die > 4 otherwise -5": lambda f: sum(face if face > 4 else -5 for face in f),
    "for each die in p: die if die > 4 otherwise 10": lambda f: sum(face if face > 4 else 10 for face in f),
    "for each die in p: 4 - die if die > 2 otherwise 1": lambda f: sum(4 - face if face > 2 else 1 for face in f),
    "for each die in (highest 1 of p): die if die > 4 otherwise -5": lambda f: f[0] if f[0] > 4 else -5,
    "sum of (p without highest 1 of p)": lambda f: sum(f[1:]),
    "sum of (p without (p without highest 1 of p))": lambda f: f[0],
    "distinct in p + 3 * (count 5.. in p)": lambda f: len(set(f)) + 3 * sum(face >= 5 for face in f),
    "min(sum of p, 7) * largest set in p": lambda f: min(sum(f), 7) * widest(f)[0],
    "for each die in p: 1 if 2 ^ die > 100 otherwise 0": lambda f: sum(face >= 7 for face in f),
    "for each die in p: 1 if (die - 3) * (die - 7) < 0 otherwise 0": lambda f: sum(3 < face < 7 for face in f),
    "for each die in p: max(-4, 0 - round_down(die / 2))": lambda f: sum(max(-4, -(face // 2)) for face in f),
    "size of ((p with each die as 0 - round_down(die / 2)) where die <= -3)": lambda f: sum(face >= 6 for face in f),
    "count odd in p": lambda f: sum(face % 2 for face in f),
    "count even or 5 in p": lambda f: sum(face % 2 == 0 or face == 5 for face in f),
    "(1 if any odd in p otherwise 0)": lambda f: int(any(face % 2 for face in f)),
    "pairs of odd in p": lambda f: sum(face % 2 for face in f) // 2,
    "highest of (p showing odd)": lambda f: max((face for face in f if face % 2), default=0),
    "sum of (p where die in even)": lambda f: sum(face for face in f if face % 2 == 0),
    "largest set in (p showing even)": lambda f: widest([face for face in f if face % 2 == 0])[0],
    "for each die in p: remainder(die, 3)": lambda f: sum(face % 3 for face in f),
    "for each die in p: round_down(die / 3)": lambda f: sum(face // 3 for face in f),
    "for each die in p: round_up(die / 2) - 1": lambda f: sum((face + 1) // 2 - 1 for face in f),
    "for each die in p: die if die in odd otherwise 0": lambda f: sum(face for face in f if face % 2),
    "distinct in (p with each die as remainder(die, 5))": lambda f: len({face % 5 for face in f}),
    "for each die in (highest 1 of p): remainder(die, 2)": lambda f: f[0] % 2,
    "size of (lowest 1 of (p where remainder(die, 3) = 1))": lambda f: min(1, sum(face % 3 == 1 for face in f)),
    "(1 if sum of p in odd otherwise 0) + 2 * count 5 in p": lambda f: sum(f) % 2 + 2 * f.count(5),
    "(1 if sum of p * size of p in odd otherwise 0) + count 1 in p": lambda f: f.count(1),
    "count odd in p + 3 * distinct in p": lambda f: sum(face % 2 for face in f) + 3 * len(set(f)),
    "size of (p where count die in p >= 2)": lambda f: sum(f.count(face) >= 2 for face in f),
    "sum of (p where count die in p = 1)": lambda f: sum(face for face in f if f.count(face) == 1),
    "for each die in p: count die in p": lambda f: sum(f.count(face) for face in f),
    "for each die in p: die if count die in p >= 2 otherwise -1": lambda f: sum(
        face if f.count(face) >= 2 else -1 for face in f
    ),
    "for each die in p: remainder(die, 3) * count die in p": lambda f: sum(face % 3 * f.count(face) for face in f),
    "highest of (p where count die in p = 1 and die in even)": lambda f: max(
        (face for face in f if f.count(face) == 1 and face % 2 == 0), default=0
    ),
    "distinct in (p with each die as round_down(die / 2))": lambda f: len({face // 2 for face in f}),
    "largest set in (p with each die as round_up(die / 3))": lambda f: widest([-(-face // 3) for face in f])[0],
    "face of largest set in (p with each die as round_down(die / 2))": lambda f: widest([face // 2 for face in f])[1],
    "longest run in (p with each die as round_down(die / 2))": lambda f: run([face // 2 for face in f]),
    "distinct in (p with each die as die - remainder(die, 2)) + 10 * count odd in p": lambda f: (
        len({face - face % 2 for face in f}) + 10 * sum(face % 2 for face in f)
    ),
    "count odd in highest 1 of p + 2 * distinct in p": lambda f: f[0] % 2 + 2 * len(set(f)),
    "sum of p if distinct in p = 1 otherwise 0": lambda f: sum(f) if len(set(f)) == 1 else 0,
}  # fmt: skip
OF_TWO: dict[str, Callable[[list[int], list[int]], Any]] = {
    "wins of p over q": lambda a, b: sum(x > y for x, y in zip(a, b, strict=False)),
    "wins of q over p": lambda a, b: sum(x < y for x, y in zip(a, b, strict=False)),
    "(1 if p outranks q otherwise 0)": lambda a, b: int(a > b),
    "size of (p cancelled by q)": lambda a, b: len(cancelled(a, b)),
    "sum of (q cancelled by p)": lambda a, b: sum(cancelled(b, a)),
    "distinct in (p + q)": lambda a, b: len({*a, *b}),
    "sets of 2.. in (p + q)": lambda a, b: sum(number >= 2 for number in Counter(a + b).values()),
}
THROWS: dict[str, dict[int, Fraction]] = {
    "1d6, explode on 6 adding": bursting(6, 6),
    "1d4, explode on sides adding": bursting(4, 4),
    "1d6, explode on 3 adding": bursting(6, 3),
    "1d3": plain(3),
}
TOGETHER = [
    ("2d6, explode on 6 adding", [(6, bursting(6, 6))] * 2),
    ("1d6 + 1d4, explode on sides adding", [(6, bursting(6, 6)), (4, bursting(4, 4))]),
    ("2d6, explode on 3 adding", [(6, bursting(6, 3))] * 2),
    ("1d6 + 1d4, explode on 6 adding", [(6, bursting(6, 6)), (4, plain(4))]),
]


def hold(text: str, dice: list[tuple[int, dict[int, Fraction]]], ask: Callable[[Shown], Any]) -> None:
    """Every chance is that of the faces told, but for those that were not."""
    wanted, left = told(dice, ask)
    assert left < Fraction(1, 10**10)
    law = rulesrun.parse(text)["r"].odds().of("v")
    listed = dict(law.items())
    assert sum(listed.values()) + law.tail == 1
    for answer, chance in wanted.items():
        if chance > left:
            assert 0 <= law[answer] - chance <= left, answer
    assert all(chance <= left + wanted[answer] for answer, chance in listed.items())


@pytest.mark.parametrize("question", OF_ONE)
@pytest.mark.parametrize("throw", range(len(TOGETHER)))
def test_questions_to_one_pool(throw: int, question: str) -> None:
    roll, dice = TOGETHER[throw]
    hold(f"rule r\n    roll p = {roll}\n    v = {question}\n", dice, lambda shown: OF_ONE[question](faces(shown)))


@pytest.mark.parametrize("question", OF_TWO)
@pytest.mark.parametrize(("one", "other"), [(0, 0), (0, 1), (1, 2), (2, 3), (3, 0)])
def test_questions_to_two_pools(one: int, other: int, question: str) -> None:
    rolls = list(THROWS)
    dice = [(0, THROWS[rolls[one]]), (1, THROWS[rolls[other]])]
    text = f"rule r\n    roll p = {rolls[one]}\n    roll q = {rolls[other]}\n    v = {question}\n"
    hold(text, dice, lambda shown: OF_TWO[question](faces(shown[:1]), faces(shown[1:])))


def test_which_of_two_dice_goes_first_however_high_they_are() -> None:
    dice = [(6, bursting(6, 6)), (4, bursting(4, 4))]
    text = "rule r\n    roll p = 1d6, explode on 6 adding\n    roll q = 1d4, explode on 4 adding\n    v = {}\n"
    for question, ask in (
        ("for each die in (highest 1 of (p + q)): sides", lambda shown: max(shown, key=lambda x: (x[0], -x[1]))[1]),
        ("for each die in (lowest 1 of (p + q)): sides", lambda shown: min(shown, key=lambda x: (x[0], -x[1]))[1]),
    ):
        hold(text.format(question), dice, ask)


def shows(sides: int, face: int) -> Fraction:
    """The chance that a die shows a face, which explodes adding at its highest."""
    return Fraction(1, sides ** (face // sides + 1)) if face % sides else Fraction(0)


def shows_at_least(sides: int, face: int) -> Fraction:
    """So many highest faces, and then one that is high enough or explodes again."""
    times, rest = divmod(face, sides)
    return Fraction(sides - max(rest - 1, 0), sides ** (times + 1))


def test_which_of_two_dice_goes_first_to_the_last_digit() -> None:
    """What a d6 shows is as likely 12 further up times 1/36, what a d4 shows times 1/64."""
    text = "rule r\n    roll p = 1d6, explode on 6 adding\n    roll q = 1d4, explode on 4 adding\n    v = {}\n"
    first = sum((shows(6, face) * shows_at_least(4, face) for face in range(1, 13)), Fraction(0))
    law = rulesrun.parse(text.format("for each die in (highest 1 of (p + q)): sides"))["r"].odds().of("v")
    assert law[4] == first / (1 - Fraction(1, 36 * 64))
    law = rulesrun.parse(text.format("for each die in (highest 1 of (p + q)): die * sides"))["r"].odds().of("v")
    assert law[24] == shows(6, 4) * (1 - shows_at_least(4, 4)) + shows(4, 6) * (1 - shows_at_least(6, 7))
    assert law[6 * 41] == shows(6, 41) * (1 - shows_at_least(4, 41))
    assert law[4 * 41] == shows(4, 41) * (1 - shows_at_least(6, 42))


@pytest.mark.parametrize(
    ("question", "chances"),
    [
        (
            "distinct in p",
            {
                1: Fraction(1, 43),
                2: Fraction(3, 7) - Fraction(3, 43),
                3: Fraction(1) - Fraction(3, 7) + Fraction(2, 43),
            },
        ),
        (
            "distinct in (p with each die as round_down(die / 2))",
            {
                1: Fraction(17, 215),
                2: Fraction(27, 35) - Fraction(51, 215),
                3: 1 - Fraction(27, 35) + Fraction(34, 215),
            },
        ),
        ("(1 if all equal in p otherwise 0)", {0: Fraction(42, 43), 1: Fraction(1, 43)}),
        ("count odd in p", {0: Fraction(8, 125), 1: Fraction(36, 125), 2: Fraction(54, 125), 3: Fraction(27, 125)}),
    ],
)
def test_exact_to_the_last_digit(question: str, chances: dict[int, Fraction]) -> None:
    """Two d6 are equal with 5/36 + 1/36 of the same, that is 1/7; three with 5/216 + 1/216 of the same. One is odd with
    3/6 + 1/6 of the same, that is 3/5. Two halves are equal with 9/36 + 1/36 of the same, three with 17/216 + 1/216.
    """
    text = f"rule r\n    roll p = 3d6, explode on 6 adding\n    v = {question}\n"
    assert dict(rulesrun.parse(text)["r"].odds().of("v").items()) == chances


def test_the_face_of_the_largest_set_to_the_last_digit() -> None:
    """Of two dice it is the highest. Two equal ones are as likely six further up times 1/36."""
    text = "rule r\n    roll p = 2d6, explode on 6 adding\n    flag x if {}\n"
    for condition, chance in (
        ("face of largest set in p >= 240", 1 - (1 - shows_at_least(6, 240)) ** 2),
        (
            "face of largest set in (p with each die as round_down(die / 2)) >= 120",
            1 - (1 - shows_at_least(6, 240)) ** 2,
        ),
        ("face of largest set in (p where count die in p = 1) >= 1", Fraction(6, 7)),
        ("highest of (p where count die in p = 2) >= 241", shows(6, 241) ** 2 * Fraction(36, 35) * 5),
    ):
        assert rulesrun.parse(text.format(condition))["r"].odds()["x"] == chance, condition


def test_means_of_what_is_worked_out_from_each_die() -> None:
    text = "rule r\n    roll p = 3d6, explode on 6 adding\n    v = {}\n"
    mean_from_4 = sum((face * Fraction(1, 6) for face in (4, 5)), Fraction(0)) + Fraction(1, 6) * (6 + Fraction(21, 5))
    for question, mean in (
        ("sum of (p where die >= 4)", 3 * mean_from_4),
        ("sum of (p with each die as die * 2)", 6 * Fraction(21, 5)),
        ("for each die in p: 10 - die", 30 - 3 * Fraction(21, 5)),
        ("for each die in p: die / 2 if die >= 4 otherwise 0", 3 * mean_from_4 / 2),
    ):
        assert rulesrun.parse(text.format(question))["r"].odds().of("v").mean == mean


def test_bounds_beyond_what_is_told_at_first() -> None:
    text = "rule r\n    roll p = 2d4, explode on 4 adding\n    v = {}\n"
    beyond = Fraction(1, 4**75)
    for question in (
        "size of (p showing 301..)",
        "size of (p where die > 300)",
        "for each die in p: 1 if die > 300 otherwise 0",
    ):
        law = rulesrun.parse(text.format(question))["r"].odds().of("v")
        assert law[2] == beyond**2
        assert law[0] == (1 - beyond) ** 2


def test_dice_that_go_on_in_no_regular_way_are_refused() -> None:
    text = "rule r\n    roll p = 2d6, explode on 5.. adding\n    v = distinct in p\n"
    with pytest.raises(RulesError, match=r"endless|too large"):
        rulesrun.parse(text)["r"].odds().of("v").mean  # noqa: B018


@pytest.mark.parametrize("score", ["die ^ 2", "2 ^ die", "round_down(60 / die)", "round_down(die ^ 2 / 7)"])
def test_scores_that_end_in_no_straight_line_are_refused(score: str) -> None:
    text = f"rule r\n    roll p = 2d6, explode on 6 adding\n    v = for each die in p: {score}\n"
    with pytest.raises(RulesError, match=r"endless"):
        rulesrun.parse(text)["r"].odds().of("v")


def test_scores_that_fall_without_end_are_refused() -> None:
    text = "rule r\n    roll p = 2d6, explode on 6 adding\n    v = for each die in p: count die in p - die\n"
    with pytest.raises(RulesError, match=r"endless"):
        rulesrun.parse(text)["r"].odds().of("v")


def test_weights_that_are_a_constant_and_geometric_sequences() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    rows = [{("a",): 5 + 2 * half**n - third**n, ("b",): half**n} for n in range(4)]
    assert limit(rows, [half, third]) == {("a",): 5}
    with pytest.raises(TooLarge, match="no regular way"):
        limit([{("a",): Fraction(n * n)} for n in range(4)], [half, third])


def test_faces_that_end_held_against_a_sum_that_does_not() -> None:
    text = (
        "rule r\n    roll q = 1d6, explode on 6 adding\n    roll p = 2d300\n"
        "    v = for each die in p: 1 if sum of q > die otherwise 0\n"
    )
    higher = sum(Fraction(6 - face % 6, 6 ** (face // 6 + 1)) for face in range(1, 301))
    assert rulesrun.parse(text)["r"].odds().of("v").mean == 2 * higher / 300
