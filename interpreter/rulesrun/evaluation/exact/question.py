"""What can be asked of a rule, exactly: the joint chances of several values, or the law of one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice import Law
from rulesrun.dice.series import Irrational, TooLarge
from rulesrun.evaluation.exact.abreast import NotAbreast, Shares, only_compared
from rulesrun.evaluation.exact.abreast_run import RunAbreast, may_go_abreast
from rulesrun.evaluation.exact.beyond import Beyond, Lost, arithmetic, total_of
from rulesrun.evaluation.exact.chances import Algebra
from rulesrun.evaluation.exact.evaluate import Evaluated, compiled
from rulesrun.evaluation.exact.expressions.comparisons import compared, decided
from rulesrun.evaluation.exact.extremes import law_of_extreme
from rulesrun.evaluation.exact.forms import FAR_APART, is_endless
from rulesrun.evaluation.exact.growth import Growth
from rulesrun.evaluation.exact.lines import Choose, Loop, Program, waiting_of
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL
from rulesrun.evaluation.exact.program import Asked, compiled_program, summed_only
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread, Uncapped
from rulesrun.evaluation.exact.states import WHOLE, Run, State, Stop, told_apart
from rulesrun.evaluation.exact.suits import ALL_READ, suits_of
from rulesrun.evaluation.exact.symbols import Extreme, Linear, Number, add, plain, slots_of, times
from rulesrun.limits import within
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import names_in, parts

MAX_CAP = 20_000
ROW_BESIDE = 8
"""So much dearer is a number of an endless row for each other row of which the number is known: there are so many."""
DEEPEST = Fraction(1, 10**40)
MOST_BEFORE_DEEPER = 50_000
"""Where a bound leaves something open, numbers without end are followed further, unless so many states were visited."""


_SINGLE = (plan.Kind.LABEL, plan.Kind.YES_NO)
"""What has few values, and each of them one chance."""


class _Deeper(Exception):
    """Something stays open that may be decided further up."""


@dataclass(frozen=True, slots=True)
class Before:
    """What the last cell of a table went through, and with which inputs."""

    program: Program
    inputs: Mapping[str, Any]
    cap: int
    stops: dict[int, Stop]


@dataclass(frozen=True, slots=True)
class Far:
    """What a number beyond a bound is all along an endless row, and the law of the row."""

    growth: Growth
    law: Law

    def moment(self, power: int) -> Fraction:
        """Its share of the mean of the number to a power. Raises `Diverges`."""
        return self.growth.moment(self.law, power)


@dataclass(slots=True)
class Answer:
    """`weights`: the joint values of what was asked. `law`: for a single number that stays unknown, its law on a
    lattice: the value is v / `lattice` with the weight law[v]. `above`: weights of a single number that is only known
    to lie beyond a bound. `lost`: the weight of endless runs that are in none of these.
    """

    weights: dict[tuple[Any, ...], Fraction]
    law: Law | None
    lattice: Number
    lost: Fraction
    above: list[tuple[Beyond, Fraction]]
    notes: Mapping[str, list[tuple[dict[str, Any], Any]]]
    methods: frozenset[str]
    states: int
    far: Sequence[Far] | None = None
    """What is known of each of `above` all along its row; None where something is not."""

    def chance(self, *values: Any) -> Fraction:
        """The chance of these values together."""
        return self.weights.get(tuple(map(told_apart, values)), Fraction(0))


@dataclass(slots=True)
class ExactQuestion:
    """A question to a rule, compiled: expressions over its names at its end."""

    rule: plan.Rule
    ruleset: plan.RulesetPlan
    wanted: Sequence[plan.Expression]
    policies: Mapping[str, plan.Policy] = field(default_factory=dict)
    aim: plan.Expression | None = None
    given: plan.Expression | None = None
    known: Mapping[str, Sequence[plan.Face]] = field(default_factory=dict)
    """Faces that are known of draws, in the order drawn."""
    probing: bool = False
    """Whether errors count that a roll meets in values which nothing reads."""
    program: Program = field(init=False)
    evaluated: Sequence[Evaluated] = field(init=False)
    holds: Evaluated | None = field(init=False)
    natural: bool = field(init=False)
    follows_growth: bool = field(init=False)
    """Whether a mean may be asked for, and nothing but dice that are thrown once lies behind it."""
    abreast: frozenset[str] = field(init=False)
    """The inputs of which several values can be answered at once."""

    def __post_init__(self) -> None:
        aims = _aims(self.rule.steps, self.policies, self.aim)
        reads = names_in(tuple(self.wanted)) | names_in(self.given) | names_in(tuple(aims))
        pools = summed_only((*self.rule.steps, *self.wanted, self.given, *aims))
        suits = ALL_READ if self.known else suits_of((*self.rule.steps, *self.wanted, self.given, *aims), self)
        self.program = compiled_program(
            self.rule.steps, reads, Asked(self.policies, self.aim, pools, frozenset(self.known), self.probing, suits)
        )
        self.evaluated = [compiled(each) for each in self.wanted]
        asking = (*self.rule.steps, *self.wanted, self.given, *aims)
        self.natural = any(isinstance(each, plan.Natural) for each in parts(asking))
        self.holds = None if self.given is None else compiled(self.given)
        self.follows_growth = len(self.wanted) == 1 and self.wanted[0].kind is plan.Kind.NUMBER
        self.follows_growth &= not self.program.decides and not any(isinstance(x, Loop) for x in self.program.lines)
        self.abreast = frozenset()
        if not self.program.decides and all(each.kind in _SINGLE for each in self.wanted):
            names = only_compared(asking, (each.name for each in self.rule.inputs))
            self.abreast = frozenset(name for name in names if may_go_abreast(self.program, name))

    def answer(self, inputs: Mapping[str, Any], budget: int, algebra: Algebra | None = None) -> Answer:
        """The answer for complete inputs. Raises `RulesError`, for work over the budget too."""
        shared = algebra is not None and not self.program.decides
        algebra = algebra or Algebra(budget)
        algebra.natural, algebra.tail = self.natural, ENDLESS_TAIL
        algebra.follows_growth = self.follows_growth
        start = self._start(inputs)
        try:
            while True:
                run = Run(algebra, self.ruleset, worth)
                try:
                    with within(self.ruleset.limits):
                        return self._collected(run, self._passed(run, start, shared))
                except Uncapped as low:
                    if low.wanted > MAX_CAP:
                        raise TooLarge(f"exploding dice up to {low.wanted:,}") from None
                    algebra.cap = 2 * low.wanted
                except _Deeper:
                    algebra.tail, algebra.before = algebra.tail**2, None
        except Irrational:
            raise RulesError.of(
                f"{self.rule.name} has no exact chance here: of its endless dice some count up and others down, which"
                " leads to irrational numbers",
                code="endless",
                span=self.rule.span,
                hint="a limit such as `at most 20 times` makes it finite; `odds --sample 100000` estimates it",
            ) from None
        except TooLarge as large:
            raise RulesError.of(
                f"{self.rule.name} is too large for exact odds: {large}",
                code="budget",
                span=self.rule.span,
                hint=f"ask for smaller numbers, allow more (`--budget {budget * 10}`),"
                " or estimate: `odds --sample 100000`",
            ) from None

    def _passed(self, run: Run, inputs: Mapping[str, Any], shared: bool) -> list[State]:
        """The states at the end; those of a table's cells start where they differ from the cell before."""
        program, algebra = self.program, run.algebra
        if not shared:
            return run.through(program, [State(dict(inputs), WHOLE)])
        end = len(program.lines)
        waiting, start, stops = self._on_the_way(run, inputs, end)
        found = run.onward(program, waiting, start, stops)
        algebra.before = Before(program, inputs, algebra.cap, stops)
        return found

    def _on_the_way(
        self, run: Run, inputs: Mapping[str, Any], latest: int
    ) -> tuple[dict[int, list[State]], int, dict[int, Stop]]:
        """Where the cell before went along, up to the place `latest`: what waits, from which line on, and the stops
        until there.
        """
        program, algebra = self.program, run.algebra
        before, algebra.before = algebra.before, None
        if before is None or before.program is not program or before.cap != algebra.cap:
            return {0: [State(dict(inputs), WHOLE)]}, 0, {}
        for name, value in inputs.items():
            if value != before.inputs[name] or type(value) is not type(before.inputs[name]):
                latest = min(latest, program.first.get(name, latest))
        start = max((place for place in before.stops if place <= latest), default=0)
        stops = {place: stop for place, stop in before.stops.items() if place <= start}
        if not start:
            return {0: [State(dict(inputs), WHOLE)]}, 0, stops
        run.lost = stops[start].lost
        return stops[start].again(inputs), start, stops

    def _start(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """What names stand for before the first line."""
        return {**inputs, **{waiting_of(name): tuple(faces) for name, faces in self.known.items()}}

    def answers(
        self, cells: Sequence[Mapping[str, Any]], name: str, budget: int, algebra: Algebra
    ) -> list[Answer] | None:
        """The answers for cells that differ in nothing but a whole number, one of those that may go `abreast`; None
        where they have to be answered one by one, as for errors.
        """
        algebra.natural, algebra.tail, algebra.follows_growth = self.natural, ENDLESS_TAIL, False
        start, program = self._start(cells[0]), self.program
        run = RunAbreast(algebra, self.ruleset, cells=len(cells))
        latest = program.first.get(name, len(program.lines))
        try:
            with within(self.ruleset.limits):
                waiting, place, stops = self._on_the_way(run, start, latest)
                run.up_to(program, waiting, place, latest, stops)
                before = Before(program, start, algebra.cap, stops)
                run.begin(waiting, name, [each[name] for each in cells])
                found = run.collected(run.onward(program, waiting, latest), self.evaluated, self.holds, self.given)
        except (NotAbreast, RulesError, TooLarge, Uncapped, Lost):
            return None
        if isinstance(run.lost, Shares) or run.lost:
            return None
        algebra.before = before
        methods, states = frozenset(algebra.methods), algebra.states
        return [Answer(weights, None, 1, run.lost, [], {}, methods, states) for weights in found]

    def _collected(self, run: Run, states: Sequence[State]) -> Answer:
        weights: dict[tuple[Any, ...], Fraction] = {}
        above: list[tuple[Beyond, Fraction]] = []
        far: list[Far | None] = []
        pieces: list[tuple[Law, Linear, Fraction]] = []
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            seen = run.seen(state)
            try:
                if self.holds is not None and not seen.truth(self.holds(seen), self.given):  # type: ignore[arg-type]
                    continue
                values = [each(seen) for each in self.evaluated]
                if len(values) == 1:
                    values[0] = _chosen_extreme(values[0], seen)
                    extreme = law_of_extreme(values[0], seen, run, state)
                    if extreme is not None:
                        pieces += [extreme] if extreme[2] else []
                        continue
                if (
                    len(values) == 1
                    and isinstance(values[0], Linear)
                    and not values[0].layered
                    and seen.capped(values[0]) is None
                    and values[0].canonical()[0] not in run.algebra.listed_below
                ):
                    form, factor = values[0].canonical()
                    seen.look_at_scattered(form)
                    names = _bound_names(state, form)
                    law = run.law(state, form)
                    if form in run.algebra.listed_below:
                        raise Spread(form)
                    rest = {name: source for name, source in state.sources.items() if name not in names}
                    weight = state.weight * run.algebra.chance(rest, state.facts.without(names))
                    if weight and not law.is_zero:
                        pieces.append((law, Linear(values[0].constant, ((("", 0), (factor,)),), ()), weight))
                    continue
                if len(values) == 1 and isinstance(end := seen.bounded(values[0]), Beyond):
                    above.append((end, run.chance(state)))
                    far.append(_grown(run, state, end))
                    continue
                known = tuple(value if type(value) is str else told_apart(seen.known(value)) for value in values)
            except (Split, Spread, Reveal) as open_:
                ways = run.opened(state, open_)
                waiting += ways
                run.algebra.open(len(ways) * _rows_beside(state, open_))
                continue
            except Lost:
                run.lost += run.chance(state)
                continue
            except RulesError:
                if run.chance(state):
                    raise
                continue
            weight = run.chance(state)
            if weight:
                weights[known] = weights[known] + weight if known in weights else weight
        if run.lost and not run.cut and run.algebra.tail > DEEPEST and run.algebra.states < MOST_BEFORE_DEEPER:
            raise _Deeper
        law_, lattice = _one_law(pieces, weights)
        return Answer(
            weights,
            law_,
            lattice,
            run.lost,
            above,
            run.notes,
            frozenset(run.algebra.methods),
            run.algebra.states,
            tuple(each for each in far if each is not None) if None not in far else None,
        )


def _grown(run: Run, state: State, end: Beyond) -> Far | None:
    """What a number beyond a bound is all along its row, with the law of the row in this state; None if not known."""
    if end.growth is None:
        return None
    form = end.growth.form
    names = _bound_names(state, form)
    if not names <= state.sources.keys():
        return None
    rest = {name: source for name, source in state.sources.items() if name not in names}
    weight = state.weight * run.algebra.chance(rest, state.facts.without(names))
    return Far(end.growth, run.law(state, form).scaled(weight))


def _rows_beside(state: State, open_: Split | Spread | Reveal) -> int:
    """What each number of an endless row counts for where the numbers of other rows are known already."""

    def without_end(form: Linear) -> bool:
        return is_endless({slot[0]: state.sources[slot[0]] for slot in slots_of(form)})

    if not isinstance(open_, Spread) or not without_end(open_.form):
        return 1
    return int(ROW_BESIDE ** sum(map(without_end, state.facts.inside)))


def _chosen_extreme(value: Any, seen: Seen) -> Any:
    """The highest or lowest of two unknown numbers one of which has no end, as that one of them."""
    if not isinstance(value, Linear) or value.terms or len(value.leftovers) != 1:
        return value
    ((extreme, factor),) = value.leftovers
    if not isinstance(extreme, Extreme) or len(extreme.items) != 2:
        return value
    first, second = extreme.items
    for item in extreme.items:
        if isinstance(item, Linear) and (item.layered or seen.capped(item) is not None):
            return value
    forms = [item.canonical()[0] for item in extreme.items if isinstance(item, Linear)]
    if all(None not in seen.algebra.form_bounds(seen.sources, form) for form in forms):
        return value
    ahead = decided(compared(add(first, second, -1), ">=", seen), seen)
    return add(value.constant, times(first if ahead == extreme.highest else second, factor))


def _bound_names(state: State, form: Linear) -> frozenset[str]:
    names = {slot[0] for slot in slots_of(form)}
    for group in state.facts.groups(state.sources):
        if not names.isdisjoint(group):
            names |= group
    return frozenset(names)


def _one_law(
    pieces: Sequence[tuple[Law, Linear, Fraction]], weights: dict[tuple[Any, ...], Fraction]
) -> tuple[Law | None, Number]:
    """All pieces and the numbers that are known as one law; the known numbers leave `weights`."""
    if not pieces:
        return None, 1
    numbers = [key[0] for key in weights if isinstance(key[0], int | Fraction)]
    steps = [number for _, form, _ in pieces for number in (form.constant, form.terms[0][1][0])] + numbers
    bottom = lcm(*(Fraction(number).denominator for number in steps))
    step = gcd(*(int(number * bottom) for number in steps))
    lattice = plain(Fraction(bottom, step if step > FAR_APART else 1))
    if all(law.is_finite for law, _, _ in pieces) and _reach(pieces, numbers) * lattice > FAR_APART * _places(pieces):
        for law, form, weight in pieces:
            for place, share in law.items():
                number = plain(Fraction(form.constant + form.terms[0][1][0] * place))
                weights[number,] = weights.get((number,), Fraction(0)) + share * weight
        return None, 1
    total = Law.of({int(number * lattice): weights.pop((number,)) for number in numbers})
    for law, form, weight in pieces:
        factor, constant = int(form.terms[0][1][0] * lattice), int(form.constant * lattice)
        total = total + law.affine(factor, constant).scaled(weight)
    return total, lattice


def _places(pieces: Sequence[tuple[Law, Linear, Fraction]]) -> int:
    """How many places all the laws have."""
    return sum(high - low + 1 for low, high in (law.window() for law, _, _ in pieces))


def _reach(pieces: Sequence[tuple[Law, Linear, Fraction]], numbers: Sequence[Number]) -> Number:
    """From the lowest to the highest number of all."""
    ends = [form.constant + form.terms[0][1][0] * end for law, form, _ in pieces for end in law.window()]
    return max(*ends, *numbers) - min(*ends, *numbers)


def good_outcome(rule: plan.Rule) -> plan.Expression | None:
    """The condition that the outcome is a good one; None for a rule without outcomes."""
    if not rule.outcomes:
        return None
    labels = frozenset(each.label for each in rule.outcomes if each.good)
    outcome = plan.Var(rule.span, plan.Kind.LABEL, False, "outcome")
    return plan.IsLabel(rule.span, plan.Kind.YES_NO, False, outcome, labels)


def worth(run: Run, state: State, line: Choose) -> Any:
    """What a state at a rule's end is worth for a choice's aim: its chance if the aim holds, or its share of the mean
    of a number, which may be beyond a bound.
    """
    assert line.aim is not None
    total: Any = Fraction(0)
    waiting = [state]
    aim = _compiled_aim(line.aim)
    while waiting:
        now = waiting.pop()
        seen = run.seen(now)
        try:
            wanted = aim(seen)
            if _without_end(wanted, seen):
                total = total_of(total, _mean_share(run, now, wanted))
                continue
            value = seen.bounded(wanted)
        except (Split, Spread, Reveal) as open_:
            waiting += run.opened(now, open_)
            continue
        if isinstance(value, Beyond):
            total = total_of(total, arithmetic(value, run.chance(now), "*"))
        else:
            total = total_of(total, run.chance(now) * Fraction(value or 0))
    return total


def _without_end(value: Any, seen: Seen) -> bool:
    """Whether a value is an unknown number without end whose law is known."""
    if not isinstance(value, Linear) or value.layered or seen.capped(value) is not None:
        return False
    return None in seen.algebra.form_bounds(seen.sources, value.canonical()[0])


def _mean_share(run: Run, state: State, value: Linear) -> Fraction:
    """The share of the mean of an unknown number, weighed by the chance of the state."""
    form, factor = value.canonical()
    names = _bound_names(state, form)
    law = run.law(state, form)
    if law.is_zero:
        return Fraction(0)
    rest = {name: source for name, source in state.sources.items() if name not in names}
    weight = state.weight * run.algebra.chance(rest, state.facts.without(names))
    return Fraction(weight * law.mass * (value.constant + factor * law.mean))


_AIMS: dict[int, tuple[plan.Expression, Evaluated]] = {}


def _compiled_aim(aim: plan.Expression) -> Evaluated:
    known = _AIMS.get(id(aim))
    if known is None or known[0] is not aim:
        if len(_AIMS) > 1000:
            _AIMS.clear()
        known = _AIMS[id(aim)] = (aim, compiled(aim))
    return known[1]


def _aims(
    steps: Sequence[plan.AnyStep], policies: Mapping[str, plan.Policy], aim: plan.Expression | None
) -> list[plan.Expression]:
    """The aims of the choices that are decided by one."""
    found: list[plan.Expression] = []
    for step in steps:
        match step:
            case plan.Choice():
                policy = policies.get(step.name, step.policy)
                if policy.word in ("best", "worst"):
                    wanted = policy.aim or aim
                    if wanted is None:
                        raise RulesError.of(
                            f"{step.name} is to be made for the {policy.word}, and nothing says what that is",
                            code="no-aim",
                            span=step.span,
                            hint="give outcomes marked `+`, or write `best for EXPRESSION`",
                        )
                    found.append(wanted)
            case plan.Invoke() | plan.Repeat():
                found += _aims(step.steps, policies, aim)
            case _:
                pass
    return found
