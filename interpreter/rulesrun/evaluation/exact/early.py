"""What is read of dice is worked out at once, so that situations and choices that come to the same are one.

Whoever rethrows dice reads later which dice are kept, and how many are thrown, but not which faces were given up. So
`hand without again` and the kinds of `dice of again` are values of their own behind the choice. Whoever decides by the
sum of a throw does not look at its dice: `sum of shown` is a value of its own behind the throw. Whoever asks for the
symbols of cards does not look at their numbers: `symbols of hand` is a value of its own before the question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in, parts, rebuilt

_OF = " of "
"""Between a question and the throw that it asks; no name that a rule gives has a space."""


def worked_out_early(steps: Sequence[plan.AnyStep], policies: Mapping[str, plan.Policy]) -> tuple[plan.AnyStep, ...]:
    """The same steps, with names for what is read of throws before best and worst choices, and of the dice that these
    decide on.

    Of chosen dice only what is read before the next choice: no decision sees these names.
    """

    def is_best(choice: plan.Choice) -> bool:
        return policies.get(choice.name, choice.policy).word in ("best", "worst")

    left = [each for step in steps for each in _parts_first(step)]
    found: list[plan.AnyStep] = []
    while left:
        step = left.pop(0)
        found.append(step)
        if (
            isinstance(step, plan.Draw)
            and not step.single
            and any(isinstance(each, plan.Choice) and is_best(each) for each in parts(tuple(left)))
        ):
            answers = _answers(step, left)
            found += [plan.Define(step.span, name.name, question) for question, name in answers.items()]
            left = list(rebuilt(tuple(left), partial(_instead, answers)))
        if isinstance(step, plan.Choice) and isinstance(step.options, plan.DiceOption) and is_best(step):
            most = next((place for place, each in enumerate(left) if _decides(each)), len(left))
            named = _named(step, left[:most])
            found += [plan.Define(step.span, name, value) for value, (name, _) in named.items()]
            new = {place: part for _, places in named.values() for place, part in places.items()}
            left[:most] = rebuilt(tuple(left[:most]), lambda part: new.get(id(part)))  # noqa: B023
    return tuple(found)


def answers_early(name: str) -> bool:
    """Whether a name is one that `worked_out_early` gives to what is read of a throw."""
    return _OF in name


def _decides(step: plan.AnyStep) -> bool:
    return any(isinstance(each, plan.Choice | plan.Repeat) for each in parts(step))


def _parts_first(step: plan.AnyStep) -> list[plan.AnyStep]:
    """The step behind names for the symbols or the numbers of throws of which it reads nothing else."""
    if not isinstance(step, plan.Define | plan.Flag | plan.Outcome):
        return [step]
    within = list(parts(step))
    asked = [each for each in within if isinstance(each, plan.WithEach) and _is_part_of_faces(each)]
    if not asked or (isinstance(step, plan.Define) and step.value in asked):
        return [step]
    read = Counter(each.name for each in within if isinstance(each, plan.Var))
    often = Counter(each.pool.name for each in asked if isinstance(each.pool, plan.Var))
    names = {
        each: plan.Var(each.span, each.kind, False, f"{each.pool.name}, {each.changed.word}")
        for each in asked
        if isinstance(each.pool, plan.Var)
        and isinstance(each.changed, plan.Each)
        and often[each.pool.name] == read[each.pool.name]
    }
    before = [plan.Define(each.span, name.name, each) for each, name in names.items()]
    return [*before, rebuilt(step, lambda part: names.get(part) if isinstance(part, plan.WithEach) else None)]


def _is_part_of_faces(each: plan.WithEach) -> bool:
    changed = each.changed
    return isinstance(each.pool, plan.Var) and isinstance(changed, plan.Each) and changed.word in ("number", "symbols")


Named = dict[plan.Expression, tuple[str, dict[int, Any]]]


def _named(step: plan.Choice, later: Sequence[plan.AnyStep]) -> Named:
    """The values, each with its name and what stands for it where it is read."""
    within = tuple(later)
    written = {getattr(each, "name", None) for each in parts(within) if isinstance(each, plan.Step)}
    found: Named = {}

    def name_of(value: plan.Expression) -> tuple[plan.Var, dict[int, Any]]:
        name, places = found.setdefault(value, (f"{step.name}, {len(found) + 1}", {}))
        return plan.Var(value.span, plan.Kind.POOL, False, name), places

    for each in parts(within):
        reads = names_in(each)
        if step.name not in reads or not written.isdisjoint(reads):
            continue
        if isinstance(each, plan.Without):
            var, places = name_of(each)
            places[id(each)] = var
        elif isinstance(each, plan.SameDice) and isinstance(each.pool, plan.Var):
            one = plan.Const(each.span, plan.Kind.NUMBER, False, 1)
            var, places = name_of(plan.WithEach(each.span, plan.Kind.POOL, False, each.pool, one))
            places[id(each)] = plan.SameDice(each.span, var)
    return found


def _answers(throw: plan.Draw, later: Sequence[plan.AnyStep]) -> dict[plan.Expression, plan.Var]:
    """Names for the sum and the size of several dice, where nothing else is read of them (nor anything at the end of
    the rule, where aims are).
    """
    within = list(parts(tuple(later)))
    aims = [each.aim for each in within if isinstance(each, plan.Policy)]
    asked = [each for each in within if isinstance(each, plan.Question) and each.asked in ("sum", "size")]
    asked = [each for each in asked if isinstance(each.pool, plan.Var) and each.pool.name == throw.name]
    reads = sum(isinstance(each, plan.Var) and each.name == throw.name for each in within)
    if reads > len(asked) or throw.name in names_in(tuple(aims)):
        return {}
    return {each: plan.Var(each.span, each.kind, False, f"{each.asked}{_OF}{throw.name}") for each in asked}


def _instead(answers: Mapping[plan.Expression, plan.Var], part: Any) -> plan.Var | None:
    """What stands for a question."""
    return answers.get(part) if isinstance(part, plan.Question) else None
