"""The functions of the exact odds are entered by random rules, which are held against the enumerator on the way."""

from __future__ import annotations

import pytest

from .reached import Watch, functions, hold
from .unreached import NEVER

MANY = 800
FIRST = (949, 1398, 1708, 2301)
"""Rules further on that enter what few others do. Where random rules are made in another way, these are like any
others.
"""


@pytest.mark.slow
def test_every_function_is_entered_but_those_that_are_named() -> None:
    """Goes on until each has been, so that it takes no longer than it must."""
    every = set(map(str, functions()))
    named = {f"{file}: {name}" for files in NEVER.values() for file, names in files.items() for name in names.split()}
    assert named <= every, "what is named is there"
    watch, left = Watch(), every - named
    for place in dict.fromkeys((*FIRST, *range(MANY))):
        assert not hold(f"reached/{place}", watch.on)
        left -= set(map(str, watch.entered()))
        watch.seen.clear()
        if not left:
            break
    assert not left, sorted(left)
