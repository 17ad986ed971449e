"""Every bound: what is over it is an error that names the bound and how to raise it, what is raised goes through."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import rulesrun
from rulesrun import Limits, RulesError, Ruleset
from rulesrun.cli.main import main
from rulesrun.cli.terminal import Terminal
from rulesrun.diagnostics import Source
from rulesrun.limits import NAMES, USUAL, in_force, within
from rulesrun.record import changed
from rulesrun.render.layout import PLAIN
from rulesrun.sheets.document import read_document

PROJECT = Path(__file__).parents[2]


class Case(NamedTuple):
    """`text` keeps within `enough` of the bound, not within one less. `use` is what is done with the ruleset."""

    limit: str
    enough: int
    text: str
    use: Callable[[Ruleset], object] = lambda found: found


def roll(found: Ruleset) -> object:
    """Both forms, and the trace that is made afterwards."""
    rule = next(iter(found))
    rule.roll(seed=1)
    return rule.roll(seed=2).trace


def odds(found: Ruleset) -> object:
    rule = next(iter(found))
    chances = rule.odds()
    return [chances.of(name).items() for name in chances.numbers]


RULE = "rule r\n    "
CASES = [
    Case("characters", 30, RULE + "x = 12345678901234\n"),
    Case("words", 7, RULE + "x = 1 + 2 + 3\n"),
    Case("brackets", 3, RULE + "x = (((1)))\n"),
    Case("blocks", 2, RULE + "track x = 1\n    repeat 2 times\n        x += 1\n    y = x\n"),
    Case("nesting", 4, RULE + "x = 1 + 2 + 3 + 4 + 5\n"),
    Case("digits", 6, RULE + "x = 123456\n"),
    Case("faces", 20, "die d = 1..20\n" + RULE + "roll p = d\n    x = p + 0\n"),
    Case("faces", 20, "bag d = 1..20\n" + RULE + "draw p = 2 from d\n    x = sum of p\n"),
    Case("all_faces", 12, "die c = 1..6\ndie d = 1..6\n" + RULE + "roll p = c\n    roll q = d\n    x = p + q\n"),
    Case("rolled", 2, "rule a\n    x = 1\nrule b\n    roll y = a\n    x = y.x\nrule c\n    roll y = b\n    x = y.x\n"),
    Case("steps", 5, "rule a\n    x = 1\nrule b\n    roll y = a\n    roll z = a\n    x = y.x + z.x\n"),
    Case("dice", 7, RULE + "roll p = 7d6\n    x = sum of p\n", roll),
    Case("dice", 7, RULE + "roll p = 7d6\n    x = sum of p\n", odds),
    Case("all_dice", 9, RULE + "roll p = 4d6\n    roll q = 5d6\n    x = sum of p + sum of q\n", roll),
    Case("all_dice", 8, RULE + "roll p = 2d6\n    q = p + p\n    s = q + q\n    x = sum of s\n", odds),
    Case("sides", 1000, RULE + "roll p = d1000\n    x = p + 0\n", roll),
    Case("sides", 1000, RULE + "roll p = d1000\n    x = p + 0\n", odds),
    Case("turns", 9, RULE + "track n = 0\n    repeat 9 times\n        n += 1\n    x = n\n", roll),
    Case("turns", 9, RULE + "track n = 0\n    repeat 9 times\n        n += 1\n    x = n\n", odds),
    Case("number_bits", 70, RULE + "given n: 0.. = 69\n    x = 2 ^ n\n", roll),
    Case("number_bits", 70, RULE + "given n: 0.. = 69\n    x = 2 ^ n\n", odds),
    Case("items", 12, RULE + "x = for each die in 1..12: die\n", roll),
    Case("items", 3, RULE + "given a: list of 0.. = [1, 2, 3]\n    x = sum of a\n", roll),
    Case("work", 25, RULE + "x = for each die in 1..5: (for each die in 1..4: die)\n", roll),
    Case("work", 25, RULE + "x = for each die in 1..5: (for each die in 1..4: die)\n", odds),
    Case("listed_sides", 30, RULE + "roll p = d30\n    x = p + 0\n", odds),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.limit}-{case.use.__name__.strip('<>')}")
def test_a_bound_holds_and_can_be_raised(case: Case) -> None:
    name = "r.rules"
    case.use(rulesrun.parse(case.text, name, limits={case.limit: case.enough}))
    with pytest.raises(RulesError) as caught:
        case.use(rulesrun.parse(case.text, name, limits={case.limit: case.enough - 1}))
    error = caught.value
    assert error.hint or error.diagnostics[0].notes or "limit" in error.message or f"{case.enough - 1}" in error.message
    assert error.file == name or error.line is None
    assert in_force.get() is USUAL


def test_every_bound_is_tried() -> None:
    elsewhere = {"bases", "states", "rows", "sheet_characters", "sheet_levels", "sheet_parts"}
    assert {case.limit for case in CASES} | elsewhere >= set(NAMES)


def test_files_based_on_one_another(tmp_path: Path) -> None:
    (tmp_path / "0.rules").write_text(RULE + "x = 1\n")
    for number in range(1, 30):
        (tmp_path / f"{number}.rules").write_text(f'based on "{number - 1}.rules"\n')
    assert rulesrun.load(tmp_path / "20.rules")["r"].roll().values == {"x": 1}
    with pytest.raises(RulesError, match="more than 20 files are based on one another") as caught:
        rulesrun.load(tmp_path / "21.rules")
    assert caught.value.line == 1
    assert rulesrun.load(tmp_path / "21.rules", limits={"bases": 21})["r"].roll().values == {"x": 1}


def test_files_based_on_one_another_are_long_together(tmp_path: Path) -> None:
    comment = "# " + "x" * 500 + "\n"
    (tmp_path / "a.rules").write_text(comment + RULE + "x = 1\n")
    (tmp_path / "b.rules").write_text('based on "a.rules"\n' + comment)
    with pytest.raises(RulesError, match="too long together"):
        rulesrun.load(tmp_path / "b.rules", limits={"characters": 900})
    rulesrun.load(tmp_path / "b.rules", limits={"characters": 1100})


def test_states_are_bounded_by_the_call_or_the_ruleset() -> None:
    text = RULE + "roll p = 6d6\n    x = largest set in p * 100 + highest of p * 10 + longest run in p\n"
    with pytest.raises(RulesError) as caught:
        rulesrun.parse(text, "r.rules", limits={"states": 5})["r"].odds().of("x")
    assert "too large for exact odds" in caught.value.message
    assert caught.value.line == 1
    with pytest.raises(RulesError, match="too large"):
        rulesrun.parse(text)["r"].odds(budget=5).of("x")
    assert sum(chance for _, chance in rulesrun.parse(text)["r"].odds().of("x").items()) == 1


@pytest.mark.parametrize(
    ("limit", "enough", "text"),
    [
        ("sheet_characters", 14, "name: Armistad"),
        ("sheet_levels", 3, "a:\n  b:\n    c: 1\n"),
        ("sheet_parts", 7, "a: 1\nb: 2\nc: 3\n"),
    ],
)
def test_a_character_is_bounded(limit: str, enough: int, text: str) -> None:
    with within(changed(USUAL, **{limit: enough})):
        read_document(Source.of_text("a.yaml", text))
    with within(changed(USUAL, **{limit: enough - 1})), pytest.raises(RulesError) as caught:
        read_document(Source.of_text("a.yaml", text))
    assert caught.value.file == "a.yaml"


def test_aliases_are_not_read() -> None:
    bomb = "a: &a [x, x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a, *a]\n" for n in range(40))
    _, faults = read_document(Source.of_text("a.yaml", bomb))
    assert {"alias", "anchor"} <= {each.code for each in faults}


def test_a_sweep_has_so_many_rows_and_no_more() -> None:
    rule = rulesrun.parse(RULE + "given a: 0.. = 1\n    given b: 0.. = 1\n    x = a + b\n")["r"]
    with pytest.raises(RulesError, match="100,000,000 combinations"):
        rule.odds_table(a=range(10_000), b=range(10_000))
    few = rulesrun.parse(RULE + "given a: 0.. = 1\n    x = a\n", limits={"rows": 3})["r"]
    assert len(few.odds_table(a=range(3))) == 3
    with pytest.raises(RulesError, match="4 combinations of inputs; the limit of a table is 3"):
        few.odds_table(a=range(4))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dise": 3}, "there is no limit called dise"),
        ({"dice": 0}, "limit dice is a whole number from 1"),
        ({"dice": True}, "limit dice"),
        ({"dice": "7"}, "limit dice"),
        ({"dice": 1.5}, "limit dice"),
    ],
)
def test_bounds_that_cannot_be(given: dict[str, int], said: str) -> None:
    with pytest.raises(RulesError, match=re.escape(said)):
        rulesrun.parse(RULE + "x = 1\n", limits=given)


def test_settings_keep_the_bounds_of_their_ruleset() -> None:
    text = "setting n = 7\n" + RULE + "roll p = n d6\n    x = size of p\n"
    found = rulesrun.parse(text, limits=Limits(dice=7))
    assert found.with_settings(n=6)["r"].roll().values == {"x": 6}
    with pytest.raises(RulesError, match="8 dice in one draw; the limit is 7"):
        found.with_settings(n=8)["r"].roll()
    assert rulesrun.parse(text).with_settings(n=8)["r"].roll().values == {"x": 8}


def test_raised_bounds_are_not_kept_for_others(tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text(RULE + "x = " + "(" * 60 + "1" + ")" * 60 + "\n")
    assert rulesrun.load(file, limits={"brackets": 60})["r"].roll().values == {"x": 1}
    with pytest.raises(RulesError, match="brackets nest deeper than 50"):
        rulesrun.load(file)


def test_the_reference_lists_every_bound_with_what_it_is() -> None:
    reference = (PROJECT / "grammar" / "REFERENCE.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d,^]+) \|", reference, re.MULTILINE))
    assert rows == {name: _written(getattr(USUAL, name)) for name in NAMES}


def _written(number: int) -> str:
    return "10^100" if number == 10**100 else f"{number:,}"


@pytest.mark.parametrize(
    "line",
    [
        "given a: 0.. = {} + 0",
        "given a: ..{} = 0",
        'given a: 0.. = 0\n    limit "few": {} > 0',
    ],
)
def test_what_is_worked_out_before_a_roll_is_bounded(line: str) -> None:
    work = "(for each die in 1..2000: (for each die in 1..2000: die))"
    text = RULE + line.format(work) + "\n    x = a\n"
    with pytest.raises(RulesError, match=r"the limit is 2,000,000|too large for exact odds"):
        rulesrun.parse(text, "r.rules")["r"].roll()


def test_a_sheet_is_bounded_too(tmp_path: Path) -> None:
    work = "for each die in 1..2000: (for each die in 1..2000: die)"
    (tmp_path / "s.rules").write_text(RULE + f'x = 1\n\nsheet "s"\n    trait a: 0.. = 1\n    value b = {work}\n')
    (tmp_path / "c.yaml").write_text("a: 2\n")
    err = io.StringIO()
    words = ["sheet", str(tmp_path / "s.rules"), str(tmp_path / "c.yaml")]
    assert main(words, Terminal(io.StringIO(), io.StringIO(), err, PLAIN, PLAIN)) == 2
    assert "the limit is 2,000,000" in err.getvalue()
