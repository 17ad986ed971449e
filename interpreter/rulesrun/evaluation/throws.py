"""Throws and what is done to them, in the order written: keep, drop, explode, reroll, again, advantage, against.

In: dice to throw, modifiers whose numbers are known, and the door of draws. Out: the pool. Explosions and rerolls go in
waves, as at a table: all dice that explode are thrown together, then those of them that explode again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation.draws import Draws, Event, Numbered, Rolled, Shape
from rulesrun.evaluation.faces import FaceTest
from rulesrun.evaluation.pools import Die, Pool, ascending, drop, keep, rank, shown, total, without
from rulesrun.semantics.borne import as_number
from rulesrun.semantics.plan import Face, Number

ShapeOf: TypeAlias = Callable[[Die], Shape]
Test: TypeAlias = Callable[[Die], FaceTest]
"""The faces meant, for a die; most sets of faces are the same for all dice."""

ENDLESS_CHECK = 1000
"""So many faces are looked at to see whether a die may stop exploding; beyond, the bound on dice is the last resort."""


class NewDice(NamedTuple):
    """So many dice of a kind, with modifiers of their own."""

    shape: Shape
    number: int
    modifiers: Sequence[Modifier]
    span: Span


class DiceOfSizes(NamedTuple):
    """A die with so many sides for each of the numbers."""

    sizes: Sequence[int]
    span: Span


class SameDice(NamedTuple):
    """The dice of a pool, thrown again."""

    pool: Pool
    span: Span


Group: TypeAlias = NewDice | DiceOfSizes | SameDice


class Keep(NamedTuple):
    """`keep` or `drop`, `highest`, `lowest` or `middle`, so many."""

    word: str
    which: str
    number: int
    span: Span


class Explode(NamedTuple):
    """`test` None: the top face of each die; `limit` None: without end; `shape` None: another die of the same kind.
    `many`: so many dice each time.
    """

    test: Test | None
    limit: int | None
    shape: Shape | None
    adding: bool
    many: int
    span: Span


class Reroll(NamedTuple):
    """`limit` for each die, None: until it shows another face; at most `dice` dice, None: all."""

    test: Test
    limit: int | None
    dice: int | None
    span: Span


class Again(NamedTuple):
    """The whole group once more while the condition holds for the newest one."""

    condition: Callable[[Pool], bool]
    limit: int | None
    span: Span


class Advantage(NamedTuple):
    """1 + abs(number) throws, of which the highest or lowest stays; `at_most` bounds the further ones."""

    number: int
    at_most: int | None
    span: Span


class Against(NamedTuple):
    """A target for the dice thrown so far."""

    target: Number
    span: Span


Modifier: TypeAlias = Keep | Explode | Reroll | Again | Advantage | Against


class Thrower(NamedTuple):
    """Who throws: the door, the name of the roll, and how to find a die's shape."""

    draws: Draws
    name: str
    shape_of: ShapeOf

    def throw(self, groups: Sequence[Group], modifiers: Sequence[Modifier]) -> Pool:
        """The pool of a throw: the groups, then the modifiers from left to right."""
        if not modifiers:
            return tuple([die for group in groups for die in self._group(group)])
        *left, last = modifiers
        match last:
            case Again():
                return self._again(groups, left, last)
            case Advantage():
                return self._advantage(groups, left, last)
            case _:
                pool = self.throw(groups, left)
        match last:
            case Keep():
                return self._keep(pool, last)
            case Explode(adding=True):
                return self._explode_adding(pool, last)
            case Explode():
                return self._explode(pool, last)
            case Reroll():
                return self._reroll(pool, last)
            case Against(target):
                return tuple(die._replace(target=target) for die in pool)

    def _group(self, group: Group) -> Pool:
        if isinstance(group, NewDice):
            if group.modifiers:
                return self.throw([group._replace(modifiers=())], group.modifiers)
            return self.draws.throw(self.name, group.shape, group.number, group.span)
        if isinstance(group, DiceOfSizes):
            shapes = [Numbered(f"d{sides}", sides) for sides in group.sizes]
            return tuple([die for shape in shapes for die in self.draws.throw(self.name, shape, 1, group.span)])
        return tuple([self._new_face(die, group.span) for die in group.pool])

    def _new_face(self, die: Die, span: Span) -> Die:
        face = self.draws.face(self.name, self.shape_of(die), span)
        return die._replace(face=face, first=face)

    def _keep(self, pool: Pool, how: Keep) -> Pool:
        stay = (keep if how.word == "keep" else drop)(pool, how.which, how.number, how.span)
        if len(stay) < len(pool):
            self._event("dropped", without(pool, stay))
        return stay

    def _explode(self, pool: Pool, how: Explode) -> Pool:
        result = list(pool)
        wave, times = pool, 0
        goes: dict[Die, bool] = {}
        while how.limit is None or times < how.limit:
            exploding = [die for die in wave if self._explodes(die, how, goes)]
            if not exploding:
                break
            wave = tuple([self._further(die, how) for die in exploding for _ in range(how.many)])
            result += wave
            times += 1
            self._event("exploded", exploding, wave)
        return tuple(result)

    def _further(self, die: Die, how: Explode) -> Die:
        if how.shape is None:
            face = self.draws.face(self.name, self.shape_of(die), how.span)
            return Die(face, die.sides, die.target, die.kind)
        face = self.draws.face(self.name, how.shape, how.span)
        return Die(face, how.shape.sides, die.target, how.shape.name)

    def _explode_adding(self, pool: Pool, how: Explode) -> Pool:
        result = [die._replace(face=as_number(die.face)) if isinstance(die.face, tuple) else die for die in pool]
        wave, times = dict(enumerate(pool)), 0
        goes: dict[Die, bool] = {}
        while how.limit is None or times < how.limit:
            exploding = [(place, die) for place, die in wave.items() if self._explodes(die, how, goes)]
            if not exploding:
                break
            wave = {place: self._further(die, how) for place, die in exploding}
            for place, die in wave.items():
                sum_so_far = rank(result[place].face, how.span) + rank(die.face, how.span)
                result[place] = result[place]._replace(face=sum_so_far)
            times += 1
            self._event("exploded", [die for _, die in exploding], tuple(wave.values()))
        return tuple(result)

    def _explodes(self, die: Die, how: Explode, known: dict[Die, bool]) -> bool:
        """Whether the die explodes; `known` of dice like it."""
        if die not in known:
            known[die] = self._explodes_anew(die, how)
        return known[die]

    def _explodes_anew(self, die: Die, how: Explode) -> bool:
        if how.test is None:
            top = self.shape_of(die).top
            if top is None:
                raise RulesError.of(
                    f"{die.kind} has no top face that could explode",
                    code="no-top-face",
                    span=how.span,
                    hint="explode on 6",
                )
            goes = as_number(die.face) == top
        else:
            goes = how.test(die).contains(die.face)
        if goes and how.limit is None and (other := self._only_these(die, how.shape, how.test)):
            raise RulesError.of(
                f"every face of {other.name} explodes here, so this would never end",
                code="endless",
                span=how.span,
                hint="leave out a face, or bound it: `at most 3 times`",
            )
        return goes

    def _only_these(self, die: Die, other: Shape | None, test: Test | None) -> Shape | None:
        """The shape thrown next, if all its faces belong to the set (None as test: the top face)."""
        shape = other or self.shape_of(die)
        if isinstance(shape, Rolled):
            return None
        if test is None:
            return shape if all(as_number(face) == shape.top for face in shape.first_faces(ENDLESS_CHECK)) else None
        faces = list(shape.first_faces(ENDLESS_CHECK + 1))
        if len(faces) > ENDLESS_CHECK:
            return None
        next_die = die._replace(sides=shape.sides, kind=shape.name)
        if all(test(next_die._replace(face=face)).contains(face) for face in faces):
            return shape
        return None

    def _reroll(self, pool: Pool, how: Reroll) -> Pool:
        result = list(pool)
        places = [place for place, die in enumerate(pool) if how.test(die).contains(die.face)]
        if how.dice is not None and how.dice < len(places):
            places = _places_of_lowest(pool, places, how.dice, how.span)
        times = 0
        while places and (how.limit is None or times < how.limit):
            if how.limit is None:
                self._check_reroll_ends([result[place] for place in places], how)
            before = [result[place] for place in places]
            for place in places:
                face = self.draws.face(self.name, self.shape_of(result[place]), how.span)
                result[place] = result[place]._replace(face=face)
            self._event("rerolled", before, [result[place] for place in places])
            places = [place for place in places if how.test(result[place]).contains(result[place].face)]
            times += 1
        return tuple(result)

    def _check_reroll_ends(self, dice: Sequence[Die], how: Reroll) -> None:
        for die in {each.kind: each for each in dice}.values():
            if self._only_these(die, None, how.test):
                raise RulesError.of(
                    f"every face of {die.kind} is rerolled here, so this would never end",
                    code="endless",
                    span=how.span,
                    hint="leave out a face, or write `once`",
                )

    def _again(self, groups: Sequence[Group], left: Sequence[Modifier], how: Again) -> Pool:
        newest = self.throw(groups, left)
        result, times = list(newest), 0
        while (how.limit is None or times < how.limit) and how.condition(newest):
            self.draws.count_turn(how.span)
            newest = tuple(die._replace(first=None) for die in self.throw(groups, left))
            result += newest
            times += 1
            self._event("thrown again", newest)
        return tuple(result)

    def _advantage(self, groups: Sequence[Group], left: Sequence[Modifier], how: Advantage) -> Pool:
        further = abs(how.number) if how.at_most is None else min(abs(how.number), how.at_most)
        best = self.throw(groups, left)
        best_sum = total(shown(best), how.span)
        for _ in range(further):
            self.draws.count_turn(how.span)
            other = self.throw(groups, left)
            other_sum = total(shown(other), how.span)
            if other_sum > best_sum if how.number > 0 else other_sum < best_sum:
                best, other, best_sum = other, best, other_sum
            self._event("set aside", other)
        return best

    def _event(self, what: str, old: Sequence[Die], new: Sequence[Die] = ()) -> None:
        before: tuple[Face, ...] = tuple(die.face for die in old)
        self.draws.events.append(Event(what, before, tuple(die.face for die in new)))


def _places_of_lowest(pool: Pool, places: Sequence[int], number: int, span: Span) -> list[int]:
    wanted = Counter(ascending([pool[place] for place in places], span)[:number])
    chosen: list[int] = []
    for place in places:
        if wanted[pool[place]]:
            wanted[pool[place]] -= 1
            chosen.append(place)
    return chosen
