"""No rule takes more work than it did, and each is worked out in the way it was.

`python -m tests.evaluation.exact.efforts` keeps what is now, where a change is meant.
"""

from __future__ import annotations

import pytest

from .efforts import COUNTED, cases, effort

CASES = cases()
PART = 12


@pytest.mark.parametrize("first", range(0, len(CASES), PART))
def test_no_rule_takes_more_work(first: int) -> None:
    for case in CASES[first : first + PART]:
        found = effort(case)
        what = case.get("file") or case["text"]
        assert found["methods"] == case["methods"], what
        for each, now, before in zip(COUNTED, found["effort"], case["effort"], strict=True):
            assert now <= before, f"{now} {each} instead of {before}:\n{what}"
