"""The fast form of a rule and the one that records are the same rule: from the same bits they give the same roll."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from inspect import signature
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesrun
from rulesrun import Rule, load
from rulesrun.diagnostics import RulesError, Source
from rulesrun.evaluation.roll import PARAMETERS, Roll, RuleRoller
from rulesrun.semantics.compile import compile_ruleset
from rulesrun.semantics.plan import (
    Const,
    Input,
    LevelsDomain,
    ListDomain,
    NumberDomain,
    OneOfDomain,
    RulesetPlan,
    YesNoDomain,
)
from rulesrun.syntax.parser import parse

RULESETS = sorted((Path(__file__).parents[3] / "rulesets").glob("*.rules"))


def outcome_of(roll: Roll) -> tuple[object, ...]:
    return (roll.values, list(map(type, roll.values.values())), roll.flags, roll.outcome, roll.dice)


def both_forms(roller: RuleRoller, given: dict[str, object], seed: int) -> tuple[object, object]:
    """The roll, or the error, of either form; forced dice of no faces ask for the recording one. The form that reads
    its inputs itself is held against the fast one here.
    """
    results: list[object] = []
    known = dict.fromkeys(roller.dice_names, ()) or None
    forms: list[Callable[[], Roll]] = [
        lambda: roller.roll(given, seed=seed),
        lambda: roller.roll(given, seed=seed, dice=known),
        lambda: roller.quick(given, Random(seed)) or roller.roll(given, seed=seed),
    ]
    for make in forms:
        try:
            results.append(outcome_of(make()))
        except RulesError as error:
            results.append((error.message, error.line, error.column))
    assert results[0] == results[2], (given, seed)
    return results[0], results[1]


def some_value(each: Input, plan: RulesetPlan, rng: Random) -> object:
    match each.domain:
        case NumberDomain(low=Const(value=int(low))):
            return rng.randint(low - (rng.random() < 0.05), 9)
        case NumberDomain():
            return rng.randint(-2, 12)
        case YesNoDomain():
            return rng.random() < 0.5
        case OneOfDomain(options=options):
            return rng.choice(options)
        case LevelsDomain(levels=name):
            return rng.choice([*plan.levels[name].values(), rng.randint(-3, 15)])
        case ListDomain():
            return [rng.randint(0, 4) for _ in range(rng.randint(0, 4))]
        case _:
            return None


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_of_every_shipped_rule(path: Path) -> None:
    plan = load(path).plan
    rng = Random(path.stem)
    for rule in plan.rules.values():
        roller = RuleRoller(plan, rule)
        for seed in range(25):
            given = {each.name: some_value(each, plan, rng) for each in rule.inputs if rng.random() < 0.6}
            fast, recorded = both_forms(roller, given, seed)
            assert fast == recorded, (rule.name, given, seed)


THROWS = [
    "3d6", "n d10", "(n + 2) d(n + 4), keep highest 2", "2d6 + d10 + d4, keep lowest 3", "4d6, keep middle 2",
    "n d6, explode on 6", "2d8, explode on sides adding", "3d6, reroll 1..2 once", "2d6, again on all equal once",
    "2d10, with advantage n - 2 at most 2", "3d6, against n", "d6 + d8, against 4, explode on >= 6 once",
    "5d{1, 1, 2, 1/2}", "4d6, drop lowest 1, drop highest 1", "d20", "3dF", "0d6", "2 mark + d6",
    "4d6, keep highest 3 if n > 2", "3 stat", "n d6, explode on 5.. once, keep highest 4, reroll 1 once",
]  # fmt: skip

POOLS = [
    "a + b", "a showing 3..", "a showing not 1 or 2", "a cancelled by b", "a cancelled by b when other >= die",
    "highest 2 of a", "lowest n of (a + b)", "a with each die as (die * 2 if die > 3 otherwise 1)",
    "a with each die as die - 1 / 2", "(natural a) + b", "b if n > 3 otherwise a",
    "(a + b) cancelled by b when other = die or sides > 6",
]  # fmt: skip

NUMBERS = [
    "count 3.. in {p}", "count n in {p}", "count not 1 or n in {p}", "pairs of 5..6 in {p}", "sum of {p}",
    "highest of {p}", "lowest of {p}", "middle of {p}", "size of {p}", "distinct in {p}", "largest set in {p}",
    "face of largest set in {p}", "longest run in {p}", "sets of 2 in {p}", "sum of highest 2 of {p}", "die n of {p}",
    "for each die in {p}: die * n - 1", "for each die in {p}: 1 if target = none otherwise die - target",
    "for each die in 1..n: die * die", "wins of {p} over b", "count 2..n or 7 in {p}", "count even in {p}",
    "min(sum of {p}, n * 3) + max(n, 2)", "abs(n - size of {p})", "round_down(sum of {p} / (n + 1))", "n ^ 2 - 7 / 2",
    "clamp(sum of {p}, 0, n)", "5 if any 6 in {p} otherwise count 1 in natural {p}", "sum of list_one - list_one at 1",
    "count a in {p}", "-n * 3", "sum of ({p} with each die as die / 2)",
]  # fmt: skip

CONDITIONS = [
    "any 6 in {p}", "none 1 in {p}", "all 2.. in {p}", "all equal in {p}", "{p} outranks b", "sum of {p} >= n",
    "n in 2..4",
    "not any n in {p}", "any 1 in {p} and n > 2 or ready", "ready = (n > 3)", "style is wild", "style is not calm",
    "x / (n - 3) > 1", "level = 10", "skill = none", "skill != none and skill > 1", "skill > 1",
]  # fmt: skip

HEAD = """
system "Random"
die mark = 1, 2, 6 x2
die stat = sum of 3d6, keep highest 2
levels steps
    easy 8
    medium 10
