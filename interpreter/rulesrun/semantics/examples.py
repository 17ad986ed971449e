"""Worked examples: which rule they roll with which inputs, dice, choices and settings, and what they expect."""

from __future__ import annotations

from collections.abc import Callable

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .asked import Asked, options_of, policy_in
from .calls import as_policy
from .constants import Unknown, value_of
from .facts import Possible, faces_of_bag
from .inputs import misfit
from .items import ItemMaker
from .messages import calls as say_calls
from .messages import examples as say
from .plan import Constant, Kind
from .symbols import Stop, wanted
from .throws import face_of
from .world import World


class ExampleMaker:
    """Reads examples once the rules are known."""

    def __init__(
        self, world: World, makes_items: ItemMaker, rules: Callable[[n.Name], plan.Rule], problems: list[Diagnostic]
    ) -> None:
        self.world = world
        self.items = makes_items
        self.rule_named = rules
        self.problems = problems

    def example(self, node: n.Example) -> plan.Example | None:
        """The example; None after telling what is wrong with it."""
        rolls = [line for line in node.lines if isinstance(line, n.ExampleRoll)]
        if len(rolls) != 1:
            at = rolls[1].span if rolls else _title(node)
            self.problems.append(say.two_rolls(at, rolls[0].span) if rolls else say.no_roll(at))
            return None
        try:
            rule = self.rule_named(rolls[0].rule)
        except Stop:
            return None
        before = sum(each.is_error for each in self.problems)
        scope = Asked(self.world, rule, self.problems)
        inputs, chosen = self._inputs(scope, rolls[0], rule)
        dice: dict[str, tuple[plan.Face, ...]] = {}
        choose: dict[str, plan.Policy] = dict(chosen)
        settings: dict[str, Constant | plan.FaceSet] = {}
        expects: list[plan.Expect] = []
        for line in node.lines:
            try:
                match line:
                    case n.ExampleDice():
                        self._dice(scope, line, rule, dice)
                    case n.ExampleChoose():
                        self._choose(scope, line, rule, choose)
                    case n.ExampleSet():
                        settings[line.name.text] = self._setting(line)
                    case n.Expect():
                        expects.append(self._expect(scope, line))
            except Stop:
                continue
        if sum(each.is_error for each in self.problems) > before:
            return None
        return plan.Example(node.text, _title(node), rule.name, inputs, dice, choose, settings, tuple(expects))

    # ------------------------------------------------------------ inputs, dice, choices, settings

    def _inputs(
        self, scope: Asked, roll: n.ExampleRoll, rule: plan.Rule
    ) -> tuple[dict[str, Constant], dict[str, plan.Policy]]:
        known = {given.name: given for given in rule.inputs}
        choices = {choice.name for choice in rule.choices}
        found: dict[str, Constant] = {}
        chosen: dict[str, plan.Policy] = {}
        tried: dict[str, Span] = {}
        for argument in roll.arguments:
            text = argument.name.text
            flat = text if text in known or text in choices else rule.short.get(text, text)
            if flat in tried:
                self.problems.append(say_calls.twice(argument.name.span, text, tried[flat]))
                continue
            tried[flat] = argument.name.span
            try:
                if flat in choices:
                    self._choose(
                        scope, n.ExampleChoose(argument.span, argument.name, _policy(argument.value)), rule, chosen
                    )
                elif flat not in known:
                    raise scope.refuse(
                        say_calls.unknown_input(argument.name.span, text, rule, nearest(text, [*known, *choices]))
                    )
                else:
                    found[flat] = self._constant(argument, known[flat].domain)
            except Stop:
                continue
        missing = [given.name for given in rule.inputs if given.default is None and given.name not in tried]
        if missing:
            self.problems.append(say_calls.missing_inputs(roll.rule.span, rule.name, missing))
        return found, chosen

    def _constant(self, argument: n.Argument, domain: plan.Domain) -> Constant:
        if isinstance(argument.value, n.Policy):
            raise self.items.refuse(say_calls.policy_for_input(argument.value.span, argument.name.text))
        node = argument.value
        value = value_of(self.items.expression(node, wanted(domain, self.world)))
        if isinstance(value, Unknown):
            raise self.items.refuse(say.not_constant(node.span))
        if misfit(domain, value, self.world.levels):
            raise self.items.refuse(
                say_calls.outside(node.span, node.span.text, argument.name.text, domain, self.world.levels)
            )
        return value

    def _dice(self, scope: Asked, line: n.ExampleDice, rule: plan.Rule, dice: dict[str, tuple[plan.Face, ...]]) -> None:
        text = line.name.text
        flat = text if text in rule.dice else rule.short.get(text, text)
        if flat not in rule.dice:
            raise scope.refuse(say.unknown_dice(line.name.span, text, rule, nearest(text, rule.dice)))
        if flat in dice:
            raise scope.refuse(say.dice_twice(line.name.span, text))
        possible = self._possible(scope, rule, flat)
        for face in line.faces:
            if possible is not None and face_of(face) not in possible:
                self.problems.append(say.impossible_face(face.span, face.span.text, text))
        dice[flat] = tuple(face_of(face) for face in line.faces)

    def _possible(self, scope: Asked, rule: plan.Rule, name: str) -> Possible | None:
        """The faces that single dice of a draw may show."""
        steps = list(rule.steps)
        while steps:
            step = steps.pop()
            if isinstance(step, plan.Invoke | plan.Repeat):
                steps += step.steps
            elif isinstance(step, plan.Draw) and step.name == name:
                bare = [plan.DrawCase(_without_adding(case.throw), None) for case in step.cases]
                return scope.facts.of_draw(plan.Draw(step.span, name, tuple(bare), step.single)).faces
            elif isinstance(step, plan.BagDraw) and step.name == name:
                return faces_of_bag(self.world.bags[step.bag.rpartition(".")[2]])
        return None

    def _choose(self, scope: Asked, line: n.ExampleChoose, rule: plan.Rule, choose: dict[str, plan.Policy]) -> None:
        text = line.name.text
        names = {choice.name for choice in rule.choices}
        flat = text if text in names else rule.short.get(text, text)
        if flat not in names:
            raise scope.refuse(say.unknown_choice(line.name.span, text, rule, nearest(text, names)))
        if line.policy.word != "default":
            choose[flat] = policy_in(scope, line.policy, options_of(rule, flat))

    def _setting(self, line: n.ExampleSet) -> Constant | plan.FaceSet:
        name = line.name.text
        if name not in self.world.settings:
            if self.world.is_broken("setting", name):
                raise Stop
            raise self.items.refuse(say.unknown_setting(line.name.span, name, nearest(name, self.world.settings)))
        return self.items.value_for(name, line.value)

    # ------------------------------------------------------------ what is expected

    def _expect(self, scope: Asked, line: n.Expect) -> plan.Expect:
        if line.measure is None:
            if line.within is not None and not isinstance(line.condition, n.Compare):
                raise scope.refuse(say.within_what(line.within.span))
            if line.within is not None and isinstance(line.condition, n.Compare):
                return self._near(scope, line, line.condition)
            return plan.Expect(line.span, scope.condition(line.condition), None, None, None, None)
        asked = scope.condition(line.condition) if line.measure == "chance" else scope.number(line.condition)
        given = None if line.given is None else scope.condition(line.given)
        wanted_number, within = scope.all_of(
            lambda: self._number(scope, line.wanted), lambda: self._number(scope, line.within)
        )
        return plan.Expect(line.span, asked, line.measure, line.operator, wanted_number, within, given)

    def _near(self, scope: Asked, line: n.Expect, compared: n.Compare) -> plan.Expect:
        """`expect factor = 2 within 1%`: a comparison that allows for a distance."""
        if compared.operator != "=":
            raise scope.refuse(say.within_what(line.within.span if line.within else line.span))
        assert line.within is not None
        left, right, within = scope.all_of(
            lambda: scope.number(compared.left),
            lambda: scope.number(compared.right),
            lambda: scope.number(line.within),  # type: ignore[arg-type]
        )
        span = compared.span
        distance = plan.Function(
            span, Kind.NUMBER, False, "abs", (plan.Arithmetic(span, Kind.NUMBER, False, "-", left, right),)
        )
        return plan.Expect(
            line.span, plan.Compare(span, Kind.YES_NO, False, "<=", distance, within), None, None, None, None
        )

    def _number(self, scope: Asked, node: n.Expression | None) -> plan.Expression | None:
        if node is None:
            return None
        found = scope.number(node)
        if isinstance(value_of(found), Unknown):
            raise scope.refuse(say.not_constant(node.span))
        return found


def _policy(value: n.Expression | n.Policy) -> n.Policy:
    return value if isinstance(value, n.Policy) else as_policy(value)


def _title(node: n.Example) -> Span:
    """The example's first line, where its text stands."""
    source = node.span.source
    end = source.text.find("\n", node.span.start)
    return Span(source, node.span.start, end if end >= 0 else node.span.end)


def _without_adding(throw: plan.Throw) -> plan.Throw:
    def bare(modifiers: tuple[plan.Modifier, ...]) -> tuple[plan.Modifier, ...]:
        return tuple(changed(each, adding=False) if isinstance(each, plan.Explode) else each for each in modifiers)

    groups = tuple(
        changed(each, modifiers=bare(each.modifiers)) if isinstance(each, plan.Dice) else each for each in throw.groups
    )
    return plan.Throw(throw.span, groups, bare(throw.modifiers))
