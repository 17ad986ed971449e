"""Drawing without putting back: what the bag holds is a value like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.draw import compiled_kind
from rulesrun.evaluation.exact.program import FillBag, ReturnToBag, TakeFromBag, still_out
from rulesrun.evaluation.exact.sources import Look
from rulesrun.evaluation.exact.states import Run, State
from rulesrun.evaluation.exact.suits import ALL_READ, Contents, Suits, classes, draws
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
    for thing, number in run.ruleset.bags[bag.rpartition(".")[2]].contents:
        if isinstance(thing, plan.Sides | plan.Faces | plan.RolledDie):
            look = compiled_kind(thing)(run.seen(state))
            run.algebra.kinds[look.kind, look.sides] = look
            die = Die((), look.sides, None, look.kind, ())
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


def taken(run: Run, line: TakeFromBag, state: State) -> list[State]:
    """The states behind a draw, one for each multiset that can be drawn."""
    seen = run.seen(state)
    step = line.step
    if line.condition is not None and not seen.truth(line.condition(seen), step.condition):  # type: ignore[arg-type]
        return [State({**state.env, step.name: (), still_out(step.name): ()}, state.weight, state.sources, state.facts)]
    number = operations.natural_number(seen.known(line.number(seen)), step.number, "the number to draw")
    there = contents(run, step.bag, state, line.suits)
    number = min(number, sum(count for _, count in there))
    most = in_force.get().all_dice
    if number > most:
        raise too_large(f"more than {most:,} dice in one roll", "all_dice", step.span)
    known = () if line.known is None else tuple(state.env[line.known][:number])
    first, there = _known(known, there, step)
    number -= len(first)
    dice = [die for die, _ in there]
    ways = comb(sum(count for _, count in there), number)
    found = []
    alike = classes(line.suits.alike, state.env, run.ruleset.bags.values(), there) if line.suits.alike else []
    if not alike:
        _expect(run, there, number)
    for drawn, weight in draws(there, number, alike) if alike else _draws(there, number):
        pool = first + tuple([die for die, taken_ in zip(dice, drawn, strict=True) if taken_ for _ in range(taken_)])
        left = tuple([(die, count - gone) for (die, count), gone in zip(there, drawn, strict=True) if count > gone])
        env = {**state.env, step.name: pool, still_out(step.name): pool, step.bag: left}
        if line.known is not None:
            env[line.known] = state.env[line.known][len(first) :]
        found.append(State(env, state.weight * Fraction(weight, ways), state.sources, state.facts))
        if len(found) > run.algebra.budget:
            raise TooLarge(f"more than {run.algebra.budget:,} ways to draw")
    run.algebra.count(len(found))
    return found


def _expect(run: Run, there: Contents, number: int) -> None:
    """Raises `TooLarge` before so many multisets are listed as would take too long."""
    size = _number_of_draws(there, number)
    if size > run.algebra.most_open:
        raise TooLarge(f"{size:,} ways to draw")


def _number_of_draws(there: Contents, number: int) -> int:
    """How many multisets of so many things there are."""
    ways = [1] + [0] * number
    for _, count in there:
        total, before = 0, ways
        ways = []
        for size, each in enumerate(before):
            total += each - (before[size - count - 1] if size > count else 0)
            ways.append(total)
    return ways[number]


def _known(faces: Sequence[plan.Face], there: Contents, step: plan.BagDraw) -> tuple[tuple[Die, ...], Contents]:
    """The things that are known to be drawn, and what the bag holds then."""
    left = list(there)
    drawn = []
    for face in faces:
        place = next(
            (i for i, (die, _) in enumerate(left) if (die.face if die.face != () else (die.kind,)) == face), None
        )
        if place is None:
            raise RulesError.of(
                f"there is no {face_text(face)} left to draw for {step.name}", code="impossible-face", span=step.span
            )
        die, count = left[place]
        drawn.append(die)
        left[place : place + 1] = [(die, count - 1)] if count > 1 else []
    return tuple(drawn), tuple(left)


def _draws(there: Contents, number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """How many of each are drawn, and in how many ways."""
    if not there:
        if number == 0:
            yield (), 1
        return
    (_, count), *rest = there
    others = sum(more for _, more in rest)
    for here in range(max(0, number - others), min(count, number) + 1):
        for drawn, ways in _draws(tuple(rest), number - here):
            yield (here, *drawn), ways * comb(count, here)


def returned(run: Run, line: ReturnToBag, state: State) -> State:
    """The state with what was drawn back in its bag, as far as it is not there already."""
    seen = run.seen(state)
    step = line.step
    if line.condition is not None and not seen.truth(line.condition(seen), step.condition):  # type: ignore[arg-type]
        return state
    counts: dict[Die, int] = dict(contents(run, step.bag, state))
    out = still_out(step.drawn)
    for die in state.env[out]:
        counts[die] = counts.get(die, 0) + 1
    back: Any = tuple(sorted(counts.items(), key=repr))
    return State({**state.env, out: (), step.bag: back}, state.weight, state.sources, state.facts)


def refilled(run: Run, line: FillBag, state: State) -> State:
    """The state with everything back in a bag but what some draws still hold."""
    seen = run.seen(state)
    step = line.step
    if line.condition is not None and not seen.truth(line.condition(seen), step.condition):  # type: ignore[arg-type]
        return state
    full = contents(run, step.bag, State({}, state.weight), line.suits)
    counts: dict[Die, int] = dict(full)
    for name in step.kept:
        for die in state.env[still_out(name)]:
            face = line.suits.face(die.face)
            counts[next(each for each in counts if each.face == face and (face or each.kind == die.kind))] -= 1
    left: Any = tuple(sorted(((die, number) for die, number in counts.items() if number), key=repr))
    out = {still_out(name): () for name in step.drawn if still_out(name) in state.env}
    return State({**state.env, **out, step.bag: left}, state.weight, state.sources, state.facts)
