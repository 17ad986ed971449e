"""Random numbers in bulk: in their range, evenly spread, and the same for ever."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rulesrun.evaluation.sample.bits import Bits


def bits(seed: int) -> Bits:
    return Bits(np.random.SeedSequence(seed))


@pytest.mark.parametrize("bound", [1, 2, 6, 10, 100, 127, 128, 1000, 4096, 4097, 1_000_003, 2**31, 2**40, 10**30])
def test_numbers_lie_below_their_bound(bound: int) -> None:
    drawn = [int(each) for each in bits(bound).below(bound, 2000)]
    assert len(drawn) == 2000
    assert min(drawn) >= 0
    assert max(drawn) < bound
    if bound > 1000:
        assert max(drawn) > bound * 0.99


@pytest.mark.parametrize("bound", [2, 3, 6, 10, 20, 97, 200])
def test_all_numbers_are_alike(bound: int) -> None:
    number = 2000 * bound
    often = np.bincount(bits(bound).below(bound, number).astype(int), minlength=bound)
    chi = float(((often - 2000) ** 2 / 2000).sum())
    assert chi < bound - 1 + 5 * (2 * (bound - 1)) ** 0.5


class AllWords(Bits):
    """Every word of 16 bits once, and then only the last."""

    def _words(self, number: int, kind: Any) -> Any:
        return np.arange(number, dtype=kind) if number == 1 << 16 else np.full(number, (1 << 16) - 1, kind)


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 20, 100, 127, 1000, 4095, 4096])
def test_all_words_together_make_every_number_as_often(bound: int) -> None:
    each, over = divmod(1 << 16, bound)
    often = np.bincount(AllWords(np.random.SeedSequence(1)).below(bound, 1 << 16).astype(int), minlength=bound)
    assert often.tolist() == [each] * (bound - 1) + [each + over]


def test_a_bound_for_each_number() -> None:
    bounds = np.tile([1, 2, 5, 10_000], 30_000)
    drawn = bits(1).below_each(bounds).reshape(-1, 4)
    assert (drawn >= 0).all()
    assert (drawn < [1, 2, 5, 10_000]).all()
    assert np.abs(drawn.mean(axis=0) - [0, 0.5, 2, 4999.5]).tolist() < [0.001, 0.02, 0.05, 100]
    assert np.abs(np.bincount(drawn[:, 2]) - 6000).max() < 400


class Scripted(Bits):
    """Words of 32 bits that are known."""

    waiting: tuple[int, ...] = (0, pow(3, -1, 1 << 32), 1 << 31)

    def _words(self, number: int, kind: Any) -> Any:
        words, self.waiting = self.waiting[:number], self.waiting[number:]
        return np.array(words, kind)


def test_just_so_many_words_are_thrown_away_as_there_are_too_many() -> None:
    """2^32 is one more than a multiple of 3: of all words only 0 has to go."""
    words = Scripted(np.random.SeedSequence(1))
    assert words.below_each(np.array([3, 3])).tolist() == [1, 2]
    assert not words.waiting


def test_words_thrown_away_leave_no_face_behind() -> None:
    """65536 is no multiple of 4095: some words are thrown away, and none of the faces suffers."""
    often = np.bincount(bits(3).below(4095, 4095 * 400).astype(int), minlength=4095)
    assert often.min() > 300
    assert often.max() < 500


def test_a_seed_means_the_same_for_ever() -> None:
    assert bits(7).below(6, 12).tolist() == GOLDEN_SIX
    assert bits(7).below(100_000, 6).tolist() == GOLDEN_LARGE


GOLDEN_SIX = [2, 5, 2, 0, 4, 0, 3, 3, 5, 1, 4, 2]
GOLDEN_LARGE = [97778, 4386, 820, 58727, 24479, 36918]


def test_only_numbers_that_need_it_are_long() -> None:
    kinds = {bound: bits(1).below(bound, 3).dtype for bound in (1, 2**32, 2**62 - 1, 2**62)}
    assert kinds == {1: np.int8, 2**32: np.int64, 2**62 - 1: np.int64, 2**62: object}
