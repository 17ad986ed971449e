"""What exact arithmetic with long polynomials and long numbers takes, told to whoever keeps a budget.

In: the sizes of what is about to be computed. Out: nothing, or what the one who `counts` raises. A step is about a
millionth of a second of one core; the numbers below were measured with python-flint.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token

from flint import fmpz_poly

Count = Callable[[int], None]

WORD = 64
BASE = 6
"""Steps of any product or sum of series without end, however short they are."""

_counting: ContextVar[Count | None] = ContextVar("rulesrun.dice.cost", default=None)


class counted:  # noqa: N801, reads as a word of its own: `with counted(count):`
    """Tells all costs within to `count`, in this thread only; it may raise."""

    __slots__ = ("_before", "_count")

    def __init__(self, count: Count) -> None:
        self._count = count

    def __enter__(self) -> None:
        self._before: Token[Count | None] = _counting.set(self._count)

    def __exit__(self, *_: object) -> None:
        _counting.reset(self._before)


def spend(steps: int) -> None:
    """Counts so many steps."""
    count = _counting.get()
    if count is not None:
        count(steps)


def words(poly: fmpz_poly) -> int:
    """How many machine words the coefficients take, each as long as the longest."""
    length: int = poly.length()
    return length * (poly.height_bits() // WORD + 1)


def product(left: fmpz_poly, right: fmpz_poly) -> int:
    """Steps of a product of polynomials."""
    length = left.length() + right.length()
    return int(length * (left.height_bits() + right.height_bits() + 2 * WORD) // (8 * WORD))


def power(length: int, bits: int) -> int:
    """Steps of a power that has so many coefficients of so many digits in base 2."""
    return length * (bits + WORD) // (40 * WORD)


def inverse(length: int, bits: int) -> int:
    """Steps of Newton's last one towards so many coefficients of so many digits in base 2."""
    return length * (bits + WORD) // (3 * WORD)


def common_factor(left: fmpz_poly, right: fmpz_poly, found: fmpz_poly) -> int:
    """Steps in which the greatest common divisor of polynomials was found: modulo one prime if there is none, else
    modulo as many as its coefficients are long.
    """
    size = words(left) + words(right)
    primes = 1 if found.degree() < 1 else found.height_bits() // WORD + 2
    return size // 5 + primes * (8 * size + 3 * left.length() * right.length()) // 1000


def lowest_terms(bits: int) -> int:
    """Steps of a fraction of two numbers of so many digits in base 2."""
    return int(5 + 0.1 * (bits / WORD) ** 1.5)
