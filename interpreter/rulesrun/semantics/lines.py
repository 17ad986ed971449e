"""The lines of a rule, one after another, as steps of a plan."""

from __future__ import annotations

from collections.abc import Iterable

from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .constants import literal_number
from .facts import kind_of
from .items import read_domain, read_options
from .messages import lines as say
from .plan import Kind
from .renaming import names_in
from .symbols import Stop, Want
from .tracks import Tracks
from .world import all_parts

RANDOM = (n.Roll, n.Choice, n.Track, n.Repeat, n.Draw)
NEEDS_WHOLE_RULE = (n.Given, n.GivenAllOf, n.Limit, n.Flag, n.Outcome, n.OutcomeAs)


class Lines(Tracks):
    """One use for one rule: `read` its lines, then `steps`, `inputs` and `outcomes` hold what they mean."""

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
                self.blind = self.blind or isinstance(line, n.GivenAllOf)
            self.thrown = self.thrown or isinstance(line, RANDOM)

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
                self._no_outcome_named(line.name)
                self._add(plan.Flag(line.name.span, line.name.text, self.condition(line.condition), line.text))
            case n.Outcome():
                self._outcome(line)
            case n.OutcomeAs():
                self._outcome_as(line)

    # ------------------------------------------------------------ inputs

    def _given(self, line: n.Given) -> None:
        self._new(line.name, is_input=True)
        if self.thrown:
            raise self.refuse(say.given_below(line.span, line.name.text))
        self._no_values(line.domain)
        domain = read_domain(self, line.domain)
        default = None if line.default is None else self._default(line.default, domain, line.name.text)
        self._input(plan.Input(line.name.text, domain, default, line.text, line.name.span, kind_of(domain)))

    def _default(self, node: n.Expression, domain: plan.Domain, name: str) -> plan.Expression:
        self._no_values(node)
        return self.fitting(node, domain, name)

    def _no_values(self, node: n.Expression | n.Domain) -> None:
        """Domains and defaults read inputs and settings, which are known before the rule begins."""
        for part in all_parts(node):
            if isinstance(part, n.Name) and part.text in self.names and part.text not in self.inputs:
                raise self.refuse(say.default_from_value(part.span, part.text))

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
            if given.name not in left_out:
                try:
                    self._take_over(line, given)
                except Stop:
                    self.broken.add(given.name)

    def _take_over(self, line: n.GivenAllOf, given: plan.Input) -> None:
        self._new(n.Word(line.span, given.name), is_input=True)
        strangers = [name for name in sorted(names_in((given.domain, given.default))) if name not in self.inputs]
        if strangers and strangers[0] in self.broken:
            raise Stop
        if strangers:
            raise self.refuse(say.input_needs_another(line.span, given.name, strangers[0]))
        self._input(changed(given, span=line.span))

    def _no_outcome_named(self, name: n.Word) -> None:
        """A flag and an outcome of one name could not be told apart in `chance of NAME`."""
        for label in self.outcomes:
            if label.label == name.text:
                raise self.refuse(say.flag_and_outcome(name.span, name.text, label.span))

    # ------------------------------------------------------------ values, choices

    def _define(self, line: n.Define) -> None:
        name = line.name.text
        if name in self.tracked:
            raise self.refuse(say.define_tracked(line.name.span, name, self.first[name]))
        self._new(line.name)
        if line.domain is not None:
            domain = read_domain(self, line.domain)
            value = self.within(self.fitting(line.value, domain, name), domain, name)
            self._add(plan.Define(line.name.span, name, value))
            return
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
        with self.where(condition):
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
                a, b = map(literal_number, bounds)
                if a is not None and b is not None and a > b:
                    raise self.refuse(say.empty_choice(line.domain.span))
                return plan.RangeOption(*bounds)
            case n.OneOfDomain(options=options):
                return plan.LabelOption(read_options(self, options))
            case n.DiceOfChoice(pool=pool, number=None):
                return plan.DiceOption(self.dice(pool))
            case n.DiceOfChoice(pool=pool, number=number, at_most=at_most):
                assert number is not None
                if line.policy is None and not at_most:
                    raise self.refuse(say.so_many_by_default(line.domain.span, line.domain.span.text))
                dice, many = self.all_of(lambda: self.dice(pool), lambda: self._turns(number))
                return plan.DiceOption(dice, many, at_most)


def _word(line: n.Line) -> str:
    return {n.Given: "given", n.GivenAllOf: "given all of", n.Limit: "limit", n.Flag: "flag"}.get(type(line), "outcome")
