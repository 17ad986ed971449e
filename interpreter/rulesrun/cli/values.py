"""Values as people type them: `3`, `1/2`, `35%`, `yes`, `none`, `medium`, lists `2,0,3`, and several values that sweep.

In: the text after NAME=. Out: Python values as `Rule.roll` takes them. Whether a value fits its input is for the rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.limits import limits_of
from rulesrun.limits import Limits, in_force

Scalar = int | Fraction | bool | str | None
Value = Scalar | list[Scalar]

MAX_RANGE = 10**12
"""No range has more values, though none of them is kept."""

_NUMBER = re.compile(r"[+-]?\d+(\.\d+|/\d+)?%?")
_RANGE = re.compile(r"([+-]?\d+)\.\.([+-]?\d+)")
_MINUS = str.maketrans({"−": "-"})


def scalar(text: str) -> Scalar:
    """One value: a number (an int where it is whole), yes or no, none, else the text as a label."""
    plain = text.strip().translate(_MINUS)
    if _NUMBER.fullmatch(plain):
        return _exact(plain)
    match plain:
        case "yes":
            return True
        case "no":
            return False
        case "none":
            return None
        case _:
            return text.strip()


def list_of(text: str) -> list[Scalar]:
    """A list: values between commas; nothing at all is the empty list."""
    plain = text.strip().removeprefix("[").removesuffix("]")
    return [scalar(each) for each in plain.split(",")] if plain.strip() else []


def one_value(name: str, text: str, is_list: bool) -> Value:
    """The one value of an input that does not sweep; several are an error."""
    if is_list:
        return list_of(text)
    values = sweep_of(name, text)
    if len(values) != 1:
        raise RulesError.of(
            f"{name}={text} are several values, and a roll takes one",
            hint="`rulesrun odds` sweeps over several values",
        )
    return values[0]


def sweep_of(name: str, text: str) -> Sequence[Scalar]:
    """The values of a sweep: parts between commas, each a value or a range of whole numbers (`0..5`: 0 to 5)."""
    values: list[Scalar] = []
    for part in text.split(","):
        ends = _RANGE.fullmatch(part.strip().translate(_MINUS))
        if ends is None:
            if not part.strip():
                raise RulesError.of(f"{name}={text} lacks a value")
            values.append(scalar(part))
            continue
        low, high = int(_exact(ends[1])), int(_exact(ends[2]))
        if high < low:
            raise RulesError.of(f"{name}={text} is an empty range: {high} is below {low}")
        if ends.group() == text.strip().translate(_MINUS) and high - low < MAX_RANGE:
            return range(low, high + 1)
        if high - low >= in_force.get().items:
            raise RulesError.of(f"{name}={text} sweeps over more than {in_force.get().items:,} values")
        values.extend(range(low, high + 1))
    return values


def faces_of(texts: Sequence[str]) -> list[int | str]:
    """The faces of `--dice`: numbers, or symbols as the die spells them."""
    faces: list[int | str] = []
    for text in texts:
        value = scalar(text)
        faces.append(value if isinstance(value, int) and not isinstance(value, bool) else text.strip())
    return faces


def raised(words: Sequence[tuple[str, str]]) -> Limits:
    """The bounds that `--limit NAME=N` raises."""
    limits: dict[str, int] = {}
    for name, text in words:
        number = scalar(text.replace(",", "").replace("_", ""))
        if not isinstance(number, int) or isinstance(number, bool):
            raise RulesError.of(f"--limit {name} takes a whole number, not {text!r}")
        limits[name] = number
    return limits_of(limits)


def _exact(text: str) -> int | Fraction:
    most = in_force.get().digits
    if len(text) > most:
        raise RulesError.of(
            f"{text[:20]}… is too long a number: {len(text):,} digits, where at most {most:,} are read",
            code="too-long",
            hint="`--limit digits=N` reads more",
        )
    percent = text.endswith("%")
    try:
        number = Fraction(text.removesuffix("%")) / (100 if percent else 1)
    except ZeroDivisionError:
        raise RulesError.of(f"{text} divides by zero") from None
    return number.numerator if number.denominator == 1 else number
