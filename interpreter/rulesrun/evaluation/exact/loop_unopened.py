"""Repetitions that draw nothing, followed turn by turn with dice that nobody has looked at.

What such a repetition works out follows from what lies there. Its conditions split the situations like those of any
other line, so that many dice need not be listed to see, say, which ties are set aside. In: the states before it; out:
those behind it, or None where that would take more situations than there are numbers to list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import operations
from rulesrun.evaluation.exact.beyond import Lost
from rulesrun.evaluation.exact.lines import Choose, Loop, Program, TakeFromBag, Throw
from rulesrun.evaluation.exact.seen import Reveal, Split, Spread
from rulesrun.evaluation.exact.state import State
from rulesrun.evaluation.exact.states import Run
from rulesrun.evaluation.exact.symbols import slots_of
from rulesrun.evaluation.exact.tabled import ways

MOST_TURNS = 30
MOST_STATES = 200
FEW_WAYS = 1_000
"""Dice that fall in fewer ways are looked at without more ado."""


def followed_unopened(run: Run, line: Loop, live: Sequence[str], states: Sequence[State]) -> list[State] | None:
    """The states behind a repetition; None where it has to be followed with everything known."""
    if line.bags or _draws(line.body) or not any(_many_unknown(line, state) for state in states):
        return None
    keep = {*live, *line.reads}
    body = replace(line.body, live=tuple(tuple(sorted({*names, *keep})) for names in line.body.live))
    lost, cut = run.lost, run.cut
    going, found = [state.copy() for state in states], list[State]()
    for turn in range(MOST_TURNS):
        try:
            going = _going_on(run, line, going, turn, found)
            if not going:
                return found
            for state in going:
                state.env = {**state.env, line.step.turn: turn + 1}
            going = run.through(body, going)
        except (TooLarge, Lost):
            break
        if len(going) + len(found) > MOST_STATES:
            break
    run.lost, run.cut = lost, cut
    return None


def _draws(program: Program) -> bool:
    return any(
        isinstance(line, Throw | Choose | TakeFromBag) or (isinstance(line, Loop) and (line.bags or _draws(line.body)))
        for line in program.lines
    )


def _many_unknown(line: Loop, state: State) -> bool:
    """Whether the repetition reads dice that can fall in many ways."""
    read = {name for each in line.updated for name, _ in slots_of(state.env.get(each))}
    return ways({name: state.sources[name] for name in read}) > FEW_WAYS


def _going_on(run: Run, line: Loop, states: Sequence[State], turn: int, over: list[State]) -> list[State]:
    """The states that go on with another turn; the others join those where it is `over`."""
    going: list[State] = []
    waiting = list(states)
    while waiting:
        state = waiting.pop()
        try:
            (over if _ends(run, line, state, turn) else going).append(state)
        except (Split, Spread, Reveal) as open_:
            waiting += run.opened(state, open_)
        if len(waiting) + len(going) + len(over) > MOST_STATES:
            raise TooLarge("many situations")
    return going


def _ends(run: Run, line: Loop, state: State, turn: int) -> bool:
    seen = run.seen(state.with_env({**state.env, line.step.turn: turn + 1}))
    for bound, at in ((line.times, line.step.times), (line.at_most, line.step.at_most)):
        if bound is not None and turn >= operations.natural_number(seen.known(bound(seen)), at, "the number of turns"):  # type: ignore[arg-type]
            return True
    return line.until is not None and seen.truth(line.until(seen), line.step.until)  # type: ignore[arg-type]
