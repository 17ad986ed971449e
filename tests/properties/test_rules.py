"""The random rules: what the checker accepts, small enough for the enumerator, and with every construct of the
grammar.
"""

from __future__ import annotations

from collections import Counter

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.syntax.parser import parse

from .compare import Verdict, compare_odds
from .constructs import constructs_of, every_construct
from .picks import Picks, smaller
from .rules import Sample, sample, seeded

MANY = 600


def trees() -> list[set[str]]:
    return [constructs_of(parse(Source.of_text("sample.rules", each.text))) for each in seeded(1, MANY)]


def test_every_construct_occurs_in_one_of_a_hundred() -> None:
    seen = Counter(construct for found in trees() for construct in found)
    rare = {construct: seen[construct] for construct in every_construct() if seen[construct] * 100 < MANY}
    assert not rare


def test_almost_all_pass_the_checker() -> None:
    refused = []
    for each in seeded(2, 100):
        try:
            rulesrun.parse(each.text, name="sample.rules")
        except rulesrun.RulesError as error:
            refused.append(str(error))
    assert len(refused) <= 5, refused


def test_the_same_seed_gives_the_same_rules() -> None:
    assert [each.text for each in seeded(3, 5)] == [each.text for each in seeded(3, 5)]
    assert len({each.text for each in seeded(3, 20)}) == 20


def test_a_record_gives_the_rule_again_and_less_of_it_a_smaller_one() -> None:
    picks = Picks.seeded(4)
    whole = sample(picks)
    assert sample(Picks.replayed(picks.made)) == whole

    def explodes(record: list[int]) -> bool:
        return "explode" in sample(Picks.replayed(record)).text

    record = next(p.made for p in map(made_with, range(100)) if explodes(p.made))
    shrunk = sample(Picks.replayed(smaller(record, explodes)))
    assert "explode" in shrunk.text and shrunk.text.count("\n") <= 12


def made_with(seed: int) -> Picks:
    picks = Picks.seeded(seed)
    sample(picks)
    return picks


def test_a_wrong_number_is_seen() -> None:
    """The comparison itself: a rule against the reference odds of another."""
    right = Sample("rule main\n    roll a = 2d3\n    x = sum of a\n", "main", {}, asked=("x >= 4",))
    assert compare_odds(right) == Verdict(agrees=True)
    lying = Sample(right.text, "main", {}, asked=("x >= 4",), settings={"nothing": "1"})
    assert compare_odds(lying).skipped.startswith("refused")
