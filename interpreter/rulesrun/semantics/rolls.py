"""Lines that roll or draw: dice, rules, tables, bags; and the bookkeeping of names that all lines share."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .calls import Calls
from .constants import literal_number
from .messages import lines as say
from .scanning import asked_names, compared_labels, defined_later
from .symbols import Stop
from .world import World, all_parts


class Rolls(Calls):
    """The steps of one rule so far, and its lines that roll."""

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
        self.bag_of: dict[str, str] = {}

    # ------------------------------------------------------------ names

    def _new(self, name: n.Word, is_input: bool = False) -> None:
        """Takes a name for this line; a second definition is an error that shows the first. An input may bear the name
        of a setting: rules that roll this one then pass the setting.
        """
        if name.text in self.first:
            raise self.refuse(say.defined_twice(name.span, name.text, self.first[name.text]))
        self.first[name.text] = name.span
        if name.text == "turn" and self.body:
            raise self.refuse(say.turn_is_taken(name.span))
        if name.text in self.world.settings and not is_input:
            self.warn(say.hides(name.span, name.text, "setting", self.world.settings[name.text].span))
        self.later.pop(name.text, None)

    def _add(self, step: plan.AnyStep) -> None:
        self.size += 1
        self.steps.append(step)
        self.learn(step)

    # ------------------------------------------------------------ rolls

    def _roll(self, line: n.Roll) -> None:
        self._new(line.name)
        firsts = [case.throw.groups[0] for case in line.cases]
        only = next((each for each in firsts if self._names_rule(each)), None)
        if only is not None:
            self._add(changed(self._call(line, only), text=line.text))
            return
        table = self._table_of(line)
        cases: list[plan.DrawCase] = []
        denied: list[plan.Expression] = []
        stopped = False
        for case in line.cases:
            condition = None
            with self.where(denied=denied):
                try:
                    condition = None if case.condition is None else self.condition(case.condition)
                except Stop:
                    stopped = True
                try:
                    with self.where(condition):
                        throws = [(self._table_throw(case, table), None)] if table else self.throws(case.throw)
                    cases += [plan.DrawCase(throw, _both(condition, when)) for throw, when in throws]
                except Stop:
                    stopped = True
            denied += [] if condition is None else [condition]
        if stopped:
            raise Stop
        single = all(
            isinstance(group, plan.Dice) and group.count is None for case in cases for group in case.throw.groups
        )
        self._add(plan.Draw(line.name.span, line.name.text, tuple(cases), single, table, line.text))

    def _names_rule(self, group: n.Group) -> bool:
        """Whether a group is a rule's roll: also a bare name of one."""
        return isinstance(group, n.RuleRoll | n.RerollRule) or (
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
        with self.where(condition):
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
                    if name in self.world.two_way:
                        raise self.refuse(say.two_way_rolled(group.span, name, self.world.two_way[name].by))
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

    # ------------------------------------------------------------ drawing

    def _draw(self, line: n.Draw) -> None:
        self._new(line.name)
        bag = line.bag.text
        if bag not in self.world.bags:
            if self.world.is_broken("bag", bag):
                raise Stop
            raise self.refuse(say.unknown_bag(line.bag.span, bag, nearest(bag, self.world.bags)))
        condition = None if line.condition is None else self.condition(line.condition)
        with self.where(condition):
            number = self._turns(line.number)
        self._add(plan.BagDraw(line.name.span, line.name.text, number, bag, condition))
        self.bag_of[line.name.text] = bag

    def _turns(self, node: n.Expression) -> plan.Expression:
        found = self.count(node)
        number = literal_number(found)
        if number is not None and (number < 0 or number.denominator != 1):
            raise self.refuse(say.bad_turns(node.span, str(number)))
        return found

    def _put_back(self, line: n.PutBack) -> None:
        name = line.drawn.text
        if self.lookup(line.drawn) is None:
            if name in self.world.bags:
                self._put_all_back(line)
                return
            near = nearest(name, [*self.bag_of, *self.world.bags])
            if near in self.world.bags:
                raise self.refuse(say.unknown_bag(line.drawn.span, name, near))
        found = self.means(line.drawn)
        if line.without:
            raise self.refuse(say.only_bags_except(line.without[0].span, line.drawn.text))
        if not isinstance(found, plan.Var) or found.name not in self.bag_of:
            raise self.refuse(say.not_drawn(line.drawn.span, line.drawn.text))
        condition = None if line.condition is None else self.condition(line.condition)
        self._add(plan.PutBack(line.span, found.name, self.bag_of[found.name], condition))

    def _put_all_back(self, line: n.PutBack) -> None:
        """`put BAG back`, but for what some draws hold."""
        bag = line.drawn.text
        kept = self.all_of(*(lambda node=node: self._drawn_from(node, bag) for node in line.without))
        condition = None if line.condition is None else self.condition(line.condition)
        back = tuple(name for name, of in self.bag_of.items() if of == bag and name in self.names and name not in kept)
        self._add(plan.PutAllBack(line.span, bag, back, tuple(dict.fromkeys(kept)), condition))

    def _drawn_from(self, node: n.Name, bag: str) -> str:
        """The name of a draw from the bag."""
        found = self.means(node)
        if not isinstance(found, plan.Var) or self.bag_of.get(found.name) != bag:
            raise self.refuse(say.not_drawn_from(node.span, node.text, bag))
        return found.name


def _both(one: plan.Expression | None, other: plan.Expression | None) -> plan.Expression | None:
    """The condition that both hold; None where there is none."""
    if one is None or other is None:
        return one or other
    return plan.And(other.span, plan.Kind.YES_NO, False, one, other)
