"""Worked examples run as tests: dice that are known, choices, inputs, and what is expected.

In: an example of a plan. Out: a `Result` with a `Check` for each expectation, both values shown. Where dice are left to
chance, an expectation has to hold whatever they show: it is tried with several seeds. Chances and means are asked of a
`Measure` that the caller gives, and an example that changes settings is run in the ruleset compiled with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation.choices import Decide
from rulesrun.evaluation.expressions import evaluator
from rulesrun.evaluation.operations import COMPARISONS, number, written
from rulesrun.evaluation.pools import shown
from rulesrun.evaluation.roll import Roll, RuleRoller
from rulesrun.evaluation.values import Approximate, Value, face_text, value_text
from rulesrun.record import record
from rulesrun.semantics.plan import (
    And,
    Arithmetic,
    Compare,
    Constant,
    Example,
    Expect,
    Expression,
    FaceSet,
    Function,
    IsLabel,
    Not,
    RulesetPlan,
    Table,
    Var,
)
from rulesrun.semantics.renaming import parts

SEEDS = 12
"""So often an example whose dice are not all known is rolled."""

Measure: TypeAlias = Callable[[RulesetPlan, Example, Expect], Fraction]
"""The exact chance or mean that an expectation speaks of, in the ruleset given, with the example's dice known."""

WithSettings: TypeAlias = Callable[[Mapping[str, "Constant | FaceSet"]], RulesetPlan]
"""The ruleset compiled with other settings."""

Evaluate: TypeAlias = Callable[[Expression], Callable[[Mapping[str, Value]], Value]]


@record
class Check:
    """One expectation: whether it holds, and what was found beside what was wanted, in words."""

    span: Span
    text: str
    holds: bool
    found: str
    wanted: str


@record
class Result:
    """How an example came out. `error` is what kept it from being run; then there are no further checks."""

    example: Example
    checks: tuple[Check, ...]
    error: RulesError | None

    @property
    def holds(self) -> bool:
        """Whether all is as the example says."""
        return self.error is None and all(check.holds for check in self.checks)


def run_example(
    example: Example,
    ruleset: RulesetPlan,
    with_settings: WithSettings,
    measure: Measure,
    decide: Decide | None = None,
) -> Result:
    """The example, run."""
    checks: list[Check] = []
    try:
        if example.settings:
            ruleset = with_settings(example.settings)
            example = _same_example(example, ruleset)
        rolls: list[Roll] = []
        evaluate = _evaluators(ruleset.tables)
        for expect in example.expects:
            if expect.measure is not None:
                checks.append(_measured(expect, measure(ruleset, example, expect), evaluate))
            else:
                rolls = rolls or _rolls(ruleset, example, decide)
                checks.append(_checked(expect, rolls, evaluate))
        if not example.expects:
            _rolls(ruleset, example, decide)
    except RulesError as error:
        return Result(example, tuple(checks), error)
    return Result(example, tuple(checks), None)


def _evaluators(tables: Mapping[str, Table]) -> Evaluate:
    """Evaluators of expressions, each made once."""
    made: dict[int, Callable[[Mapping[str, Value]], Value]] = {}

    def evaluate(e: Expression) -> Callable[[Mapping[str, Value]], Value]:
        if id(e) not in made:
            made[id(e)] = evaluator(e, tables)
        return made[id(e)]

    return evaluate


def _same_example(example: Example, ruleset: RulesetPlan) -> Example:
    return next((each for each in ruleset.examples if each.span == example.span and each.text == example.text), example)


def _rolls(ruleset: RulesetPlan, example: Example, decide: Decide | None) -> list[Roll]:
    """The example's roll; several where dice are left to chance."""
    roller = RuleRoller(ruleset, ruleset.rules[example.rule])
    rolls: list[Roll] = []
    for seed in range(SEEDS):
        roll = roller.roll(example.inputs, seed=seed, dice=example.dice, choose=example.choose, decide=decide)
        rolls.append(roll)
        if all(len(faces) <= len(example.dice.get(name, ())) for name, faces in roll.dice.items()):
            break
    return rolls


