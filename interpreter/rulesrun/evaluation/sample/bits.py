"""Unbiased whole numbers in bulk out of raw random words.

In: a bit generator, bounds. Out: arrays. Only raw 64-bit words are used, whose row is fixed for a seed by the
generator's definition, so that an estimate stays what it is on every machine and with every release of NumPy.
Source of the method: D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulesrun.evaluation.draws import below
from rulesrun.evaluation.sample.columns import Array

SHORT = 1 << 12
"""Up to this bound a number is made of 16 bits."""

MIDDLE = 1 << 31
"""Up to this bound a number is made of 32 bits; beyond, one by one."""


class Bits:
    """The random numbers of one block of trials."""

    def __init__(self, seed: np.random.SeedSequence) -> None:
        self._source = np.random.SFC64(seed)

    def below(self, bound: int, number: int) -> Array:
        """So many whole numbers from 0 up to, not including, `bound`, each as likely as the others."""
        if bound == 1:
            return np.zeros(number, np.int8)
        if bound > MIDDLE:
            found = [below(bound, self._bits) for _ in range(number)]
            return np.array(found, np.int64 if bound < 1 << 62 else object)
        high, low = self._multiplied(bound, number)
        least = (1 << (16 if bound <= SHORT else 32)) % bound
        if least:
            wrong = np.flatnonzero(low < least)
            while len(wrong):
                again, rest = self._multiplied(bound, len(wrong))
                high[wrong] = again
                wrong = wrong[rest < least]
        return high

    def _multiplied(self, bound: int, number: int) -> tuple[Array, Array]:
        """Random words times the bound: the high part is the number, the low part says whether it counts."""
        if bound <= SHORT:
            product = self._words(number, np.uint16).astype(np.uint32)
            product *= np.uint32(bound)
            kind: Any = np.int8 if bound <= 127 else np.int16
            return (product >> np.uint32(16)).astype(kind), product.astype(np.uint16)
        wide = self._words(number, np.uint32).astype(np.uint64)
        wide *= np.uint64(bound)
        return (wide >> np.uint64(32)).astype(np.int32), wide.astype(np.uint32)

    def below_each(self, bounds: Array) -> Array:
        """A whole number from 0 up to each bound; bounds are at most `MIDDLE`."""
        found = np.zeros(len(bounds), np.int64)
        waiting = np.arange(len(bounds))
        while len(waiting):
            bound = bounds[waiting].astype(np.uint64)
            wide = self._words(len(waiting), np.uint32).astype(np.uint64) * bound
            found[waiting] = (wide >> np.uint64(32)).astype(np.int64)
            least = np.uint64(1 << 32) % bound
            waiting = waiting[(wide & np.uint64(0xFFFFFFFF)) < least]
        return found

    def _words(self, number: int, kind: Any) -> Array:
        wide = self._source.random_raw(-(-number * np.dtype(kind).itemsize // 8))
        words: Array = np.asarray(wide, "<u8").view(np.dtype(kind).newbyteorder("<"))
        return words[:number]

    def _bits(self, width: int) -> int:
        words = [int(each) for each in self._source.random_raw(-(-width // 64))]
        whole = sum(word << (64 * place) for place, word in enumerate(words))
        return whole >> (64 * len(words) - width)
