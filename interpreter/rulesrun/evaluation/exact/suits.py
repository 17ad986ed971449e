"""Cards that a rule cannot tell apart: symbols that nothing reads, and symbols that may take each other's place.

In: all that is asked of a rule. Out: which symbols may be left off the cards of bags, and which are alike, so that of
all draws that differ only in who is who among them (the suits of a flush) one stands for the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Protocol, TypeAlias

from rulesrun.evaluation.exact.drawn import Drawn
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.walk import die_kinds
from rulesrun.semantics import plan
from rulesrun.semantics.borne import is_marked, symbols_on
from rulesrun.semantics.renaming import names_in, parts

Contents: TypeAlias = tuple[tuple[Die, int], ...]


@dataclass(frozen=True, slots=True)
class Suits:
    """`unread`: symbols beside numbers that nothing looks at. `alike`: symbols compared only with one another."""

    unread: frozenset[str] = frozenset()
    alike: frozenset[str] = frozenset()

    def face(self, face: plan.Face) -> plan.Face:
        """A card's face without the symbols that nothing looks at."""
        if not self.unread or not isinstance(face, tuple) or not is_marked(face):
            return face
        left = tuple(each for each in face if each not in self.unread)
        return left if len(left) > 1 else left[0]  # type: ignore[return-value]


ALL_READ = Suits()


class Asking(Protocol):
    """A question to a rule: what is wanted of it."""

    @property
    def wanted(self) -> Sequence[plan.Expression]: ...
    @property
    def ruleset(self) -> plan.RulesetPlan: ...


def suits_of(asking: tuple[object, ...], question: Asking) -> Suits:
    """The symbols of the ruleset's cards by how all these parts of a question read them; on the safe side."""
    wanted, ruleset = question.wanted, question.ruleset
    faces = [thing for bag in ruleset.bags.values() for thing, _ in bag.contents if isinstance(thing, tuple)]
    if not faces or any(each.kind is plan.Kind.POOL for each in wanted):
        return ALL_READ
    asking = _read_in(asking)
    named: set[str] = {thing for bag in ruleset.bags.values() for thing, _ in bag.contents if isinstance(thing, str)}
    whole = ordered = False
    for part in parts(asking):
        match part:
            case plan.Choice():
                return ALL_READ
            case plan.Const(value=str() as word):
                named.add(word)
            case plan.FaceWhole(symbols=symbols):
                named |= set(symbols)
            case plan.Each(word="symbols") | plan.Cancelled(when=None) | plan.Without():
                whole = True
            case plan.FaceIs(value=value) if value.kind is plan.Kind.POOL:
                whole = True
            case plan.Select():
                ordered = True
            case _:
                pass
    steps = tuple(part for part in asking if isinstance(part, plan.Step))
    for kind in die_kinds(steps, ruleset.bags.values()):  # type: ignore[arg-type]
        if isinstance(kind, plan.Faces):
            named.update(symbol for face, _ in kind.faces for symbol in symbols_on(face))
    free = {symbol for face in faces for symbol in symbols_on(face)} - named
    if not whole:
        return Suits(unread=frozenset(free)) if not ordered or not named else ALL_READ
    for face in faces:
        if len(several := free & set(symbols_on(face))) > 1:
            free -= several
    return ALL_READ if ordered else Suits(alike=frozenset(free))


def _read_in(asking: tuple[object, ...]) -> tuple[object, ...]:
    """What is asked, less the values that nothing else in it reads."""
    read = names_in(tuple(part for part in asking if not isinstance(part, plan.Step)))
    found: list[object] = []
    for part in reversed(asking):
        if isinstance(part, plan.Define | plan.Flag | plan.Outcome) and part.name not in read:
            continue
        read |= names_in(part)
        found.append(part)
    return tuple(found)


def classes(
    alike: frozenset[str], env: Mapping[str, Any], bags: Iterable[plan.Bag], there: Contents
) -> list[tuple[str, ...]]:
    """The symbols that may take each other's place where these dice lie and these are left in the bag."""
    marks: dict[str, Counter[object]] = {symbol: Counter() for symbol in alike}

    def see(where: str, face: object, rest: object, number: int) -> None:
        if isinstance(face, tuple):
            for symbol in alike.intersection(face):
                others = tuple(each for each in face if each != symbol)
                marks[symbol][where, others, rest] += number

    for bag in bags:
        for thing, number in bag.contents:
            see(f"all {bag.name}", thing, None, number)
    for die, number in there:
        see("here", die.face, (die.sides, die.target), number)
    for name, value in env.items():
        for die, number in _dice_in(value):
            see(name, die.face, (die.sides, die.target), number)
    found: dict[frozenset[tuple[object, int]], list[str]] = {}
    for symbol in sorted(alike):
        found.setdefault(frozenset(marks[symbol].items()), []).append(symbol)
    return [tuple(each) for each in found.values() if len(each) > 1]


