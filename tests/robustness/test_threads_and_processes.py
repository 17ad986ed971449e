"""One compiled rule, rolled and asked from many threads and processes, gives what one thread gives."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

import rulesrun
from rulesrun import Rule, RulesError
from rulesrun.limits import USUAL, in_force

TEXT = """\
setting hit = 5..6

rule attack
    given skill: 0.. = 5
    given bonus: 0.. = 1

    roll pool = skill d6, explode on 6
    choice push if none hit in pool by default always
    roll more = skill d6 if push
    hits = count hit in pool + count hit in more + bonus

    outcome
        + good if hits >= 3
        - bad otherwise

rule duel
    roll attacker = attack
    roll defender = attack
    margin = attacker.hits - defender.hits
"""
SEEDS = range(200)
PROJECT = Path(__file__).parents[2]


def one(rule: Rule, seed: int) -> Mapping[str, object]:
    """A roll in full, its trace included."""
    return rule.roll(seed=seed).to_json()


def chance(rule: Rule, skill: int) -> Fraction:
    return rule.odds(inputs={"attacker.skill": skill}).chance("margin >= 1")


def test_eight_threads_roll_what_one_rolls() -> None:
    expected = [one(rulesrun.parse(TEXT)["duel"], seed) for seed in SEEDS]
    shared = rulesrun.parse(TEXT)["duel"]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(one, [shared] * len(SEEDS), SEEDS)) == expected


def test_eight_threads_find_the_odds_that_one_finds() -> None:
    expected = [chance(rulesrun.parse(TEXT)["duel"], skill) for skill in range(1, 5)] * 2
    shared = rulesrun.parse(TEXT)["duel"]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(chance, [shared] * 8, [1, 2, 3, 4] * 2)) == expected


def test_bounds_raised_in_one_thread_hold_in_no_other() -> None:
    text = "rule r\n    roll p = 8d6\n    x = sum of p\n"
    loose, tight = rulesrun.parse(text)["r"], rulesrun.parse(text, limits={"dice": 7})["r"]

    def refused(rule: Rule) -> bool:
        try:
            rule.roll()
        except RulesError:
            return True
        return False

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(refused, [loose, tight] * 100)) == [False, True] * 100
    assert in_force.get() is USUAL


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_roll_and_find_what_one_does(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PROJECT)  # where a new process finds the functions of this module
    rule = rulesrun.parse(TEXT)["duel"]
    expected = [one(rule, seed) for seed in range(20)]
    with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as processes:
        assert list(processes.map(one, [rule] * 20, range(20))) == expected
        assert processes.submit(chance, rule, 2).result() == chance(rule, 2)


def test_rulesets_and_rules_are_carried_whole() -> None:
    ruleset = rulesrun.parse(TEXT, "duel.rules", limits={"dice": 50}).with_settings(hit="4..6")
    again = pickle.loads(pickle.dumps(ruleset))
    assert again.settings == {"hit": "4..6"}
    assert again.plan.limits.dice == 50
    assert one(again.with_settings(hit="6")["attack"], 1) == one(ruleset.with_settings(hit="6")["attack"], 1)
    rule = pickle.loads(pickle.dumps(ruleset["duel"]))
    assert one(rule, 3) == one(ruleset["duel"], 3)
    with pytest.raises(RulesError, match="the limit is 50"):
        rule.roll(inputs={"attacker.skill": 51})


def test_errors_and_rolls_are_carried_whole() -> None:
    with pytest.raises(RulesError) as caught:
        rulesrun.parse("rule r\n    x = y\n", "r.rules")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.column) == (str(caught.value), 2, 9)
