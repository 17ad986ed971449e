"""A checked ruleset: what it says of itself, its rules, tables, settings, examples and characters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from os import PathLike
from os.path import basename
from types import MappingProxyType
from typing import TYPE_CHECKING

from rulesrun.deciding import deciding
from rulesrun.diagnostics import Diagnostic, RulesError, Source
from rulesrun.evaluation.choices import Offer
from rulesrun.evaluation.operations import rows_at
from rulesrun.evaluation.values import Value
from rulesrun.kept import Bases, packed, unpacked
from rulesrun.library import read_character_file
from rulesrun.limits import within
from rulesrun.rule import Rule, written
from rulesrun.semantics import plan
from rulesrun.suggestions import nearest

if TYPE_CHECKING:
    from rulesrun.evaluation.examples import Result
    from rulesrun.front import Given
    from rulesrun.semantics.plan_sheet import Sheet
    from rulesrun.sheets.character import Character


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


def _setting(name: str, value: object) -> Given:
    from rulesrun.front import parse_setting

    if isinstance(value, str):
        return parse_setting(Source.of_text(f"setting {name}", value))
    if value is None or isinstance(value, bool | int | Fraction):
        return value
    if isinstance(value, list | tuple):
        return parse_setting(Source.of_text(f"setting {name}", f"[{written(value)}]"))
    raise RulesError.of(f"setting {name} cannot be {value!r}", code="bad-setting")