def _dice_in(value: Any) -> Iterator[tuple[Die, int]]:
    match getattr(value, "fixed", value):
        case Die() as die:
            yield die, 1
        case tuple(items):
            for each in items:
                match each:
                    case Die():
                        yield each, 1
                    case (Die(), _):
                        yield each


def alike_draws(
    source: Drawn, env: Mapping[str, Any], bags: Iterable[plan.Bag]
) -> list[tuple[tuple[tuple[int, int], ...], Fraction]] | None:
    """All that can be drawn, as dice (slot, face) with their chances, one draw for those that differ only in which of
    some symbols are which; None where no symbols are alike.
    """
    look = source.looks[0]
    there = tuple([(Die(look.faces[face], look.sides), count) for _, face, count in source.faces])  # type: ignore[arg-type]
    found = classes(source.alike, env, bags, there)
    if not found:
        return None
    bottom = comb(source.size, source.number)
    return [
        (tuple([source.faces[place][:2] for place, many in drawn for _ in range(many)]), Fraction(weight, bottom))
        for drawn, weight in draws(there, source.number, found)
    ]


Draw: TypeAlias = tuple[tuple[int, int], ...]
"""The things that are drawn, by number, with how many of each."""


def draws(there: Contents, number: int, alike: Sequence[tuple[str, ...]]) -> Iterator[tuple[Draw, int]]:
    """All draws, and in how many ways: one for all that differ only in which of the symbols that are alike are which.
    Every class of them bears the same cards.
    """
    of = {symbol: place for place, each in enumerate(alike) for symbol in each}
    rows: dict[object, dict[str, int]] = {}
    for place, (die, _) in enumerate(there):
        own = next((symbol for symbol in symbols_on(die.face) if symbol in of), "")
        rest = tuple(each for each in die.face if each != own) if own else place  # type: ignore[union-attr]
        rows.setdefault((of.get(own), rest, die.sides, die.target), {})[own] = place
    order = list(rows.values())
    numbers = [count for _, count in there]
    behind = [0] * (len(order) + 1)
    for at in reversed(range(len(order))):
        behind[at] = behind[at + 1] + sum(numbers[place] for place in order[at].values())
    drawn = [0] * len(there)

    def row_by_row(at: int, number: int, groups: list[list[str]]) -> Iterator[tuple[Draw, int]]:
        """The rest of a draw; `groups` are the symbols that are still alike after what was drawn."""
        if number == 0:
            yield tuple([(place, many) for place, many in enumerate(drawn) if many]), 1
            return
        if number > behind[at]:
            return
        row = order[at]
        mine = [group for group in groups if group[0] in row]
        others = [group for group in groups if group[0] not in row]
        single = [[""]] if "" in row else mine
        copies = numbers[row[single[0][0]]]
        for split, here, ways in _splits(single, copies, number):
            for count, group in split:
                for symbol in group:
                    drawn[row[symbol]] = count
            after = groups if "" in row else others + [group for _, group in split]
            for found, more in row_by_row(at + 1, number - here, after):
                yield found, ways * more
        for place in row.values():
            drawn[place] = 0

    yield from row_by_row(0, number, [list(each) for each in alike])


Split: TypeAlias = list[tuple[int, list[str]]]


def _splits(groups: list[list[str]], copies: int, most: int) -> Iterator[tuple[Split, int, int]]:
    """How many of its copies each symbol of some groups gives: the new groups, the copies together, and the ways."""
    if not groups:
        yield [], 0, 1
        return
    first, *rest = groups
    for split, here, ways in _split(first, copies, copies, most):
        for others, more, other_ways in _splits(rest, copies, most - here):
            yield split + others, here + more, ways * other_ways


def _split(group: list[str], copies: int, highest: int, most: int) -> Iterator[tuple[Split, int, int]]:
    """The same for one group, first those symbols that give the `highest` number of copies."""
    if not group:
        yield [], 0, 1
        return
    if highest == 0:
        yield [(0, group)], 0, 1
        return
    for many in range(min(len(group), most // highest) + 1):
        ways = comb(len(group), many) * comb(copies, highest) ** many
        for split, here, more in _split(group[many:], copies, highest - 1, most - many * highest):
            yield ([(highest, group[:many])] if many else []) + split, many * highest + here, ways * more
