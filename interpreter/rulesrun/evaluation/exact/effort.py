"""What one call has done so far, held against its budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rulesrun.diagnostics import Span
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation.limits import too_large
from rulesrun.limits import in_force

T = TypeVar("T")
ITEMS = 3
"""So many items of lists cost as much as one state."""
STEPS = 12
"""So many steps of a repetition cost as much as one state."""
COMPUTED = 1
"""So many steps of arithmetic with long numbers cost as much as one state."""


@dataclass(slots=True)
class Effort:
    """How much was computed, and by which methods."""

    budget: int
    methods: set[str] = field(default_factory=set)
    states: int = 0
    opened: int = 0
    items: int = 0
    steps: int = 0
    computed: int = 0
    """What arithmetic with long numbers and polynomials took, see `rulesrun.dice.cost`."""
    most_computed: int = field(init=False)
    turning: bool = False
    """Whether a turn of a repetition is at work: then states are steps, too."""
    times: int = 1
    """For how many turns, one like the other, that turn stands."""
    deep: int = 0
    inside: int = 0
    """How many `for each` are at work inside one another, and how many items they looked at."""
    by_line: dict[int, int] = field(default_factory=dict)
    """How many items each line looked at, at most."""
    worked_out: dict[int, tuple[Any, int]] = field(default_factory=dict)
    """Within a `for each`: the values of those inside it that are the same for each of its items, and how many items
    each looked at.
    """

    def __post_init__(self) -> None:
        self.most_computed = COMPUTED * self.budget

    def anew(self) -> None:
        """Begins to count for another cell of a table."""
        self.states = self.items = self.opened = self.steps = self.computed = 0
        self.by_line.clear()

    def count(self, states: int) -> None:
        """Counts states that were visited; raises `TooLarge` over the budget."""
        self.states += states
        if self.states > self.budget:
            raise TooLarge(f"more than {self.budget:,} situations")
        if self.turning:
            self.work(STEPS * states)

    @property
    def most_open(self) -> int:
        """So many situations may be opened: a part of the budget, since they are all at hand at once."""
        return max(1, self.budget // 4)

    def open(self, ways: int) -> None:
        """Counts situations into which others fall before they are merged; raises `TooLarge` for too many."""
        self.opened += ways
        if self.opened > self.most_open:
            raise TooLarge(f"more than {self.most_open:,} situations")
        if self.turning:
            self.work(STEPS * ways)

    def work(self, steps: int) -> None:
        """Counts steps of repetitions and decisions; raises `TooLarge` for too many."""
        self.steps += steps
        if self.steps > self.budget:
            raise TooLarge(f"more than {self.budget:,} steps")

    def compute(self, steps: int) -> None:
        """Counts arithmetic with long numbers and polynomials; raises `TooLarge` for too much."""
        self.computed += steps
        if self.computed > self.most_computed:
            raise TooLarge(f"more than {self.most_computed:,} steps of arithmetic with long numbers")

    def look_at(self, items: int) -> None:
        """Counts items of lists and faces of dice that are looked at one by one; raises `TooLarge` for too many."""
        self.items += items
        if self.items > ITEMS * self.budget:
            raise TooLarge(f"more than {ITEMS * self.budget:,} items and faces to look at")

    @contextmanager
    def turn(self, times: int) -> Iterator[None]:
        """Within, a turn of a repetition is worked out, which stands for so many that are all alike."""
        before = self.turning, self.times
        self.turning, self.times = True, self.times * times
        try:
            yield
        finally:
            self.turning, self.times = before

    def look_inside(self, items: int, span: Span) -> None:
        """Counts items of a `for each`; raises `RulesError` where those that stand inside one another, or are repeated,
        look at more than a roll may.
        """
        self.inside += items
        _hold(self.inside * self.times, span)

    def looked_through(self, span: Span) -> None:
        """Notes how many items a line looked at in all; raises `RulesError` where all lines look at more than a roll
        may.
        """
        items = self.inside * self.times
        if items > self.by_line.get(span.start, 0):
            self.by_line[span.start] = items
            _hold(sum(self.by_line.values()), span)

    @contextmanager
    def one_by_one(self, items: int, span: Span) -> Iterator[None]:
        """Within, a `for each` looks at so many items, as `look_inside`."""
        self.deep += 1
        try:
            self.look_inside(items, span)
            yield
            if self.deep == 1:
                self.looked_through(span)
        finally:
            self.deep -= 1
            if not self.deep:
                self.inside = 0
                self.worked_out.clear()

    def once(self, key: int, span: Span, work_out: Callable[[], T]) -> T:
        """What is the same for each item of the `for each` that is at work, worked out once; its items count every
        time.
        """
        if not self.deep:
            return work_out()
        known = self.worked_out.get(key)
        if known is None:
            before = self.inside
            value = work_out()
            self.worked_out[key] = value, self.inside - before
            return value
        self.look_inside(known[1], span)
        return known[0]  # type: ignore[no-any-return]


def _hold(items: int, span: Span) -> None:
    most = in_force.get().work
    if items > most:
        raise too_large(f"more than {most:,} dice and items to look at in one roll", "work", span)
