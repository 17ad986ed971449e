"""What a generated rule knows at a line: the names above it, by what they are."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Dice:
    """A name for dice. `top`: about the highest face; `sided`: their dice know how many sides they have."""

    text: str
    top: int = 4
    single: bool = False
    symbols: tuple[str, ...] = ()
    natural: bool = False
    sided: bool = True
    target: bool = False
    size: int = 2


@dataclass
class Names:
    numbers: list[str] = field(default_factory=list)
    counts: list[str] = field(default_factory=list)
    """Numbers that are whole, not negative and small."""
    conditions: list[str] = field(default_factory=list)
    maybe: list[str] = field(default_factory=list)
    """Numbers that may be none."""
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pools: list[Dice] = field(default_factory=list)
    symbols: list[Dice] = field(default_factory=list)
    lists: dict[str, int] = field(default_factory=dict)
    rolled: dict[str, Made] = field(default_factory=dict)
    hands: list[str] = field(default_factory=list)

    def copy(self) -> Names:
        return Names(
            list(self.numbers), list(self.counts), list(self.conditions), list(self.maybe), dict(self.labels),
            list(self.pools), list(self.symbols), dict(self.lists), dict(self.rolled), list(self.hands),
        )  # fmt: skip

    @property
    def dice(self) -> list[Dice]:
        """Single dice that may be read as numbers."""
        return [each for each in self.pools if each.single]


@dataclass
class Made:
    """A finished rule: what another can ask of it, and about how many ways its dice can fall."""

    name: str
    lines: list[str]
    inputs: dict[str, tuple[str, ...]]
    """For each input by its full name some values that it may have, as text."""
    required: set[str]
    names: Names
    outcomes: tuple[str, ...]
    good: bool
    choices: tuple[str, ...]
    ways: int
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The labels that inputs may be."""
