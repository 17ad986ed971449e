"""Following a rule from its first line to its last."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from rulesrun.syntax import nodes as n

from .dice import MANY, Die, Kind, Pool, from_lowest, numbers, spelled
from .inputs import as_policy, draws_of, givens, inputs_of, options_of, rolled_rule
from .search import Mistake, TooMany, Unruled
from .throws import named_kind, throw
from .values import Reader, Value, World, as_number, settled, whole

NO_DICE = Pool((), single=True)
CARD = Kind("a card or token")


@dataclass(frozen=True)
class NotRolled:
    """A rolled rule whose roll did not take place: its pools are empty, its flags no, all else is none."""

    world: World
    rule: n.Rule
    free: frozenset[str] = frozenset()
    """Its inputs that the roll does not write: they are inputs of the rule that would have rolled it."""
    outcome: None = None
    good: None = None

    @property
    def names(self) -> dict[str, Value]:
        """What is read of it, by name."""
        found: dict[str, Value] = {each.name.text: None for each in givens(self.world.rules, self.rule)}
        for line in self.rule.lines:
            if isinstance(line, n.Roll | n.Define | n.Choice | n.Track | n.Draw | n.Flag):
                found[line.name.text] = self.value(line.name.text)
        return found

    def value(self, name: str) -> Value:
        if name in self.free:
            raise Unruled("an input of a rule that was not rolled")
        first, _, rest = name.partition(".")
        for line in self.rule.lines:
            if isinstance(line, n.Flag) and line.name.text == name:
                return False
            if isinstance(line, n.Roll) and line.name.text == first:
                inner = rolled_rule(self.world.rules, self.rule, line.cases[0].throw)
                if inner is None:
                    return replace(NO_DICE, single=False)
                return NotRolled(self.world, inner).value(rest) if rest else NotRolled(self.world, inner)
            if isinstance(line, n.Draw) and line.name.text == name:
                return replace(NO_DICE, single=False)
        return None


@dataclass
class Call:
    """One rule being followed.

    `path` is its name from outside with a dot behind it (`attacker.`), empty for the outermost.
    """

    world: World
    rule: n.Rule
    passed: Mapping[str, Value]
    policies: Mapping[str, tuple[n.Policy, Reader]]
    """What was written in the brackets of the roll, with the names known there beside those of this rule."""
    path: str
    aim: n.Expression | None = None
    names: dict[str, Value] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    outcome: str | None = None
    good: bool | None = None
    bags: dict[str, dict[Any, int]] = field(default_factory=dict)
    back: set[str] = field(default_factory=set)
    """The draws that were put back and not drawn again."""
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    domains: dict[str, n.Track] = field(default_factory=dict)
    """Where tracked names begin."""
    rolled: dict[str, Call] = field(default_factory=dict)
    aims: list[tuple[Any, n.Expression]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world.calls += 1
        self.serial = self.world.calls
        self.read = Reader(self.world, self.names)

    def value(self, name: str) -> Value:
        if name == "outcome":
            return self.outcome
        first, _, rest = name.partition(".")
        value = self.names[first]
        return value.value(rest) if rest else value

    def follow(self) -> Call:
        self.follow_lines(self.rule.lines)
        for key, wanted in self.aims:
            value = self.read.plain(wanted)
            if not isinstance(value, bool | Fraction):
                raise Mistake("the aim is neither a number nor a condition")
            self.world.aims[key] = Fraction(value)
        return self

    def follow_lines(self, lines: tuple[n.Line, ...]) -> None:
        for line in lines:
            self.line(line)

    def line(self, line: n.Line) -> None:
        match line:
            case n.Given():
                self.given(line)
            case n.GivenAllOf():
                without = {word.text for word in line.without}
                for given in givens(self.world.rules, self.world.rules[line.rule.text]):
                    if given.name.text not in without:
                        self.given(given)
            case n.Limit():
                if not self.read.holds(line.condition):
                    raise Mistake(line.text)
            case n.Roll():
                self.names[line.name.text] = self.roll(line)
            case n.Define():
                labels = options_of(line.domain, self.world.levels) if line.domain else ()
                self.names[line.name.text] = self.stated(line, self.read.value(line.value, labels))
            case n.Choice():
                self.names[line.name.text] = self.choice(line)
            case n.Track():
                if isinstance(line.domain, n.OneOfDomain):
                    self.labels[line.name.text] = options_of(line.domain)
                self.domains[line.name.text] = line
                self.names[line.name.text] = self.stated(line, self.tracked(line.name.text, line.start))
            case n.Update():
                self.update(line)
            case n.Repeat():
                self.repeat(line)
            case n.Draw():
                self.names[line.name.text] = self.draw(line)
            case n.PutBack():
                if line.condition is None or self.read.holds(line.condition):
                    if line.drawn.text in self.names:
                        self.put_back(line.drawn.text)
                    else:
                        self.put_all_back(line.drawn.text, {each.text for each in line.without})
            case n.Flag():
                self.names[line.name.text] = self.read.holds(line.condition)
                if self.names[line.name.text]:
                    self.flags.add(line.name.text)
            case n.Outcome():
                first = next(each for each in line.lines if each.condition is None or self.read.holds(each.condition))
                self.outcome, self.good = first.label.text, {"+": True, "-": False, "~": None}[first.mark]
                self.names["outcome"] = self.outcome
            case n.OutcomeAs():
                chosen = line.rolled
                if line.condition is not None and line.otherwise is not None and not self.read.holds(line.condition):
                    chosen = line.otherwise
                rolled = self.read.named(chosen)
                self.outcome, self.good = rolled.outcome, rolled.good
                self.names["outcome"] = self.outcome

    def stated(self, line: n.Define | n.Track, value: Value) -> Value:
        """The value, which must lie in the domain that the line states."""
        if line.domain is None:
            return value
        value = as_list(value) if isinstance(line.domain, n.ListDomain) else settled(value)
        return self.within(value, line.domain, line.name.text)

    # ------------------------------------------------------------ inputs

    def given(self, given: n.Given) -> None:
        name = given.name.text
        if name in self.passed:
            value = self.passed[name]
        elif given.default is not None:
            value = self.read.plain(given.default, options_of(given.domain, self.world.levels))
        else:
            raise Mistake(f"{name} is not given")
        self.names[name] = self.within(value, given.domain, name)

    def within(self, value: Value, domain: n.Domain, name: str) -> Value:
        """The value as the domain reads it; a mistake where it lies outside."""
        fits = True
        match domain:
            case n.OrNone(domain=inner):
                return None if value is None else self.within(value, inner, name)
            case n.ListDomain(items=items):
                if isinstance(value, tuple):
                    return tuple(self.within(item, items, name) for item in value)
                fits = False
            case n.LevelsDomain(levels=named_by):
                written = self.world.levels[named_by.text]
                if isinstance(written, n.Table):
                    if value not in options_of(domain, self.world.levels):
                        raise Mistake(f"{named_by.text} has no row {value}")
                    return value
                named = {level.name.text: level.value.value for level in written.levels}
                value = named.get(value, value)
                fits = isinstance(value, Fraction)
            case n.NumberDomain(range=bounds):
                fits = isinstance(value, Fraction) and value.denominator == 1
                fits = fits and (bounds.low is None or value >= self.read.number(bounds.low))
                fits = fits and (bounds.high is None or value <= self.read.number(bounds.high))
            case n.YesNoDomain():
                fits = isinstance(value, bool)
            case n.OneOfDomain(options=options):
                fits = value in [each.text if isinstance(each, n.Word) else each.value for each in options]
        if not fits:
            raise Mistake(f"{name} lies outside its domain")
        return value

    # ------------------------------------------------------------ rolls

    def roll(self, line: n.Roll) -> Value:
        throws = [case.throw for case in line.cases]
        case = next((each for each in line.cases if each.condition is None or self.read.holds(each.condition)), None)
        rule = rolled_rule(self.world.rules, self.rule, throws[0])
        if rule is not None:
            return self.not_rolled(rule, throws[0]) if case is None else self.roll_rule(line.name.text, case.throw)
        single = all(self.is_die(group) for each in throws for group in each.groups)
        self.world.drawing = self.path + line.name.text
        pool = replace(throw(self.read, case.throw), single=single) if case else replace(NO_DICE, single=single)
        self.world.drawing = ""
        kind = getattr(throws[0].groups[0], "kind", None)
        if isinstance(kind, n.Name) and kind.text in self.world.tables:
            shown = Reader(self.world, {"shown": pool})
            return shown.lookup(n.Lookup(line.span, n.Name(kind.span, kind.parts), n.Name(line.span, ("shown",)), None))
        return pool

    def is_die(self, group: n.Group) -> bool:
        """Whether it is written without a count, and not as dice of the sizes of a list."""
        if not isinstance(group, n.Dice) or group.count is not None:
            return False
        sizes = group.kind.sides if isinstance(group.kind, n.Sides) else None
        return not isinstance(sizes, n.List) and not (
            isinstance(sizes, n.Name) and isinstance(self.read.named(sizes), tuple)
        )

    def not_rolled(self, rule: n.Rule, thrown: n.Throw) -> NotRolled:
        group = thrown.groups[0]
        written = {each.name.text for each in group.arguments} if isinstance(group, n.RuleRoll) else set()
        return NotRolled(self.world, rule, frozenset(inputs_of(self.world, rule).keys() - written))

    def roll_rule(self, name: str, thrown: n.Throw) -> Call:
        group = thrown.groups[0]
        path = f"{self.path}{name}."
        if isinstance(group, n.RerollRule):
            first = self.rolled.get(group.rolled.text)
            if first is None:
                raise Unruled("rolling again what was not rolled")
            call = Call(self.world, first.rule, first.passed, first.policies, path, self.aim)
        else:
            rule = rolled_rule(self.world.rules, self.rule, thrown)
            assert rule is not None
            arguments = (
                {each.name.text: each.value for each in group.arguments} if isinstance(group, n.RuleRoll) else {}
            )
            passed, policies = self.arguments(rule, name, arguments)
            call = Call(self.world, rule, passed, policies, path, self.aim)
        self.rolled[name] = call
        return call.follow()

    def arguments(
        self, rule: n.Rule, name: str, written: Mapping[str, n.Expression | n.Policy]
    ) -> tuple[dict[str, Value], dict[str, tuple[n.Policy, Reader]]]:
        passed: dict[str, Value] = {}
        inputs = inputs_of(self.world, rule)
        own = inputs_of(self.world, self.rule)
        for each, domain in inputs.items():
            expression = written.get(each)
            if expression is not None and not isinstance(expression, n.Policy):
                value = self.read.value(expression, options_of(domain, self.world.levels))
                passed[each] = as_list(value) if isinstance(domain, n.ListDomain) else settled(value)
            elif each in own:
                passed[each] = self.names[each] if each in self.names else self.passed[each]
            elif each in self.world.settings:
                passed[each] = self.world.settings[each]
            elif f"{name}.{each}" in self.passed:
                passed[each] = self.passed[f"{name}.{each}"]
        given = {key: value for key, value in written.items() if key not in inputs}
        return passed, {key: (as_policy(value), self.read) for key, value in given.items()} | {
            key.removeprefix(f"{name}."): policy for key, policy in self.policies.items() if key.startswith(f"{name}.")
        }

    # ------------------------------------------------------------ choices

    def choice(self, line: n.Choice) -> Value:
        name, domain = line.name.text, line.domain
        options = self.options(domain)
        nothing = Pool() if isinstance(domain, n.DiceOfChoice) else options[0]
        if line.condition is not None and not self.read.holds(line.condition):
            return nothing
        written = line.policy or n.Policy(line.span, "never")
        policy, above = self.policies.get(name, (written, self.read))
        known = Reader(self.world, ChainMap(self.names, above.names))
        chosen = self.world.choose.get(self.path + name)
        if chosen is not None and chosen.word != "default":
            policy, known = chosen, self.read
        match policy.word:
            case "best" | "worst":
                key = self.aim_key(policy)
                sign = 1 if policy.word == "best" else -1
                return self.world.script.decide(options, key, sign, isinstance(domain, n.DiceOfChoice))
            case "always":
                if domain is not None:
                    raise Unruled("what `always` means for a choice that is not yes or no")
                return True
            case "value":
                assert policy.value is not None
                return self.chosen(options, known.value(policy.value, options_of(domain)))
            case _:
                return nothing

    def aim_key(self, policy: n.Policy) -> Any:
        """What the decision is for; its value is known at the end of this rule, or of the outermost."""
        if policy.value is None:
            return "aim"
        key = (self.serial, policy.value.span.start)
        if key not in [each for each, _ in self.aims]:
            self.aims.append((key, policy.value))
        return key

    def options(self, domain: n.Range | n.OneOfDomain | n.DiceOfChoice | None) -> list[Value]:
        match domain:
            case None:
                return [False, True]
            case n.OneOfDomain(options=options):
                return [each.text if isinstance(each, n.Word) else each.value for each in options]
            case n.DiceOfChoice(pool=pool, number=number, at_most=at_most):
                dice = from_lowest(self.read.pool(pool).dice)
                if len(dice) > MANY:
                    raise TooMany
                if number is not None:
                    most = min(len(dice), whole(self.read.number(number), "a number of dice"))
                    sizes = range(most + 1) if at_most else [most]
                    return [Pool(some) for size in sizes for some in combinations(dice, size)]
                return [Pool(some) for some in chain.from_iterable(combinations(dice, k) for k in range(len(dice) + 1))]
            case n.Range(low=low, high=high):
                assert low is not None and high is not None
                bottom, top = self.read.number(low), self.read.number(high)
                if bottom > top or bottom.denominator != 1:
                    raise Unruled("a choice among no numbers")
                return [Fraction(each) for each in range(int(bottom), int(top // 1) + 1)]

    def chosen(self, options: list[Value], value: Value) -> Value:
        if isinstance(options[0], Pool):
            if not isinstance(value, Pool) or spelled(value.dice) not in [spelled(each.dice) for each in options]:
                raise Mistake("a choice of other dice than those offered")
            return Pool(value.dice)
        value = settled(value)
        if value not in options or isinstance(value, bool) != isinstance(options[0], bool):
            raise Mistake("the policy's value is not one of the choice")
        return value

    # ------------------------------------------------------------ tracked values and repetition

    def tracked(self, name: str, expression: n.Expression) -> Value:
        value = self.read.value(expression, self.labels.get(name, ()))
        return settled(value) if isinstance(value, Pool) and value.single else value

    def update(self, line: n.Update) -> None:
        name = line.name.text
        if line.condition is not None and not self.read.holds(line.condition):
            return
        value = self.tracked(name, line.value)
        if line.operator == "becomes":
            new = value
        elif isinstance(self.names[name], Pool):
            new = self.names[name] + (value if isinstance(value, Pool) else self.read.pool(line.value))
        else:
            sign = 1 if line.operator == "+=" else -1
            new = as_number(self.names[name]) + sign * as_number(value)
        self.names[name] = self.stated(self.domains[name], new)

    def repeat(self, line: n.Repeat) -> None:
        bounds = [each for each in (line.times, line.at_most) if each is not None]
        limit = min((whole(self.read.number(each), "a number of turns") for each in bounds), default=None)
        before = dict(self.names)
        turn = 0
        while (limit is None or turn < limit) and not (line.until is not None and self.read.holds(line.until)):
            turn += 1
            draws, was = self.world.script.draws, {name: self.names[name] for name in before}
            self.names["turn"] = Fraction(turn)
            self.follow_lines(line.lines)
            for name in [each for each in self.names if each not in before]:
                del self.names[name]
            if "turn" in before:
                self.names["turn"] = before["turn"]
            if (
                limit is None
                and draws == self.world.script.draws
                and was == {name: self.names[name] for name in before}
            ):
                raise Mistake("the repetition never ends")

    # ------------------------------------------------------------ bags

    def draw(self, line: n.Draw) -> Pool:
        self.back.discard(line.name.text)
        if line.condition is not None and not self.read.holds(line.condition):
            return replace(NO_DICE, single=False)
        bag = self.bags.setdefault(line.bag.text, self.full(line.bag.text))
        drawn: list[Die] = []
        for _ in range(whole(self.read.number(line.number), "a number to draw")):
            left = [(thing, many) for thing, many in bag.items() if many]
            if left:
                thing = self.world.script.draw(left)
                bag[thing] -= 1
                drawn.append(Die(*thing))
        return Pool(tuple(drawn))

    def full(self, name: str) -> dict[Any, int]:
        """The things in a full bag, as face and kind, and how many of each."""
        full: dict[Any, int] = {}
        thing: Any
        for part in self.world.bags[name].parts:
            if isinstance(part, n.BagNamed):
                word = part.name.text
                die = word in self.world.dice
                thing = (word,), named_kind(self.read, word) if die else CARD
                number = part.number
                if isinstance(number, n.Name):
                    number = whole(as_number(self.world.settings[number.text]), "a number of things")
                full[thing] = full.get(thing, 0) + number
            else:
                value, words = part.low.value, sorted(word.text for word in part.symbols)
                while value <= part.high.value:
                    thing = ((value, *words) if words else value, CARD)
                    full[thing] = full.get(thing, 0) + part.times
                    value += 1
        return full

    def put_back(self, name: str) -> None:
        if name in self.back:
            return
        self.back.add(name)
        line = next(each for each in draws_of(self.rule.lines) if each.name.text == name)
        for die in self.names[name].dice:
            self.bags[line.bag.text][die.face, die.kind] += 1

    def put_all_back(self, bag: str, kept: set[str]) -> None:
        self.bags[bag] = self.full(bag)
        for line in draws_of(self.rule.lines):
            name = line.name.text
            if name in kept and name not in self.back:
                for die in self.names[name].dice:
                    self.bags[bag][die.face, die.kind] -= 1
            elif line.bag.text == bag:
                self.back.add(name)


def as_list(value: Value) -> Value:
    """Dice that are handed over as a list: the faces they show, the highest first."""
    return tuple(sorted(numbers(value.dice), reverse=True)) if isinstance(value, Pool) else value
