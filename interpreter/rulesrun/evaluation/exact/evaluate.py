"""Expressions on values some of which are not known yet: each compiles to a function of a `Seen`.

On known values it calls the operations that a roll uses. On unknown ones it builds unknown values where it can (sums,
counts, pairs, comparisons with numbers), and otherwise asks for them to be split, spread or looked at.

Who compiles what stands in the tables of `expressions`, which are put together here.
"""

from __future__ import annotations

from rulesrun.evaluation.exact.expressions import (
    arithmetic,
    comparisons,
    conditions,
    for_each,
    pool_expressions,
    pool_questions,
    values,
)
from rulesrun.evaluation.exact.expressions.compiling import COMPILERS, Evaluated, compiled, compiled_faces

__all__ = ["SORTS", "Evaluated", "compiled", "compiled_faces"]

SORTS = (values, arithmetic, comparisons, conditions, pool_questions, pool_expressions, for_each)

for sort in SORTS:
    COMPILERS.update(sort.COMPILERS)
