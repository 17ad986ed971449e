"""The chunks of a job in order, whoever computes them.

In: a job, and a way to hand chunks out. Out: its chunks, one after the other. Only a few chunks are under way at a
time, so the memory that a sweep takes does not grow with its rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from time import monotonic
from typing import Any, Protocol

from rulesrun.diagnostics import RulesError
from rulesrun.sweep.job import Chunk, Job
from rulesrun.sweep.workers import cores, crew

PATIENCE = 1.0
"""After so many seconds a sweep that may use several processes begins to: what is shorter does not pay for them."""


MOMENT = 0.05
"""Rows are passed on after so many seconds."""


class Promise(Protocol):
    """A chunk that is under way."""

    def result(self) -> Any:
        """The chunk, as soon as it is there."""
        ...


Submit = Callable[[int, int], Promise]
"""Hands out the chunk between two places."""


Chunks = Generator[Chunk, None, None]
"""Chunks as they come; closing it ends the work on those that are under way."""


def ordered_chunks(job: Job, first: int = 0, workers: int | None = 1) -> Chunks:
    """The rows from the place `first` on, some at a time; the last chunk has the error, if there is one.

    `workers` is a number of processes (1: this one itself does the work); None leaves it to the length of the work.
    Their processes end when the iterator does.
    """
    if workers is None or workers == 1:
        started = monotonic()
        for part in _parts(job, first):
            yield part
            first += len(part.rows)
            if workers is None and monotonic() - started > PATIENCE and len(list(islice(job.chunks(first), 3))) == 3:
                break
        else:
            return
    with crew(job, workers or cores()) as submit:
        yield from taken(submit, job, first, workers or cores())


def _parts(job: Job, first: int) -> Iterator[Chunk]:
    """The rows as they are computed here, whatever is there after a moment."""
    rows: list[Any] = []
    since = monotonic()
    for place, end in job.chunks(first):
        try:
            for row in islice(job.rows(place, end), max(first - place, 0), None):
                rows.append(row)
                if monotonic() - since > MOMENT:
                    yield Chunk(rows)
                    rows, since = [], monotonic()
        except RulesError as error:
            yield Chunk(rows, error)
            return
    yield Chunk(rows)


def taken(submit: Submit, job: Job, first: int, workers: int) -> Iterator[Chunk]:
    """The chunks from the place `first` on as others compute them, in order."""
    for place, chunk in handed_out(submit, job.chunks(first), workers):
        yield Chunk(chunk.rows[max(first - place, 0) :], chunk.error)
        if chunk.error:
            return


def handed_out(submit: Submit, places: Iterator[tuple[int, int]], workers: int) -> Iterator[tuple[int, Chunk]]:
    """Chunks in order with their places; never more than a few a worker are under way or done and not yet taken."""
    under_way = deque((place, submit(place, end)) for place, end in islice(places, 4 * workers))
    while under_way:
        place, promise = under_way.popleft()
        chunk: Chunk = promise.result()
        for following, end in islice(places, 1):
            under_way.append((following, submit(following, end)))
        yield place, chunk
