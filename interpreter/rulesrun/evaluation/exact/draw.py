"""From a `Draw` of the plan to dice that lie there unknown: the source they come from and the pool that the name
stands for.

Independent dice stay independent through explosions, rerolls and targets; a whole group thrown again is a repetition;
`keep` and
`drop` are steps of the pool. Modifiers in an order that mixes these are listed throw by throw (`listed_draw`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import lcm
from typing import Any

from rulesrun.diagnostics import Span
from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.evaluate import compiled, compiled_faces
from rulesrun.evaluation.exact.forced import Makers, compiled_known
from rulesrun.evaluation.exact.listed_draw import Enumerated, Laid, enumerated, slots_of_all
from rulesrun.evaluation.exact.modifiers import advantage, again_condition, exploded, exploded_again, rerolled
from rulesrun.evaluation.exact.opening import values_of
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.sources import Again, Look, OneDie, Part, Source, Thrown
from rulesrun.evaluation.exact.stage import NotAlgebra, Stage
from rulesrun.evaluation.exact.symbols import Keep, UnknownPool
from rulesrun.evaluation.faces import FaceTest
from rulesrun.evaluation.limits import too_large
from rulesrun.evaluation.pools import Die, Pool
from rulesrun.evaluation.values import face_text
from rulesrun.evaluation.walk import die_kinds
from rulesrun.limits import in_force
from rulesrun.semantics import plan

NEWEST = "the newest group"


def compiled_draw(
    step: plan.Draw, summed: bool, known: str | None = None
) -> Callable[[Seen], tuple[Any, Source | None]]:
    """The function that throws: the value of the name, and the source that it reads (None where nothing is unknown).

    `summed`: whether the pool is asked for nothing but its sum. `known`: the name under which faces that are known
    wait; those that are drawn are taken away there.
    """
    cases = [
        (None if case.condition is None else compiled(case.condition), case.condition, _throw(case.throw, summed))
        for case in step.cases
    ]
    name = step.name
    of_known = [
        compiled_known(case.throw, summed, name, Makers(_group, _modifier, compiled_kind, _apply, _needed))
        for case in (step.cases if known is not None else ())
    ]

    def throw(seen: Seen) -> tuple[Any, Source | None]:
        for place, (condition, where, dice) in enumerate(cases):
            if condition is None or seen.truth(condition(seen), where):  # type: ignore[arg-type]
                if known is not None and seen.env[known]:
                    left = list(seen.env[known])
                    result = _placed(name, of_known[place](seen, left))
                    seen.env = {**seen.env, known: tuple(left)}
                    return result
                return _placed(name, dice(seen))
        return (), None

    return throw


def _placed(name: str, laid: Laid | Enumerated) -> tuple[Any, Source | None]:
    if isinstance(laid, Enumerated):
        return laid.placed(name)
    if laid.again is not None:
        source: Source = replace(laid.again, name=name)
    else:
        parts = tuple(part for part in laid.parts if part.count)
        if not parts:
            return laid.fixed, None
        source = Thrown(name, tuple(laid.looks), parts)
    pieces = tuple(((name, slot), look.faces) for slot, look in enumerate(source.looks))
    return UnknownPool(pieces, laid.steps, laid.fixed), source


def _throw(throw: plan.Throw, summed: bool) -> Callable[[Seen], Laid | Enumerated]:
    groups = [_group(group) for group in throw.groups]
    shorthand = len(throw.groups) > 1 and any(
        isinstance(group, plan.Dice) and group.modifiers for group in throw.groups
    )
    modifiers = [_modifier(each) for each in throw.modifiers]
    own = [
        [_modifier(each) for each in group.modifiers] if isinstance(group, plan.Dice) else [] for group in throw.groups
    ]
    if not shorthand:
        modifiers = [each for group in own for each in group] + modifiers

    def lay(seen: Seen) -> Laid | Enumerated:
        bare = [group(seen) for group in groups]
        stages = [modifier(seen) for modifier in modifiers]
        if any(map(_keeps_none, stages)) and not any(isinstance(each.modifier, plan.Again) for each in stages):
            return Laid([], [])
        if shorthand:
            return enumerated(bare, [[modifier(seen) for modifier in each] for each in own], stages, seen.algebra)
        laid = _together(bare)
        try:
            stages = _needed(stages, sum(part.count for part in laid.parts))
            for stage in stages:
                laid = _apply(laid, stage, seen, summed and len(stages) == 1)
        except NotAlgebra:
            return enumerated(bare, [[] for _ in bare], stages, seen.algebra)
        return laid

    return lay


def _keeps_none(stage: Stage) -> bool:
    return isinstance(stage.modifier, plan.KeepDrop) and stage.modifier.word == "keep" and stage.number == 0


def _needed(stages: Sequence[Stage], dice: int) -> list[Stage]:
    """The modifiers less those that keep as many dice as there are, while no modifier adds dice."""
    found = []
    for stage in stages:
        modifier = stage.modifier
        if isinstance(modifier, plan.KeepDrop) and modifier.word == "keep" and stage.number >= dice:
            continue
        if isinstance(modifier, plan.Again) or (isinstance(modifier, plan.Explode) and not modifier.adding):
            return list(stages)
        found.append(stage)
    return found


def _together(groups: Sequence[Laid]) -> Laid:
    """All groups as one; like dice share a slot."""
    looks, slots = slots_of_all(groups)
    counts: dict[OneDie, int] = {}
    for group, places in zip(groups, slots, strict=True):
        for part in group.parts:
            die = OneDie(part.die.total, tuple((places[slot], face, weight) for slot, face, weight in part.die.stop))
            counts[die] = counts.get(die, 0) + part.count
    return Laid(looks, [Part(count, die) for die, count in counts.items()])


# ---------------------------------------------------------------- groups


def _group(group: plan.Group) -> Callable[[Seen], Laid]:
    if isinstance(group, plan.SameDice):
        return _same_dice(group)
    if isinstance(group, plan.DiceOfSizes):
        return _of_sizes(group)
    kind = compiled_kind(group.kind)
    if group.count is None:
        return lambda seen: _fresh([(1, kind(seen))], seen)
    count, at = compiled(group.count), group.count

    def dice(seen: Seen) -> Laid:
        number = operations.dice_number(seen.known(count(seen)), at)
        return _fresh([(number, kind(seen))], seen)

    return dice


def _fresh(dice: Sequence[tuple[int, Look]], seen: Seen) -> Laid:
    looks: list[Look] = []
    parts = []
    for count, look in dice:
        if look not in looks:
            looks.append(look)
            seen.algebra.kinds[look.kind, look.sides] = look
        slot = looks.index(look)
        faces = tuple((slot, face, weight) for face, weight in enumerate(look.weights))
        parts.append(Part(count, OneDie(sum(look.weights), faces)))
    return Laid(looks, parts)


def compiled_kind(kind: plan.DieKind) -> Callable[[Seen], Look]:
    """The look of a kind of die."""
    if isinstance(kind, plan.Faces):
        look = _look(kind.faces, sum(weight for _, weight in kind.faces), kind.name)
        return lambda seen: look
    if isinstance(kind, plan.RolledDie):
        return _rolled(kind)
    sides, at = compiled(kind.sides), kind.sides
    looks: dict[int, Look] = {}

    def numbered(seen: Seen) -> Look:
        number = operations.die_sides(seen.known(sides(seen)), at)
        found = looks.get(number)
        if found is None:
            found = looks[number] = _numbered(number, kind.span)
        return found

    return numbered


def _numbered(number: int, span: Span) -> Look:
    if number > in_force.get().listed_sides:
        raise too_large(f"exact odds of a die with {number:,} sides", "listed_sides", span)
    return Look(tuple(range(1, number + 1)), (1,) * number, number, None, f"d{number}")


def _of_sizes(group: plan.DiceOfSizes) -> Callable[[Seen], Laid]:
    sizes = compiled(group.sizes)

    def dice(seen: Seen) -> Laid:
        counts = Counter(operations.sizes_of_dice(seen.known(sizes(seen)), group.sizes))
        return _fresh([(count, _numbered(number, group.span)) for number, count in counts.items()], seen)

    return dice


def _look(faces: Sequence[tuple[Any, int]], sides: int | None, kind: str) -> Look:
    weights: dict[Any, int] = {}
    for face, weight in faces:
        weights[face] = weights.get(face, 0) + weight
    return Look(tuple(weights), tuple(weights.values()), sides, None, kind)


def _rolled(kind: plan.RolledDie) -> Callable[[Seen], Look]:
    throw = _throw(kind.throw, kind.asked == "sum")
    question = compiled(
        plan.Question(
            kind.throw.span,
            plan.Kind.NUMBER,
            False,
            kind.asked,
            plan.NewestGroup(kind.throw.span, plan.Kind.POOL, False),
        )
    )

    def rolled(seen: Seen) -> Look:
        value, source = _placed(f"the die {kind.name}", throw(seen))
        weights = values_of(value, source, question, seen)
        bottom = lcm(*(weight.denominator for weight in weights.values()))
        return _look([(face, int(weight * bottom)) for face, weight in sorted(weights.items())], None, kind.name)

    return rolled


def _same_dice(group: plan.SameDice) -> Callable[[Seen], Laid]:
    pool = compiled(group.pool)

    def again(seen: Seen) -> Laid:
        there = pool(seen)
        counts: dict[Look, int] = {}
        fixed: Pool = ()
        if isinstance(there, UnknownPool):
            if there.steps:
                there = seen.known(there)
            else:
                fixed = there.fixed
                for slot, images in there.pieces:
                    look = seen.sources[slot[0]].looks[slot[1]]
                    number = seen.known(seen.score(0, {slot: tuple(0 if face is None else 1 for face in images)}))
                    fresh = _as_fresh(look, seen)
                    counts[fresh] = counts.get(fresh, 0) + number
        if not isinstance(there, UnknownPool):
            fixed = tuple(there)
        for die in fixed:
            look = _as_fresh(seen.algebra.kinds[die.kind, die.sides], seen) if die.kind else _number_of_a_list(die)
            fresh = replace(look, target=die.target)
            counts[fresh] = counts.get(fresh, 0) + 1
        return _fresh([(number, look) for look, number in counts.items()], seen)

    return again


def _number_of_a_list(die: Die) -> Look:
    """A die that is a number of a list shows it again, however often it is thrown."""
    return Look((die.face,), (1,), die.sides, None, face_text(die.face))


def lay_out(values: Iterable[Any], rule: plan.Rule, ruleset: plan.RulesetPlan, algebra: Algebra) -> None:
    """Makes known how the dice among these values look before they are thrown."""
    given = {
        kind.name: _look(kind.faces, sum(weight for _, weight in kind.faces), kind.name)
        for kind in die_kinds(rule.steps, ruleset.bags.values())
        if isinstance(kind, plan.Faces)
    }
    for die in (each for value in values if isinstance(value, tuple) for each in value if isinstance(each, Die)):
        if die.kind in given:
            algebra.kinds[die.kind, die.sides] = given[die.kind]
        elif die.sides is not None and die.kind == f"d{die.sides}":
            algebra.kinds[die.kind, die.sides] = _numbered(die.sides, rule.span)


def _as_fresh(look: Look, seen: Seen) -> Look:
    kind = seen.algebra.kinds[look.kind, look.sides]
    return replace(kind, target=look.target)


# ---------------------------------------------------------------- modifiers


def _modifier(modifier: plan.Modifier) -> Callable[[Seen], Stage]:
    """The modifier with its numbers known."""
    match modifier:
        case plan.KeepDrop():
            number = compiled(modifier.number)
            return lambda seen: Stage(
                modifier,
                number=operations.natural_number(seen.known(number(seen)), modifier.number, "the number of dice"),
            )
        case plan.Explode():
            limit = _optional(modifier.limit, "the number of explosions")
            faces = None if modifier.faces is None else _each_face(modifier.faces)
            kind = None if modifier.rolling is None else compiled_kind(modifier.rolling)
            many = None if modifier.many is None else compiled(modifier.many)
            return lambda seen: Stage(
                modifier,
                limit=limit(seen),
                fits=None if faces is None else faces(seen),
                look=None if kind is None else _registered(kind(seen), seen),
                many=1 if many is None else operations.dice_number(seen.known(many(seen)), modifier.many),  # type: ignore[arg-type]
            )
        case plan.Reroll():
            limit, dice = (
                _optional(modifier.limit, "the number of rerolls"),
                _optional(modifier.dice, "the number of dice"),
            )
            faces = _each_face(modifier.faces)
            return lambda seen: Stage(modifier, limit=limit(seen), fits=faces(seen), dice=dice(seen))
        case plan.Again():
            limit = _optional(modifier.limit, "the number of throws")
            condition = compiled(modifier.condition)
            return lambda seen: Stage(
                modifier, limit=limit(seen), holds=_on_group(condition, modifier.condition, seen), asked=condition
            )
        case plan.Advantage():
            number = compiled(modifier.number)
            most = _optional(modifier.at_most, "the number of further throws")

            def throws(seen: Seen) -> Stage:
                wanted = operations.whole(seen.known(number(seen)), modifier.number, "the advantage")
                bound = most(seen)
                return Stage(modifier, number=wanted if bound is None else max(-bound, min(bound, wanted)))

            return throws
        case plan.Against():
            target = compiled(modifier.target)
            return lambda seen: Stage(modifier, target=operations.exact(seen.known(target(seen)), modifier.target))


def _registered(look: Look, seen: Seen) -> Look:
    seen.algebra.kinds[look.kind, look.sides] = look
    return look


def _optional(at: plan.Expression | None, what: str) -> Callable[[Seen], int | None]:
    if at is None:
        return lambda seen: None
    value = compiled(at)
    return lambda seen: operations.natural_number(seen.known(value(seen)), at, what)


def _each_face(faces: plan.FaceSet) -> Callable[[Seen], Callable[[Die], bool]]:
    """Whether a die shows one of the faces, which may speak of the die's own sides."""
    test = compiled_faces(faces)

    def of(seen: Seen) -> Callable[[Die], bool]:
        def fits(die: Die) -> bool:
            found: FaceTest = seen.with_die(die, lambda: test(seen))
            return found.contains(die.face)

        return fits

    return of


