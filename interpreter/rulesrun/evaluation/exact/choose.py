"""Decisions: a policy's value, or by backward induction the best or worst option.

The player knows every value above the line and nothing below it. So everything that later lines still read is made
known, each option
is followed to the end, and the better one for the aim is taken; on ties the first (no, the lowest number, no dice).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import operations
from rulesrun.evaluation.choices import bounds, chosen_dice, chosen_number, chosen_option, highest_dice, taken_dice
from rulesrun.evaluation.exact.beyond import Lost, better, negative
from rulesrun.evaluation.exact.lines import Choose, Program, is_waiting
from rulesrun.evaluation.exact.seen import Reveal, Seen, Split, Spread
from rulesrun.evaluation.exact.state import State, told_apart
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.pools import Die, arranged, from_lowest
from rulesrun.semantics import plan

OPTION = 20
"""So many steps it takes to follow an option to the next throw or decision."""


def chosen(run: Run, program: Program, place: int, line: Choose, state: State) -> list[State]:
    """The state with the choice made."""
    seen = run.seen(state)
    options = offered(line, seen)
    option = settled(line, options, seen)
    if option is None:
        option = best(run, program, place, line, state, options)
    return [State({**state.env, line.name: option}, state.weight, state.sources, state.facts)]


def settled(line: Choose, options: Sequence[Any], seen: Seen) -> Any:
    """The option where the policy says which, or nothing is offered; None where the best or worst has to be found."""
    if line.condition is not None and not seen.truth(line.condition(seen), line.step.condition):  # type: ignore[arg-type]
        return options[0]
    match line.policy.word:
        case "never":
            return options[0]
        case "always":
            return options[-1]
        case "value":
            assert line.value is not None
            return _checked(seen.known(line.value(seen)), line, options)
    return None


def offered(line: Choose, seen: Seen) -> Sequence[Any]:
    """The options in their order."""
    options = line.step.options
    match options:
        case None:
            return (False, True)
        case plan.RangeOption():
            assert line.low is not None and line.high is not None
            low, high = bounds(seen.known(line.low(seen)), seen.known(line.high(seen)), line.step)
            return range(low, high + 1)
        case plan.LabelOption():
            return options.options
        case plan.DiceOption():
            assert line.pool is not None
            pool = seen.known(line.pool(seen))
            number = None
            if line.number is not None and options.number is not None:
                wanted = seen.known(line.number(seen))
                number = operations.natural_number(wanted, options.number, "the number of dice to choose")
            return Subsets(arranged(pool), line.step, number)


class Subsets(Sequence[Any]):
    """Every multiset of some dice that may be taken, fewer dice first. The first is what is taken where nothing is
    offered: no dice; `best` chooses among the others, too, as far as so few may be taken.
    """

    def __init__(self, pool: tuple[Die, ...], step: plan.Choice, number: int | None) -> None:
        self.pool = pool
        self.step = step
        self.number = number
        self.least, self.most = taken_dice(len(pool), number, step)

    def __len__(self) -> int:
        counts = [1]
        for die in set(self.pool):
            more = range(self.pool.count(die) + 1)
            sums = [0] * (len(counts) + len(more) - 1)
            for place, ways in enumerate(counts):
                for extra in more:
                    sums[place + extra] += ways
            counts = sums
        return sum(counts[self.least : self.most + 1])

    def __getitem__(self, place: Any) -> Any:
        if place == 0:
            return ()
        if place in (-1, len(self) - 1):
            return self.pool if self.number is None else tuple(highest_dice(self.pool, self.number, self.step))
        return list(self)[place]

    def __iter__(self) -> Iterator[Any]:
        kinds = from_lowest(set(self.pool))
        ways = product(*(range(self.pool.count(die) + 1) for die in kinds))
        fitting = (numbers for numbers in ways if self.least <= sum(numbers) <= self.most)
        for numbers in sorted(fitting, key=lambda numbers: (sum(numbers), tuple(-n for n in numbers))):
            yield tuple(die for die, number in zip(kinds, numbers, strict=True) for _ in range(number))


def _checked(value: Any, line: Choose, offered: Sequence[Any]) -> Any:
    options = line.step.options
    if isinstance(options, plan.DiceOption):
        assert isinstance(offered, Subsets)
        return arranged(chosen_dice(value, offered.pool, line.step, offered.number))
    if isinstance(options, plan.RangeOption):
        return chosen_number(value, offered[0], offered[-1], line.step)
    return chosen_option(value, tuple(offered), line.step)


def foresee_options(run: Run, program: Program, place: int, line: Choose, states: Iterable[State]) -> None:
    """Raises `TooLarge` where to decide in all these situations takes more steps than are left. What is still open in
    one of them is not followed.
    """
    left = run.algebra.budget - run.algebra.steps
    found: set[object] = set()
    for state in states:
        seen = run.seen(state)
        try:
            options = offered(line, seen)
            if settled(line, options, seen) is not None:
                continue
            _, key = _about(run, program, place, line, state, options)
        except (Split, Spread, Reveal, Lost, RulesError):
            continue
        if key not in run.decisions and key not in found:
            found.add(key)
            left -= OPTION * len(options)
            if left < 0:
                raise TooLarge(f"more than {run.algebra.budget // OPTION:,} options to weigh")


def _about(
    run: Run, program: Program, place: int, line: Choose, state: State, offered: Sequence[Any]
) -> tuple[dict[str, Any], object]:
    """What is known and still read where a decision is made, by name; and what it is looked up by."""
    seen = run.seen(state)
    live = [name for name in program.live[place + 1] if name != line.name]
    env = {name: seen.bounded(state.env[name]) for name in live if name in state.env}
    about = tuple((name, told_apart(value)) for name, value in env.items() if not is_waiting(name))
    among = (offered.pool, offered.number) if isinstance(offered, Subsets) else tuple(offered)
    return env, (id(program), place, about, among)


def best(run: Run, program: Program, place: int, line: Choose, state: State, offered: Sequence[Any]) -> Any:
    """The option with the highest (or lowest) value of the aim."""
    env, key = _about(run, program, place, line, state, offered)
    if key in run.decisions:
        return run.decisions[key]
    run.algebra.methods.add("backward induction")
    assert run.finish is not None
    if len(offered) > run.algebra.budget:
        raise TooLarge(f"a choice among {len(offered):,} options")
    top: Any = None
    for option in offered:
        run.algebra.work(OPTION)
        after = State({**env, line.name: option, **{name: () for name in env if is_waiting(name)}}, Fraction(1))
        value = run.value(program, place + 1, after, line)
        if line.policy.word == "worst":
            value = negative(value)
        if top is None or better(value, top[1]):
            top = (option, value)
    run.decisions[key] = top[0]
    run.note(line, {name: value for name, value in env.items() if not is_waiting(name)}, top[0])
    return top[0]
