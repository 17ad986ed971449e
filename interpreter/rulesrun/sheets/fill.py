"""The inputs of a rule, filled from characters.

In: a rule, what was typed for its inputs, and a character, or one for each side (`attacker`), or several for a team.
Out: values for inputs, and whether any of them is private.

What was typed wins. An input is filled where a trait, value or status of the character bears its name and its domain
takes it. A word that its domain does not take names another one: a trait, value or status, a member of a group, an
entry of a list (`attribute=intellect skill=academics`); an entry brings its own traits and values along, for inputs of
their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.inputs import flat, full_name
from rulesrun.record import record
from rulesrun.semantics.constants import number_of
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.inputs import accept, domain_text
from rulesrun.semantics.plan import Constant, Domain, Input, ListDomain, Number, Rule, RulesetPlan
from rulesrun.suggestions import nearest

if TYPE_CHECKING:
    from rulesrun.sheets.character import Character, Named


@record
class Filled:
    """Values for inputs by their full names. `private`: something that only its player may know was filled in."""

    inputs: Mapping[str, object]
    private: bool


def filled(
    ruleset: RulesetPlan,
    rule: Rule,
    characters: Character | Mapping[str, Character] | Sequence[Character],
    given: Mapping[str, object],
    sweeps: bool = False,
) -> Filled:
    """What is given and what the characters bring. With `sweeps`, a list is several values, each of which may be a
    name.
    """
    for each in _all_of(characters):
        if each.faults:
            raise RulesError(each.faults)
    if isinstance(characters, Mapping):
        sides = dict(characters)
    elif isinstance(characters, Sequence):
        return _as_team(ruleset, rule, characters, given)
    elif characters.team(rule.name) is not None:
        return _as_team(ruleset, rule, [characters], given)
    else:
        sides = {"": characters}
    filling = _Filling(ruleset, rule, sides, sweeps)
    for name, value in flat(given):
        filling.type(full_name(rule, name, filling.wanted, "input"), value)
    for side in sides:
        if not filling.fill(side):
            raise _fits_nothing(rule, side, sides[side])
    return Filled(filling.values, filling.private)


def _all_of(characters: Character | Mapping[str, Character] | Sequence[Character]) -> Iterable[Character]:
    if isinstance(characters, Mapping):
        return characters.values()
    return characters if isinstance(characters, Sequence) else [characters]


class _Filling:
    """The values of a rule's inputs while they are found."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, sides: Mapping[str, Character], sweeps: bool) -> None:
        self._levels = ruleset.levels
        self._rule = rule
        self._sides = sides
        self._sweeps = sweeps
        self._brought: list[tuple[str, str, Sequence[Mapping[str, Named]]]] = []
        self._named: set[str] = set()
        self.wanted = {each.name: each for each in rule.inputs}
        self.values: dict[str, object] = {}
        self.private = False
        for side in sides:
            if side and not any(name.startswith(f"{side}.") for name in self.wanted):
                raise _no_side(rule, side)

    def type(self, name: str, value: object) -> None:
        """A value that was typed: itself, or what the character has under that word."""
        if name in self.values:
            raise RulesError.of(f"{name} is given twice", code="given-twice")
        side = self._side_of(name)
        domain = self.wanted[name].domain
        if side is None:
            self.values[name] = value
            if isinstance(value, str) and not takes(domain, value, self._levels):
                raise RulesError.of(
                    f"{name}: `{value[:40]}` is not {domain_text(domain, self._levels)}",
                    code="outside-domain",
                    hint="a character of its own could have something of that name: --as SIDE=CHARACTER",
                )
        elif self._sweeps and isinstance(value, list | tuple | range) and not isinstance(domain, ListDomain):
            found = [self._meant(side, domain, each) for each in value]
            self.values[name] = [each for each, _ in found]
            self._brought.append((side, name, [brought for _, brought in found]))
        else:
            self.values[name], brought = self._meant(side, domain, value)
            self._brought.append((side, name, [brought]))

    def fill(self, side: str) -> bool:
        """Fills what is left of a side's inputs; whether the character has anything for them at all."""
        character = self._sides[side]
        brought = self._brings(side)
        fits = side in self._named
        for name, each in self.wanted.items():
            short = self._short(side, name)
            named = brought.get(short) or character.named(short) if short else None
            if named is None or not takes(each.domain, named.value, self._levels):
                continue
            fits = True
            if name not in self.values:
                self.values[name] = named.value
                self.private |= named.private
        return fits

    def _meant(self, side: str, domain: Domain, value: object) -> tuple[object, Mapping[str, Named]]:
        """The value itself if its domain takes it or it is no word; else what it names, and what that brings along."""
        if not isinstance(value, str) or takes(domain, value, self._levels):
            return value, {}
        character = self._sides[side]
        named = character.find(value)
        self.private |= named.private
        self._named.add(side)
        return named.value, named.brings

    def _brings(self, side: str) -> dict[str, Named]:
        """What named entries bring along to inputs of this side; several entries of a sweep must bring the same."""
        brings: dict[str, Named] = {}
        open_inputs = {self._short(side, each) for each in self.wanted if each not in self.values}
        for at, name, brought in self._brought:
            for short in dict.fromkeys(short for each in brought for short in each if at == side):
                if short not in open_inputs:
                    continue
                first = brought[0].get(short)
                if first is None or any(each.get(short) != first for each in brought):
                    message = f"the entries that {name} sweeps over differ in {short}"
                    raise RulesError.of(message, code="differing-entries", hint=f"sweep one by one, or give {short}")
                brings[short] = first
        return brings

    def _side_of(self, name: str) -> str | None:
        """The side that an input belongs to; None if no character stands for it."""
        sides = [side for side in self._sides if not side or name.startswith(f"{side}.")]
        return max(sides, key=len, default=None)

    def _short(self, side: str, name: str) -> str | None:
        """The last word of an input's name, if on this side no other input ends with it."""
        if self._side_of(name) != side:
            return None
        last = name.rpartition(".")[2]
        bearers = [each for each in self.wanted if each.rpartition(".")[2] == last and self._side_of(each) == side]
        return last if len(bearers) == 1 or name == last else None


