"""Throws whose first faces are known: those of an example, taken in the order drawn. The others stay random.

Known dice are dice of one face, so that all algebra of independent dice goes on; what comes after the known faces in a
chain of explosions, rerolls or further groups is as random as ever. Throws whose dice do not stay independent are
replayed draw by draw.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import lcm
from typing import Any

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.evaluate import compiled
from rulesrun.evaluation.exact.listed_draw import Enumerated, Laid, slots_of_all
from rulesrun.evaluation.exact.modifiers import again_condition, explodes, final_faces, never_ends, parted, shows
from rulesrun.evaluation.exact.replay import (
    dice_of,
    impossible,
    modifier_of,
    replayed,
    rolled_shape,
    shape_of_look,
)
from rulesrun.evaluation.exact.resolve import die_of
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.sources import Again, Look, More, OneDie, Part, Thrown
from rulesrun.evaluation.exact.stage import NotAlgebra, Stage
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.throws import DiceOfSizes, NewDice
from rulesrun.evaluation.values import face_text
from rulesrun.semantics import plan
from rulesrun.semantics.plan import Face

Lay = Callable[[Seen], Laid]
Staged = Callable[[Seen], Stage]
Apply = Callable[[Laid, Stage, Seen, bool], Laid]
KindOf = Callable[[plan.DieKind], Callable[[Seen], Look]]
NEWEST = "the newest group"


@dataclass(slots=True)
class Makers:
    """How the parts of a throw are compiled."""

    group: Callable[[plan.Group], Lay]
    modifier: Callable[[plan.Modifier], Staged]
    kind: KindOf
    apply: Apply
    needed: Callable[[Sequence[Stage], int], list[Stage]]


def compiled_known(
    throw: plan.Throw, summed: bool, name: str, make: Makers
) -> Callable[[Seen, list[Face]], Laid | Enumerated]:
    """The function that throws dice whose first faces are known; it takes those that are drawn out of the list."""
    groups = [make.group(group) for group in throw.groups]
    own = [group.modifiers if isinstance(group, plan.Dice) else () for group in throw.groups]
    apart = len(throw.groups) > 1 and any(own)
    stages = [make.modifier(each) for each in (*(() if apart else own[0] if own else ()), *throw.modifiers)]
    rolled = any(isinstance(group, plan.Dice) and isinstance(group.kind, plan.RolledDie) for group in throw.groups)
    ordered = compiled_order(throw, make)

    def lay(seen: Seen, known: list[Face]) -> Laid | Enumerated:
        if not (apart or rolled):
            left = list(known)
            try:
                bare = [group(seen) for group in groups]
                now = make.needed([stage(seen) for stage in stages], sum(p.count for laid in bare for p in laid.parts))
                laid = _Work(bare, seen, summed and len(now) == 1, name, left, make.apply).throw(now)
                known[:] = left
                return laid
            except NotAlgebra:
                pass
        return replayed(*ordered(seen), name, known, seen)

    return lay


def compiled_order(throw: plan.Throw, make: Makers) -> Callable[[Seen], tuple[list[Any], list[Any]]]:
    """The function that gives groups and modifiers as a thrower takes them."""
    groups = [_ordered_group(group, make) for group in throw.groups]
    modifiers = [make.modifier(each) for each in throw.modifiers]

    def order(seen: Seen) -> tuple[list[Any], list[Any]]:
        made = [group(seen) for group in groups]
        return made, [modifier_of(each(seen), seen) for each in modifiers]

    return order


def _ordered_group(group: plan.Group, make: Makers) -> Callable[[Seen], Any]:
    if isinstance(group, plan.SameDice):
        pool = compiled(group.pool)

        def same(seen: Seen) -> Any:
            dice: tuple[Die, ...] = seen.known(pool(seen))
            _one_kind({(die.kind, die.sides) for die in dice}, group.span)
            return dice_of(dice, group.span)

        return same
    if isinstance(group, plan.DiceOfSizes):
        sizes, at = compiled(group.sizes), group
        return lambda seen: DiceOfSizes(operations.sizes_of_dice(seen.known(sizes(seen)), at.sizes), at.span)
    own = [make.modifier(each) for each in group.modifiers]
    count = None if group.count is None else compiled(group.count)
    inner = compiled_order(group.kind.throw, make) if isinstance(group.kind, plan.RolledDie) else None
    kind = None if inner is not None else make.kind(group.kind)

    def new(seen: Seen) -> NewDice:
        assert group.count is not None or count is None
        number = 1 if count is None else operations.dice_number(seen.known(count(seen)), group.count)  # type: ignore[arg-type]
        stages = [modifier_of(each(seen), seen) for each in own]
        if inner is not None:
            shape = rolled_shape(group.kind, *inner(seen), seen)  # type: ignore[arg-type]
            return NewDice(shape, number, stages, group.span)
        assert kind is not None
        look = kind(seen)
        seen.algebra.kinds[look.kind, look.sides] = look
        return NewDice(shape_of_look(look), number, stages, group.span)

    return new


def _one_kind(kinds: set[Any], at: Span) -> None:
    if len(kinds) > 1:
        raise RulesError.of(
            "the chance with known dice cannot be told here: which of these unlike dice is thrown first is open",
            code="known-dice",
            span=at,
        )


@dataclass(slots=True)
class _Work:
    """One throw. While known faces are left, every die so far is known."""

    groups: Sequence[Laid]
    seen: Seen
    summed: bool
    """Whether the dice are asked for their sum alone and one modifier is all."""
    name: str
    left: list[Face]
    apply: Apply
    looks: list[Look] = field(default_factory=list)

    def throw(self, stages: Sequence[Stage]) -> Laid:
        if not stages:
            return self._bare()
        *before, last = stages
        if isinstance(last.modifier, plan.Again):
            return self._again(before, last)
        if isinstance(last.modifier, plan.Advantage):
            raise NotAlgebra
        laid = self.throw(before)
        if laid.fixed:
            raise NotAlgebra
        if laid.again is not None or not self.left:
            return self.apply(laid, last, self.seen, self.summed)
        match last.modifier:
            case plan.Explode():
                return self._explode(laid, last, self.summed)
            case plan.Reroll():
                return self._reroll(laid, last)
            case _:
                return self.apply(laid, last, self.seen, False)

    def _bare(self) -> Laid:
        looks, slots = slots_of_all(self.groups)
        parts: list[Part] = []
        for group, places in zip(self.groups, slots, strict=True):
            if self.left and len(group.looks) > 1:
                raise NotAlgebra
            for part in group.parts:
                faces = tuple((places[slot], face, weight) for slot, face, weight in part.die.stop)
                random = part.count
                while random and self.left:
                    parts.append(Part(1, self._known(faces[0][0], looks)))
                    random -= 1
                if random:
                    parts.append(Part(random, OneDie(part.die.total, faces)))
        return Laid(looks, parts)

    def _known(self, slot: int, looks: Sequence[Look]) -> OneDie:
        """A die that shows the next known face."""
        face, look = self.left.pop(0), looks[slot]
        if face not in look.faces:
            described = ", ".join(face_text(each) for each in look.faces)  # type: ignore[arg-type]
            raise impossible(face, look.kind, self.name, described)
        return OneDie(1, ((slot, look.faces.index(face), 1),))

    def _explode(self, laid: Laid, stage: Stage, summed: bool) -> Laid:
        modifier = stage.modifier
        assert isinstance(modifier, plan.Explode)
        if laid.steps or (modifier.adding and not summed) or stage.many != 1:
            raise NotAlgebra
        looks, parts = list(laid.looks), list(laid.parts)
        wave, times = [part.die for part in parts], 0
        while stage.limit is None or times < stage.limit:
            times += 1
            following: list[OneDie] = []
            for die in wave:
                slot, face, _ = die.stop[0]
                look = looks[slot]
                if not explodes(stage, shows(look, face), look):
                    continue
                added = replace(look if stage.look is None else stage.look, target=look.target)
                if self.seen.algebra.natural:
                    added = replace(added, first=None)
                if added not in looks:
                    looks.append(added)
                at = looks.index(added)
                if self.left:
                    following.append(self._known(at, looks))
                    parts.append(Part(1, following[-1]))
                else:
                    further = None if stage.limit is None else stage.limit - times
                    parts.append(Part(1, self._open(at, added, stage, further)))
            if not following:
                break
            wave = following
        return Laid(looks, parts)

    def _open(self, slot: int, look: Look, stage: Stage, further: int | None) -> OneDie:
        """A die that an explosion adds and that is not known, with all that it adds in turn."""
        total = sum(look.weights)
        faces = tuple((slot, face, weight) for face, weight in enumerate(look.weights))
        stop, go = parted(faces, look, stage)
        if not stop and further is None:
            raise never_ends(stage.modifier, "explodes")
        if not go or further == 0:
            return OneDie(total, faces)
        return OneDie(total, stop, go, More(total, stop, go, further))

    def _reroll(self, laid: Laid, stage: Stage) -> Laid:
        assert stage.fits is not None
        if laid.steps or self.seen.algebra.natural:
            raise NotAlgebra
        dice = [part.die for part in laid.parts]
        open_: dict[int, OneDie] = {}

        def bad(place: int) -> bool:
            slot, face, _ = dice[place].stop[0]
            return bool(stage.fits and stage.fits(shows(laid.looks[slot], face)))

        places, times = [place for place in range(len(dice)) if bad(place)], 0
        if stage.dice is not None and stage.dice < len(places):
            raise NotAlgebra
        while places and (stage.limit is None or times < stage.limit):
            for place in places:
                slot = dice[place].stop[0][0]
                if self.left:
                    dice[place] = self._known(slot, laid.looks)
                    continue
                rest = replace(stage, limit=None if stage.limit is None else stage.limit - times)
                chances = final_faces(laid.looks[slot], rest)
                bottom = lcm(*(chance.denominator for chance in chances))
                open_[place] = OneDie(
                    bottom, tuple((slot, face, int(chance * bottom)) for face, chance in enumerate(chances) if chance)
                )
            places = [place for place in places if place not in open_ and bad(place)]
            times += 1
        return Laid(laid.looks, [Part(1, open_.get(place, die)) for place, die in enumerate(dice)])

    def _again(self, before: Sequence[Stage], stage: Stage) -> Laid:
        assert stage.holds is not None
        earlier: list[Die] = []
        times = 0
        newest = self.throw(before)
        while True:
            if newest.steps or newest.again is not None:
                raise NotAlgebra
            dice = _as_known(newest)
            if dice is None:
                break
            if (stage.limit is not None and times >= stage.limit) or not stage.holds(dice):
                return replace(newest, fixed=tuple(earlier))
            earlier += dice if not times else [die._replace(first=None) for die in dice]
            newest = self.throw(before)
            times += 1
        if earlier and self.seen.algebra.natural:
            raise NotAlgebra
        fresh = _Work(self.groups, self.seen, False, self.name, [], self.apply).throw(before)
        if fresh.looks != newest.looks:
            raise NotAlgebra
        first = Thrown(NEWEST, tuple(newest.looks), tuple(part for part in newest.parts if part.count))
        group = Thrown(NEWEST, tuple(fresh.looks), tuple(part for part in fresh.parts if part.count))
        if any(part.die.more is not None for part in first.parts):
            raise NotAlgebra
        condition = again_condition(group, stage, self.seen)
        if isinstance(condition, bool):
            if condition:
                raise NotAlgebra
            return replace(newest, fixed=tuple(earlier))
        limit = None if stage.limit is None else stage.limit - times
        return replace(newest, again=Again(NEWEST, group, condition, limit, first), fixed=tuple(earlier))


def _as_known(laid: Laid) -> tuple[Die, ...] | None:
    """The dice, where all are known."""
    dice = []
    for part in laid.parts:
        if part.die.more is not None or len(part.die.stop) != 1 or part.die.total != part.die.stop[0][2]:
            return None
        slot, face, _ = part.die.stop[0]
        look = laid.looks[slot]
        dice += [die_of(look, face, look.faces[face])] * part.count
    return tuple(dice)
