"""Rules that roll rules: arguments, inputs that bubble up, and the steps of the other rule under a prefix."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.limits import in_force
from rulesrun.record import changed, record
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .constants import Unknown, is_literal, value_of
from .facts import kind_of
from .inputs import misfit
from .messages import calls as say
from .plan import Kind
from .renaming import names_in, parts, prefixed, renamed, replaced
from .symbols import Stop, Symbol, wanted
from .throws import Throws
from .world import World

FORMULA_VALUES = ("value", "tracked value", "flag", "outcome")

T = TypeVar("T")

WORDS = ("never", "always", "default", "best", "worst")


@record
class Aim:
    """A policy's `best for EXPRESSION`, which is read at the end of the rule: for the choice of this flat name."""

    choice: str
    policy: n.Policy
    prefix: str | None


class Calls(Throws):
    """Throws, and rolls of other rules. `inputs` are those of this rule so far, own ones first, then those that
    bubbled up.
    """

    def __init__(self, world: World, problems: list[Diagnostic], rule_named: Callable[[n.Name], plan.Rule]) -> None:
        super().__init__(world, problems)
        self.rule_named = rule_named
        self.inputs: dict[str, plan.Input] = {}
        self.aims: list[Aim] = []
        self.best_for: dict[str, plan.Policy] = {}
        self.size = 0
        self.depth = 0

    def call(self, name: n.Word, node: n.RuleRoll, condition: plan.Expression | None) -> plan.Invoke:
        """`roll NAME = other_rule(...)`."""
        rule = self.rule_named(node.rule)
        self._count_steps(node.span, rule)
        values, policies = self._arguments(name.text, node, rule)
        steps: list[plan.AnyStep] = []
        for given in rule.inputs:
            if bind := self._bind(name.text, node.rule.span, given, values, steps):
                steps.append(bind)
        steps += with_policies(prefixed(rule.steps, name.text), policies)
        return plan.Invoke(node.span, name.text, rule.name, condition, tuple(steps), defined_names(steps))

    def call_again(self, name: n.Word, node: n.RerollRule, condition: plan.Expression | None) -> plan.Invoke:
        """`roll NAME = reroll FIRST`: the same inputs, the same policies."""
        text = node.rolled.text
        if text not in self.rolled:
            self._not_rolled(node.rolled)
        first = self.rolled[text]
        self._count_steps(node.span, first.rule)
        steps: list[plan.AnyStep] = []
        for given in first.rule.inputs:
            flat = f"{text}.{given.name}"
            value = plan.Var(node.span, given.kind, given.domain.optional, flat)
            domain = self.domains[flat]
            steps.append(plan.Bind(node.span, f"{name.text}.{given.name}", value, _moved(domain, text, name.text)))
        rest = tuple(step for step in first.step.steps if not isinstance(step, plan.Bind))
        steps += _moved(rest, text, name.text)
        self.aims += [_aim_again(aim, text, name.text) for aim in self.aims if aim.prefix == text]
        return plan.Invoke(node.span, name.text, first.rule.name, condition, tuple(steps), defined_names(steps), text)

    def _not_rolled(self, node: n.Name) -> None:
        found = self.lookup(node)
        if found is not None:
            raise self.refuse(say.reroll_of_dice(node.span, node.text, found.kind is Kind.POOL))
        rules = self.world.written.get("rule", {})
        if node.text in rules:
            raise self.refuse(say.reroll_of_rule(node.span, node.text))
        self.means(node)

    def _count_steps(self, span: Span, rule: plan.Rule) -> None:
        self.size += self.world.sizes.get(rule.name, 0) + len(rule.inputs) + 1
        self.depth = max(self.depth, 1 + self.world.depths.get(rule.name, 0))
        if self.size > in_force.get().steps:
            raise self.refuse(say.too_many_steps(span, rule.name, in_force.get().steps))
        if self.depth > in_force.get().rolled:
            raise self.refuse(say.too_deep(span, rule.name, in_force.get().rolled))

    # ------------------------------------------------------------ formulas

    def formula(self, node: n.Formula) -> plan.Expression:
        """`RULE(input = value).VALUE`: a value of a rule without dice."""
        rule = self.rule_named(node.rule)
        if rule.dice or rule.choices:
            raise self.refuse(say.formula_with_dice(node.span, rule, _call_text(node)))
        inside = self._of_formula(rule)
        known = [name for name, symbol in inside.names.items() if symbol.what in FORMULA_VALUES]
        if node.value is None:
            raise self.refuse(say.formula_without_value(node.span, rule, node.span.text, known))
        symbol = inside.names.get(node.value.text)
        if symbol is None or symbol.name not in known:
            near = self.nearest(node.value.text, known)
            raise self.refuse(say.unknown_formula_value(node.value.span, rule, node.value.text, known, near))
        values, _ = self._arguments("", n.RuleRoll(node.span, node.rule, node.arguments), rule)
        arguments = [self._formula_argument(node, given, values) for given in rule.inputs]
        formula = self.world.formulas.setdefault(rule.name, plan.Formula(rule, self.world.tables, self.world.levels))
        fact = symbol.fact
        return plan.Call(
            node.span, symbol.read.kind, bool(symbol.maybe), formula, tuple(arguments), symbol.name,
            fact.whole, fact.approximate, fact.labels,
        )  # fmt: skip

    def _of_formula(self, rule: plan.Rule) -> Calls:
        """The names of another rule at its end."""
        inside = Calls(self.world, [], self.rule_named)
        for given in rule.inputs:
            inside.learn_input(given)
        for step in rule.steps:
            inside.learn(step)
        return inside

    def _formula_argument(
        self, node: n.Formula, given: plan.Input, values: dict[str, plan.Bind]
    ) -> plan.Expression | None:
        """What is passed for an input, or bears its name here; None for its default."""
        if given.name in values:
            return values[given.name].value
        if (same := self._same_named(given, node.span)) is not None:
            return same
        if given.default is None:
            raise self.refuse(say.formula_needs(node.span, node.rule.text, given, self.world.levels))
        return None

    # ------------------------------------------------------------ arguments

    def _arguments(
        self, prefix: str, node: n.RuleRoll, rule: plan.Rule
    ) -> tuple[dict[str, plan.Bind], dict[str, plan.Policy]]:
        """What is passed for inputs, and the policies for choices, by their flat names in the other rule."""
        values: dict[str, plan.Bind] = {}
        policies: dict[str, plan.Policy] = {}
        inputs = {given.name: given for given in rule.inputs}
        choices = {choice.name for choice in rule.choices}
        seen: dict[str, Span] = {}
        stopped = False
        for argument in node.arguments:
            try:
                flat = self._argument_name(argument, rule, inputs, choices)
                if flat in seen:
                    raise self.refuse(say.twice(argument.name.span, argument.name.text, seen[flat]))
                seen[flat] = argument.name.span
                if flat in inputs:
                    values[flat] = self._argument(argument, inputs[flat], rule)
                elif policy := self._passed_policy(prefix, flat, argument, rule):
                    policies[f"{prefix}.{flat}"] = policy
            except Stop:
                stopped = True
        if stopped:
            raise Stop
        return values, policies

    def _argument_name(
        self, argument: n.Argument, rule: plan.Rule, inputs: dict[str, plan.Input], choices: set[str]
    ) -> str:
        text = argument.name.text
        flat = text if text in inputs or text in choices else rule.short.get(text, text)
        if flat not in inputs and flat not in choices:
            known = [*inputs, *choices]
            raise self.refuse(say.unknown_input(argument.name.span, text, rule, nearest(text, known)))
        return flat

    def _argument(self, argument: n.Argument, given: plan.Input, rule: plan.Rule) -> plan.Bind:
        if isinstance(argument.value, n.Policy):
            raise self.refuse(say.policy_for_input(argument.value.span, given.name))
        value = self.fitting(argument.value, given.domain, given.name)
        return plan.Bind(argument.span, given.name, value, given.domain)

    def fitting(self, node: n.Expression, domain: plan.Domain, name: str) -> plan.Expression:
        """A value for the domain of a name: of its kind, and inside it where both are known. Dice for a list of
        numbers are the faces that they show.
        """
        found = self.expression(node, wanted(domain, self.world))
        if found.kind is Kind.POOL and isinstance(domain, plan.ListDomain) and kind_of(domain.items) is Kind.NUMBER:
            self.pool(node, True)
            found = plan.FacesOf(found.span, Kind.LIST, False, found)
        found = self.single_value(found)
        self._fits(found, node.span, domain, name)
        return found

    def within(self, value: plan.Expression, domain: plan.Domain, name: str) -> plan.Expression:
        """A value that is held against a domain when it is known, unless nothing can be wrong with it."""
        fact = self.facts.of(value)
        match domain:
            case plan.YesNoDomain() | plan.LevelsDomain():
                return value
            case plan.OneOfDomain(options=options) if fact.labels is not None and fact.labels <= set(options):
                return value
            case plan.NumberDomain(low=None, high=None, whole=whole) if fact.whole or not whole:
                return value
        if is_literal(value) and not isinstance(value_of(value), Unknown) and not names_in(domain):
            return value
        optional = value.optional and domain.optional
        return plan.Within(value.span, kind_of(domain), optional, value, domain, name)

    def _fits(self, found: plan.Expression, at: Span, domain: plan.Domain, name: str) -> None:
        kind = kind_of(domain)
        if found.kind is Kind.NONE or found.optional:
            if found.kind is Kind.NONE and not domain.optional:
                raise self.refuse(say.outside(at, at.text, name, domain, self.world.levels))
            if not domain.optional:
                self._may_be_none(found, at)
        if found.kind not in (kind, Kind.NONE):
            raise self.refuse(say.wrong_input_kind(at, at.text, name, found.kind, domain, self.world.levels))
        if self.facts.of(found).approximate:
            self.exact(found, at)
        value = value_of(found)
        if not isinstance(value, Unknown) and is_literal(found) and misfit(domain, value, self.world.levels):
            raise self.refuse(say.outside(at, at.text, name, domain, self.world.levels))

    # ------------------------------------------------------------ inputs that are bound or bubble up

    def _bind(
        self, prefix: str, at: Span, given: plan.Input, values: dict[str, plan.Bind], before: list[plan.AnyStep]
    ) -> plan.Bind | None:
        """The step that gives the other rule's input its value; None if the input becomes one of this rule."""
        flat = f"{prefix}.{given.name}"
        domain = prefixed(given.domain, prefix)
        if given.name in values:
            passed = values[given.name]
            return plan.Bind(passed.span, flat, passed.value, domain)
        if (same := self._same_named(given, at)) is not None:
            return plan.Bind(at, flat, same, domain)
        bound = {step.name: step.value for step in before if isinstance(step, plan.Bind)}
        default = None if given.default is None else prefixed(given.default, prefix)
        needed = {name for name in names_in((domain, default)) if name in bound}
        if all(self._from_inputs(bound[name]) for name in needed):
            known = {name: bound[name] for name in needed}
            new = changed(
                given,
                name=flat,
                domain=replaced(domain, known),
                default=None if default is None else replaced(default, known),
            )
            self.inputs[flat] = new
            self.learn_input(new)
            return None
        if default is None:
            raise self.refuse(say.bounds_from_values(at, flat, given.name))
        return plan.Bind(at, flat, default, domain)

    def _same_named(self, given: plan.Input, at: Span) -> plan.Expression | None:
        """The input, setting or value of this rule that bears the name of the other rule's input."""
        name = n.Name(at, tuple(given.name.split(".")))
        if len(name.parts) > 1 and given.name not in self.inputs:
            return None
        setting = self.world.settings.get(given.name)
        if given.name in self.broken:
            raise Stop
        if given.name not in self.names and (setting is None or isinstance(setting.value, plan.FaceSet)):
            return None
        found = self.lookup(name)
        assert found is not None
        found = self.single_value(found)
        if found.kind not in (given.kind, Kind.NONE):
            raise self.refuse(say.same_name_other_kind(at, given.name, found.kind, given.kind, self._where(given.name)))
        self._fits(found, at, given.domain, given.name)
        return found

    def _where(self, name: str) -> Span | None:
        return (
            self.names[name].span
            if name in self.names
            else self.world.settings[name].span
            if name in self.world.settings
            else None
        )

    def _from_inputs(self, value: plan.Expression) -> bool:
        return all(name in self.inputs for name in names_in(value))

    # ------------------------------------------------------------ policies

    def _passed_policy(self, prefix: str, flat: str, argument: n.Argument, rule: plan.Rule) -> plan.Policy | None:
        """A policy in the brackets of a roll; None for `default`, the choice's own."""
        policy = argument.value if isinstance(argument.value, n.Policy) else as_policy(argument.value)
        if policy.word == "default":
            return None
        choice = next(step for step in parts(rule.steps) if isinstance(step, plan.Choice) and step.name == flat)
        with self._inside(prefix, rule, flat):
            return self.policy(policy, f"{prefix}.{flat}", choice.options, prefix)

    def policy(self, node: n.Policy, choice: str, options: object, prefix: str | None = None) -> plan.Policy:
        """A policy for a choice; the aim of `best for` is read later."""
        if node.word in ("best", "worst"):
            if node.value is not None:
                self.aims.append(Aim(choice, node, prefix))
            return plan.Policy(node.word)
        if node.word == "value":
            assert node.value is not None
            return plan.Policy("value", self.chosen(node.value, options, choice))
        if node.word == "default":
            raise self.refuse(say.default_of_itself(node.span))
        return plan.Policy(node.word)

    def chosen(self, node: n.Expression, options: object, name: str) -> plan.Expression:
        """The value of a policy, of the kind that the choice wants."""
        match options:
            case plan.RangeOption():
                return self.number(node)
            case plan.LabelOption(options=labels):
                domain = plan.OneOfDomain(labels)
                return self.fitting(node, domain, name)
            case plan.DiceOption():
                return self.dice(node)
            case _:
                return self.condition(node)

    @contextmanager
    def _inside(self, prefix: str, rule: plan.Rule, choice: str | None) -> Iterator[None]:
        """Within, names of the rolled rule (those above one of its choices) come before names of this rule."""
        before = self.names, self.rolled, self.domains, self.ended, self.facts.names
        self.names, self.rolled, self.domains = dict(self.names), dict(self.rolled), dict(self.domains)
        self.ended, self.facts.names = dict(self.ended), dict(self.facts.names)
        try:
            for part in (*rule.inputs, *_above(rule.steps, choice)):
                self._learn_inside(prefix, part)
            yield
        finally:
            self.names, self.rolled, self.domains, self.ended, self.facts.names = before

    def _learn_inside(self, prefix: str, part: plan.Input | plan.AnyStep) -> None:
        """Learns names of the rolled rule by their own spelling, read by their names here."""
        before = dict(self.names)
        if isinstance(part, plan.Input):
            self.learn_input(part)
        else:
            self.learn(part)
        for name, symbol in list(self.names.items()):
            if before.get(name) is not symbol:
                flat = f"{prefix}.{name}"
                self.names[name] = Symbol(
                    flat, symbol.what, symbol.span, prefixed(symbol.read, prefix), symbol.fact, symbol.maybe
                )
                self.facts.names[flat] = symbol.fact

    def finish_aims(self) -> None:
        """Reads the policies `best for EXPRESSION` where all names of the rule are known."""
        for aim in self.aims:
            assert aim.policy.value is not None
            try:
                if aim.prefix is None:
                    value = self.aim(aim.policy.value)
                else:
                    with self._inside(aim.prefix, self.rolled[aim.prefix].rule, None):
                        value = self.aim(aim.policy.value)
                self.best_for[aim.choice] = plan.Policy("best" if aim.policy.word == "best" else "worst", None, value)
            except (Stop, KeyError):
                continue

    def aim(self, node: n.Expression) -> plan.Expression:
        """What `best` is best for: a number, or the chance of a condition."""
        found = self.single_value(self.expression(node))
        if found.kind not in (Kind.NUMBER, Kind.YES_NO):
            raise self.refuse(say.no_aim(node.span, node.span.text, found.kind))
        return found


