"""The way in: a rule of a parsed file, its inputs, and the exact chance of each result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import Source
from rulesrun.syntax import nodes as n
from rulesrun.syntax.parser import parse_policy, parse_setting

from .dice import Pool, number
from .lines import Call, NotRolled
from .search import UNLISTED, Ending, Law, Mistake, Script, Search
from .values import Reader, Several, Value, World


@dataclass(frozen=True)
class Reference:
    """The law of all endings.

    `rest` is the chance of what was not followed to its end; `mistake` an error that some dice lead to;
    `tied`: a choice of dice had several best answers that end differently, so that only the aim is certain.
    """

    law: Law
    tied: bool = False
    runs: int = 0

    @property
    def rest(self) -> Fraction:
        return self.law.get(UNLISTED, Fraction(0))

    @property
    def mistake(self) -> str | None:
        return next((ending.mistake for ending in self.law if ending.mistake), None)

    @property
    def outcomes(self) -> dict[Any, Fraction]:
        """The outcome jointly with the flags."""
        return self.each(lambda ending: (ending.outcome, ending.flags))

    def outcome(self, label: str) -> Fraction:
        return self.each(lambda ending: ending.outcome).get(label, Fraction(0))

    def flag(self, name: str) -> Fraction:
        return self.each(lambda ending: name in ending.flags).get(True, Fraction(0))

    def of(self, name: str) -> dict[Any, Fraction]:
        """The law of a named value, or of an expression that was asked."""
        return self.each(lambda ending: dict(ending.values)[name])

    def mean(self, name: str) -> Fraction:
        return sum((Fraction(value) * chance for value, chance in self.of(name).items()), Fraction(0))

    def each(self, wanted: Callable[[Ending], Any]) -> dict[Any, Fraction]:
        law: dict[Any, Fraction] = {}
        for ending, chance in self.law.items():
            if ending is not UNLISTED:
                law[wanted(ending)] = law.get(wanted(ending), Fraction(0)) + chance
        return law


def enumerate_rule(
    file: n.File,
    rule: str,
    inputs: Mapping[str, Any] = {},
    settings: Mapping[str, Any] = {},
    choose: Mapping[str, str] = {},
    aim: str | None = None,
    ask: Sequence[str] = (),
    max_draws: int = 30,
    max_runs: int = 300_000,
    dice: Mapping[str, Sequence[int]] = {},
) -> Reference:
    """The reference odds of a rule.

    `inputs` go by their full names (`attacker.gift`), `settings` are values or texts as in the language, `choose`
    policies by the choices' full names, `ask` further expressions over the names at the rule's end, `dice` the first
    faces of throws that are known, in the order drawn. What needs more than `max_draws` draws and decisions counts as
    `rest`; more than `max_runs` runs raise `TooMany`; where the language leaves the meaning open, `Unruled`.
    """
    aimed = expression(aim) if aim is not None else None
    asked = [(text, expression(text)) for text in ask]

    policies = {name: parse_policy(source(text)) for name, text in choose.items()}
    passed = {name: value_of(value) for name, value in inputs.items()}
    shared = world_of(file, settings, policies)

    def coming() -> dict[str, list[Any]]:
        return {name: list(map(Fraction, faces)) for name, faces in dice.items()}

    def run(script: Script) -> Ending:
        try:
            world = replace(shared, script=script, aims={}, calls=0, known=coming())
            call = Call(world, world.rules[rule], passed, {}, "", aimed).follow()
            return ending(call, aimed, asked)
        except Mistake as mistake:
            return Ending(mistake=str(mistake))

    search = Search(run, max_draws, max_runs)
    law = search.law()
    return Reference(law, search.tied, search.runs)


def source(text: str) -> Source:
    return Source.of_text("<asked>", text)


def expression(text: str) -> n.Expression:
    value = parse_policy(source(text)).value
    assert value is not None
    return value


def value_of(given: Any) -> Value:
    if isinstance(given, list | tuple):
        return tuple(value_of(item) for item in given)
    return Fraction(given) if isinstance(given, int) and not isinstance(given, bool) else given


def world_of(file: n.File, changed: Mapping[str, Any], choose: Mapping[str, n.Policy]) -> World:
    def named(kind: type) -> dict[str, Any]:
        return {item.name.text: item for item in file.items if isinstance(item, kind)}  # type: ignore[union-attr]

    settings: dict[str, Value] = {}
    world = World(
        Script(()),
        named(n.DieItem),
        named(n.Table),
        named(n.Table) | named(n.Levels),
        named(n.Bag),
        settings,
        named(n.Rule),
        choose,
    )
    for name, item in named(n.Setting).items():
        value = changed.get(name, item.value)
        settings[name] = setting(world, item, parse_setting(source(value)) if isinstance(value, str) else value)
    return world


def setting(world: World, item: n.Setting, value: Any) -> Value:
    if isinstance(value, n.Faces):
        return value
    if not isinstance(value, n.Part):
        return value_of(value)
    return Reader(world, {}).value(value, Words())  # type: ignore[arg-type]


class Words:
    """In a setting's value every bare word is a label."""

    def __contains__(self, word: object) -> bool:
        return True


def ending(call: Call, aim: n.Expression | None, asked: Sequence[tuple[str, n.Expression]]) -> Ending:
    aims = dict(call.world.aims)
    if aim is not None:
        aims["aim"] = Fraction(call.read.plain(aim))
    elif any(isinstance(line, n.Outcome | n.OutcomeAs) for line in call.rule.lines):
        aims["aim"] = Fraction(call.good is True)
    values = dict(listed("", call.names))
    values |= {text: shown(call.read.value(each)) for text, each in asked}
    return Ending(call.outcome, frozenset(call.flags), tuple(values.items()), tuple(aims.items()))


def listed(path: str, names: Mapping[str, Value]) -> Iterator[tuple[str, Any]]:
    """Every named value by its full name; of rolled rules, theirs."""
    for name, value in names.items():
        if isinstance(value, Call | NotRolled):
            yield from listed(f"{path}{name}.", value.names)
        else:
            yield path + name, shown(value)


def shown(value: Value) -> Any:
    """A value as a result: dice as their faces in order, a single die as its number."""
    if isinstance(value, Pool):
        faces = tuple(sorted((die.face for die in value.dice), key=repr))
        single = value.single and all(isinstance(face, Fraction) for face in faces)
        return sum(map(number, faces), Fraction(0)) if single else faces
    if isinstance(value, Several):
        return frozenset(map(shown, value.fitting))
    return value
