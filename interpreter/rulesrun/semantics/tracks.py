"""Values that change: tracked values, their updates, and the bodies that are repeated."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .calls import defined_names
from .facts import Fact, kind_of
from .items import read_domain
from .messages import lines as say
from .outcomes import Outcomes
from .plan import Kind
from .scanning import defined_later
from .symbols import Stop, wanted
from .world import all_parts

TRACKABLE = (Kind.NUMBER, Kind.YES_NO, Kind.LABEL, Kind.POOL)


class Tracks(Outcomes):
    """Lines that roll, outcomes, and repetition."""

    @abstractmethod
    def read(self, lines: Iterable[n.Line]) -> None:
        """Reads lines."""

    # ------------------------------------------------------------ tracked values, repetition

    def _track(self, line: n.Track) -> None:
        self._new(line.name)
        name = line.name.text
        domain = None if line.domain is None else read_domain(self, line.domain)
        if domain is not None:
            start = self.within(self.fitting(line.start, domain, name), domain, name)
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
            until = None if line.until is None else self._until(line.until, line.lines)
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

    def _until(self, node: n.Expression, body: tuple[n.Line, ...]) -> plan.Expression:
        """The condition that ends a repetition; it reads nothing that the body defines."""
        inside = defined_later(body)
        for part in all_parts(node):
            if isinstance(part, n.Name) and part.parts[0] in inside:
                raise self.refuse(say.until_reads_body(part.span, part.parts[0], inside[part.parts[0]]))
        return self.condition(node)

    def _update(self, line: n.Update) -> None:
        name = line.name.text
        if name in self.broken:
            raise Stop
        if name not in self.tracked:
            self._not_tracked(line)
        symbol, domain = self.names[name], self.tracked[name]
        condition = None if line.condition is None else self.condition(line.condition)
        with self.where(condition):
            value = self._new_value(line, symbol.read.kind, domain)
        self._add(plan.Update(line.span, name, value, condition))

    def _new_value(self, line: n.Update, kind: Kind, domain: plan.Domain | None) -> plan.Expression:
        now = changed(self.names[line.name.text].read, span=line.name.span)
        if line.operator == "becomes":
            if domain is not None:
                return self.within(self.fitting(line.value, domain, line.name.text), domain, line.name.text)
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
            more = self.expression(line.value)
            if more.kind is Kind.NUMBER:
                raise self.refuse(say.number_into_dice(line.value.span, line.name.text))
            return self.union(line.span, now, self.as_dice(more, line.value))
        if kind is not Kind.NUMBER:
            raise self.refuse(say.not_counted(line.span, line.name.text, kind, line.operator))
        moved = plan.Arithmetic(
            line.span, Kind.NUMBER, False, "+" if line.operator == "+=" else "-", now, self.number(line.value)
        )
        return moved if domain is None else self.within(moved, domain, line.name.text)

    def _not_tracked(self, line: n.Update) -> None:
        name, span = line.name.text, line.name.span
        if name in self.names:
            raise self.refuse(say.update_of_value(span, name, self.names[name].what, self.names[name].span))
        if name in self.later:
            self.means(n.Name(span, (name,)))
        raise self.refuse(say.update_of_unknown(span, name, nearest(name, self.tracked)))
