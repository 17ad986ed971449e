"""A rule of a ruleset: rolled, asked for its odds or sampled.

In: inputs, dice, policies, characters, as a caller gives them. Out: rolls, odds, sweeps and samples. What does not fit
is a `RulesError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from operator import getitem
from random import Random
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias

from rulesrun.deciding import deciding
from rulesrun.diagnostics import RulesError, Source
from rulesrun.evaluation.choices import ASK, Chosen, Decide, nobody_decides
from rulesrun.evaluation.roll import Roll, RuleRoller
from rulesrun.semantics import plan

if TYPE_CHECKING:
    from rulesrun.evaluation.odds import Odds
    from rulesrun.evaluation.rule_odds import RuleOdds
    from rulesrun.evaluation.sample.result import Sample
    from rulesrun.ruleset import Ruleset
    from rulesrun.sheets.character import Character
    from rulesrun.sheets.fill import Filled
    from rulesrun.sweep import OddsTable
    from rulesrun.sweep.estimates import Estimates
    from rulesrun.sweep.job import Exact

P = ParamSpec("P")

Characters: TypeAlias = "Character | Mapping[str, Character] | Sequence[Character]"
"""One, one for each side of an opposed rule, or several that act together."""


def _quickly_if_plain(roll: Callable[P, Roll]) -> Callable[P, Roll]:
    """`roll`, but a call with nothing but a generator and inputs goes straight to the quick form of its rule.

    Python spends more on a call with many named parameters than such a roll takes.
    """

    @wraps(roll)
    def plain(self: Rule, *, rng: Random | None = None, **given: Any) -> Roll:
        made = None if rng is None else self._roller.quick(given, rng)
        return roll(self, rng=rng, **given) if made is None else made  # type: ignore[arg-type]

    return plain  # type: ignore[return-value]


class Rule:
    """A compiled rule. Inputs are passed by name: `rule.roll(attribute=3)`.

    Those of a rolled rule are passed as `**{"attacker.gift": 3}` or `attacker={"gift": 3}`, those whose names clash
    with another parameter in `inputs={...}`. Values are int, Fraction, bool, a label as text, a list, or None for
    `none`.
    """

    def __init__(self, ruleset: Ruleset, rule: plan.Rule) -> None:
        self.ruleset = ruleset
        self.plan = rule
        self._roller = RuleRoller(ruleset.plan, rule)
        self._decide = deciding(ruleset.plan, rule, {})

    @property
    def name(self) -> str:
        """Its name."""
        return self.plan.name

    @property
    def text(self) -> str:
        """What the ruleset says of it."""
        return self.plan.text

    @property
    def inputs(self) -> tuple[plan.Input, ...]:
        """Its inputs in order: each `name`, `domain`, `default` (None: required) and `text`."""
        return self.plan.inputs

    @property
    def outcomes(self) -> tuple[plan.OutcomeLabel, ...]:
        """Its outcomes in order: each `label`, `good` (True, False, None for neutral) and `text`."""
        return self.plan.outcomes

    @property
    def values(self) -> tuple[plan.Value, ...]:
        """Its named values that can be asked: each `name` and `kind`."""
        return self.plan.values

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers that its outcome uses; of a rule without outcomes those of all its numbers."""
        return self._exact.numbers

    @property
    def flags(self) -> tuple[plan.NamedText, ...]:
        """Its flags: each `name` and `text`."""
        return self.plan.flags

    @property
    def choices(self) -> tuple[plan.NamedText, ...]:
        """The choices that players make in it: each `name` and `text`."""
        return self.plan.choices

    @property
    def dice(self) -> tuple[str, ...]:
        """The names of its draws, those of the rules that it rolls included."""
        return self.plan.dice

    def __reduce__(self) -> tuple[Callable[..., Rule], tuple[object, ...]]:
        return getitem, (self.ruleset, self.name)

    def __repr__(self) -> str:
        return f"<Rule {self.name} of {self.ruleset.name}>"

    @_quickly_if_plain
    def roll(
        self,
        *,
        seed: int | None = None,
        rng: Random | None = None,
        dice: Mapping[str, Sequence[object]] | None = None,
        choose: Mapping[str, object] | None = None,
        aim: str | None = None,
        decide: Decide = nobody_decides,
        character: Characters | None = None,
        inputs: Mapping[str, object] | None = None,
        **named: object,
    ) -> Roll:
        """One roll.

        `seed`: the same seed gives the same dice on every machine. `rng`: a generator to draw from instead. `dice`:
        faces that were rolled at a table, by the name of their roll, in the order drawn; missing ones are rolled.
        `choose`: how choices are made: `"never"`, `"always"`, `"default"`, `"best"`, `"worst"`, a value, or an
        expression as text; `"ask"` asks `decide`. `aim`: what `best` is best for, by default the chance of a good
        outcome. `character`: a `Character` that fills inputs, one for each side (`{"attacker": alia}`), or several for
        a team. Raises `RulesError` for what does not fit; then nothing has been rolled.
        """
        given = {**inputs, **named} if inputs else named
        if character is not None:
            given = dict(self.filled(character, given).inputs)
        if not choose and aim is None:
            return self._roller.roll(given, seed=seed, rng=rng, dice=dice, decide=self._decide)
        policies = self.policies(choose or {})
        goal = None if aim is None else self._exact.value(aim)
        decide = deciding(self.ruleset.plan, self.plan, policies, goal, decide)
        return self._roller.roll(given, seed=seed, rng=rng, dice=dice, choose=policies, decide=decide)

    def odds(
        self,
        *,
        choose: Mapping[str, object] | None = None,
        aim: str | None = None,
        given: str | None = None,
        budget: int | None = None,
        character: Characters | None = None,
        inputs: Mapping[str, object] | None = None,
        **named: object,
    ) -> Odds:
        """The exact chances of every outcome and flag; ask the result for more.

        `choose`: as for a roll, with `"best"` and `"worst"` too. `aim`: what those are best for, by default the chance
        of a good outcome. `given`: a condition that is known to hold. `budget`: a bound on the states that may be
        visited; over it, a `RulesError` that says what would help. `character`: as for a roll.
        """
        asks = self.asks(choose, aim, given, budget)
        return asks.odds(self._values(character, inputs, named))

    def odds_table(
        self,
        *,
        choose: Mapping[str, object] | None = None,
        aim: str | None = None,
        given: str | None = None,
        budget: int | None = None,
        workers: int = 1,
        character: Characters | None = None,
        inputs: Mapping[str, object] | None = None,
        **named: object,
    ) -> OddsTable:
        """The odds of every combination of the inputs that are given several values, the last one varying fastest.

        Several values are a range, a list or a tuple: `attribute=range(1, 6)`. For an input that is itself a list,
        several values are a list of lists. `workers`: so many processes share the work; the rows are the same.
        """
        from rulesrun.sweep import grid_of, odds_table

        grid = grid_of(self.plan, self._values(character, inputs, named, sweeps=True))
        return odds_table(self.asks(choose, aim, given, budget), grid, workers)

    def odds_rows(
        self,
        *,
        choose: Mapping[str, object] | None = None,
        aim: str | None = None,
        given: str | None = None,
        budget: int | None = None,
        workers: int = 1,
        first: int = 0,
        character: Characters | None = None,
        inputs: Mapping[str, object] | None = None,
        **named: object,
    ) -> Iterator[Odds]:
        """The rows of `odds_table`, one by one and in the same order, for sweeps of any length.

        Rows are computed a little ahead of those that are taken, and not kept. `first`: where to begin, to go on with
        a sweep that was stopped. Raises `RulesError` at once for inputs that do not fit, and at a row that has no
        exact odds, when those before it have been taken.
        """
        from rulesrun.sweep import grid_of, odds_rows

        grid = grid_of(self.plan, self._values(character, inputs, named, sweeps=True))
        return odds_rows(self.asks(choose, aim, given, budget), grid, first, workers)

    def sample(
        self,
        trials: int,
        *,
        seed: int | None = None,
        choose: Mapping[str, object] | None = None,
        aim: str | None = None,
        given: str | None = None,
        of: Sequence[str] = (),
        workers: int | None = None,
        progress: Callable[[int], None] | None = None,
        keep_interrupted: bool = False,
        character: Characters | None = None,
        inputs: Mapping[str, object] | None = None,
        **named: object,
    ) -> Sample:
        """Estimated chances, with intervals, out of so many trials.

        `seed`: the same seed gives the same estimate, for any number of `workers` (by default one a core); without it a
        fresh one is drawn, and is the result's `seed`. `choose`, `aim`, `given`, `character`: as for odds; what is best
        is taken from the exact odds. `of`: values that are counted along; others are counted in the same trials once
        more when they are asked for. `progress` is called with the number of trials done. `keep_interrupted`: an
        interruption by the keyboard does not go on, but ends the work with what is done. An error in any trial is the
        `RulesError` that a roll raises there.
        """
        from rulesrun.evaluation.sample.sampling import checked_seed

        asks = self.estimates(trials, choose, aim, given, checked_seed(seed), of, workers)
        values = self._values(character, inputs, named)
        return asks.sample(values, self._roller, progress, keep_interrupted)

    def filled(self, character: Characters, given: Mapping[str, object], sweeps: bool = False) -> Filled:
        """Values for inputs: those given, and those that characters bring.

        A given text may name something of the character (`attribute="intellect"`); with `sweeps`, a list is several
        values. The result's `private` says whether something came in that is for one player alone to know.
        """
        from rulesrun.sheets.fill import filled

        return filled(self.ruleset.plan, self.plan, character, given, sweeps)

    def _values(
        self,
        character: Characters | None,
        inputs: Mapping[str, object] | None,
        named: Mapping[str, object],
        sweeps: bool = False,
    ) -> Mapping[str, object]:
        given = {**inputs, **named} if inputs else named
        return given if character is None else self.filled(character, given, sweeps).inputs

    @cached_property
    def _exact(self) -> RuleOdds:
        from rulesrun.evaluation.rule_odds import RuleOdds

        return RuleOdds(self.ruleset.plan, self.plan)

    def asks(
        self,
        choose: Mapping[str, object] | None = None,
        aim: str | None = None,
        given: str | None = None,
        budget: int | None = None,
    ) -> Exact:
        """What a caller asks of odds, read and checked; it can be carried to other processes."""
        from rulesrun.sweep.job import Exact

        policies = self.policies(choose or {})
        if asked := [name for name, policy in policies.items() if policy == ASK]:
            raise RulesError.of(f"odds cannot ask about {asked[0]}", code="no-ask", hint="`best` decides for the aim")
        return Exact(
            self._exact,
            {name: policy for name, policy in policies.items() if isinstance(policy, plan.Policy)},
            None if aim is None else self._exact.value(aim),
            None if given is None else self._exact.condition(given),
            budget,
        )

    def estimates(
        self,
        trials: int,
        choose: Mapping[str, object] | None,
        aim: str | None,
        given: str | None,
        seed: int,
        of: Sequence[str] = (),
        threads: int | None = 1,
    ) -> Estimates:
        """What a caller asks of samples, read and checked; it can be carried to other processes."""
        from rulesrun.sweep.estimates import Estimates

        asks = self.asks(choose, aim, given)
        return Estimates(asks.rule, asks.choose, asks.aim, asks.known, trials, seed, tuple(of), threads)

    def policies(self, choose: Mapping[str, object]) -> dict[str, Chosen]:
        """Policies as texts or values, made those of the plan; those left to the default are not among them."""
        if not choose:
            return {}
        from rulesrun.front import compile_asked, parse_policy

        found: dict[str, Chosen] = {}
        for name, policy in choose.items():
            text = written(policy)
            if isinstance(policy, plan.Policy):
                found[name] = policy
            elif text == ASK:
                found[name] = ASK
            elif text != "default":
                full = self.plan.short.get(name, name)
                tree = parse_policy(Source.of_text(f"choose {name}", text))
                found[name] = compile_asked(self.ruleset.plan, self.plan, tree, full)
        return found


def written(value: object) -> str:
    """A value as the language writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(written, value))
    return "none" if value is None else str(value)
