"""What is known of dice that were not looked at. Facts never change; learning one gives new facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rulesrun.evaluation.exact.symbols import (
    AnyShows,
    Inside,
    Linear,
    Marks,
    Ranges,
    Slot,
    names_of,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """`struck`: faces that do not show; `shown`: sets of faces of which at least one shows; `inside`: where forms
    lie.
    """

    struck: Mapping[Slot, int] = field(default_factory=dict)
    shown: tuple[Marks, ...] = ()
    inside: Mapping[Linear, Ranges] = field(default_factory=dict)
    beyond: frozenset[Linear] = frozenset()
    """Forms whose range without end is taken as one value."""

    def decide(self, condition: AnyShows | Inside, bounds: Ranges) -> bool | None:
        """Whether the facts imply the condition or its opposite; None if neither. `bounds` is where an `Inside`'s
        form can lie at all.
        """
        if isinstance(condition, Inside):
            known = self.inside.get(condition.form, bounds)
            within = known.meets(condition.ranges)
            if within.empty:
                return False
            return True if within == known else None
        left = self.left(condition.marks)
        if not left:
            return condition.negated
        for shown in self.shown:
            if _covers(left, self.left(shown)):
                return not condition.negated
        return None

    def left(self, marks: Marks) -> Marks:
        """The marks without struck faces."""
        if not self.struck:
            return marks
        return tuple((slot, rest) for slot, bits in marks if (rest := bits & ~self.struck.get(slot, 0)))

    def learn(self, condition: AnyShows | Inside, holds: bool, bounds: Ranges) -> Facts:
        """The facts with the condition or its opposite added."""
        if isinstance(condition, Inside):
            known = self.inside.get(condition.form, bounds)
            ranges = condition.ranges if holds else condition.ranges.rest()
            return Facts(self.struck, self.shown, {**self.inside, condition.form: known.meets(ranges)}, self.beyond)
        if holds != condition.negated:
            return Facts(self.struck, (*self.shown, self.left(condition.marks)), self.inside, self.beyond)
        struck = dict(self.struck)
        for slot, bits in condition.marks:
            struck[slot] = struck.get(slot, 0) | bits
        return Facts(struck, self.shown, self.inside, self.beyond)

    def about(self, names: frozenset[str]) -> Facts:
        """The facts that read these throws."""
        return Facts(
            {slot: bits for slot, bits in self.struck.items() if slot[0] in names},
            tuple(marks for marks in self.shown if marks[0][0][0] in names),
            {form: ranges for form, ranges in self.inside.items() if next(iter(names_of(form))) in names},
            self.beyond,
        )

    def without(self, names: frozenset[str]) -> Facts:
        """The facts that do not read these throws."""
        return Facts(
            {slot: bits for slot, bits in self.struck.items() if slot[0] not in names},
            tuple(marks for marks in self.shown if marks[0][0][0] not in names),
            {form: ranges for form, ranges in self.inside.items() if next(iter(names_of(form))) not in names},
            frozenset(form for form in self.beyond if next(iter(names_of(form))) not in names),
        )

    def groups(self, names: Iterable[str]) -> list[frozenset[str]]:
        """The throws, those together that a fact reads together."""
        group = {name: {name} for name in names}
        if len(group) == 1:
            return [frozenset(group)]
        for reads in self._reads():
            if len(reads) < 2:
                continue
            if len(reads) == len(group):
                return [frozenset(group)]
            joined = set().union(*(group[name] for name in reads))
            for name in joined:
                group[name] = joined
        return list({id(members): frozenset(members) for members in group.values()}.values())

    def _reads(self) -> Iterable[frozenset[str]]:
        for marks in self.shown:
            yield frozenset([slot[0] for slot, _ in marks])
        for form in self.inside:
            yield names_of(form)

    @property
    def key(self) -> object:
        """Equal for equal facts."""
        return (
            frozenset(self.struck.items()), frozenset(self.shown), frozenset(self.inside.items()), self.beyond,
        )  # fmt: skip


def _covers(marks: Marks, others: Marks) -> bool:
    """Whether all the other marks are among the marks."""
    mine = dict(marks)
    return all(bits & ~mine.get(slot, 0) == 0 for slot, bits in others)
