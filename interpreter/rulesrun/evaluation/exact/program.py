"""A rule's steps as lines that states pass one after another, less what nothing that is asked for reads.

Names are flat; `live[i]` are those that line i or a later one (or the query) still reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulesrun.evaluation.exact.bags import number_drawn
from rulesrun.evaluation.exact.blended import blends_of
from rulesrun.evaluation.exact.choose import offered, settled
from rulesrun.evaluation.exact.counters import only_counted, updates
from rulesrun.evaluation.exact.draw import compiled_draw
from rulesrun.evaluation.exact.early import worked_out_early
from rulesrun.evaluation.exact.evaluate import compiled
from rulesrun.evaluation.exact.expressions.outright import outright
from rulesrun.evaluation.exact.fallible import choice_may_fail, may_fail, throw_may_fail
from rulesrun.evaluation.exact.lines import (
    Check,
    Choose,
    FillBag,
    Line,
    Loop,
    Probe,
    Program,
    ReturnToBag,
    Set,
    SkipUnless,
    TakeFromBag,
    Throw,
    decides,
    still_out,
    waiting_of,
)
from rulesrun.evaluation.exact.loop_period import rounds_of
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.suits import ALL_READ, Suits
from rulesrun.evaluation.exact.symbols import Linear
from rulesrun.evaluation.exact.within import inside_for_certain
from rulesrun.evaluation.inputs import in_domain
from rulesrun.evaluation.walk import bags_of
from rulesrun.semantics import plan
from rulesrun.semantics.domains import number_bounds
from rulesrun.semantics.renaming import names_in, parts


@dataclass(frozen=True, slots=True)
class Asked:
    """What a program is compiled for."""

    policies: Mapping[str, plan.Policy]
    aim: plan.Expression | None
    summed: frozenset[str]
    """The pools that are only asked for their sum (and what they showed first)."""
    known: frozenset[str] = frozenset()
    """The draws some of whose faces are known."""
    probing: bool = False
    """Whether errors count that a roll meets in values which nothing reads."""
    suits: Suits = ALL_READ
    """Which symbols on cards need not be told apart."""
    loops: dict[object, tuple[plan.Repeat, list[Line]]] = field(default_factory=dict, compare=False)
    """What repetitions were compiled to, by what is read of them: those inside others are met again and again."""

    def waiting(self, name: str) -> str | None:
        """Where the known faces of a draw wait."""
        return waiting_of(name) if name in self.known else None


def _and(name: str | None) -> frozenset[str]:
    return frozenset() if name is None else frozenset((name,))


def summed_only(asking: object) -> frozenset[str]:
    """The pools that nothing asks but for their sum and what they showed first."""
    summed: set[str] = set()
    otherwise: set[str] = set()

    def look(part: object, summing: bool) -> None:
        match part:
            case plan.Var(kind=plan.Kind.POOL, name=name):
                (summed if summing else otherwise).add(name)
            case plan.Question(asked="sum", pool=pool):
                look(pool, True)
            case plan.Natural(pool=pool):
                look(pool, True)
            case plan.Union(left=left, right=right) if summing:
                look(left, True)
                look(right, True)
            case tuple():
                for each in part:
                    look(each, False)
            case _:
                for name in getattr(type(part), "__match_args__", ()):
                    if name != "span":
                        look(getattr(part, name), False)

    look(asking, False)
    return frozenset(summed - otherwise)


def compiled_program(steps: Sequence[plan.AnyStep], wanted: Iterable[str], asked: Asked) -> Program:
    """The lines that decide the wanted names."""
    wanted = frozenset(wanted)
    lines, _, _ = _block(worked_out_early(steps, asked.policies), wanted, asked)
    live = [wanted]
    for line in reversed(lines):
        live.append(_before(line, live[-1], live))
    live.reverse()
    reads = [*(line.reads for line in lines), wanted]
    barriers = (*(_pays_to_merge(line) for line in lines), True)
    unseen = frozenset(
        place
        for place, line in enumerate(lines)
        if isinstance(line, TakeFromBag)
        and live[place + 1].isdisjoint((line.step.bag, still_out(line.step.name)))
        and not any(isinstance(later, Throw | Choose | Loop) for later in lines[place:])
    )
    falls = [place for place, line in enumerate(lines) if not isinstance(line, Set | Check | Probe | SkipUnless)]
    first = {name: place for place in range(len(lines), -1, -1) for name in reads[place] if name in live[0]}
    return Program(
        tuple(lines),
        tuple(tuple(sorted(names)) for names in live),
        barriers,
        any(map(decides, lines)),
        first,
        frozenset(first.values()),
        falls[-1] + 1 if falls else 0,
        unseen,
        blends_of(lines, live),
    )


def _pays_to_merge(line: Line) -> bool:
    """Whether many states may come out of the line for each that goes in."""
    return isinstance(line, Throw | Choose | Loop | TakeFromBag) or (isinstance(line, Set) and line.looks)


def _before(line: Line, after: frozenset[str], live: Sequence[frozenset[str]]) -> frozenset[str]:
    match line:
        case Set(name=name) | Throw(name=name) | Choose(name=name):
            return (after - {name}) | line.reads
        case SkipUnless(lines=count):
            return after | (live[-1 - count] - line.otherwise.keys()) | line.reads
        case TakeFromBag(step=step):
            return (after - {step.name, still_out(step.name)}) | line.reads
        case _:
            return after | line.reads


def _block(
    steps: Sequence[plan.AnyStep], wanted: frozenset[str], asked: Asked
) -> tuple[list[Line], frozenset[str], set[str]]:
    """Lines from the last step to the first: only those that write what is read behind them. Also the names read
    before, and written.
    """
    live = set(wanted)
    lines: list[Line] = []
    written: set[str] = set()
    for step in reversed(steps):
        new = _lines(step, frozenset(live), asked)
        for line in reversed(new):
            lines.insert(0, line)
        for line in reversed(new):
            match line:
                case Set(name=name) | Throw(name=name) | Choose(name=name):
                    live.discard(name)
                    written.add(name)
                case TakeFromBag(step=draw):
                    live -= {draw.name, still_out(draw.name)}
                    written.add(draw.name)
                case _:
                    pass
            live |= line.reads
    return lines, frozenset(live), written


def _lines(step: plan.AnyStep, live: frozenset[str], asked: Asked) -> list[Line]:
    match step:
        case plan.Limit():
            return [Check(compiled(step.condition), step, names_in(step.condition))]
        case plan.Draw(name=name):
            if name not in live:
                if not asked.probing or not (throw_may_fail(step) or may_fail(step.cases)) or name in asked.known:
                    return []
                return [Probe(compiled_draw(step, False), names_in(step.cases))]
            known = asked.waiting(name)
            draw = compiled_draw(step, name in asked.summed, known)
            return [Throw(name, draw, names_in(step.cases) | _and(known), known)]
        case plan.Define(name=name, value=value) | plan.OutcomeAs(name=name, value=value):
            return [_set(name, value)] if name in live else _probe(value, asked)
        case plan.Track(name=name, start=value):
            return [_set(name, value)] if name in live else _probe(value, asked)
        case plan.Flag(name=name, condition=value):
            return [_set(name, value)] if name in live else _probe(value, asked)
        case plan.Bind(name=name):
            return [_bind(step)] if name in live else _probe_argument(step, asked)
        case plan.Outcome(name=name):
            return [_set(name, _outcome(step))] if name in live else _probe(_outcome(step), asked)
        case plan.Update(name=name):
            return [_set(name, _update(step))] if name in live else _probe(_update(step, False), asked)
        case plan.Invoke():
            return _invoke(step, live, asked)
        case plan.Choice(name=name):
            return [_choose(step, asked)] if name in live else _probe_choice(step, asked)
        case plan.Repeat():
            return _loop(step, live, asked)
        case plan.BagDraw():
            return _take(step, live, asked)
        case plan.PutBack():
            if step.bag not in live:
                return _probe(step.condition, asked)
            condition = None if step.condition is None else compiled(step.condition)
            reads = names_in(step.condition) | {still_out(step.drawn), step.bag}
            return [ReturnToBag(step, condition, asked.suits, reads)]
        case plan.PutAllBack():
            if live.isdisjoint({step.bag, *map(still_out, step.drawn)}):
                return _probe(step.condition, asked)
            condition = None if step.condition is None else compiled(step.condition)
            reads = names_in(step.condition) | {step.bag, *map(still_out, step.kept)}
            return [FillBag(step, condition, asked.suits, frozenset(reads))]


def _probe(value: plan.Expression | None, asked: Asked) -> list[Line]:
    if value is None or not asked.probing or not may_fail(value):
        return []
    return [Probe(compiled(value), names_in(value))]


def _probe_argument(step: plan.Bind, asked: Asked) -> list[Line]:
    if not asked.probing or isinstance(step.value, plan.Const):
        return []
    argument = _bind(step)
    domain = argument.domain
    assert domain is not None
    return [Probe(lambda seen: domain(seen, argument.value(seen)), argument.reads)]


def _probe_choice(step: plan.Choice, asked: Asked) -> list[Line]:
    line = _choose(step, asked)
    if not asked.probing or not choice_may_fail(step, line.policy.value):
        return []
    return [Probe(lambda seen: settled(line, offered(line, seen), seen), line.reads)]


def _set(name: str, value: plan.Expression) -> Set:
    return Set(name, outright(value, compiled(value)), names_in(value))


def _bind(step: plan.Bind) -> Set:
    low, high = (None if bound is None else compiled(bound) for bound in number_bounds(step.domain))

    def domain(seen: Seen, value: Any) -> Any:
        least, most = (None if bound is None else seen.known(bound(seen)) for bound in (low, high))
        if isinstance(value, Linear) and inside_for_certain(value, step.domain, least, most, seen):
            return value
        if type(value) is tuple and isinstance(step.domain, plan.ListDomain):
            items = step.domain.items
            sure = [isinstance(each, Linear) and inside_for_certain(each, items, least, most, seen) for each in value]
            if any(sure):
                rest = tuple(each for each, inside in zip(value, sure, strict=True) if not inside)
                held: Any = iter(in_domain(seen.known(rest), step, least, most, seen.ruleset.levels))  # type: ignore[arg-type]
                return tuple(each if inside else next(held) for each, inside in zip(value, sure, strict=True))
        return in_domain(seen.known(value), step, least, most, seen.ruleset.levels)

    looks = isinstance(step.value, plan.FacesOf)
    return Set(step.name, compiled(step.value), names_in(step.value) | names_in(step.domain), domain, looks)


def _outcome(step: plan.Outcome) -> plan.Expression:
    cases = tuple(
        plan.IfCase(plan.Const(step.span, plan.Kind.LABEL, False, case.label), case.condition) for case in step.cases
    )
    return plan.Cases(step.span, plan.Kind.LABEL, False, cases)


def _update(step: plan.Update, read: bool = True) -> plan.Expression:
    """The value after an update; where it is not `read`, just what is worked out for it."""
    if step.condition is None:
        return step.value
    kind, optional = step.value.kind, step.value.optional
    stays = (
        plan.Var(step.span, kind, optional, step.name) if read else plan.Const(step.span, plan.Kind.NUMBER, False, 0)
    )
    cases = (plan.IfCase(step.value, step.condition), plan.IfCase(stays, None))
    return plan.Cases(step.span, kind, optional, cases)


def _invoke(step: plan.Invoke, live: frozenset[str], asked: Asked) -> list[Line]:
    lines, _, _ = _block(step.steps, live, asked)
    if step.condition is None:
        return lines
    if not lines:
        return _probe(step.condition, asked)
    otherwise = {name: _skipped(step, name) for name in step.names}
    return [SkipUnless(compiled(step.condition), step, len(lines), otherwise, names_in(step.condition)), *lines]


def _skipped(step: plan.Invoke, name: str) -> Any:
    """What a name of a rule that was not rolled stands for."""
    return _values_when_skipped(step.steps).get(name)


def _values_when_skipped(steps: Sequence[plan.AnyStep]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for each in steps:
        match each:
            case plan.Draw(name=name):
                values[name] = ()
            case plan.BagDraw(name=name):
                values[name] = ()
            case plan.Flag(name=name):
                values[name] = False
            case plan.Invoke():
                values |= _values_when_skipped(each.steps)
            case plan.Define(name=name, value=value) if value.kind is plan.Kind.POOL:
                values[name] = ()
            case _:
                pass
    return values


def _choose(step: plan.Choice, asked: Asked) -> Choose:
    policy = asked.policies.get(step.name, step.policy)
    low = high = pool = number = None
    parts: list[object] = [step.condition]
    match step.options:
        case plan.RangeOption():
            low, high = compiled(step.options.low), compiled(step.options.high)
            parts += [step.options.low, step.options.high]
        case plan.DiceOption():
            pool = compiled(step.options.pool)
            number = None if step.options.number is None else compiled(step.options.number)
            parts += [step.options.pool, step.options.number]
        case _:
            pass
    value = None if policy.value is None else compiled(policy.value)
    parts.append(policy.value)
    aim = (policy.aim or asked.aim) if policy.word in ("best", "worst") else None
    condition = None if step.condition is None else compiled(step.condition)
    reads = frozenset().union(*(names_in(part) for part in parts))
    return Choose(step.name, step, policy, condition, low, high, pool, number, value, aim, reads)


def _take(step: plan.BagDraw, live: frozenset[str], asked: Asked) -> list[Line]:
    condition = None if step.condition is None else compiled(step.condition)
    known = asked.waiting(step.name)
    asks = names_in(step.number) | names_in(step.condition)
    line = TakeFromBag(step, compiled(step.number), condition, asks | {step.bag} | _and(known), known, asked.suits)
    if not live.isdisjoint((step.name, still_out(step.name), step.bag)):
        return [line]
    fails = may_fail(step.condition) or not isinstance(step.number, plan.Const)
    return [Probe(lambda seen: number_drawn(line, seen), asks)] if asked.probing and fails else []


# ---------------------------------------------------------------- repetition


def _loop(step: plan.Repeat, live: frozenset[str], asked: Asked) -> list[Line]:
    key = id(step), live
    known = asked.loops.get(key)
    if known is None or known[0] is not step:
        known = asked.loops[key] = (step, _compiled_loop(step, live, asked))
    return known[1]


def _compiled_loop(step: plan.Repeat, live: frozenset[str], asked: Asked) -> list[Line]:
    bags = set(bags_of(step.steps))
    waiting = {waiting_of(each.name) for each in parts(step.steps) if isinstance(each, plan.Draw | plan.BagDraw)}
    held = {name for name in waiting if name.removeprefix("known ") in asked.known}
    held |= {still_out(each.drawn) for each in parts(step.steps) if isinstance(each, plan.PutBack)}
    filled = [each for each in parts(step.steps) if isinstance(each, plan.PutAllBack)]
    held |= {still_out(name) for each in filled for name in each.drawn}
    outside = {each.name for each in updates(step.steps) if each.name not in step.names} | bags | held
    until_reads = names_in(step.until)
    wanted = outside & (live | until_reads)
    while True:
        lines, reads, _ = _block(step.steps, frozenset(wanted), asked)
        more = (outside & reads) | wanted
        if more == wanted:
            break
        wanted = more
    if not wanted and not _may_fail(lines):
        return []
    body = compiled_program(step.steps, wanted, asked)
    kept = frozenset(wanted) & live
    last = body if kept == wanted or step.times is None else compiled_program(step.steps, kept, asked)
    counters = frozenset(name for name in wanted - bags - held if only_counted(name, step.steps))
    body_reads = frozenset(body.live[0]) - counters
    rounds = rounds_of(step) if step.turn in body_reads else ()
    numbers = names_in(step.times) | names_in(step.at_most)
    all_reads = (frozenset(body.live[0]) | until_reads | numbers | frozenset(wanted)) - {step.turn}
    return [
        Loop(
            step,
            None if step.until is None else compiled(step.until),
            None if step.times is None else compiled(step.times),
            None if step.at_most is None else compiled(step.at_most),
            body,
            last,
            tuple(sorted(wanted)),
            counters,
            until_reads,
            body_reads,
            frozenset(bags & wanted),
            rounds,
            all_reads,
            tuple(sorted(kept)),
            body_reads.isdisjoint((*wanted, step.turn)) and not _has_conditions(step),
        )
    ]


def _has_conditions(step: plan.Repeat) -> bool:
    """Whether something in a repetition is worked out only sometimes."""
    return any(
        isinstance(part, plan.Cases) or getattr(part, "condition", None) is not None for part in parts(step.steps)
    )


def _may_fail(lines: Sequence[Line]) -> bool:
    return any(isinstance(line, Check | Probe | Loop) for line in lines)
