"""Every expression of a plan has one function that compiles it for exact odds."""

from typing import get_args

from rulesrun.evaluation.exact.evaluate import SORTS
from rulesrun.semantics import plan


def test_the_tables_together_hold_every_expression_once() -> None:
    there = [kind for sort in SORTS for kind in sort.COMPILERS]
    assert len(there) == len(set(there))
    assert set(there) == set(get_args(plan.Expression))
