"""Dice that explode without end, asked for everything: each chance lies where plain enumeration leaves room for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

import rulesrun

from .nearly import lies_where_enumeration_leaves_room

Pool = tuple[int, ...]
Law = Mapping[Pool, Fraction]
TAIL = Fraction(1, 10**7)


def exploding(count: int, sides: int, faces: tuple[int, ...]) -> Law:
    """The sorted faces of dice that explode, until less than a ten-millionth is left."""
    one: dict[Pool, Fraction] = {}
    open_: dict[Pool, Fraction] = {(): Fraction(1)}
    while sum(open_.values()) > TAIL / 10:
        following: dict[Pool, Fraction] = {}
        for pool, weight in open_.items():
            for face in range(1, sides + 1):
                into = following if face in faces else one
                key = tuple(sorted((*pool, face)))
                into[key] = into.get(key, Fraction(0)) + weight / sides
        open_ = following
    return several(one, count)


def several(one: Law, count: int) -> Law:
    """So many of them together."""
    return together(*[one] * count)


def together(*laws: Law) -> Law:
    """One of each law together."""
    found: dict[Pool, Fraction] = {(): Fraction(1)}
    for law in laws:
        joined: dict[Pool, Fraction] = {}
        for pool, weight in found.items():
            for more, chance in law.items():
                key = tuple(sorted((*pool, *more)))
                joined[key] = joined.get(key, Fraction(0)) + weight * chance
        found = joined
    return found


def added(pools: Law) -> Law:
    """Each pool as one die that shows the sum."""
    found: dict[Pool, Fraction] = {}
    for pool, weight in pools.items():
        found[(sum(pool),)] = found.get((sum(pool),), Fraction(0)) + weight
    return found


def plain(count: int, sides: int) -> Law:
    return several({(face,): Fraction(1, sides) for face in range(1, sides + 1)}, count)


def widest(pool: Pool) -> int:
    return max(Counter(pool).values(), default=0)


def cancelled(pool: Pool, by: Pool) -> Pool:
    return tuple((Counter(pool) - Counter(by)).elements())


def wins(left: Pool, right: Pool) -> int:
    return sum(a > b for a, b in zip(left[::-1], right[::-1], strict=False))


def middle(pool: Pool) -> int:
    return pool[(len(pool) - 1) // 2] if pool else 0


def of_widest(pool: Pool) -> int:
    return max((face for face, size in Counter(pool).items() if size == widest(pool)), default=0)


QUESTIONS: dict[str, Callable[[Pool, Pool], int]] = {
    "sets of 2 in p": lambda p, q: sum(size == 2 for size in Counter(p).values()),
    "largest set in p": lambda p, q: widest(p),
    "face of largest set in p": lambda p, q: of_widest(p),
    "middle of p": lambda p, q: middle(p),
    "sum of (highest 2 of p)": lambda p, q: sum(p[-2:]),
    "sum of (lowest 3 of p)": lambda p, q: sum(p[:3]),
    "size of (q cancelled by p)": lambda p, q: len(cancelled(q, p)),
    "sum of (p cancelled by q)": lambda p, q: sum(cancelled(p, q)),
    "largest set in (p cancelled by q)": lambda p, q: widest(cancelled(p, q)),
    "wins of p over q": wins,
    "wins of q over p": lambda p, q: wins(q, p),
    "1 if p outranks q otherwise 0": lambda p, q: int(p[::-1] > q[::-1]),
    "distinct in p": lambda p, q: len(set(p)),
    "1 if size of p in even otherwise 0": lambda p, q: int(len(p) % 2 == 0),
    "pairs of 2.. in p": lambda p, q: sum(face >= 2 for face in p) // 2,
    "10 * (sets of 1 in p) + (count >= 2 in p)": lambda p, q: (
        10 * sum(size == 1 for size in Counter(p).values()) + sum(face >= 2 for face in p)
    ),
    "1 if (size of p > 3 and sum of p > 6) otherwise 0": lambda p, q: int(len(p) > 3 and sum(p) > 6),
    "1 if (largest set in p >= 2 and wins of q over p = 1) otherwise 0": lambda p, q: int(
        widest(p) >= 2 and wins(q, p) == 1
    ),
    "1 if (none 3.. in p and size of p <= 2 and sum of p in (2 or 3)) otherwise 0": lambda p, q: int(
        max(p) < 3 and len(p) <= 2 and sum(p) in (2, 3)
    ),
    "1 if (none 1 in p and any 2 in p and sets of 2 in p = 1) otherwise 0": lambda p, q: int(
        1 not in p and 2 in p and sum(size == 2 for size in Counter(p).values()) == 1
    ),
    "1 if (none 2 in p and wins of p over q = 1) otherwise 0": lambda p, q: int(2 not in p and wins(p, q) == 1),
    "sum of p if (all ..2 in p and largest set in p < 4) otherwise 0": lambda p, q: (
        sum(p) if max(p) <= 2 and widest(p) < 4 else 0
    ),
    "sum of p if size of p > 2 otherwise 0": lambda p, q: sum(p) if len(p) > 2 else 0,
    "sum of (die 2 of p) + sum of q": lambda p, q: (p[-2] if len(p) > 1 else 0) + sum(q),
    "1 if (sum of q - sum of p) in -3..0 otherwise 0": lambda p, q: int(-3 <= sum(q) - sum(p) <= 0),
    "1 if sum of p in (2 or 5..) otherwise 0": lambda p, q: int(sum(p) == 2 or sum(p) >= 5),
    "1 if round_down(sum of p / 2) = 2 otherwise 0": lambda p, q: int(sum(p) // 2 == 2),
    "1 if round_up(sum of p / 3) <= 1 otherwise 0": lambda p, q: int(sum(p) <= 3),
    "1 if max(sum of p, sum of q) = 4 otherwise 0": lambda p, q: int(max(sum(p), sum(q)) == 4),
    "1 if min(sum of p, sum of q) != 3 otherwise 0": lambda p, q: int(min(sum(p), sum(q)) != 3),
    "1 / (count 2.. in p + 1)": lambda p, q: Fraction(1, sum(face >= 2 for face in p) + 1),  # type: ignore[dict-item, return-value]
}
POOLS = {
    "2d3, explode on 3": exploding(2, 3, (3,)),
    "d4!": exploding(1, 4, (4,)),
    "3d2!": exploding(3, 2, (2,)),
    "2d4, explode on 3..": exploding(2, 4, (3, 4)),
    "2d3, explode on 1": exploding(2, 3, (1,)),
    "2d3, explode on 3 adding": several(added(exploding(1, 3, (3,))), 2),
    "d4, explode on 3.. adding": added(exploding(1, 4, (3, 4))),
}
UNANSWERED = ("2d4, explode on 3..", "2d3, explode on 3 adding", "d4, explode on 3.. adding")
"""Of these not every question has an answer; the others have all."""


@pytest.mark.parametrize("throw", POOLS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_chances_lie_where_enumeration_leaves_room(throw: str, question: str) -> None:
    rule = rulesrun.parse(f"rule r\n    roll p = {throw}\n    roll q = 2d3\n    x = {question}\n")["r"]
    wanted: dict[object, Fraction] = {}
    for p, chance in POOLS[throw].items():
        for q, other in (plain(2, 3) if re.search(r"\bq\b", question) else {(): Fraction(1)}).items():
            value = QUESTIONS[question](p, q)
            wanted[value] = wanted.get(value, Fraction(0)) + chance * other
    try:
        found = rule.odds().of("x")
    except rulesrun.RulesError as error:
        assert error.diagnostics[0].code in ("endless", "budget")
        assert throw in UNANSWERED
        return
    lies_where_enumeration_leaves_room(found, wanted, TAIL)


@pytest.mark.parametrize(
    "throw",
    [
        "2d3, explode on 3, explode on 2",
        "d3, explode on 3, reroll 1 in at most 0 dice, keep lowest 2, explode on 3",
        "3d3 + d{1, 1, 2, 3}, again on any 3, explode on 3",
    ],
)
def test_throws_that_can_only_be_listed_give_no_cut_chance(throw: str) -> None:
    rule = rulesrun.parse(f"rule r\n    roll p = {throw}\n    x = largest set in p\n    flag f if any 1 in p\n")["r"]
    with pytest.raises(rulesrun.RulesError) as caught:
        rule.odds().of("x")
    assert caught.value.diagnostics[0].code in ("endless", "budget")


def test_nothing_is_kept_of_an_endless_throw() -> None:
    rule = rulesrun.parse(
        "rule r\n    roll p = d6!, explode on sides once, keep highest 0\n    x = pairs of 4.. in p\n"
    )["r"]
    assert dict(rule.odds().of("x").items()) == {0: 1}