def takes(domain: Domain, value: object, levels: Mapping[str, Mapping[str, Number]]) -> bool:
    """Whether a domain takes a value; bounds that are worked out from other inputs are not judged."""
    low, high = _constant_bounds(domain)
    try:
        accept(domain, value, levels, low, high)
    except RulesError:
        return False
    return True


def _constant_bounds(domain: Domain) -> tuple[Number | None, Number | None]:
    low, high = number_bounds(domain)
    return number_of(low), number_of(high)


# ---------------------------------------------------------------- teams


def _as_team(ruleset: RulesetPlan, rule: Rule, members: Sequence[Character], given: Mapping[str, object]) -> Filled:
    """Several characters together: each brings one number to each list that the sheet's `team` of the rule fills."""
    if not members:
        raise RulesError.of("a team has at least one character", code="no-character")
    wanted = {each.name: each for each in rule.inputs}
    typed: dict[str, object] = {}
    asked: dict[str, object] = {}
    team = members[0].team(rule.name)
    if team is None:
        raise _no_team(rule, members)
    inputs = {each.name: each for each in team.inputs}
    for name, value in flat(given):
        if name in inputs and name not in wanted:
            asked[name] = value
        else:
            typed[full_name(rule, name, [*wanted, *inputs], "input")] = value
    brought: dict[str, list[Constant]] = {}
    private = False
    for member in members:
        values, secret = _member(ruleset, rule, member, asked)
        private |= secret
        for name, value in values.items():
            if name not in typed:
                brought.setdefault(name, []).append(value)
    return Filled({**{name: tuple(values) for name, values in brought.items()}, **typed}, private)


def _member(
    ruleset: RulesetPlan, rule: Rule, member: Character, asked: Mapping[str, object]
) -> tuple[Mapping[str, Constant], bool]:
    """What one member brings, and whether that is private."""
    team = member.team(rule.name)
    if team is None:
        raise _no_team(rule, [member])
    known: dict[str, object] = {}
    brings: dict[str, Named] = {}
    private = team.private or any(each.private for each in team.values)
    for each in team.inputs:
        if each.name not in asked:
            continue
        value = asked[each.name]
        if isinstance(value, str) and not takes(each.domain, value, ruleset.levels):
            named = member.find(value)
            private |= named.private
            value = named.value
            brings |= named.brings
        known[each.name] = value
    for each in team.inputs:
        named_so = brings.get(each.name) or member.named(each.name)
        if each.name not in known and named_so and takes(each.domain, named_so.value, ruleset.levels):
            private |= named_so.private
            known[each.name] = named_so.value
    return member.team_values(rule.name, known), private


# ---------------------------------------------------------------- errors


def _no_side(rule: Rule, side: str) -> RulesError:
    sides = list(dict.fromkeys(name.rpartition(".")[0] for name in (each.name for each in rule.inputs) if "." in name))
    near = nearest(side, sides)
    hint = f"did you mean {near}?" if near else f"its sides are {', '.join(sides)}" if sides else None
    return RulesError.of(f"{rule.name} has no side called {side}", code="unknown-side", hint=hint)


def _fits_nothing(rule: Rule, side: str, character: Character) -> RulesError:
    sides = list(dict.fromkeys(each.name.partition(".")[0] for each in rule.inputs if "." in each.name))
    plain: Iterable[Input] = [each for each in rule.inputs if not side or each.name.startswith(f"{side}.")]
    if not side and len(sides) > 1:
        hint: str | None = f"say which side it is: --as {sides[0]}={character.file}"
    else:
        names = [each.name for each in plain]
        hint = f"name something of it: {names[0]}=…" if names else None
    return RulesError.of(f"nothing of {character.file} fills an input of {rule.name}", code="fills-nothing", hint=hint)


def _no_team(rule: Rule, members: Sequence[Character]) -> RulesError:
    sides = list(dict.fromkeys(each.name.partition(".")[0] for each in rule.inputs if "." in each.name))
    hint = f"say which side each is: --as {sides[0]}={members[0].file}" if sides else None
    return RulesError.of(f"the sheet does not say how several characters make {rule.name}", code="no-team", hint=hint)
