"""Everything in the corpus, what once went wrong included, goes well; fuzzing itself is not part of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_is_in_the_corpus_goes_well(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())
