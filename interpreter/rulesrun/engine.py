"""The pipeline in one screen: text, tree, checked plan; then rolls, odds and samples of its rules.

In: a file or a text. Out: a `Ruleset` of `Rule`s. Both are immutable and safe to share between threads; everything that
can be wrong with a file, an input or a call is a `RulesError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial, wraps
from os import PathLike
from os.path import basename
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias

from rulesrun.deciding import deciding
from rulesrun.diagnostics import Diagnostic, RulesError, Source
from rulesrun.evaluation.choices import ASK, Chosen, Decide, Offer, nobody_decides
from rulesrun.evaluation.limits import limits_of
from rulesrun.evaluation.operations import rows_at
from rulesrun.evaluation.roll import Roll, RuleRoller
from rulesrun.evaluation.values import Value
from rulesrun.kept import Bases, keep_plan, kept_plan, packed, unpacked
from rulesrun.library import Resolve, read_character_file, read_ruleset, resolver
from rulesrun.limits import USUAL, Limits, within
from rulesrun.semantics import plan
from rulesrun.suggestions import nearest

if TYPE_CHECKING:
    from rulesrun.evaluation.examples import Result
    from rulesrun.evaluation.odds import Odds, RuleOdds
    from rulesrun.evaluation.sample.result import Sample
    from rulesrun.front import Given
    from rulesrun.semantics.plan_sheet import Sheet
    from rulesrun.sheets.character import Character
    from rulesrun.sheets.fill import Filled
    from rulesrun.sweep import OddsTable
    from rulesrun.sweep.estimates import Estimates
    from rulesrun.sweep.job import Exact


def load(file: str | PathLike[str], *, limits: Limits | Mapping[str, int] | None = None) -> Ruleset:
    """The ruleset in a file: a path or, where nothing of that name exists, a bundled name (`hive.rules` or `hive`).

    `limits` raises bounds for a file that you trust, all (`Limits`) or some by name: `limits={"dice": 1_000_000}`.
    """
    bounds = limits_of(limits)
    with within(bounds):
        source, resolve = read_ruleset(file), resolver(file)
        if bounds != USUAL:
            return _compiled(source, resolve)
        if kept := kept_plan(source, resolve):
            return Ruleset(source, kept[1], kept[0])
        ruleset = _compiled(source, resolve)
        keep_plan(source, ruleset.bases, ruleset.plan)
        return ruleset


def parse(text: str, name: str = "<text>", *, limits: Limits | Mapping[str, int] | None = None) -> Ruleset:
    """The ruleset that a text is; `name` stands for the file in messages. It may be based on a bundled ruleset.

    `limits` raises bounds, as for `load`.
    """
    with within(limits_of(limits)):
        return _compiled(Source.of_text(name, text), resolver(None))


def throw(text: str, *, limits: Limits | Mapping[str, int] | None = None) -> Rule:
    """The rule that throws dice written on one line: `4d6, keep highest 3`, `2d20kh1 + 5`, `skill d6 + bonus`.

    Its dice are the pool `dice` (those behind a minus the pool `minus`), `total` is the sum of all; names are inputs.
    `limits` raises bounds, as for `load`.
    """
    from rulesrun.front import compile_ruleset, parse_throw

    with within(limits_of(limits)):
        source = Source.of_text(text, text)
        return Ruleset(source, {}, compile_ruleset([parse_throw(source)]))["throw"]


def _compiled(source: Source, resolve: Resolve) -> Ruleset:
    from rulesrun.front import compile_ruleset, trees

    bases: dict[str, Source] = {}

    def remembered(name: str) -> Source:
        bases[name] = resolve(name)
        return bases[name]

    return Ruleset(source, bases, compile_ruleset(trees(source, remembered)))


class Ruleset:
    """A checked ruleset.

    `name`, `about`, `version`, `source` are what it says of itself; `rules` are in the order of the file, the first is
    the one that is rolled unless another is named; `warnings` say what is doubtful in it.
    """

    def __init__(
        self,
        text: Source,
        bases: Bases,
        ruleset: plan.RulesetPlan,
        settings: Mapping[str, Given] = MappingProxyType({}),
    ) -> None:
        self._text = text
        self._given = dict(settings)
        self.bases = bases
        self.plan = ruleset
        self.file: str = text.name
        self.rules: Mapping[str, Rule] = MappingProxyType(
            {name: Rule(self, rule) for name, rule in self.plan.rules.items()}
        )

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.plan.name

    @property
    def about(self) -> str:
        """What the system says about itself."""
        return self.plan.about

    @property
    def version(self) -> str:
        """The version that the file states."""
        return self.plan.version

    @property
    def source(self) -> str:
        """The source that the file states: a book, a page."""
        return self.plan.source

    @property
    def text(self) -> str:
        """What stands in the file."""
        return self._text.text

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What is doubtful in the file, though it can be rolled."""
        return self.plan.warnings

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings in force, each as the language writes it."""
        return MappingProxyType({name: each.written for name, each in self.plan.settings.items()})

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables by name."""
        return MappingProxyType({name: Table(each) for name, each in self.plan.tables.items()})

    @property
    def sheet(self) -> Sheet | None:
        """What a character of this system is; None if the file does not say."""
        return self.plan.sheet

    @property
    def examples(self) -> tuple[plan.Example, ...]:
        """The worked examples of the file."""
        return self.plan.examples

    def test(self) -> tuple[Result, ...]:
        """The worked examples, run: each `Result` says whether it `holds`, and has a `Check` for each expectation."""
        from rulesrun.evaluation.examples import run_example
        from rulesrun.known_dice import Measured

        def with_settings(settings: Mapping[str, Given]) -> plan.RulesetPlan:
            return self._with({**self._given, **settings})

        def decide(example: plan.Example, offer: Offer) -> Value:
            ruleset = with_settings(example.settings) if example.settings else self.plan
            return deciding(ruleset, ruleset.rules[example.rule], example.choose)(offer)

        return tuple(
            run_example(each, self.plan, with_settings, Measured(), partial(decide, each))
            for each in self.plan.examples
        )

    def character(self, file: str | PathLike[str]) -> Character:
        """The character in a YAML file, judged by the sheet: a path, or a bundled name (`armistad.yaml`).

        What is wrong with it is in its `faults`; a `RulesError` only where there is nothing to judge.
        """
        return self._judged(read_character_file(file))

    def character_from(self, text: str, name: str = "<character>") -> Character:
        """The character that a YAML text is; `name` stands for the file in messages."""
        return self._judged(Source.of_text(name, text))

    def _judged(self, source: Source) -> Character:
        from rulesrun.sheets.character import Character

        if self.sheet is None:
            hint = "a `sheet` in it says what a character is"
            raise RulesError.of(f"{self.file} has no sheet", code="no-sheet", hint=hint)
        files = [self.file, *(each.name for each in self.bases.values())]
        return Character.read(self.plan, self.sheet, source, [self.name, *map(basename, files)])

    def __getitem__(self, name: str) -> Rule:
        """The rule of that name; a `RulesError` that names the nearest one if there is none."""
        if name in self.rules:
            return self.rules[name]
        near = nearest(name, self.rules)
        rules = ", ".join(self.rules)
        raise RulesError.of(
            f"{self.name} has no rule called {name}",
            code="unknown-rule",
            hint=f"did you mean {near}?" if near else f"its rules are {rules}" if rules else None,
        )

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __len__(self) -> int:
        return len(self.rules)

    def __contains__(self, name: object) -> bool:
        return name in self.rules

    def __reduce__(self) -> tuple[Callable[..., Ruleset], tuple[object, ...]]:
        return _unpacked, (self._text, dict(self.bases), packed(self.plan), self._given)

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}: {', '.join(self.rules)}>"

    def with_settings(self, **settings: object) -> Ruleset:
        """A new ruleset in which these settings have other values; this one stays as it is.

        A text is read as the language reads it (`success_on="7..10"`), so it may be faces or a label.
        """
        given = self._given | {name: _setting(name, value) for name, value in settings.items()}
        return Ruleset(self._text, self.bases, self._with(given), given)

    def _with(self, settings: Mapping[str, Given]) -> plan.RulesetPlan:
        from rulesrun.front import compile_ruleset, trees

        with within(self.plan.limits):
            return compile_ruleset(trees(self._text, self.bases.__getitem__), settings)


