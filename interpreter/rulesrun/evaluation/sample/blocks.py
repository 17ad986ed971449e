"""Blocks of trials: what came up in each, and many of them on all cores.

A block has its own row of random numbers, made of the seed and the block's number alone; blocks are counted together in
their order. So the estimate for a seed is the same whoever worked on which block. Blocks are as large as the room for
dice allows: where it does not suffice, all trials are made anew in smaller blocks.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.sample.columns import Column, Truth, at, keys_of, together, told_apart
from rulesrun.evaluation.sample.lanes import MOST_CELLS, Block, BlockTooLarge, Lanes
from rulesrun.evaluation.sample.steps import Steps
from rulesrun.limits import within
from rulesrun.record import record
from rulesrun.semantics import plan
from rulesrun.semantics.renaming import parts

SIZES = (1 << 14, 1 << 11, 1 << 8, 1 << 5, 1 << 2, 1)
"""How many trials a block has; smaller ones where their dice need much room."""

MOST_VALUES = 1_000_000
"""So many different results are told apart."""

Counts: TypeAlias = "dict[tuple[Any, ...], int]"
"""How often values came up together; each value beside its type, so that 1 and yes are not the same."""


@record
class Asked:
    """What is to be counted: for each of `wanted` how often its values came up together, where `given` holds."""

    ruleset: plan.RulesetPlan
    rule: plan.Rule
    inputs: Mapping[str, Any]
    policies: Mapping[str, plan.Policy]
    aim: plan.Expression | None
    wanted: tuple[tuple[plan.Expression, ...], ...]
    given: plan.Expression | None


def tells_first_faces(asked: Asked) -> bool:
    """Whether somebody asks what dice showed first, or chooses among dice that might differ in that."""
    telling = plan.Natural | plan.DiceOption
    return any(isinstance(each, telling) for each in parts((asked.rule.steps, asked.wanted, asked.given or ())))


@record
class Counted:
    """What came up: `trials` in all, in `known` of them what is given held; `counts` for each that was wanted.
    `singly` names what was worked out as a roll does, situation by situation.
    """

    trials: int
    known: int
    counts: tuple[Counts, ...]
    singly: frozenset[str]


def entropy(seed: int) -> int | list[int]:
    """A seed for NumPy, which takes no negative numbers."""
    return seed if seed >= 0 else [-seed, 1]


def counted_block(steps: Steps, asked: Asked, natural: bool, number: int, size: int, trials: int, seed: int) -> Counted:
    """What came up in the trials of one block; raises `BlockTooLarge` where they need more room than there is."""
    row = np.random.SeedSequence(entropy(seed), spawn_key=(size, number))
    with np.errstate(all="ignore"), within(asked.ruleset.limits):
        lanes = Block(trials, row, natural, None if size == 1 else MOST_CELLS).lanes
        steps.run(lanes)
        known = trials
        if asked.given is not None:
            holds = steps.truth(asked.given, lanes)
            index = np.flatnonzero(holds.holds) if isinstance(holds, Truth) else np.arange(trials if holds.value else 0)
            lanes, known = lanes.part(index), len(index)
        counts = tuple(_counts([steps.value(each, lanes) for each in together_], lanes) for together_ in asked.wanted)
    return Counted(trials, known, counts, frozenset(steps.single.used))


def _counts(columns: Sequence[Column], lanes: Lanes) -> Counts:
    if not lanes.size:
        return {}
    groups = together(map(keys_of, columns))
    if groups is None:
        return {tuple(told_apart(at(each, 0)) for each in columns): lanes.size}
    often = np.bincount(groups.codes).tolist()
    examples = groups.examples.tolist()
    keys = [[told_apart(at(column, lane)) for lane in examples] for column in columns]
    return dict(zip(zip(*keys, strict=True), often, strict=True))


class Counter:
    """What came up in all blocks so far."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self.trials = 0
        self.known = 0
        self.singly: frozenset[str] = frozenset()
        self.counts: tuple[Counts, ...] = tuple({} for _ in asked.wanted)

    def add(self, block: Counted) -> None:
        """One more block."""
        self.trials += block.trials
        self.known += block.known
        self.singly |= block.singly
        for total, new in zip(self.counts, block.counts, strict=True):
            for key, number in new.items():
                total[key] = total.get(key, 0) + number
            if len(total) > MOST_VALUES:
                raise RulesError.of(
                    f"more than {MOST_VALUES:,} different values",
                    code="too-many-values",
                    span=self._asked.rule.span,
                    hint="ask for a chance, such as `total >= 10`",
                )

    def result(self) -> Counted:
        """All of it."""
        return Counted(self.trials, self.known, self.counts, self.singly)


def count(
    asked: Asked,
    trials: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    interrupted: list[bool] | None = None,
) -> tuple[Counted, int]:
    """What came up in so many trials, and the size of the blocks.

    `progress` hears how many trials are done. With `interrupted`, an interruption by the keyboard is noted in it and
    ends the work; what is done by then is the result.
    """
    for size in SIZES:
        total = Counter(asked)
        try:
            for block in _blocks(asked, trials, size, seed, workers or len(cores())):
                total.add(block)
                if progress is not None:
                    progress(total.trials)
        except BlockTooLarge:
            continue
        except KeyboardInterrupt:
            if interrupted is None or not total.trials:
                raise
            interrupted.append(True)
        return total.result(), size
    raise AssertionError("a single trial always has room")


def cores() -> Sequence[int]:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return range(os.cpu_count() or 1)


def _blocks(asked: Asked, trials: int, size: int, seed: int, workers: int) -> Iterator[Counted]:
    """The blocks in their order."""
    local = threading.local()
    natural = tells_first_faces(asked)

    def work(number: int) -> Counted:
        steps = getattr(local, "steps", None)
        if steps is None:
            steps = local.steps = new_steps(asked)
        return counted_block(steps, asked, natural, number, size, min(size, trials - number * size), seed)

    number = -(-trials // size)
    if workers == 1 or number < 3:
        yield from map(work, range(number))
        return
    yield work(0)
    pool = ThreadPoolExecutor(workers)
    waiting: list[Future[Counted]] = []
    try:
        for place in range(1, number):
            waiting.append(pool.submit(work, place))
            if len(waiting) > 2 * workers:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def new_steps(asked: Asked) -> Steps:
    """The evaluator of one worker."""
    with within(asked.ruleset.limits):
        return Steps(asked.ruleset, asked.rule, asked.inputs, asked.policies, asked.aim)
