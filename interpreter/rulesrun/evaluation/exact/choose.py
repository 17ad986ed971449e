"""Decisions: a policy's value, or by backward induction the best or worst option.

The player knows every value above the line and nothing below it. So everything that later lines still read is made
known, each option
is followed to the end, and the better one for the aim is taken; on ties the first (no, the lowest number, no dice).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import operations
from rulesrun.evaluation.choices import chosen_dice, chosen_number, chosen_option
from rulesrun.evaluation.exact.program import Choose, Program, is_waiting
from rulesrun.evaluation.exact.states import Run, State, told_apart
from rulesrun.evaluation.pools import Die
from rulesrun.semantics import plan


def chosen(run: Run, program: Program, place: int, line: Choose, state: State) -> list[State]:
    """The state with the choice made."""
    seen = run.seen(state)
    step = line.step
    options = offered(run, line, state)
    if line.condition is not None and not seen.truth(line.condition(seen), step.condition):  # type: ignore[arg-type]
        return [_with(state, line.name, options[0])]
    match line.policy.word:
        case "never":
            return [_with(state, line.name, options[0])]
        case "always":
            return [_with(state, line.name, options[-1])]
        case "value":
            assert line.value is not None
            return [_with(state, line.name, _checked(seen.known(line.value(seen)), line, options))]
    if run.follow_all:
        return [_with(state, line.name, option) for option in options]
    return [_with(state, line.name, best(run, program, place, line, state, options))]


def _with(state: State, name: str, value: Any) -> State:
    return State({**state.env, name: value}, state.weight, state.sources, state.facts)


def offered(run: Run, line: Choose, state: State) -> Sequence[Any]:
    """The options in their order."""
    seen = run.seen(state)
    options = line.step.options
    match options:
        case None:
            return (False, True)
        case plan.RangeOption():
            assert line.low is not None and line.high is not None
            low = operations.whole(seen.known(line.low(seen)), options.low, "the lowest number")
            high = operations.whole(seen.known(line.high(seen)), options.high, "the highest number")
            return range(low, high + 1) if high >= low else (low,)
        case plan.LabelOption():
            return options.options
        case plan.DiceOption():
            assert line.pool is not None
            pool = seen.known(line.pool(seen))
            return Subsets(tuple(sorted(pool, key=repr)))


class Subsets(Sequence[Any]):
    """Every multiset of some dice, from none of them to all of them."""

    def __init__(self, pool: tuple[Die, ...]) -> None:
        self.pool = pool

    def __len__(self) -> int:
        count = 1
        for die in set(self.pool):
            count *= 1 + self.pool.count(die)
        return count

    def __getitem__(self, place: Any) -> Any:
        if place == 0:
            return ()
        if place in (-1, len(self) - 1):
            return self.pool
        return list(self)[place]

    def __iter__(self) -> Iterator[Any]:
        kinds = sorted(set(self.pool), key=repr)
        ways = product(*(range(self.pool.count(die) + 1) for die in kinds))
        for numbers in sorted(ways, key=lambda numbers: (sum(numbers), tuple(-n for n in numbers))):
            yield tuple(die for die, number in zip(kinds, numbers, strict=True) for _ in range(number))


def _checked(value: Any, line: Choose, offered: Sequence[Any]) -> Any:
    options = line.step.options
    if isinstance(options, plan.DiceOption):
        assert isinstance(offered, Subsets)
        return tuple(sorted(chosen_dice(value, offered.pool, line.step), key=repr))
    if isinstance(options, plan.RangeOption):
        return chosen_number(value, offered[0], offered[-1], line.step)
    return chosen_option(value, tuple(offered), line.step)


def best(run: Run, program: Program, place: int, line: Choose, state: State, offered: Sequence[Any]) -> Any:
    """The option with the highest (or lowest) value of the aim."""
    seen = run.seen(state)
    live = [name for name in program.live[place + 1] if name != line.name]
    env = {name: seen.known(state.env[name]) for name in live if name in state.env}
    about = tuple((name, told_apart(value)) for name, value in env.items() if not is_waiting(name))
    key = (id(program), place, about, offered.pool if isinstance(offered, Subsets) else tuple(offered))
    if key in run.decisions:
        return run.decisions[key]
    run.algebra.methods.add("backward induction")
    assert run.finish is not None
    if len(offered) > run.algebra.budget:
        raise TooLarge(f"a choice among {len(offered):,} options")
    top: Any = None
    for option in offered:
        after = State({**env, line.name: option, **{name: () for name in env if is_waiting(name)}}, Fraction(1))
        value = run.value(program, place + 1, after, line)
        if line.policy.word == "worst":
            value = -value
        if top is None or value > top[1]:
            top = (option, value)
    run.decisions[key] = top[0]
    run.note(line, {name: value for name, value in env.items() if not is_waiting(name)}, top[0])
    return top[0]