P = ParamSpec("P")

Characters: TypeAlias = "Character | Mapping[str, Character] | Sequence[Character]"
"""One, one for each side of an opposed rule, or several that act together."""


def _unpacked(text: Source, bases: Bases, plan: bytes, settings: Mapping[str, Given]) -> Ruleset:
    """A ruleset that was carried from another process."""
    return Ruleset(text, bases, unpacked(plan), settings)


class Table:
    """A table of a ruleset: `rows` in order, each with `low`, `high`, `key`, `label`, `value`, `text`."""

    def __init__(self, table: plan.Table) -> None:
        self._table = table

    @property
    def name(self) -> str:
        """Its name."""
        return self._table.name

    @property
    def rows(self) -> tuple[plan.TableRow, ...]:
        """All rows."""
        return self._table.rows

    def at(self, value: int | Fraction | str) -> tuple[plan.TableRow, ...]:
        """The rows that fit a number or a label: none in a gap, several where bands overlap."""
        return tuple(rows_at(self._table, value))


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
        return Ruleset.__getitem__, (self.ruleset, self.name)

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
        from rulesrun.evaluation.odds import RuleOdds

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
            text = _written(policy)
            if isinstance(policy, plan.Policy):
                found[name] = policy
            elif text == ASK:
                found[name] = ASK
            elif text != "default":
                full = self.plan.short.get(name, name)
                tree = parse_policy(Source.of_text(f"choose {name}", text))
                found[name] = compile_asked(self.ruleset.plan, self.plan, tree, full)
        return found


def _setting(name: str, value: object) -> Given:
    from rulesrun.front import parse_setting

    if isinstance(value, str):
        return parse_setting(Source.of_text(f"setting {name}", value))
    if value is None or isinstance(value, bool | int | Fraction):
        return value
    if isinstance(value, list | tuple):
        return parse_setting(Source.of_text(f"setting {name}", f"[{_written(value)}]"))
    raise RulesError.of(f"setting {name} cannot be {value!r}", code="bad-setting")


def _written(value: object) -> str:
    """A value as the language writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_written, value))
    return "none" if value is None else str(value)
