"""Rules without dice, worked out inside expressions: `RULE(input = value).VALUE`.

In: the values of the arguments, and the call, which holds the rule. Out: the value. The rule is compiled to the same
Python function that rolls it; there is just nothing to roll.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from rulesrun.diagnostics import Label, RulesError
from rulesrun.evaluation.choices import nobody_decides
from rulesrun.evaluation.draws import Draws
from rulesrun.evaluation.inputs import Inputs
from rulesrun.evaluation.python import too_deep
from rulesrun.evaluation.roll import Play
from rulesrun.evaluation.steps import StepWriter
from rulesrun.evaluation.values import Value
from rulesrun.semantics.plan import Call, Formula, RulesetPlan

Worked = Callable[[dict[str, Value], Draws], "dict[str, Value]"]

_WORKED: WeakKeyDictionary[Formula, Worked] = WeakKeyDictionary()


def worked_out(values: Sequence[Value], at: Call, draws: Draws | None = None) -> Value:
    """The value of a formula for these arguments, those that the call states. `draws` counts the turns of its
    repetitions with those of the rule around it.
    """
    formula = at.formula
    run = _WORKED.get(formula)
    if run is None:
        run = _WORKED[formula] = _compiled(formula)
    stated = [
        each.name for each, argument in zip(formula.rule.inputs, at.arguments, strict=True) if argument is not None
    ]
    counted = Draws(_no_bits, {}) if draws is None else draws
    counted.count_work(1, at.span)
    try:
        return run(dict(zip(stated, values, strict=True)), counted).get(at.value)
    except RulesError as error:
        raise _placed(error, at) from None


def _compiled(formula: Formula) -> Worked:
    ruleset = RulesetPlan("", "", "", "", {}, formula.tables, {}, formula.levels, {}, {}, (), ())
    inputs = Inputs(formula.rule, ruleset)
    try:
        function = StepWriter(ruleset, formula.rule, {}).function()
    except RecursionError:
        raise too_deep(formula.rule.span) from None

    def run(given: dict[str, Value], draws: Draws) -> dict[str, Value]:
        complete = inputs.complete(given)
        found: dict[str, Value] = function(*complete.values(), Play(draws, _SILENT, nobody_decides), _unseen)
        return found

    return run


class _Silent:
    """A recorder that records nothing."""

    def note(self, step: object, value: object) -> None:
        """Nothing is told of a formula's lines."""


_SILENT: Any = _Silent()


def _unseen(place: int, value: Any) -> Any:
    return value


def _no_bits(width: int) -> NoReturn:
    raise AssertionError("a formula has no dice")


def _placed(error: RulesError, at: Call) -> RulesError:
    """The error with the place of the call: at it where it has none of its own."""
    first = error.diagnostics[0]
    if first.primary is None:
        return RulesError.of(first.message, code=first.code, span=at.span, hint=first.hint)
    if first.primary.span == at.span:
        return error
    called = Label(at.span, "worked out here")
    return RulesError.of(
        first.message,
        code=first.code,
        span=first.primary.span,
        label=first.primary.text,
        secondary=[*first.secondary, called][:4],
        notes=first.notes,
        hint=first.hint,
    )