# ---------------------------------------------------------------- expectations of a roll


def _checked(expect: Expect, rolls: list[Roll], evaluate: Evaluate) -> Check:
    text = written(expect.condition)
    found = wanted = ""
    for roll in rolls:
        for condition in _conjuncts(expect.condition):
            holds, found, wanted = _compared(condition, _reading(evaluate, roll.names))
            if not holds:
                dice = f" with {_dice(roll)}" if len(rolls) > 1 else ""
                return Check(expect.span, text, False, found + dice, wanted)
    return Check(expect.span, text, True, found, wanted)


def _reading(evaluate: Evaluate, names: Mapping[str, Value]) -> Callable[[Expression], Value]:
    return lambda e: evaluate(e)(names)


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    """The conditions that `and` joins, so that the one that fails can be shown."""
    waiting = [condition]
    while waiting:
        each = waiting.pop()
        if isinstance(each, And):
            waiting += [each.right, each.left]
        else:
            yield each


def _compared(condition: Expression, value: Callable[[Expression], Value]) -> tuple[bool, str, str]:
    """Whether a condition holds, what was found and what was wanted."""
    match condition:
        case Compare(
            operator="<=",
            left=Function(name="abs", arguments=(Arithmetic(operator="-", left=a, right=b),)),
            right=within,
        ):
            left, right, distance = (number(value(each), each) for each in (a, b, within))
            near = abs(_exact(left) - _exact(right)) <= _exact(distance)
            return near, f"{written(a)} is {_text(left)}", f"{_text(right)} within {_text(distance)}"
        case Compare(operator=sign, left=a, right=b):
            holds = bool(value(condition))
            relation = "" if sign == "=" else f"{sign} "
            return holds, f"{written(a)} is {_text(value(a))}", f"{relation}{_text(value(b))}"
        case IsLabel(value=a, labels=labels):
            return bool(value(condition)), f"{written(a)} is {_text(value(a))}", " or ".join(sorted(labels))
        case Not(operand=IsLabel(value=a, labels=labels)):
            return bool(value(condition)), f"{written(a)} is {_text(value(a))}", f"not {' or '.join(sorted(labels))}"
        case _:
            holds = bool(value(condition))
            read = [part for part in parts(condition) if isinstance(part, Var)]
            known = ", ".join(f"{part.name} is {_text(value(part))}" for part in dict.fromkeys(read))
            return holds, known or _text(holds), written(condition)


def _exact(value: int | Fraction | Approximate) -> Fraction:
    return Fraction(value.value) if isinstance(value, Approximate) else Fraction(value)


def _text(value: Value) -> str:
    if isinstance(value, tuple) and any(hasattr(each, "face") for each in value):
        return " ".join(map(face_text, shown(value)))
    return value_text(value)


def _dice(roll: Roll) -> str:
    return ", ".join(f"{name} = {' '.join(map(face_text, faces))}" for name, faces in roll.dice.items() if faces)


# ---------------------------------------------------------------- chances and means


def _measured(expect: Expect, found: Fraction, evaluate: Evaluate) -> Check:
    assert expect.wanted is not None
    wanted = _exact(number(evaluate(expect.wanted)({}), expect.wanted))
    sign = expect.operator or "="
    words = f"{'' if sign == '=' else f'{sign} '}{written(expect.wanted)}"
    if expect.within is None:
        holds = COMPARISONS[sign](found, wanted)
    else:
        distance = _exact(number(evaluate(expect.within)({}), expect.within))
        holds = abs(found - wanted) <= distance
        words += f" within {written(expect.within)}"
    of = "chance" if expect.measure == "chance" else "mean"
    text = f"{of} of {written(expect.condition)}"
    text += "" if expect.given is None else f" given {written(expect.given)}"
    return Check(expect.span, text, holds, f"{text} is {_fraction(found)}", words)


def _fraction(value: Fraction) -> str:
    exact = str(value)
    return exact if len(exact) <= 24 else f"about {float(value):.6f}"
