"""The lines that states pass one after another: what each is made of, the names that it reads, and programs of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rulesrun.evaluation.exact.evaluate import Evaluated
from rulesrun.evaluation.exact.loop_period import Round
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.suits import ALL_READ, Suits
from rulesrun.semantics import plan


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """Gives a name its value."""

    name: str
    value: Evaluated
    reads: frozenset[str]
    domain: Callable[[Seen, Any], Any] | None = None
    """Holds the value against the domain of an argument."""
    looks: bool = False
    """Whether it looks at dice, to hand their faces over: then it pays to merge equal states before."""


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """A limit of a rolled rule."""

    condition: Evaluated
    step: plan.Limit
    reads: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """Throws dice."""

    name: str
    throw: Callable[[Seen], Any]
    reads: frozenset[str]
    known: str | None = None
    """Where faces that are known wait."""


@dataclass(frozen=True, slots=True, eq=False)
class SkipUnless:
    """Passes over so many lines where the condition does not hold; the names get these values then."""

    condition: Evaluated
    step: plan.Invoke
    lines: int
    otherwise: Mapping[str, Any]
    reads: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Choose:
    """A decision; `policy` is the one in force."""

    name: str
    step: plan.Choice
    policy: plan.Policy
    condition: Evaluated | None
    low: Evaluated | None
    high: Evaluated | None
    pool: Evaluated | None
    number: Evaluated | None
    value: Evaluated | None
    aim: plan.Expression | None
    reads: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A repetition. `updated`: the names from outside that its body gives new values, as far as they matter;
    `counters`: those among
    them that the body only adds to, so that what a turn does is the same whatever they are.
    """

    step: plan.Repeat
    until: Evaluated | None
    times: Evaluated | None
    at_most: Evaluated | None
    body: Program
    last: Program
    """What a turn does behind which there is no other."""
    updated: tuple[str, ...]
    counters: frozenset[str]
    until_reads: frozenset[str]
    body_reads: frozenset[str]
    bags: frozenset[str]
    """The bags among the updated names."""
    rounds: tuple[Round, ...] | None
    """When what reads the turn comes round; None where it does not."""
    reads: frozenset[str]
    kept: tuple[str, ...]
    """Those of the updated names that are read behind the repetition."""
    alike: bool = False
    """Whether every turn works out the same, under no condition."""

    @property
    def only_probes(self) -> bool:
        """Whether nothing comes of it but the errors that a roll meets in values which nothing reads."""
        return not self.updated and not _forbids(self.body.lines)


@dataclass(frozen=True, slots=True, eq=False)
class TakeFromBag:
    step: plan.BagDraw
    number: Evaluated
    condition: Evaluated | None
    reads: frozenset[str]
    known: str | None = None
    suits: Suits = ALL_READ


@dataclass(frozen=True, slots=True, eq=False)
class ReturnToBag:
    step: plan.PutBack
    condition: Evaluated | None
    suits: Suits
    reads: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class FillBag:
    step: plan.PutAllBack
    condition: Evaluated | None
    suits: Suits
    reads: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """A value that nothing reads, which a roll may stop at with an error: that error is one of the odds, too."""

    value: Evaluated
    reads: frozenset[str]


Line: TypeAlias = Set | Check | Throw | SkipUnless | Choose | Loop | TakeFromBag | ReturnToBag | FillBag | Probe


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Lines, and the names live before each of them and at the end, in a fixed order."""

    lines: tuple[Line, ...]
    live: tuple[tuple[str, ...], ...]
    barriers: tuple[bool, ...]
    """Before which lines it pays to merge equal states."""
    decides: bool
    """Whether a best or worst choice is made in it."""
    first: Mapping[str, int]
    """The first line that reads a name that no line writes (the end, if only what is asked does): until there, what
    happens is the same whatever it is.
    """
    stops: frozenset[int]
    """The places in `first`."""
    straight: int
    """From this line on no dice fall and nothing is decided: what is known stays known."""
    unseen: frozenset[int] = frozenset()
    """The draws out of bags that need not be looked at: nothing more is drawn out of that bag, nor thrown at all."""
    blends: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    """The draws before which bags may be blended (`blended`): the bag, and how many things at most are drawn."""


def _forbids(lines: Sequence[Line]) -> bool:
    return any(isinstance(line, Check) or (isinstance(line, Loop) and _forbids(line.body.lines)) for line in lines)


def is_best(line: Line) -> bool:
    """Whether a line is a choice that is decided by what is best or worst."""
    return isinstance(line, Choose) and line.policy.word in ("best", "worst")


def decides(line: Line) -> bool:
    """Whether a line is such a choice, or repeats lines of which one is."""
    return line.body.decides if isinstance(line, Loop) else is_best(line)


def choices_in(program: Program) -> Iterator[Choose]:
    """The choices that are made in a program, those in its repetitions too."""
    for line in program.lines:
        if isinstance(line, Choose):
            yield line
        elif isinstance(line, Loop):
            yield from choices_in(line.body)


def waiting_of(name: str) -> str:
    """The name of the faces of a draw that are known and not drawn yet."""
    return f"known {name}"


def is_waiting(name: str) -> bool:
    """Whether a name is that of known faces."""
    return name.startswith("known ")


def still_out(name: str) -> str:
    """The name of what a draw took and no line has put back yet."""
    return f"out {name}"
