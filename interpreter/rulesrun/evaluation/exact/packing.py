"""Several bounded numbers as the digits of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rulesrun.evaluation.exact.symbols import Scores, Slot

Terms: TypeAlias = tuple[tuple[Slot, Scores], ...]


@dataclass(frozen=True, slots=True)
class Packing:
    """Several bounded numbers as the digits of one."""

    lows: tuple[int, ...]
    widths: tuple[int, ...]
    strides: tuple[int, ...]

    @staticmethod
    def of(bounds: list[tuple[int, int]]) -> Packing:
        widths = tuple(high - low + 1 for low, high in bounds)
        strides, size = [], 1
        for width in widths:
            strides.append(size)
            size *= width
        return Packing(tuple(low for low, _ in bounds), widths, tuple(strides))

    @property
    def size(self) -> int:
        return self.strides[-1] * self.widths[-1]

    @property
    def top(self) -> int:
        """The largest packed number."""
        return sum(
            (low + width - 1) * stride for low, width, stride in zip(self.lows, self.widths, self.strides, strict=True)
        )

    def terms(self, bases: list[Terms]) -> dict[Slot, Scores]:
        packed: dict[Slot, Scores] = {}
        for base, stride in zip(bases, self.strides, strict=True):
            for slot, scores in base:
                mine = packed.get(slot, (0,) * len(scores))
                packed[slot] = tuple(a + stride * b for a, b in zip(mine, scores, strict=True))
        return packed

    def unpack(self, number: int) -> list[int]:
        number -= sum(low * stride for low, stride in zip(self.lows, self.strides, strict=True))
        digits = []
        for low, width in zip(self.lows, self.widths, strict=True):
            number, digit = divmod(number, width)
            digits.append(low + digit)
        return digits
