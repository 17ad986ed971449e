"""The lines of a rule, one after another, as steps of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .calls import Calls, defined_names
from .constants import number_of
from .facts import Fact, kind_of
from .items import read_domain, read_options
from .messages import lines as say
from .names import Stop, Want, wanted
from .plan import Kind
from .renaming import names_in
from .scanning import asked_names, compared_labels, defined_later
from .world import World, all_parts

TRACKABLE = (Kind.NUMBER, Kind.YES_NO, Kind.LABEL, Kind.POOL)
RANDOM = (n.Roll, n.Choice, n.Track, n.Repeat, n.Draw)
NEEDS_WHOLE_RULE = (n.Given, n.GivenAllOf, n.Limit, n.Flag, n.Outcome, n.OutcomeAs)


class Lines(Calls):
    """One use for one rule: `read` its lines, then `steps`, `inputs`, `outcomes` and the policies hold what they mean."""

    def __init__(
        self, world: World, problems: list[Diagnostic], rule_named: Callable[[n.Name], plan.Rule], rule: n.Rule
    ) -> None:
        super().__init__(world, problems, rule_named)
        self.rule = rule
        self.steps: list[plan.AnyStep] = []
        self.body: list[n.Repeat] = []
        self.first: dict[str, Span] = {}
        self.thrown = False
        parts = all_parts(rule.lines)
        self.asked = asked_names(parts, rule, world.asked)
        self.compared = compared_labels(parts)
        self.later = defined_later(rule.lines)
        self.tracked: dict[str, plan.Domain | None] = {}

    def read(self, lines: Iterable[n.Line]) -> None:
        """Reads lines; a faulty one leaves its names broken, so that the others are still judged."""
        for line in lines:
            try:
                self._line(line)
            except Stop:
                if isinstance(name := getattr(line, "name", None), n.Word) and not isinstance(line, n.Update):
                    self.broken.add(name.text)
                    self.later.pop(name.text, None)
                if isinstance(line, n.Outcome | n.OutcomeAs):
                    self.broken.add("outcome")
                if isinstance(line, n.GivenAllOf):
                    self.broken |= self._written_inputs(line)
            self.thrown = self.thrown or isinstance(line, RANDOM)

    def _written_inputs(self, line: n.GivenAllOf) -> set[str]:
        return {name for name in self.later if self.later[name] is line.span}

    def _line(self, line: n.Line) -> None:
        if self.body and isinstance(line, NEEDS_WHOLE_RULE):
            raise self.refuse(say.not_in_a_body(line.span, _word(line)))
        match line:
            case n.Given():
                self._given(line)
            case n.GivenAllOf():
                self._given_all(line)
            case n.Limit():
                self._add(plan.Limit(line.span, self.condition(line.condition), line.text))
            case n.Roll():
                self._roll(line)
            case n.Define():
                self._define(line)
            case n.Choice():
                self._choice(line)
            case n.Track():
                self._track(line)
            case n.Repeat():
                self._repeat(line)
            case n.Update():
                self._update(line)
            case n.Draw():
                self._draw(line)
            case n.PutBack():
                self._put_back(line)
            case n.Flag():
                self._new(line.name)
                self._add(plan.Flag(line.name.span, line.name.text, self.condition(line.condition), line.text))
            case n.Outcome():
                self._outcome(line)
            case n.OutcomeAs():
                self._outcome_as(line)

    # ------------------------------------------------------------ names

    def _new(self, name: n.Word) -> None:
        """Takes a name for this line; a second definition is an error that shows the first."""
        if name.text in self.first:
            raise self.refuse(say.defined_twice(name.span, name.text, self.first[name.text]))
        self.first[name.text] = name.span
        if name.text == "turn" and self.body:
            raise self.refuse(say.turn_is_taken(name.span))
        if name.text in self.world.settings:
            self.warn(say.hides(name.span, name.text, "setting", self.world.settings[name.text].span))
        self.later.pop(name.text, None)

    def _add(self, step: plan.AnyStep) -> None:
        self.size += 1
        self.steps.append(step)
        self.learn(step)

    # ------------------------------------------------------------ inputs

    def _given(self, line: n.Given) -> None:
        self._new(line.name)
        if self.thrown:
            raise self.refuse(say.given_below(line.span, line.name.text))
        domain = read_domain(self, line.domain)
        default = None if line.default is None else self._default(line.default, domain)
        self._input(plan.Input(line.name.text, domain, default, line.text, line.name.span, kind_of(domain)))

    def _default(self, node: n.Expression, domain: plan.Domain) -> plan.Expression:
        strangers = [
            part
            for part in all_parts(node)
            if isinstance(part, n.Name) and part.text in self.names and part.text not in self.inputs
        ]
        if strangers:
            raise self.refuse(say.default_from_value(strangers[0].span, strangers[0].text))
        return self.fitting(node, domain)

    def _input(self, given: plan.Input) -> None:
        self.inputs[given.name] = given
        self.learn_input(given)

    def _given_all(self, line: n.GivenAllOf) -> None:
        rule = self.rule_named(n.Name(line.rule.span, (line.rule.text,)))
        if self.thrown:
            raise self.refuse(say.given_below(line.span, line.rule.text))
        names = [given.name for given in rule.inputs]
        left_out = {word.text for word in line.without}
        for word in line.without:
            if word.text not in names:
                self.refuse(say.unknown_exception(word.span, word.text, rule, nearest(word.text, names)))
        for given in rule.inputs:
            if given.name in left_out:
                continue
            self._new(n.Word(line.span, given.name))
            strangers = [name for name in sorted(_names_needed(given)) if name not in self.inputs]
            if strangers:
                raise self.refuse(say.input_needs_another(line.span, given.name, strangers[0]))
            self._input(changed(given, span=line.span))

    # ------------------------------------------------------------ rolls

    def _roll(self, line: n.Roll) -> None:
        self._new(line.name)
        only = line.cases[0].throw.groups[0]
        if isinstance(only, n.RuleRoll | n.RerollRule) or self._names_rule(only):
            self._add(self._call(line, only))
            return
        table = self._table_of(line)
        cases: list[plan.DrawCase] = []
        excluded, stopped = frozenset[str](), False
        for case in line.cases:
            try:
                with self.knowing(excluded):
                    condition = None if case.condition is None else self.condition(case.condition)
                    held = frozenset[str]() if condition is None else self.if_true(condition)
                    excluded |= frozenset() if condition is None else self.if_false(condition)
                    with self.knowing(held):
                        cases.append(
                            plan.DrawCase(
                                self._table_throw(case, table) if table else self.throw(case.throw), condition
                            )
                        )
            except Stop:
                stopped = True
        if stopped:
            raise Stop
        single = all(
            isinstance(group, plan.Dice) and group.count is None for case in cases for group in case.throw.groups
        )
        self._add(plan.Draw(line.name.span, line.name.text, tuple(cases), single, table))

    def _names_rule(self, group: n.Group) -> bool:
        """Whether a bare name is that of a rule."""
        return (
            isinstance(group, n.Dice)
            and group.count is None
            and isinstance(group.kind, n.Name)
            and group.kind.text in self.world.written.get("rule", ())
        )

    def _call(self, line: n.Roll, group: n.Group) -> plan.Invoke:
        throw = line.cases[0].throw
        if len(line.cases) > 1:
            raise self.refuse(say.rule_in_cases(group.span))
        if len(throw.groups) > 1:
            raise self.refuse(say.rule_and_dice(throw.groups[1].span, group.span))
        if throw.modifiers or (isinstance(group, n.Dice) and group.modifiers):
            raise self.refuse(say.rule_with_modifiers(throw.modifiers[0].span, group.span))
        node = line.cases[0].condition
        condition = None if node is None else self.condition(node)
        with self.knowing(frozenset() if condition is None else self.if_true(condition)):
            if isinstance(group, n.RerollRule):
                return self.call_again(line.name, group, condition)
            call = group if isinstance(group, n.RuleRoll) else n.RuleRoll(group.span, group.kind, ())  # type: ignore[union-attr,arg-type]
            return self.call(line.name, call, condition)

    def _table_of(self, line: n.Roll) -> str | None:
        """The table that is rolled: `roll fumble = fumbles`."""
        for case in line.cases:
            for group in case.throw.groups:
                if (
                    isinstance(group, n.Dice)
                    and isinstance(group.kind, n.Name)
                    and group.kind.text in self.world.written.get("table", ())
                ):
                    name = group.kind.text
                    if (
                        len(line.cases) > 1
                        or len(case.throw.groups) > 1
                        or group.count is not None
                        or case.throw.modifiers
                    ):
                        raise self.refuse(say.table_not_alone(group.span, name))
                    if name not in self.world.tables:
                        raise Stop
                    if self.world.tables[name].die is None:
                        raise self.refuse(say.table_without_die(group.span, name))
                    return name
        return None

    def _table_throw(self, case: n.RollCase, table: str) -> plan.Throw:
        die = self.world.tables[table].die
        assert die is not None
        at = case.throw.span
        return plan.Throw(at, (plan.Dice(at, None, die),), ())

    # ------------------------------------------------------------ values, choices

    def _define(self, line: n.Define) -> None:
        name = line.name.text
        if name in self.tracked:
            raise self.refuse(say.define_tracked(line.name.span, name, self.first[name]))
        self._new(line.name)
        labels = self.world.labels | self.compared.get(name, frozenset())
        value = self.expression(line.value, Want(labels, {}, False))
        if value.kind is Kind.POOL and name not in self.asked:
            value = self.single_value(value)
        if value.kind is Kind.NONE:
            raise self.refuse(say.always_none(line.value.span, name))
        self._add(plan.Define(line.name.span, name, value))

    def _choice(self, line: n.Choice) -> None:
        self._new(line.name)
        condition = None if line.condition is None else self.condition(line.condition)
        with self.knowing(frozenset() if condition is None else self.if_true(condition)):
            options = self._options(line)
            policy = plan.Policy("never") if line.policy is None else self.policy(line.policy, line.name.text, options)
        self._add(plan.Choice(line.name.span, line.name.text, options, condition, policy, line.text))

    def _options(self, line: n.Choice) -> plan.RangeOption | plan.LabelOption | plan.DiceOption | None:
        match line.domain:
            case None:
                return None
            case n.Range(low=low, high=high):
                if low is None or high is None:
                    raise self.refuse(say.open_choice(line.domain.span))
                bounds = self.all_of(lambda: self.count(low), lambda: self.count(high))
                a, b = map(number_of, bounds)
                if a is not None and b is not None and a > b:
                    raise self.refuse(say.empty_choice(line.domain.span))
                return plan.RangeOption(*bounds)
            case n.OneOfDomain(options=options):
                return plan.LabelOption(read_options(self, options))
            case n.DiceOfChoice(pool=pool):
                return plan.DiceOption(self.dice(pool))

    # ------------------------------------------------------------ tracked values, repetition

    def _track(self, line: n.Track) -> None:
        self._new(line.name)
        name = line.name.text
        domain = None if line.domain is None else read_domain(self, line.domain)
        if domain is not None:
            start = self.fitting(line.start, domain)
            kind, optional = kind_of(domain), domain.optional
        else:
            if (
                isinstance(line.start, n.Name)
                and self.lookup(line.start) is None
                and line.start.text in self.world.labels
            ):
                raise self.refuse(say.track_needs_domain(line.start.span, name))
            start = self.single_value(self.expression(line.start))
            kind, optional = start.kind, False
            if kind is Kind.NONE:
                raise self.refuse(say.track_needs_domain(line.start.span, name))
        if kind not in TRACKABLE:
            raise self.refuse(say.not_trackable(line.start.span, name, kind))
        self.tracked[name] = domain
        self._add(plan.Track(line.name.span, name, kind, start))
        self._learn_tracked(line, kind, domain, optional)

    def _learn_tracked(self, line: n.Track, kind: Kind, domain: plan.Domain | None, optional: bool) -> None:
        """A tracked value may become other than its start: only what its domain says is certain."""
        name = line.name.text
        fact = wanted(domain, self.world)
        known = Fact(labels=fact.labels if fact and fact.labels else None, whole=False)
        if domain is None and kind is Kind.NUMBER:
            known = Fact(whole=self._stays_whole(name))
        self._learn(name, "tracked value", line.name.span, kind, known, frozenset([name] if optional else []))

    def _stays_whole(self, name: str) -> bool:
        """Whether all updates are literal whole numbers, or counts of turns."""
        updates = [part for part in all_parts(self.rule.lines) if isinstance(part, n.Update) and part.name.text == name]
        return not any(isinstance(part, n.Binary) and part.operator in ("/", "^") for part in all_parts(tuple(updates)))

    def _repeat(self, line: n.Repeat) -> None:
        times = None if line.times is None else self._turns(line.times)
        at_most = None if line.at_most is None else self._turns(line.at_most)
        turn = "turn" if not self.body else f"turn.{len(self.body) + 1}"
        if not self.body and "turn" in self.names:
            raise self.refuse(say.turn_is_taken(self.names["turn"].span))
        outer = (self.steps, dict(self.names), dict(self.rolled), self.names.get("turn"))
        self.steps = []
        self.body.append(line)
        self._learn("turn", "turn", line.span, Kind.NUMBER, Fact(whole=True))
        self.names["turn"] = changed(self.names["turn"], read=plan.Var(line.span, Kind.NUMBER, False, turn))
        self.facts.names[turn] = Fact(whole=True)
        until, failed = None, False
        try:
            until = None if line.until is None else self.condition(line.until)
        except Stop:
            failed = True
        self.read(line.lines)
        self.body.pop()
        steps, (self.steps, names, self.rolled, _) = tuple(self.steps), outer
        self.names = names
        repeat = plan.Repeat(line.span, until, times, at_most, turn, steps, defined_names(steps))
        if not failed:
            self._add(repeat)
        self.broken |= set(repeat.names) if failed else set()

    def _turns(self, node: n.Expression) -> plan.Expression:
        found = self.count(node)
        number = number_of(found)
        if number is not None and (number < 0 or number.denominator != 1):
            raise self.refuse(say.bad_turns(node.span, str(number)))
        return found

    def _update(self, line: n.Update) -> None:
        name = line.name.text
        if name in self.broken:
            raise Stop
        if name not in self.tracked:
            self._not_tracked(line)
        symbol, domain = self.names[name], self.tracked[name]
        condition = None if line.condition is None else self.condition(line.condition)
        with self.knowing(frozenset() if condition is None else self.if_true(condition)):
            value = self._new_value(line, symbol.read.kind, domain)
        self._add(plan.Update(line.span, name, value, condition))

    def _new_value(self, line: n.Update, kind: Kind, domain: plan.Domain | None) -> plan.Expression:
        now = changed(self.names[line.name.text].read, span=line.name.span)
        if line.operator == "becomes":
            if domain is not None:
                return self.fitting(line.value, domain)
            found = self.expression(line.value)
            found = self.single_value(found) if kind is not Kind.POOL else found
            if found.kind is not kind:
                raise self.refuse(
                    say.becomes_other_kind(
                        line.value.span, line.name.text, found.kind, kind, self.names[line.name.text].span
                    )
                )
            return found
        if kind is Kind.POOL and line.operator == "+=":
            return self.union(line.span, now, self.dice(line.value))
        if kind is not Kind.NUMBER:
            raise self.refuse(say.not_counted(line.span, line.name.text, kind, line.operator))
        return plan.Arithmetic(
            line.span, Kind.NUMBER, False, "+" if line.operator == "+=" else "-", now, self.number(line.value)
        )

    def _not_tracked(self, line: n.Update) -> None:
        name, span = line.name.text, line.name.span
        if name in self.names:
            raise self.refuse(say.update_of_value(span, name, self.names[name].what, self.names[name].span))
        if name in self.later:
            self.means(n.Name(span, (name,)))
        raise self.refuse(say.update_of_unknown(span, name, nearest(name, self.tracked)))

    # ------------------------------------------------------------ drawing

    def _draw(self, line: n.Draw) -> None:
        self._new(line.name)
        bag = line.bag.text
        if bag not in self.world.bags:
            if self.world.is_broken("bag", bag):
                raise Stop
            raise self.refuse(say.unknown_bag(line.bag.span, bag, nearest(bag, self.world.bags)))
        condition = None if line.condition is None else self.condition(line.condition)
        with self.knowing(frozenset() if condition is None else self.if_true(condition)):
            number = self._turns(line.number)
        self._add(plan.BagDraw(line.name.span, line.name.text, number, bag, condition))

    def _put_back(self, line: n.PutBack) -> None:
        found = self.means(line.drawn)
        drawn = next(
            (
                step
                for step in _flat(self.steps)
                if isinstance(step, plan.BagDraw) and isinstance(found, plan.Var) and step.name == found.name
            ),
            None,
        )
        if drawn is None:
            raise self.refuse(say.not_drawn(line.drawn.span, line.drawn.text))
        condition = None if line.condition is None else self.condition(line.condition)
        self._add(plan.PutBack(line.span, drawn.name, drawn.bag, condition))

    # ------------------------------------------------------------ outcomes

    def _outcome(self, line: n.Outcome) -> None:
        self._new(n.Word(Span(line.span.source, line.span.start, line.span.start + len("outcome")), "outcome"))
        if line.lines[-1].condition is not None:
            self.refuse(say.no_otherwise(line.lines[-1].span))
        cases: list[plan.OutcomeCase] = []
        labels: dict[str, plan.OutcomeLabel] = {}
        excluded, stopped = frozenset[str](), line.lines[-1].condition is not None
        for each in line.lines:
            self._label(each, labels)
            try:
                with self.knowing(excluded):
                    condition = None if each.condition is None else self.condition(each.condition)
                excluded |= frozenset() if condition is None else self.if_false(condition)
                cases.append(plan.OutcomeCase(each.label.text, condition))
            except Stop:
                stopped = True
        self.outcomes = tuple(labels.values())
        if stopped:
            raise Stop
        self._add(plan.Outcome(line.span, "outcome", tuple(cases)))

    def _label(self, line: n.OutcomeLine, labels: dict[str, plan.OutcomeLabel]) -> None:
        good = {"+": True, "-": False, "~": None}[line.mark]
        name = line.label.text
        if name not in labels:
            labels[name] = plan.OutcomeLabel(name, good, line.text, line.label.span)
        elif labels[name].good is not good:
            self.refuse(say.two_marks(line.label.span, name, labels[name].span))
        elif not labels[name].text:
            labels[name] = changed(labels[name], text=line.text)

    def _outcome_as(self, line: n.OutcomeAs) -> None:
        self._new(n.Word(Span(line.span.source, line.span.start, line.span.start + len("outcome")), "outcome"))
        rolled = [each for each in (line.rolled, line.otherwise) if each is not None]
        found = self.all_of(*(lambda each=each: self._outcome_of(each) for each in rolled))
        labels: dict[str, plan.OutcomeLabel] = {}
        for name in rolled:
            for each in self.rolled[name.text].rule.outcomes:
                if each.label in labels and labels[each.label].good is not each.good:
                    raise self.refuse(say.outcomes_differ(line.span, each.label, rolled[0].text, name.text))
                labels.setdefault(each.label, each)
        self.outcomes = tuple(labels.values())
        value = found[0]
        if line.condition is not None:
            condition = self.condition(line.condition)
            with self.knowing(self.if_true(condition)):
                first = self._outcome_of(rolled[0])
            with self.knowing(self.if_false(condition)):
                second = self._outcome_of(rolled[1])
            cases = (plan.IfCase(first, condition), plan.IfCase(second, None))
            value = plan.Cases(line.span, Kind.LABEL, first.optional or second.optional, cases)
        if value.optional:
            self.warn(say.outcome_may_be_none(line.span))
        self._add(plan.OutcomeAs(line.span, "outcome", value))

    def _outcome_of(self, name: n.Name) -> plan.Expression:
        if name.text not in self.rolled:
            if self.lookup(name) is not None:
                raise self.refuse(say.outcome_of_value(name.span, name.text))
            self.means(name)
        if f"{name.text}.outcome" not in self.names:
            raise self.refuse(say.rule_without_outcome(name.span, name.text, self.rolled[name.text].rule))
        return self.means(n.Name(name.span, (*name.parts, "outcome")))


def _word(line: n.Line) -> str:
    return {n.Given: "given", n.GivenAllOf: "given all of", n.Limit: "limit", n.Flag: "flag"}.get(type(line), "outcome")


def _flat(steps: Iterable[plan.AnyStep]) -> list[plan.AnyStep]:
    found: list[plan.AnyStep] = []
    for step in steps:
        found.append(step)
        if isinstance(step, plan.Invoke | plan.Repeat):
            found += _flat(step.steps)
    return found


def _names_needed(given: plan.Input) -> set[str]:
    return names_in((given.domain, given.default))
