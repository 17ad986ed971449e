"""Drawing without putting back: what the bag holds is a value like any other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.blended import Blend
from rulesrun.evaluation.exact.draw import compiled_kind
from rulesrun.evaluation.exact.drawn import Drawn, multisets, number_of_draws
from rulesrun.evaluation.exact.lines import FillBag, ReturnToBag, TakeFromBag, still_out
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.sources import Look, OneDie, Part, Source, Thrown
from rulesrun.evaluation.exact.state import WHOLE, State
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.exact.suits import ALL_READ, Contents, Suits, classes, draws
from rulesrun.evaluation.exact.symbols import UnknownPool
from rulesrun.evaluation.limits import too_large
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.values import face_text
from rulesrun.limits import in_force
from rulesrun.semantics import plan


def contents(run: Run, bag: str, state: State, suits: Suits = ALL_READ) -> Contents:
    """What a bag holds: dice, cards or tokens, each with its number; cards without symbols that nothing reads."""
    there = state.env.get(bag)
    if there is not None:
        return there  # type: ignore[no-any-return]
    found: dict[Die, int] = {}
    for thing, number in run.ruleset.bag(bag).contents:
        if isinstance(thing, plan.Faces | plan.RolledDie):
            look = compiled_kind(thing)(run.seen(state))
            run.algebra.kinds[look.kind, look.sides] = look
            name: plan.Face = (thing.name,)
            die = Die(name, look.sides, None, look.kind, name)
        else:
            face: plan.Face = (thing,) if isinstance(thing, str) else suits.face(thing)
            look = Look((face,), (1,), 1, None, face_text(face))
            run.algebra.kinds[look.kind, look.sides] = look
            die = Die(face, 1, None, look.kind, face)
        found[die] = found.get(die, 0) + number
    return tuple(found.items())


def lay_out_bags(run: Run, names: Iterable[str]) -> None:
    """Makes known how the things look that lie in those bags of a rule that are among these names."""
    for bag in names:
        if bag.rpartition(".")[2] in run.ruleset.bags:
            contents(run, bag, State({}, Fraction(1)))


def _holds_dice(run: Run, bag: str) -> bool:
    """Whether what is drawn may be thrown."""
    things = run.ruleset.bag(bag).contents
    return any(isinstance(thing, plan.Faces | plan.RolledDie) for thing, _ in things)


def _is_done(line: TakeFromBag | ReturnToBag | FillBag, seen: Seen) -> bool:
    """Whether the condition of a line holds, if it has one."""
    return line.condition is None or seen.truth(line.condition(seen), line.step.condition)  # type: ignore[arg-type]


def number_drawn(line: TakeFromBag, seen: Seen) -> int | None:
    """How many things a draw asks for; None where there is none."""
    if not _is_done(line, seen):
        return None
    return operations.natural_number(seen.known(line.number(seen)), line.step.number, "the number to draw")


def taken(run: Run, line: TakeFromBag, state: State, unseen: bool = False) -> list[State]:
    """The states behind a draw, one for each multiset that can be drawn; `unseen`: whether it may be just one, with
    things that nobody has looked at.
    """
    seen = run.seen(state)
    step = line.step
    number = number_drawn(line, seen)
    if number is None:
        return [State({**state.env, step.name: (), still_out(step.name): ()}, state.weight, state.sources, state.facts)]
    there = state.env.get(step.bag)
    if isinstance(there, Blend):
        return _out_of_blend(run, step, state, there, number)
    there = contents(run, step.bag, state, line.suits)
    number = min(number, sum(count for _, count in there))
    most = in_force.get().all_dice
    if number > most:
        raise too_large(f"more than {most:,} dice in one roll", "all_dice", step.span)
    known = () if line.known is None else tuple(state.env[line.known][:number])
    first, there = _known(known, there, step)
    number -= len(first)
    dice = [die for die, _ in there]
    if unseen and not first and number and not _holds_dice(run, step.bag):
        drawn_unseen = _unseen(run, line, there, number, state)
        if drawn_unseen is not None:
            return [drawn_unseen]
    ways = comb(sum(count for _, count in there), number)
    found = []
    alike = classes(line.suits.alike, state.env, run.ruleset.bags.values(), there) if line.suits.alike else []
    if not alike:
        _expect(run, there, number)
    counts = [count for _, count in there]
    for drawn, weight in draws(there, number, alike) if alike else multisets(counts, number):
        pool = first + tuple([dice[place] for place, many in drawn for _ in range(many)])
        left = _less(there, drawn)
        env = {**state.env, step.name: pool, still_out(step.name): pool, step.bag: left}
        if line.known is not None:
            env[line.known] = state.env[line.known][len(first) :]
        found.append(State(env, state.weight * Fraction(weight, ways), state.sources, state.facts))
        if len(found) > run.algebra.budget:
            raise TooLarge(f"more than {run.algebra.budget:,} ways to draw")
    run.algebra.count(len(found))
    return found


def _out_of_blend(run: Run, step: plan.BagDraw, state: State, there: Blend, number: int) -> list[State]:
    """The states behind a draw out of a bag of which the next things are known only by their chances."""
    found = []
    for pool, share, left in there.drawn(number):
        env = {**state.env, step.name: pool, still_out(step.name): pool, step.bag: left}
        found.append(State(env, state.weight * share, state.sources, state.facts))
    run.algebra.count(len(found))
    return found


FEW_DRAWS, FEW_NUMBERS = 10_000, 300
"""So few multisets are listed at once, of any things and of numbers, whose sets and sums need no list."""
MANY_DRAWS = 200_000
"""So many are listed for all situations before a line."""
FEW_KINDS = 5


def _unseen(run: Run, line: TakeFromBag, there: Contents, number: int, state: State) -> State | None:
    """The state with things drawn that nobody has looked at; None where there are so few ways that it does not pay."""
    size = number_of_draws([count for _, count in there], number)
    few = FEW_KINDS if number == 1 else FEW_NUMBERS if all(type(die.face) is int for die, _ in there) else FEW_DRAWS
    if size <= few and size * run.alongside <= MANY_DRAWS:
        return None
    name = line.step.name
    counts = tuple([count for _, count in there])
    look = Look(tuple([die.face for die, _ in there]), counts, 1, None, f"something from {line.step.bag}")
    faces = tuple([(0, place, count) for place, count in enumerate(counts)])
    source: Source
    if number == 1:
        source = Thrown(name, (look,), (Part(1, OneDie(sum(counts), faces)),))
    else:
        source = Drawn(name, (look,), faces, number, line.suits.alike)
    pool: Any = UnknownPool((((name, 0), look.faces),))
    return State({**state.env, name: pool}, state.weight, {**state.sources, name: source}, state.facts)


def _less(there: Contents, drawn: Sequence[tuple[int, int]]) -> Contents:
    """What is left, where so many of the things were drawn, by number."""
    left: list[Any] = list(there)
    for place, many in drawn:
        die, count = there[place]
        left[place] = (die, count - many) if count > many else None
    return tuple(filter(None, left))


def _expect(run: Run, there: Contents, number: int) -> None:
    """Raises `TooLarge` before so many multisets are listed as would take too long."""
    size = number_of_draws([count for _, count in there], number)
    if size > run.algebra.most_open:
        raise TooLarge(f"{size:,} ways to draw")


def _known(faces: Sequence[plan.Face], there: Contents, step: plan.BagDraw) -> tuple[tuple[Die, ...], Contents]:
    """The things that are known to be drawn, and what the bag holds then."""
    left = list(there)
    drawn = []
    for face in faces:
        place = next((i for i, (die, _) in enumerate(left) if die.face == face), None)
        if place is None:
            raise RulesError.of(
                f"there is no {face_text(face)} left to draw for {step.name}", code="impossible-face", span=step.span
            )
        die, count = left[place]
        drawn.append(die)
        left[place : place + 1] = [(die, count - 1)] if count > 1 else []
    return tuple(drawn), tuple(left)


def returned(run: Run, line: ReturnToBag, state: State) -> State:
    """The state with what was drawn back in its bag, as far as it is not there already."""
    seen = run.seen(state)
    step = line.step
    if not _is_done(line, seen):
        return state
    counts: dict[Die, int] = dict(contents(run, step.bag, state, line.suits))
    out = still_out(step.drawn)
    for die in state.env[out]:
        counts[die] = counts.get(die, 0) + 1
    back = _in_order(run, step.bag, counts, line.suits)
    return State({**state.env, out: (), step.bag: back}, state.weight, state.sources, state.facts)


def _in_order(run: Run, bag: str, counts: Mapping[Die, int], suits: Suits) -> Contents:
    """What a bag holds, in the order in which the bag is written, so that equal bags are equal."""
    places = {die: place for place, (die, _) in enumerate(contents(run, bag, State({}, WHOLE), suits))}
    there: Iterable[tuple[Die, int]] = counts.items()
    if not places.keys() >= counts.keys():
        there = sorted(there, key=repr)
    return tuple(sorted(there, key=lambda each: places.get(each[0], len(places))))


def refilled(run: Run, line: FillBag, state: State) -> State:
    """The state with everything back in a bag but what some draws still hold."""
    seen = run.seen(state)
    step = line.step
    if not _is_done(line, seen):
        return state
    full = contents(run, step.bag, State({}, state.weight), line.suits)
    counts: dict[Die, int] = dict(full)
    for name in step.kept:
        for die in state.env[still_out(name)]:
            face = line.suits.face(die.face)
            counts[next(each for each in counts if each.face == face and (face or each.kind == die.kind))] -= 1
    left = tuple((die, number) for die, number in counts.items() if number)
    out = {still_out(name): () for name in step.drawn if still_out(name) in state.env}
    return State({**state.env, **out, step.bag: left}, state.weight, state.sources, state.facts)
