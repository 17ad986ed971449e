"""How a rule ends: the lines of an outcome, and outcomes handed on from rolled rules."""

from __future__ import annotations

from rulesrun.diagnostics import Span
from rulesrun.record import changed
from rulesrun.syntax import nodes as n

from . import plan
from .messages import lines as say
from .plan import Kind
from .rolls import Rolls
from .symbols import Stop


class Outcomes(Rolls):
    """Lines that roll, and the outcome."""

    # ------------------------------------------------------------ outcomes

    def _outcome(self, line: n.Outcome) -> None:
        self._new(n.Word(Span(line.span.source, line.span.start, line.span.start + len("outcome")), "outcome"))
        if line.lines[-1].condition is not None:
            self.refuse(say.no_otherwise(line.lines[-1].span))
        cases: list[plan.OutcomeCase] = []
        labels: dict[str, plan.OutcomeLabel] = {}
        denied: list[plan.Expression] = []
        stopped = line.lines[-1].condition is not None
        for each in line.lines:
            self._label(each, labels)
            try:
                with self.where(denied=denied):
                    condition = None if each.condition is None else self.condition(each.condition)
                denied += [] if condition is None else [condition]
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
        if name in self.names and self.names[name].what == "flag":
            self.refuse(say.flag_and_outcome(line.label.span, name, self.names[name].span))
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
            with self.where(condition):
                first = self._outcome_of(rolled[0])
            with self.where(denied=[condition]):
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
