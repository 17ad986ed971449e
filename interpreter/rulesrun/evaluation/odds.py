"""Exact odds of a rule: every outcome and flag, any condition, any value.

In: complete inputs, policies for choices, perhaps a condition that is known to hold. Out: `Odds`. Outcomes and flags
are computed at once; `of`, `chance` and `policies` compute theirs whole when they are called, and nothing is kept
between calls but compiled plans.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from html import escape
from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice import Law
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.distribution import Distribution
from rulesrun.evaluation.exact.answer import Answer, Far
from rulesrun.evaluation.exact.beyond import Beyond
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.growth import Diverges
from rulesrun.evaluation.exact.state import WHOLE
from rulesrun.evaluation.of_rule import OfRule
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.values import face_text, value_text
from rulesrun.evaluation.walk import all_steps
from rulesrun.semantics import plan

if TYPE_CHECKING:
    from rulesrun.evaluation.rule_odds import RuleOdds

Policies = Mapping[str, plan.Policy]

NEVER, ALWAYS = plan.Policy("never"), plan.Policy("always")
NONE = Fraction(0)


class Odds(OfRule):
    """Exact chances. `odds["success"]` is the chance of an outcome or flag; see `chance`, `of`, `policies`."""

    def __init__(
        self,
        asked: RuleOdds,
        inputs: Mapping[str, plan.Constant],
        policies: Policies,
        aim: plan.Expression | None,
        known: plan.Expression | None,
        budget: int,
        algebra: Algebra | None = None,
        dice: Mapping[str, Sequence[plan.Face]] = MappingProxyType({}),
        answer: Answer | None = None,
    ) -> None:
        self._dice = dice
        self._asked, self.inputs, self._policies = asked, dict(inputs), policies
        self._aim, self._known, self._budget = aim, known, budget
        self._answer = answer or self._ask(asked.outcome_and_flags, algebra)
        self._closed(self._answer)
        self._whole = WHOLE if known is None else sum(self._answer.weights.values(), Fraction(0))
        if not self._whole:
            raise RulesError.of("what is given cannot happen, so nothing follows from it", code="given-impossible")
        rule = asked.rule
        self.outcomes: dict[str, Fraction] = {each.label: NONE for each in rule.outcomes}
        self.flags: dict[str, Fraction] = {each.name: NONE for each in rule.flags}
        first = 1 if rule.outcomes else 0
        for values, weight in self._answer.weights.items():
            share = weight if self._whole is WHOLE else weight / self._whole
            if first and values[0] is not None:  # none where the rolled rule that gives the outcome was not rolled
                before = self.outcomes[values[0]]
                self.outcomes[values[0]] = share if before is NONE else before + share
            for flag, holds in zip(self.flags, values[first:], strict=True):
                if holds == (True,):
                    self.flags[flag] += share

    def _ask(
        self, wanted: Sequence[plan.Expression], algebra: Algebra | None = None, policies: Policies | None = None
    ) -> Answer:
        question = self._asked.question(
            wanted, self._policies if policies is None else policies, self._aim, self._known, self._dice
        )
        return question.answer(self.inputs, self._budget, algebra)

    def _closed(self, answer: Answer) -> None:
        """Makes sure that nothing endless was left open: a chance that only looks exact is worse than none."""
        if answer.lost:
            raise RulesError.of(
                f"{self.rule} is endless in a way that has no exact chance here"
                + (f": {float(answer.lost):.1e} of it stays open" if answer.lost < 1 else ""),
                code="endless",
                span=self._asked.rule.span,
                hint="a limit such as `at most 20 times` makes it finite",
            )

    @property
    def answer(self) -> Answer:
        """What was found of outcomes and flags: `Odds(..., answer=)` of the same call are the same odds."""
        return self._answer

    def __getitem__(self, name: str) -> Fraction:
        """The chance of an outcome or flag, 0 if it cannot happen. Raises KeyError for a name that the rule lacks."""
        if name in self.outcomes:
            return self.outcomes[name]
        if name in self.flags:
            return self.flags[name]
        raise self._lacks(name, [*self.outcomes, *self.flags])

    @property
    def good(self) -> Fraction:
        """The chance of any + outcome. Raises `RulesError` for a rule without outcomes."""
        return sum((self.outcomes[label] for label in self._good_labels()), Fraction(0))

    def chance(self, condition: str) -> Fraction:
        """The chance of an outcome, a flag or any condition in the language: ``successes >= 3 and any 10 in drone``."""
        if condition in self.outcomes or condition in self.flags:
            return self[condition]
        return self.chance_of(self._asked.condition(condition))

    def chance_of(self, condition: plan.Expression) -> Fraction:
        """The chance of a compiled condition; that of outcomes or a flag is known already."""
        match condition:
            case plan.IsLabel(value=plan.Var(name="outcome"), labels=labels) if labels <= self.outcomes.keys():
                return sum((self.outcomes[label] for label in labels), NONE)
            case plan.Var(name=name) if name in self.flags:
                return self.flags[name]
            case _:
                pass
        answer = self._ask([condition])
        self._closed(answer)
        return answer.chance(True) / self._whole

    def of(self, name: str) -> Distribution:
        """The distribution of a value, or of an expression over values."""
        return self.distribution(self._asked.value(name))

    def distribution(self, value: plan.Expression) -> Distribution:
        """The distribution of a compiled value."""
        answer = self._ask([value])
        weights = {_plain(key[0]): weight / self._whole for key, weight in answer.weights.items()}
        law = None if answer.law is None else answer.law if self._whole == 1 else answer.law.scaled(1 / self._whole)
        self._closed(answer)
        listed = Distribution(weights, law, answer.lattice)
        tail = Fraction(0)
        for end, weight in answer.above:
            tail += weight / self._whole
            for each in [each for each in weights if _past(each, end)]:
                tail += weights.pop(each)
            if law is not None:
                before, bound = law.mass, end.bound * answer.lattice
                law = self._cut(law, None, ceil(bound) - 1) if end.above else self._cut(law, floor(bound) + 1, None)
                tail += before - law.mass
        ends = [end for end, _ in answer.above]
        if not ends:
            return listed
        moment = None if answer.far is None else self._moment_of(listed, answer.far)
        return Distribution(weights, law, answer.lattice, tail, self._further(value, ends), moment)

    def _cut(self, law: Law, low: int | None, high: int | None) -> Law:
        """The law of numbers between bounds. Raises `RulesError` where they are too far away."""
        try:
            return law.restrict(low, high)
        except TooLarge as large:
            raise RulesError.of(
                f"{self.rule} is too large for exact odds: {large}",
                code="budget",
                span=self._asked.rule.span,
                hint="ask for a chance, such as `total >= 10`, or estimate: `odds --sample 100000`",
            ) from None

    def _moment_of(self, listed: Distribution, far: Sequence[Far]) -> Callable[[int], Fraction | None]:
        """The means of powers of what is listed together with what lies beyond bounds; None for one without end."""

        def moment(power: int) -> Fraction | None:
            try:
                return listed.moment(power) + sum((each.moment(power) for each in far), NONE) / self._whole
            except Diverges:
                return None

        return moment

    def _further(self, value: plan.Expression, ends: Sequence[Beyond]) -> Callable[[int | Fraction], Fraction | None]:
        """The chance of numbers that lie past a bound, each asked for by itself."""

        def chance(number: int | Fraction) -> Fraction | None:
            if not any(_past(number, end) for end in ends):
                return None
            wanted = plan.Const(value.span, plan.Kind.NUMBER, False, number)
            return self.chance_of(plan.Compare(value.span, plan.Kind.YES_NO, False, "=", value, wanted))

        return chance

    @property
    def joint(self) -> dict[tuple[str | bool, ...], Fraction]:
        """The chances of outcome and flags together: keys are the outcome (if the rule has any) and yes or no for
        each flag.
        """
        return {tuple(map(_plain, values)): weight / self._whole for values, weight in self._answer.weights.items()}

    @property
    def method(self) -> dict[str, Any]:
        """How it was computed: the algorithms used, and how many states they visited."""
        return {"algorithm": ", ".join(sorted(self._answer.methods)) or "direct", "states": self._answer.states}

    # ------------------------------------------------------------ policies

    @property
    def policies(self) -> dict[str, dict[str, Any]]:
        """For each choice: `policy`, the word or expression used; `gain`, what it gains for the aim over `never`,
        `always` and
        `default` (the one written); `when`, for best and worst, in which situations to do what other than the first
        option.
        """
        found: dict[str, dict[str, Any]] = {}
        if not self._asked.choices:
            return found
        mine = self._aim_value(self._policies)
        for name, step in self._asked.choices.items():
            policy = self._policies.get(name, step.policy)
            entry: dict[str, Any] = {"policy": policy_text(policy)}
            if mine is not None:
                others = {"never": NEVER, "always": ALWAYS, "default": step.policy}
                entry["gain"] = {}
                for word, other in others.items():
                    theirs = self._aim_value({**self._policies, name: other})
                    if theirs is not None:
                        entry["gain"][word] = mine - theirs
            if policy.word in ("best", "worst"):
                entry["when"] = self._when(name)
            found[name] = entry
        return found

    def _aim_value(self, policies: Policies) -> Fraction | None:
        """The chance or mean of the aim under policies; None where there is no aim, or no mean."""
        if self._aim is None:
            return None
        try:
            answer = self._ask([self._aim], policies=policies)
            if self._aim.kind is plan.Kind.YES_NO:
                return answer.chance(True) / self._whole
            weights = {_plain(key[0]): weight / self._whole for key, weight in answer.weights.items()}
            if answer.lost or answer.above:
                return None
            return Distribution(weights, answer.law, answer.lattice).mean
        except RulesError:
            return None

    def _when(self, name: str) -> list[dict[str, Any]]:
        """The situations in which something else than the first option is best, in the order of the numbers known."""
        rule = self._asked.rule
        repeats = [step for step in all_steps(rule.steps) if isinstance(step, plan.Repeat)]
        shown = {
            *(value.name for value in rule.values),
            *rule.dice,
            *(step.bag for step in all_steps(rule.steps) if isinstance(step, plan.BagDraw)),
            *(step.name for step in self._asked.choices.values()),
            *(name for step in repeats for name in (step.turn, *step.names)),
        }
        found: dict[str, dict[str, Any]] = {}
        for known, option in self._answer.notes.get(name, ()):
            if option is False or option == ():
                continue
            situation = {each: _shown(value) for each, value in known.items() if each.split(" of ")[-1] in shown}
            if option is not True:
                situation[name] = _shown(option)
            found[repr(sorted(situation.items(), key=str))] = situation
        return sorted(found.values(), key=lambda situation: [str(value).rjust(12) for value in situation.values()])

    # ------------------------------------------------------------ showing

    def __repr__(self) -> str:
        chances = ", ".join(f"{label}: {chance}" for label, chance in self.outcomes.items())
        return f"<Odds of {self.rule}: {chances or ', '.join(self.numbers)}>"

    def _repr_html_(self) -> str:
        """A table with bars, for notebooks."""
        rows = "".join(
            f"<tr><td>{escape(label)}</td><td>{float(chance):.4%}</td>"
            f"<td><div style='background:#69c;height:1em;width:{float(chance) * 12:.2f}em'></div></td></tr>"
            for label, chance in (*self.outcomes.items(), *self.flags.items())
        )
        return f"<table><caption>{escape(self.system)}: {escape(self.rule)}</caption>{rows}</table>"

    def plot(self, ax: Any = None) -> Any:
        """A bar chart of the outcomes on matplotlib axes, which are returned; as `Distribution.plot`."""
        chances: dict[Any, Fraction] = dict(self.outcomes)
        return Distribution(chances).plot(ax)


def _past(value: object, end: Beyond) -> bool:
    """Whether a value is a number at or past a bound."""
    if not isinstance(value, int | Fraction) or isinstance(value, bool):
        return False
    return value >= end.bound if end.above else value <= end.bound


def policy_text(policy: plan.Policy) -> str:
    """A policy as the language writes it."""
    if policy.word == "value":
        return " ".join(policy.value.span.text.split()) if policy.value is not None else ""
    if policy.aim is not None:
        return f"{policy.word} for {' '.join(policy.aim.span.text.split())}"
    return policy.word


def _plain(key: Any) -> Any:
    """A value that was told apart from a number."""
    return key[0] if isinstance(key, tuple) and len(key) == 1 and isinstance(key[0], bool) else key


def _shown(value: Any) -> Any:
    """A known value for a report: dice as their faces, a single one as its face; a bag as the faces that it holds."""
    match value:
        case ((Die(), int()), *_):
            left = sorted(value, key=lambda each: (not isinstance(each[0].face, int), each[0].face))
            return [_face_of(die) for die, number in left for _ in range(number)]
    if isinstance(value, tuple) and all(isinstance(each, Die) for each in value):
        faces = [_face_of(die) for die in value]
        return faces[0] if len(faces) == 1 else faces
    if isinstance(value, Beyond):
        return f"{value_text(value.bound)} or {'more' if value.above else 'less'}"
    if isinstance(value, bool | int | str) or value is None:
        return value
    return value_text(value)


def _face_of(die: Die) -> Any:
    """What a die shows, in words if it bears symbols; the name of one that was not thrown."""
    return face_text(die.face or (die.kind,)) if isinstance(die.face, tuple) else die.face
