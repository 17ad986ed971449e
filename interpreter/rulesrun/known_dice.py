"""A rule some of whose dice already lie on the table, for the chances that an example states beside its dice.

In: a rule, and faces by the name of their roll, in the order drawn. Out: the same rule with those dice as dice of one
face; the others stay random. Throws whose known dice could be thrown again (explosions, rerolls, `again`, advantage)
are refused, not guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rulesrun.deciding import deciding
from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation.odds import RuleOdds
from rulesrun.evaluation.roll import RuleRoller
from rulesrun.evaluation.values import face_text
from rulesrun.record import changed
from rulesrun.semantics.plan import (
    Advantage,
    Again,
    AnyStep,
    Arithmetic,
    BagDraw,
    Cases,
    Compare,
    Const,
    Dice,
    DieKind,
    Draw,
    DrawCase,
    Each,
    Example,
    Expect,
    Explode,
    Expression,
    Face,
    Faces,
    Function,
    IfCase,
    Invoke,
    Kind,
    Repeat,
    Reroll,
    RolledDie,
    Rule,
    RulesetPlan,
    SameDice,
)
from rulesrun.semantics.renaming import parts

Known = Mapping[str, Sequence[Face]]


def measured(ruleset: RulesetPlan, example: Example, expect: Expect) -> Fraction:
    """The exact chance or mean that an example speaks of, beside the dice that it states."""
    rule = ruleset.rules[example.rule]
    if example.dice:
        decide = deciding(ruleset, rule, example.choose)
        RuleRoller(ruleset, rule).roll(
            example.inputs, seed=0, dice=example.dice, choose=example.choose, decide=decide
        )  # refuses faces that cannot be
        rule = with_known_dice(rule, example.dice)
    odds = RuleOdds(ruleset, rule).odds(example.inputs, choose=example.choose)
    if expect.measure == "mean":
        return odds.distribution(expect.condition).mean
    return odds.chance_of(expect.condition)


def with_known_dice(rule: Rule, known: Known) -> Rule:
    """The rule with these dice known; raises `RulesError` where that cannot be said with dice of one face."""
    if not known:
        return rule
    for part in parts(rule.steps):
        if isinstance(part, SameDice) or (isinstance(part, Each) and part.word == "sides"):
            raise _refused(part.span, "this rule looks at more than the faces of its dice")
    return changed(rule, steps=tuple(_step(step, known) for step in rule.steps))


def _step(step: AnyStep, known: Known) -> AnyStep:
    match step:
        case Draw(name=name, cases=cases) if name in known:
            if step.table is not None:
                raise _refused(step.span, "this roll points into a table")
            return changed(step, cases=tuple(_case(case, known[name]) for case in cases))
        case BagDraw(name=name) if name in known:
            raise _refused(step.span, "this is drawn from a bag")
        case Repeat() if any(isinstance(part, Draw) and part.name in known for part in parts(step.steps)):
            raise _refused(step.span, "these dice are thrown in a repetition")
        case Invoke():
            return changed(step, steps=tuple(_step(inner, known) for inner in step.steps))
        case _:
            return step


def _case(case: DrawCase, faces: Sequence[Face]) -> DrawCase:
    throw = case.throw
    for modifier in (
        *throw.modifiers,
        *(each for group in throw.groups if isinstance(group, Dice) for each in group.modifiers),
    ):
        if isinstance(modifier, Explode | Reroll | Again | Advantage):
            raise _refused(modifier.span, "these dice may be thrown again")
    groups: list[Dice | SameDice] = []
    left = list(faces)
    for place, group in enumerate(throw.groups):
        if not left or not isinstance(group, Dice):
            groups.append(group)
            continue
        last = place == len(throw.groups) - 1
        groups += _single(group, left) if group.count is None else _counted(group, left, last)
    return changed(case, throw=changed(throw, groups=tuple(groups)))


def _single(group: Dice, left: list[Face]) -> list[Dice]:
    return [changed(group, kind=_shown(group.kind, left.pop(0), group.span))]


def _counted(group: Dice, left: list[Face], last: bool) -> list[Dice]:
    """The known dice, each there if the count reaches it, and the others."""
    count = group.count
    assert count is not None
    if not last and not (isinstance(count, Const) and isinstance(count.value, int)):
        raise _refused(group.span, "how many of these dice are thrown is not known beforehand")
    taken = min(len(left), count.value) if isinstance(count, Const) and isinstance(count.value, int) else len(left)
    faces, left[:] = left[:taken], left[taken:]
    span = group.span

    def number(value: int) -> Const:
        return Const(span, Kind.NUMBER, False, value)

    def there(place: int) -> Expression:
        reached = Compare(span, Kind.YES_NO, False, ">=", count, number(place))
        return Cases(span, Kind.NUMBER, False, (IfCase(number(1), reached), IfCase(number(0), None)))

    rest = Arithmetic(span, Kind.NUMBER, False, "-", count, number(taken))
    others = Function(span, Kind.NUMBER, False, "max", (number(0), rest))
    known = [
        changed(group, count=there(place), kind=_shown(group.kind, face, span)) for place, face in enumerate(faces, 1)
    ]
    return [*known, changed(group, count=others)]


def _shown(kind: DieKind, face: Face, span: Span) -> Faces:
    if isinstance(kind, RolledDie):
        raise _refused(span, "the faces of this die are themselves rolled")
    return Faces(kind.name if isinstance(kind, Faces) else f"known {face_text(face)}", ((face, 1),))


def _refused(span: Span, why: str) -> RulesError:
    return RulesError.of(f"the chance with known dice cannot be told here: {why}", code="known-dice", span=span)
