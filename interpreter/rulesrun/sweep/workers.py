"""Processes that compute chunks beside this one.

Each is a Python of its own that reads a job and then places of chunks from its standard input, and writes chunks to its
standard output. So it needs nothing of the program that calls: no `if __name__ == "__main__"`, in notebooks too. It is
in a session of its own, so that Ctrl-C reaches only the caller, who then ends it; and it ends by itself when the caller
is gone.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import BinaryIO

from rulesrun.diagnostics import RulesError
from rulesrun.sweep.job import Chunk, Job

_BEGIN = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer);"
    " from rulesrun.sweep.workers import serve; serve(sys.stdin.buffer, sys.stdout.buffer)"
)


def cores() -> int:
    """How many processes can work at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def crew(job: Job, workers: int) -> Iterator[Callable[[int, int], Future[Chunk]]]:
    """So many processes that know a job: the function hands a chunk to the next free one. They end with the block."""
    told = pickle.dumps(job)
    people = [Worker(told) for _ in range(workers)]
    free: SimpleQueue[Worker] = SimpleQueue()
    for each in people:
        free.put(each)

    def chunk(first: int, end: int) -> Chunk:
        worker = free.get()
        try:
            return worker.chunk(first, end)
        finally:
            free.put(worker)

    threads = ThreadPoolExecutor(workers, thread_name_prefix="rulesrun-sweep")
    try:
        yield lambda first, end: threads.submit(chunk, first, end)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for each in people:
            each.kill()
        threads.shutdown()
        for each in people:
            each.close()


class Worker:
    """One process that knows a job."""

    def __init__(self, job: bytes) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._begin = pickle.dumps(sys.path) + job

    def chunk(self, first: int, end: int) -> Chunk:
        """A chunk of the job; what goes wrong in the process is raised here."""
        try:
            self._to.write(self._begin + pickle.dumps((first, end)))
            self._to.flush()
            self._begin = b""
            found = pickle.load(self._from)
        except (OSError, EOFError, pickle.UnpicklingError, ValueError):
            raise RulesError.of(
                "a process that worked on this sweep has ended before it was done",
                code="worker-lost",
                hint="there may be too little memory for so many: try fewer `workers`",
            ) from None
        if isinstance(found, Exception):
            raise found
        assert isinstance(found, Chunk)
        return found

    def kill(self) -> None:
        """Ends the process, whatever it is at."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Lets go of a process that has ended."""
        for each in (self._to, self._from):
            with suppress(OSError):
                each.close()


def serve(told: BinaryIO, answers: BinaryIO) -> None:
    """What a worker does: reads a job, then computes chunks of it until the caller has left."""
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        job: Job = pickle.load(told)
        while True:
            first, end = pickle.load(told)
            found: Chunk | Exception
            try:
                found = job.chunk(first, end)
            except Exception as error:  # it belongs to the caller, who decides what to do
                found = error
            answers.write(pickle.dumps(found))
            answers.flush()