rule test
    given n: 1.. = 3
    given ready: yes or no = no
    given style: one of calm, wild or none = calm
    given level: steps = medium
    given skill: 0..5 or none = none
    given list_one: list of 0.. = [2, 3]
"""


@st.composite
def rulesets(draw: st.DrawFn) -> str:
    """A rule of random lines over two rolls and a pool made of them."""
    one_of = st.sampled_from
    lines = [f"    roll {name} = {draw(one_of(THROWS))}" for name in ("a", "b")]
    lines.append(f"    c = {draw(one_of(POOLS))}")
    pool = one_of(["a", "b", "c", "(a + c)"])
    lines.append(f"    x = {draw(one_of(NUMBERS)).format(p=draw(pool))}")
    lines.append(f"    y = {draw(one_of(NUMBERS)).format(p=draw(pool))}")
    lines.append(f"    flag f if {draw(one_of(CONDITIONS)).format(p=draw(pool))}")
    if draw(st.booleans()):
        lines.append(f"    choice push if {draw(one_of(CONDITIONS)).format(p=draw(pool))} by default x > y")
        lines.append("    roll again = dice of c if push")
        lines.append("    z = sum of again")
    if draw(st.booleans()):
        lines += ["    track t = 0", "    repeat n times", f"        roll r = {draw(one_of(THROWS))}"]
        lines.append(f"        t += {draw(one_of(NUMBERS)).format(p='r')}")
    lines.append("    outcome")
    lines.append(f"        + good if {draw(one_of(CONDITIONS)).format(p=draw(pool))}")
    lines.append("        - bad otherwise")
    return HEAD + "\n".join(lines) + "\n"


@settings(max_examples=150, deadline=None)
@given(rulesets(), st.integers(0, 10**6))
def test_of_random_rules(text: str, seed: int) -> None:
    try:
        plan = compile_ruleset([parse(Source.of_text("random.rules", text))])
    except RulesError:
        return  # what the checker refuses has no forms
    roller = RuleRoller(plan, plan.rules["test"])
    rng = Random(seed)
    for turn in range(6):
        given = {each.name: some_value(each, plan, rng) for each in roller.rule.inputs if rng.random() < 0.6}
        fast, recorded = both_forms(roller, given, seed + turn)
        assert fast == recorded, (given, seed + turn)


def roller_of(lines: str) -> RuleRoller:
    plan = compile_ruleset([parse(Source.of_text("one.rules", "rule r\n    " + "\n    ".join(lines.split("; "))))])
    return RuleRoller(plan, plan.rules["r"])


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 99_998, 99_999, 100_000, 10**9])
def test_a_number_of_dice_is_refused_alike(n: int) -> None:
    roller = roller_of("given n: .. = 1; roll p = (n + 1) d6; x = size of p")
    roller.roll({}, seed=1)
    fast, recorded = both_forms(roller, {"n": n}, 1)
    assert fast == recorded
    assert isinstance(fast, tuple)
    assert (fast[0] == {"x": n + 1}) == (-1 <= n < 100_000)


@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("further", ["", "roll q = d6, explode on 6 once; "])
def test_all_dice_of_a_roll_are_counted_in_every_form(last: int, further: str) -> None:
    throws = "".join(f"roll p{k} = n d2 + n d{{1, 3}} + n d1; " for k in range(2))
    roller = roller_of(f"given n: 0.. = 1; given m: 0.. = 0; {further}{throws}roll z = m d4; x = sum of z")
    roller.roll({}, seed=1)
    used = len(roller.roll({}, seed=1).dice.get("q", ()))
    fast, recorded = both_forms(roller, {"n": 50_000 - used, "m": 5 * used + last}, 1)
    assert fast == recorded
    assert isinstance(fast, tuple)
    assert ("more than 300,000 dice in one roll" in fast[0]) == bool(last)


def test_what_the_call_takes_itself_is_no_input() -> None:
    rule = rulesrun.parse("rule r\n    given seed: 0.. = 1\n    given n: 0.. = 1\n    roll p = d6\n    x = seed + n\n")[
        "r"
    ]
    rng = Random(1)
    for _ in range(3):
        assert rule.roll(rng=rng, n=2).values == {"x": 3}
        assert rule.roll(rng=rng, inputs={"seed": 5}).values == {"x": 6}
        with pytest.raises(RulesError, match="not both"):
            rule.roll(rng=rng, seed=5)
    assert set(signature(Rule.roll).parameters) == {"self", *PARAMETERS, "named"}


def test_a_plain_call_is_the_call_with_a_seed_and_has_its_trace() -> None:
    rule = load("hive.rules")["skill_check"]
    rule.roll(seed=1)
    for seed in range(20):
        plain = rule.roll(rng=Random(seed), attribute=seed, drone_damage=2, specialized=seed % 2 == 0)
        same = rule.roll(seed=seed, attribute=seed, drone_damage=2, specialized=seed % 2 == 0)
        assert outcome_of(plain) == outcome_of(same)
        assert (plain.inputs, plain.trace, plain.seed) == (same.inputs, same.trace, None)
    for wrong in ({"attribute": -1}, {"atribute": 2}, {"specialized": 1}, {"attribute": "2"}):
        with pytest.raises(RulesError):
            rule.roll(rng=Random(1), **wrong)
    with pytest.raises(RulesError, match=r"`rng` is a random\.Random"):
        rule.roll(rng=7, attribute=2)  # type: ignore[arg-type]


def test_parts_that_add_up_to_a_whole_number_are_a_whole_number() -> None:
    roller = roller_of(
        "roll p = 2d2; x = sum of (p with each die as die / 2); y = for each die in p: die / 2; "
        "z = round_down(sum of (p with each die as die / 2))"
    )
    roller.roll({}, seed=1)
    kinds = set()
    for seed in range(12):
        fast, recorded = both_forms(roller, {}, seed)
        assert fast == recorded
        kinds |= {type(value) for value in roller.roll({}, seed=seed).values.values()}
    assert kinds == {int, Fraction}
