"""Whether a product or power of endless numbers is odd."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulesrun
from rulesrun.dice import Law

STOP = Law.of({face: Fraction(1, 6) for face in range(1, 6)})
TOTAL = (Law.geometric_sum(STOP, Law.of({6: Fraction(1, 6)}))) ** 2
SIZE = (Law.geometric_sum(Law.point(1, Fraction(5, 6)), Law.point(1, Fraction(1, 6)))) ** 2


def odd(law: Law) -> Fraction:
    """The chance of an odd number, by the plain sum up to a tail far below what is compared."""
    return sum((chance for value, chance in law.items(Fraction(1, 10**40)) if value % 2), Fraction(0))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("size of p ^ 2 in odd", odd(SIZE)),
        ("size of p ^ 3 in even", 1 - odd(SIZE)),
        ("(sum of p + 1) ^ 2 in odd", 1 - odd(TOTAL)),
        ("sum of p * size of q in odd", odd(TOTAL) * odd(SIZE)),
        ("sum of p * (sum of q + 1) in even", 1 - odd(TOTAL) * (1 - odd(TOTAL))),
        ("3 * sum of p * sum of q - 1 in even", odd(TOTAL) ** 2),
        ("size of p * d in odd", odd(SIZE) * Fraction(1, 2)),
        ("(sum of p * sum of q) ^ 1 in odd", odd(TOTAL) ** 2),
        ("size of p * sum of q + 2 in even", 1 - odd(TOTAL) * odd(SIZE)),
        ("(d + 1) ^ d in odd", Fraction(1, 2)),
    ],
)
def test_products_and_powers(question: str, wanted: Fraction) -> None:
    text = f"rule r\n    roll p = 2d6!\n    roll q = 2d6!\n    roll d = d4\n    flag x if ({question})\n"
    assert abs(rulesrun.parse(text)["r"].odds()["x"] - wanted) < Fraction(1, 10**30)


def test_a_sum_is_one_number_however_many_throws_are_in_it() -> None:
    names = [f"p{number}" for number in range(18)]
    rolls = "".join(f"    roll {name} = 1d6, explode on 6 adding\n" for name in names)
    total = " + ".join(f"sum of {name}" for name in names)
    law = Law.geometric_sum(STOP, Law.of({6: Fraction(1, 6)}))
    even_less_odd = 1 - 2 * odd(law)
    found = rulesrun.parse(f"rule r\n{rolls}    flag x if {total} in odd\n")["r"].odds()["x"]
    assert abs(found - (1 - even_less_odd**18) / 2) < Fraction(1, 10**30)


def test_what_is_not_whole_is_neither() -> None:
    text = "rule r\n    roll a = d4\n    roll b = d4\n    flag x if a * (b / 2) in odd\n"
    ways = sum((a * b) % 4 == 2 for a in range(1, 5) for b in range(1, 5))
    assert rulesrun.parse(text)["r"].odds()["x"] == Fraction(ways, 16)
