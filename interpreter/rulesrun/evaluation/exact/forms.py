"""What unknown numbers and facts are made of, and what they read, before any chance is computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.packing import Terms
from rulesrun.evaluation.exact.sources import Hom, Listed, Source, Thrown
from rulesrun.evaluation.exact.symbols import (
    SCORED,
    Asked,
    Leftover,
    Linear,
    Marks,
    Modulo,
    Number,
    Ranges,
    Scores,
    Slot,
    names_of,
)
from rulesrun.evaluation.exact.tabled import ways

MAX_SHOWN = 12
"""So many conditions that some face shows are taken together."""
FAR_APART = 1_000
"""Numbers that are so many times more than the ways in which dice can fall are not counted through."""


def is_scattered(source: Source, name: str, form: Linear) -> bool:
    if not isinstance(source, Thrown) or not source.finite:
        return False
    ends = [source.bounds(slot[1], scores) for slot, scores in form.terms if slot[0] == name]  # type: ignore[arg-type]
    reach = sum(high - low for low, high in ends if low is not None and high is not None)
    for each, factor in form.leftovers:
        if name in names_of(each):
            reach += abs(int(factor)) * (_spread(each) if isinstance(each, Asked) else 1)
    return reach > FAR_APART and reach > FAR_APART * ways({name: source})


def _spread(asked: Asked) -> int:
    """How far apart the faces, or their scores, lie that an answer is made of."""
    numbers = [face for _, images in asked.pool.pieces for face in images if type(face) is int]
    if asked.what in SCORED:
        numbers = [score for _, score in asked.detail]  # type: ignore[misc, union-attr]
    return max(numbers) - min(numbers) + 1 if numbers else 1


def bases_of(forms: Iterable[Linear]) -> tuple[Terms, ...]:
    """The sums of scores that forms are made of, each once."""
    found: dict[Terms, None] = {}
    for each in forms:
        for terms in (each.terms, *(left.terms for left, _ in each.leftovers if isinstance(left, Modulo))):
            if terms:
                found[terms] = None
    return tuple(found)


def says_all_equal(form: Linear, sources: Mapping[str, Source]) -> bool:
    """Whether a form asks of nothing but things out of bags whether they are all equal."""
    if form.terms or len(form.leftovers) != 1:
        return False
    (asked, _) = form.leftovers[0]
    return (
        isinstance(asked, Asked)
        and asked.what == "all_equal"
        and not asked.pool.fixed
        and not asked.pool.steps
        and all(isinstance(sources[name], Drawn) for (name, _), _ in asked.pool.pieces)
    )


def is_endless(sources: Mapping[str, Source]) -> bool:
    return any(
        not source.finite if isinstance(source, Thrown) else not isinstance(source, Listed | Drawn)
        for source in sources.values()
    )


def reads_endless(value: Linear, sources: Mapping[str, Source]) -> bool:
    """Whether dice that may go on without end are behind an unknown number."""
    return is_endless({name: sources[name] for name in value.names})


def reads_both(value: object, mine: frozenset[str], others: frozenset[str]) -> bool:
    reads = names_of(value)
    return not (reads <= mine or reads <= others)


def factor_of(whole: Linear, part: Linear, names: frozenset[str]) -> int | None:
    """The number k for which `whole` reads k times `part` of these throws, and nothing else of them."""
    mine = tuple(pair for pair in whole.terms if pair[0][0] in names)
    left = tuple(pair for pair in whole.leftovers if not names.isdisjoint(names_of(pair[0])))
    if not mine and not left:
        return None
    found = Linear(0, mine, left)
    if any(not names_of(each) <= names for each, _ in left):
        return None
    reduced, factor = found.canonical()
    return int(factor) if reduced == part else None


def only_form(facts: Facts) -> Linear | None:
    """The form that facts are about, if it is a single one whose law its dice have by themselves."""
    if len(facts.inside) != 1:
        return None
    (form,) = facts.inside
    return form if all(isinstance(each, Modulo) and each.modulus == 2 for each, _ in form.leftovers) else None


def leftovers_beside(whole: Linear, names: frozenset[str]) -> tuple[tuple[Leftover, Number], ...]:
    return tuple(pair for pair in whole.leftovers if names.isdisjoint(names_of(pair[0])))


def flips_of(odd: Iterable[Modulo]) -> Mapping[Slot, int]:
    """The faces whose score is odd in an odd number of modulos, as bits."""
    flips: dict[Slot, int] = {}
    for each in odd:
        for slot, scores in each.terms:
            flips[slot] = flips.get(slot, 0) ^ sum(1 << i for i, x in enumerate(scores) if int(x) % 2)
    return flips


def hom_of(
    name: str, source: Source, struck: Mapping[Slot, int], terms: Mapping[Slot, Scores], flips: Mapping[Slot, int]
) -> Hom:
    if len(source.looks) == 1:
        slot = name, 0
        return Hom((terms.get(slot),), (struck.get(slot, 0),), (flips.get(slot, 0),))  # type: ignore[arg-type]
    slots = [(name, i) for i in range(len(source.looks))]
    return Hom(
        tuple([terms.get(slot) for slot in slots]),  # type: ignore[misc]
        tuple([struck.get(slot, 0) for slot in slots]),
        tuple([flips.get(slot, 0) for slot in slots]),
    )


def inclusion_exclusion(facts: Facts) -> Iterable[tuple[int, Mapping[Slot, int]]]:
    """Signed sets of struck faces that add up to: of every set in `shown` one shows."""
    if not facts.shown:
        yield 1, facts.struck
        return
    shown = [facts.left(marks) for marks in facts.shown]
    if not all(shown):
        return
    if len(shown) > MAX_SHOWN:
        raise TooLarge(f"{len(shown)} conditions that some face shows, all at once")
    for chosen in product((0, 1), repeat=len(shown)):
        struck = dict(facts.struck)
        for marks, on in zip(shown, chosen, strict=True):
            if on:
                for slot, bits in marks:
                    struck[slot] = struck.get(slot, 0) | bits
        yield -1 if sum(chosen) % 2 else 1, struck


def within(law: Law, ranges: Ranges) -> Law:
    parts = [law.restrict(low, high) for low, high in ranges.ranges]
    total = Law.of({})
    for part in parts:
        total = total + part
    return total


def marks_as_scores(marks: Marks, sources: Mapping[str, Source]) -> list[tuple[Slot, tuple[int, ...]]]:
    """Marks as scores: 1 for each marked face."""
    return [
        (slot, tuple(bits >> i & 1 for i in range(len(sources[slot[0]].looks[slot[1]].faces)))) for slot, bits in marks
    ]
