"""Chunks computed on a Dask cluster: `rulesrun[dask]`.

In: the address of a scheduler, and a job. Out: a way to hand chunks out, as `workers.crew` gives one. The workers there
need the same version of rulesrun.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from rulesrun.diagnostics import RulesError
from rulesrun.sweep.job import Chunk, Job
from rulesrun.sweep.ordered import Chunks, Submit, taken

PATIENCE = "10s"
"""How long a scheduler may take to answer."""


def cluster_chunks(job: Job, first: int, address: str) -> Chunks:
    """As `ordered.ordered_chunks`, computed by the workers of the scheduler at this address."""
    with _cluster(job, address) as (submit, workers):
        yield from taken(submit, job, first, workers)


@contextmanager
def _cluster(job: Job, address: str) -> Iterator[tuple[Submit, int]]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise RulesError.of(
            "a Dask cluster needs the package distributed", code="no-dask", hint="pip install 'rulesrun[dask]'"
        ) from None
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise RulesError.of(
            f"no Dask scheduler answers at {address}: {error or type(error).__name__}", code="no-dask"
        ) from None
    with client:
        workers = sum(client.nthreads().values())
        if not workers:
            raise RulesError.of(f"the Dask scheduler at {address} has no workers", code="no-dask")
        told = client.scatter(pickle.dumps(job), broadcast=True)
        mine = version("rulesrun")

        def submit(first: int, end: int) -> Any:
            return client.submit(chunk_of, told, mine, first, end, pure=False)

        try:
            yield submit, workers
        except distributed.KilledWorker:
            raise RulesError.of("the workers of the cluster ended again and again", code="worker-lost") from None


def chunk_of(told: bytes, caller: str, first: int, end: int) -> Chunk:
    """What a worker of the cluster computes."""
    if version("rulesrun") != caller:
        message = f"a worker of the cluster has rulesrun {version('rulesrun')}, and this is {caller}"
        return Chunk((), RulesError.of(message, code="other-version"))
    return _job(told).chunk(first, end)


@lru_cache(maxsize=2)
def _job(told: bytes) -> Job:
    job: Job = pickle.loads(told)
    return job