def _call_text(node: n.Formula) -> str:
    """The call without the value that it names."""
    source, end = node.span.source, node.span.end if node.value is None else node.value.span.start - 1
    return " ".join(Span(source, node.span.start, end).text.split())


def as_policy(node: n.Expression) -> n.Policy:
    """A policy that is written where a value may stand: `push = never`."""
    if isinstance(node, n.Name) and node.text in WORDS:
        return n.Policy(node.span, node.text)  # type: ignore[arg-type]
    return n.Policy(node.span, "value", node)


def defined_names(steps: Sequence[plan.AnyStep]) -> tuple[str, ...]:
    """The names that steps define for the lines after them; those of a repeated body end with it."""
    found: list[str] = []
    for step in steps:
        if isinstance(step, plan.Invoke):
            found += step.names
        elif not isinstance(step, plan.Limit | plan.Repeat | plan.Update | plan.PutBack | plan.PutAllBack):
            found.append(step.name)
    return tuple(found)


def with_policies(steps: tuple[plan.AnyStep, ...], policies: dict[str, plan.Policy]) -> tuple[plan.AnyStep, ...]:
    """The steps with other policies for these choices."""
    if not policies:
        return steps
    new: list[plan.AnyStep] = []
    for step in steps:
        if isinstance(step, plan.Choice) and step.name in policies:
            new.append(changed(step, policy=policies[step.name]))
        elif isinstance(step, plan.Invoke | plan.Repeat):
            new.append(changed(step, steps=with_policies(step.steps, policies)))
        else:
            new.append(step)
    return tuple(new)


def _above(steps: tuple[plan.AnyStep, ...], choice: str | None) -> tuple[plan.AnyStep, ...]:
    """The steps before a choice, those of rolled rules and repeated bodies around it included."""
    found: list[plan.AnyStep] = []
    for step in steps:
        if isinstance(step, plan.Choice) and step.name == choice:
            break
        if isinstance(step, plan.Invoke | plan.Repeat) and any(
            isinstance(each, plan.Choice) and each.name == choice for each in parts(step.steps)
        ):
            found += _above(step.steps, choice)
            break
        found.append(step)
    return tuple(found)


def _moved(part: T, old: str, new: str) -> T:
    """The part with `old.` before names turned into `new.`, and the name itself likewise."""
    start = old + "."
    return renamed(part, lambda name: new + name[len(old) :] if name == old or name.startswith(start) else name)


def _aim_again(aim: Aim, old: str, new: str) -> Aim:
    return Aim(new + aim.choice[len(old) :], aim.policy, new)
