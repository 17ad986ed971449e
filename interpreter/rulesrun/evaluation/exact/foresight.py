"""How many situations a line will open, told early, so that what is far too much is given up before it is begun.

In: situations that wait before a line. Out: `TooLarge` where there will be many more of them than allowed. Each guess
follows one way down at random, multiplying by how many ways there were at each step; on average guesses are right
(D. E. Knuth, Estimating the efficiency of backtrack programs, 1975). A guess is four times too high at most once in
four times, so that what the median of fifty calls four times too much is too much; and if fewer than three in four were
as high as the lowest of fifty, hardly once in a million would all fifty be. While there are not too many, the product
of how many times too high one guess after another is has a mean of at most 1, so that it comes to a million at any time
at most once in a million (J. Ville, Étude critique de la notion de collectif, 1939): what is very much too much is
known after two or three guesses. Nothing is given up that would have been answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from statistics import median_low
from typing import TYPE_CHECKING, Any

from rulesrun.diagnostics import RulesError
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.exact.beyond import Lost
from rulesrun.evaluation.exact.lines import Program, Set, Throw
from rulesrun.evaluation.exact.seen import Reveal, Split, Spread

if TYPE_CHECKING:
    from rulesrun.evaluation.exact.state import State
    from rulesrun.evaluation.exact.states import Run

BEGUN = 5_000
"""So many situations are opened before anybody guesses: less does not take long."""

GUESSES = 51

FAR = 4
"""What is guessed to be so many times too much is given up."""

SURE = 1_000_000
"""The product of how many times too high the guesses are, from which on no more are needed."""


def foresee(run: Run, program: Program, place: int, waiting: Sequence[State]) -> None:
    """Raises `TooLarge` where the line at a place will open far more than may be."""
    line = program.lines[place]
    if not waiting or not isinstance(line, Set | Throw):
        return
    random = Random(place)
    first = [state for state in waiting if _known(state) == _known(waiting[0])]
    lost, cut = run.lost, run.cut
    most = run.algebra.most_open
    enough = FAR * most // len(first) + 1
    guesses: list[int] = []

    def too_high() -> float:
        guesses.append(len(first) * _guess(run, program, place, random.choice(first).copy(), random, enough))
        return guesses[-1] / most

    surely = surely_too_many(too_high)
    run.lost, run.cut = lost, cut
    if surely or median_low(guesses) > FAR * most or 3 * min(guesses) > 4 * most:
        raise TooLarge(f"more than {most:,} situations")


def surely_too_many(too_high: Callable[[], float]) -> bool:
    """Whether guesses, each of which says how many times too high it is, leave no doubt."""
    evidence = 1.0
    for _ in range(GUESSES):
        evidence *= too_high()
        if evidence >= SURE:
            return True
    return False


def _known(state: State) -> tuple[int, ...]:
    """How far down a state is: those that were opened first, and wait longest, know least."""
    facts = state.facts
    return len(state.sources), len(facts.inside), len(facts.struck), len(facts.shown)


def _guess(run: Run, program: Program, place: int, state: State, random: Random, enough: int) -> int:
    """A guess, which is not followed further once it is enough."""
    ways = 1
    while True:
        try:
            _try(run, program, place, state)
        except (Split, Spread, Reveal) as open_:
            states = run.opened(state, open_)
            if not states:
                return ways
            ways *= len(states)
            if ways >= enough:
                return ways
            state = random.choice(states)
        except (Lost, RulesError):
            return ways
        else:
            return ways


def _try(run: Run, program: Program, place: int, state: State) -> None:
    line: Any = program.lines[place]
    seen = run.seen(state)
    if isinstance(line, Throw):
        line.throw(seen)
        return
    value = line.value(seen)
    if line.domain is not None:
        line.domain(seen, value)