def _on_group(condition: Callable[[Seen], Any], at: plan.Expression, seen: Seen) -> Callable[[Pool], bool]:
    def holds(pool: Pool) -> bool:
        before = seen.group
        seen.group = pool
        try:
            return operations.truth(seen.known(condition(seen)), at)
        finally:
            seen.group = before

    return holds


def _apply(laid: Laid, stage: Stage, seen: Seen, summed: bool) -> Laid:
    """One modifier on independent dice; raises `NotAlgebra` where they do not stay so."""
    modifier = stage.modifier
    if isinstance(modifier, plan.KeepDrop):
        kind: Any = f"{modifier.word} {modifier.which}"
        if stage.number == 0 and modifier.word == "keep":
            return Laid([], [])
        if kind == "drop middle" or laid.fixed:
            raise NotAlgebra
        return replace(laid, steps=(*laid.steps, Keep(kind, stage.number)))
    if seen.algebra.natural and isinstance(modifier, plan.Reroll | plan.Advantage):
        raise NotAlgebra
    if isinstance(modifier, plan.Explode) and laid.again is not None and not laid.steps and not laid.fixed:
        return replace(laid, again=exploded_again(laid.again, stage, seen.algebra))
    if laid.steps or laid.again is not None or laid.fixed:
        if isinstance(modifier, plan.Against) and laid.again is None and not laid.fixed:
            return replace(laid, looks=[replace(look, target=stage.target) for look in laid.looks])
        raise NotAlgebra
    match modifier:
        case plan.Against():
            return replace(laid, looks=[replace(look, target=stage.target) for look in laid.looks])
        case plan.Explode():
            return Laid(*exploded(laid.looks, laid.parts, stage, summed, seen.algebra, seen.algebra.natural))
        case plan.Reroll():
            return Laid(*rerolled(laid.looks, laid.parts, stage))
        case plan.Advantage():
            return Laid(*advantage(laid.looks, laid.parts, stage.number))
        case plan.Again():
            group = Thrown(NEWEST, tuple(laid.looks), tuple(part for part in laid.parts if part.count))
            condition = again_condition(group, stage, seen)
            if isinstance(condition, bool):
                if condition:
                    raise NotAlgebra
                return laid
            return replace(laid, again=Again(NEWEST, group, condition, stage.limit))
