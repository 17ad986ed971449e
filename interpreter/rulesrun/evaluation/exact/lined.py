"""Questions to like dice that explode adding to themselves, by their places in a line from the highest to the lowest.

The sum of the highest three, the middle, the highest less the lowest: each adds up multiples of places, so that one law
of `dice.adding` answers all that a number asks of such dice at once, with no cap and no end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from rulesrun.dice import Law
from rulesrun.dice.adding import Adding, lined_up
from rulesrun.dice.divided import divided
from rulesrun.dice.termwise import one_in
from rulesrun.evaluation.exact.sources import Look, OneDie, Source, Thrown
from rulesrun.evaluation.exact.symbols import Asked, Keep, Leftover, Linear, Number, names_of, plain


@dataclass(frozen=True, slots=True)
class Line:
    """So many like dice, and the constant and the factor of each place, highest first, that make up a number."""

    die: Adding
    constant: Number
    factors: tuple[Number, ...]


def line_of(value: Linear, name: str, sources: Mapping[str, Source]) -> Line | None:
    """What a number reads of a throw directly, not in roundings or extremes, as places; None where it is not that."""
    source = sources[name]
    if not isinstance(source, Thrown) or len(source.looks) != 1 or len(source.parts) != 1:
        return None
    (look,), (part,) = source.looks, source.parts
    if part.die.adding is None:
        return None
    factors: list[Number] = [0] * part.count
    constant: Number = 0
    for (other, _), scores in value.terms:
        if other == name:
            straight = _straight(look, scores)
            if straight is None:
                return None
            constant += straight[0] * part.count
            factors = [factor + straight[1] for factor in factors]
    for each, times in value.leftovers:
        if not _reads(each, name):
            continue
        found = _places(each, name, look, part.count) if isinstance(each, Asked) else None
        if found is None:
            return None
        constant += times * found[0]
        for place in found[1]:
            factors[place] += times * found[2]
    return Line(part.die.adding, constant, tuple(factors))


def law_of(value: Linear, name: str, sources: Mapping[str, Source]) -> tuple[Law, Number, int] | None:
    """The law of what a number reads of a throw directly, as a constant and a fraction with a bottom: constant + law /
    bottom. None where it is not known as a whole. Raises `TooLarge`.
    """
    line = line_of(value, name, sources)
    if line is None:
        return _law_of_scores(value, name, sources)
    bottom = lcm(*(Fraction(factor).denominator for factor in line.factors))
    return lined_up(line.die, [int(factor * bottom) for factor in line.factors]), line.constant, bottom


def _law_of_scores(value: Linear, name: str, sources: Mapping[str, Source]) -> tuple[Law, Number, int] | None:
    """The law of scores added up over dice of which some explode adding, each of which is a straight line in the end;
    None where more is asked of them.
    """
    source, scored = sources[name], {slot: scores for slot, scores in value.terms if slot[0] == name}
    if not isinstance(source, Thrown) or any(_reads(each, name) for each, _ in value.leftovers):
        return None
    if not any(source.looks[place].cap is not None for _, place in scored):
        return None
    found, bottom = Law.point(0), lcm(*(x.denominator for scores in scored.values() for x in scores))
    for part in source.parts:
        slot, die = (name, part.die.stop[0][0]), part.die
        if not part.count or (slot not in scored and die.more is None):
            continue
        look = source.looks[slot[1]]
        if die.more is not None or (look.cap is not None and die.summed is None):
            return None
        found = found * _law_of_score(die, look, [x * bottom for x in scored[slot]]) ** part.count
    return found, 0, bottom


def _law_of_score(die: OneDie, look: Look, scores: Sequence[Number]) -> Law:
    """The law of the whole score of a die."""
    chances = Counter[int]()
    for _, place, weight in die.stop:
        if place not in look.tail:
            chances[int(scores[place])] += Fraction(weight, die.total)  # type: ignore[assignment]
    law = Law.of(chances)
    for at in look.tail:
        assert die.summed is not None and look.cap is not None
        face: Any = look.faces[at]
        beyond = one_in(die.summed.restrict(look.cap, None), look.period, face % look.period)
        rise = int(scores[at] - scores[at - look.period])
        if rise:
            times = divided(beyond.affine(1, -face), look.period)
            law = law + times.affine(rise, int(scores[at]))
        else:
            law = law + Law.point(int(scores[at]), beyond.mass)
    return law


def laws_of_outermost(asked: Leftover, sources: Mapping[str, Source]) -> list[Law] | None:
    """The laws of the highest (or lowest) of each sort of dice in a pool, where some explode adding and that of the
    whole pool is asked; None where it is not that.
    """
    if not isinstance(asked, Asked) or asked.what not in ("highest", "lowest") or asked.pool.steps:
        return None
    pieces, laws = dict(asked.pool.pieces), list[Law]()
    for name in names_of(asked):
        source = sources[name]
        if not isinstance(source, Thrown) or any((name, slot) not in pieces for slot in range(len(source.looks))):
            return None
        for part in source.parts:
            slots = {slot for slot, _, _ in part.die.stop}
            if part.die.more is not None or any(pieces[name, s] != source.looks[s].faces for s in slots):
                return None
            if part.die.summed is not None:
                laws += [part.die.summed] * part.count
            elif any(source.looks[slot].cap is not None for slot in slots):
                return None
            elif part.count:
                chances = Counter[Any]()
                for slot, face, weight in part.die.stop:
                    chances[source.looks[slot].faces[face]] += Fraction(weight, part.die.total)  # type: ignore[assignment]
                laws += [Law.of(chances)] * part.count
    return laws or None


def _reads(left: Leftover, name: str) -> bool:
    return name in names_of(left)


def _places(asked: Asked, name: str, look: Look, count: int) -> tuple[Number, Sequence[int], Number] | None:
    """A constant, the places that are added up, and what each of them is multiplied with."""
    pool = asked.pool
    if pool.pieces != (((name, 0), look.faces),) or pool.fixed or asked.other is not None:
        return None
    places: Sequence[int] = range(count)
    for step in pool.steps:
        if not isinstance(step, Keep):
            return None
        places = _kept(step, places)
    if asked.what == "score":
        by_die = {die[0]: score for die, score in asked.detail or ()}  # type: ignore[misc]
        straight = _straight(look, [by_die[face] for face in look.faces])
        return None if straight is None else (straight[0] * len(places), places, straight[1])
    if not places:
        return (0, (), 0) if asked.what in ("highest", "lowest", "middle") else None
    match asked.what:
        case "highest":
            return 0, places[:1], 1
        case "lowest":
            return 0, places[-1:], 1
        case "middle":
            return 0, (places[len(places) // 2],), 1
        case _:
            return None


def _kept(step: Keep, places: Sequence[int]) -> Sequence[int]:
    number = min(step.number, len(places))
    match step.kind:
        case "keep highest":
            return places[:number]
        case "keep lowest":
            return places[len(places) - number :]
        case "drop highest":
            return places[number:]
        case "drop lowest":
            return places[: len(places) - number]
        case _:
            first = (len(places) - number + 1) // 2
            return places[first : first + number]


def _straight(look: Look, scores: Sequence[Number]) -> tuple[Number, Number] | None:
    """The score at 0 and by how much it rises with the face; None where it is no straight line."""
    faces: Iterable[int] = look.faces  # type: ignore[assignment]
    (low, start), *others = zip(faces, scores, strict=True)
    if not others:
        return None
    top, end = others[-1]
    rise = plain(Fraction(end - start) / (top - low))
    if any(score - start != rise * (face - low) for face, score in others):
        return None
    return plain(start - rise * low), rise
