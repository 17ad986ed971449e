"""What values are: single dice that are numbers, pools that are not, labels, tables, faces, and what may be none."""

from __future__ import annotations

import pytest
from tests.semantics.compiling import codes, rule, ruleset, step, value

from rulesrun.semantics import plan
from rulesrun.semantics.plan import Kind


def test_a_single_die_read_as_a_number_is_its_sum() -> None:
    test = rule("roll number = d12\ntotal = number + 1")
    assert step(test, plan.Draw, "number").single
    total = value(test, "total")
    assert isinstance(total, plan.Arithmetic)
    assert isinstance(total.left, plan.Question) and total.left.asked == "sum" and total.left.kind is Kind.NUMBER


def test_one_die_with_a_count_is_a_pool() -> None:
    assert codes("rule test\n    roll number = 1d12\n    total = number + 1\n") == ["pool-as-number"]


def test_a_sum_of_single_dice_is_a_pool_where_it_is_asked_and_a_number_elsewhere() -> None:
    test = rule("roll a = d6\nroll b = d8\nboth = a + b\ntotal = a + b\nhits = count 6 in both\nwon = total > 7")
    assert isinstance(value(test, "both"), plan.Union) and value(test, "both").kind is Kind.POOL
    total = value(test, "total")
    assert isinstance(total, plan.Question) and isinstance(total.pool, plan.Union) and total.kind is Kind.NUMBER
    assert [each.name for each in test.values] == ["total", "hits", "won"]


def test_a_pool_that_an_example_asks_stays_a_pool() -> None:
    text = "rule test\n    roll a = d6\n    roll b = d8\n    both = a + b\n"
    example = 'example "two"\n    roll test\n    expect chance of (count 6 in both = 2) = 1/48\n'
    assert ruleset(text + example).rules["test"].values == ()
    assert [each.name for each in ruleset(text).rules["test"].values] == ["both"]


def test_dice_of_cases_are_single_only_if_all_are() -> None:
    test = rule(
        "given x: 0.. = 1\nroll a =\n    d6 if x = 1\n    d8 otherwise\n"
        "roll b =\n    d6 if x = 1\n    2d8 otherwise\ntotal = a + sum of b"
    )
    assert (step(test, plan.Draw, "a").single, step(test, plan.Draw, "b").single) == (True, False)


def test_the_die_of_a_rank_is_a_number() -> None:
    total = value(rule("roll pool = 3d6\ntotal = die 2 of pool + 1"), "total")
    assert isinstance(total, plan.Arithmetic) and isinstance(total.left, plan.Question)
    assert isinstance(total.left.pool, plan.Select) and total.left.pool.which == "nth"


def test_top_faces_are_none_and_listed_faces_a_set() -> None:
    test = rule(
        "roll a = 3d6!\nroll b = 3d6, explode on sides\nroll c = 3d6, explode on 6\nx = sum of a + sum of b + sum of c"
    )
    a, b, c = (step(test, plan.Draw, name).cases[0].throw for name in "abc")
    assert isinstance(a.groups[0], plan.Dice)
    explosions = [a.groups[0].modifiers[0], b.modifiers[0], c.modifiers[0]]
    assert [isinstance(each, plan.Explode) and each.faces is None for each in explosions] == [True, True, False]


def test_shorthand_belongs_to_its_group_and_modifiers_to_the_throw() -> None:
    throw = step(rule("roll a = 4d6!kh3 + d4, keep highest 2\nx = sum of a"), plan.Draw, "a").cases[0].throw
    first = throw.groups[0]
    assert isinstance(first, plan.Dice)
    assert [type(each) for each in first.modifiers] == [plan.Explode, plan.KeepDrop]
    assert [type(each) for each in throw.modifiers] == [plan.KeepDrop]


def test_again_asks_the_newest_group() -> None:
    again = (
        step(rule("roll a = 2d10, again on sum >= 20 at most 3 times\nx = sum of a"), plan.Draw, "a")
        .cases[0]
        .throw.modifiers[0]
    )
    assert isinstance(again, plan.Again) and again.limit is not None
    assert isinstance(again.condition, plan.Compare) and isinstance(again.condition.left, plan.Question)
    assert isinstance(again.condition.left.pool, plan.NewestGroup)


def test_dice_are_named_as_the_field_names_them_and_equal_faces_put_together() -> None:
    test = rule(
        "roll a = 2d{1, 1, 2, 3} + boost + coin + dF + d%\nx = size of a", "die boost = blank x2, success & advantage"
    )
    groups = step(test, plan.Draw, "a").cases[0].throw.groups
    assert [each.kind for each in groups if isinstance(each, plan.Dice) and isinstance(each.kind, plan.Faces)] == [
        plan.Faces("d{1, 1, 2, 3}", ((1, 2), (2, 1), (3, 1))),
        plan.Faces("boost", (((), 2), (("advantage", "success"), 1))),
        plan.Faces("coin", ((1, 1), (0, 1))),
        plan.Faces("dF", ((-1, 1), (0, 1), (1, 1))),
    ]
    assert isinstance(groups[4], plan.Dice) and isinstance(groups[4].kind, plan.Sides)


def test_faces_of_a_setting_stand_where_it_is_named() -> None:
    test = rule(
        "roll a = 3d10\nx = count hits in a\ny = count not hits in a\nz = count 1 or hits in a", "setting hits = 6..10"
    )
    questions = [value(test, name) for name in "xyz"]
    faces = [each.faces for each in questions if isinstance(each, plan.Question) and each.faces is not None]
    assert [each.negated for each in faces] == [False, True, False]
    assert [[type(part) for part in each.alternatives] for each in faces] == [
        [plan.FaceBetween], [plan.FaceBetween], [plan.FaceIs, plan.FaceBetween],
    ]  # fmt: skip


def test_a_number_that_is_only_used_as_faces_is_faces() -> None:
    plain = ruleset("setting crit = 10\nrule test\n    roll a = 3d10\n    x = count crit in a\n").settings["crit"]
    assert plain.domain == plan.FacesDomain() and isinstance(plain.value, plan.FaceSet)
    both = ruleset("setting crit = 10\nrule test\n    roll a = 3d10\n    x = count crit in a + crit\n").settings["crit"]
    assert both.domain == plan.NumberDomain(None, None) and both.value == 10


def test_symbols_of_the_dice_come_before_names() -> None:
    test = rule(
        "roll a = 3 boost\nsuccess = count success in a\ntwice = count success in a + success",
        "die boost = blank, success",
    )
    twice = value(test, "twice")
    assert isinstance(twice, plan.Arithmetic) and isinstance(twice.left, plan.Question) and twice.left.faces is not None
    only = twice.left.faces.alternatives[0]
    assert isinstance(only, plan.FaceIs) and isinstance(only.value, plan.Const) and only.value.value == "success"


def test_at_turn_goes_round_and_nothing_else_does() -> None:
    test = rule(
        "given party: list of 0.. = [1, 2]\ntrack x = 0\ntrack y = 0\n"
        "repeat 3 times\n    x += party at turn\n    y += party at (turn + 0)"
    )
    updates = [
        each
        for each in next(each for each in test.steps if isinstance(each, plan.Repeat)).steps
        if isinstance(each, plan.Update)
    ]
    items = [each.value.right for each in updates if isinstance(each.value, plan.Arithmetic)]
    assert [each.around for each in items if isinstance(each, plan.ItemAt)] == [True, False]


def test_a_rolled_table_is_a_row_of_its_die() -> None:
    items = 'table fumbles, d6\n    1..3 light "a scratch"\n    4..6 heavy "a wound"\n'
    test = rule(
        (
            "given cursed: yes or no = no\nroll one = fumbles\nroll other = fumbles if cursed\n"
            "bad = one is heavy\nsaid = one.text\nworse = other is heavy"
        ),
        items,
    )
    draw = step(test, plan.Draw, "one")
    assert (draw.table, draw.single) == ("fumbles", True)
    bad, said = value(test, "bad"), value(test, "said")
    assert isinstance(bad, plan.IsLabel) and isinstance(bad.value, plan.TableAt) and not bad.value.optional
    assert isinstance(said, plan.TableAt) and said.part == "text" and said.kind is Kind.TEXT
    assert isinstance(bad.value.index, plan.Question) and bad.value.index.asked == "sum"


def test_a_table_rolled_under_a_condition_is_none_without_it() -> None:
    items = "table costs, d6\n    0 9\n    1..3 1\n    4..6 2\n"
    text = items + (
        "rule test\n    given cursed: yes or no = no\n    roll cost = costs if cursed\n"
        "    total = 1 + (cost if cost != none otherwise 0)\n"
    )
    total = ruleset(text).rules["test"]
    assert "maybe-none" not in codes(text)
    assert value(total, "total").optional is False


@pytest.mark.parametrize(
    ("rows", "kind", "optional"),
    [
        ("..5 easy\n    6.. hard", Kind.LABEL, False),
        ("0..5 easy\n    6.. hard", Kind.LABEL, True),
        ("..5 1\n    6.. 2", Kind.NUMBER, False),
        ("..5 easy 1\n    6.. hard 2", Kind.LABEL, False),
        ('..5 "Easy"\n    6.. "Hard"', Kind.TEXT, False),
        ("..5 easy\n    6.. 2", Kind.ROW, False),
        ("..5 easy\n    8.. hard", Kind.LABEL, True),
    ],
)
def test_a_lookup_gives_the_label_else_the_number_else_the_text(rows: str, kind: Kind, optional: bool) -> None:
    found = value(rule("given x: 0.. = 1\ny = levels at x", f"table levels\n    {rows}\n"), "y")
    assert (found.kind, found.optional) == (kind, optional)


def test_levels_are_numbers_that_can_be_named() -> None:
    items = "levels difficulties\n    easy 8\n    hard 12\n"
    test = rule(
        (
            "given difficulty: difficulties = hard\nroll a = d20\n"
            "won = a >= difficulty\nsimple = difficulty is easy\nlow = a >= easy"
        ),
        items,
    )
    assert isinstance(test.inputs[0].default, plan.Const) and test.inputs[0].default.value == 12
    simple = value(test, "simple")
    assert isinstance(simple, plan.Compare) and isinstance(simple.right, plan.Const) and simple.right.value == 8


def test_a_bare_word_is_a_label_where_labels_are_expected() -> None:
    test = rule(
        "given focus: yes or no = no\ngiven training: one of focus, none_yet = focus\n"
        "track state: one of calm, alert = calm\nrepeat 2 times\n    state becomes alert if focus\n"
        "how =\n    none_yet if state is alert and training is focus\n    wild otherwise\nwon = how is wild"
    )
    assert isinstance(test.inputs[1].default, plan.Const) and test.inputs[1].default.value == "focus"
    assert codes("rule test\n    how =\n        calm if 1 = 1\n        wild otherwise\n") == [
        "unknown-name",
        "unknown-name",
    ]


def test_a_name_comes_before_a_label_where_none_is_expected() -> None:
    items = "rule other\n    given mood: one of calm, wild = calm\n    x = 1 if mood is calm otherwise 2\n"
    test = rule("calm = 3\ntotal = calm + 1", items)
    assert isinstance(value(test, "total"), plan.Arithmetic)


@pytest.mark.parametrize(
    ("guarded", "warned"),
    [
        ("x = skill + 1", True),
        ("x = skill + 1 if skill != none otherwise 0", False),
        ("x = 0 if skill = none otherwise skill + 1", False),
        ("x = 0 if skill is none otherwise skill + 1", False),
        ("x = skill + 1 if not skill = none otherwise 0", False),
        ("x = skill + 1 if ready otherwise 0", True),
        ("x = skill + 1 if ready and skill != none otherwise 0", False),
        ("x = 0 if ready or skill = none otherwise skill", False),
        ("x = 0 if ready and skill = none otherwise skill + 1", True),
        ("x = skill != none and skill > 1", False),
        ("x = skill = none or skill > 1", False),
        ("x = skill > 1 or skill = none", True),
        ("x = 1 if skill = 3 otherwise 0", False),
        (
            "x =\n    1 if ready and (skill = none or skill = 2)\n    skill + 1 if ready\n    0 otherwise",
            False,
        ),
        ("roll a = (skill) d6 if skill != none\nx = sum of a", False),
        ("roll a =\n    2d6 if skill = none\n    skill d6 otherwise\nx = sum of a", False),
    ],
)
def test_a_value_that_may_be_none_is_warned_of_unless_a_guard_is_in_sight(guarded: str, warned: bool) -> None:
    lines = "\n    ".join(["given skill: 0.. or none = none", "given ready: yes or no = no", *guarded.split("\n")])
    assert ("maybe-none" in codes(f"rule test\n    {lines}\n    used = ready and x = x\n")) == warned


def test_a_setting_that_is_none_needs_its_guard_only() -> None:
    text = "setting cap: 0.. or none = none\nrule test\n    roll a = 3d6\n    total = sum of a\n"
    assert codes(text + "    x = cap != none and total > cap\n") == []
    assert codes(text + "    x = total > cap\n") == ["maybe-none"]
    assert codes(text + "    x = total > cap\n", settings={"cap": 3}) == []


def test_values_of_a_roll_under_a_condition_may_be_none_but_its_dice_and_flags_may_not() -> None:
    items = (
        "rule one\n    roll a = 2d6\n    total = sum of a\n    flag high if total > 9\n"
        "    outcome\n        + hit if total > 6\n        - miss otherwise\n"
    )
    lines = (
        "given ready: yes or no = no\nroll first = one if ready\nx = first.total if first is hit otherwise 0\n"
        "y = count 6 in first.a\nz = first.high\nw = first.total if ready otherwise 0"
    )
    test = rule(lines, items)
    assert not any(value(test, name).optional for name in "xyzw")


def test_powers_that_are_not_whole_may_be_shown_but_not_decide() -> None:
    lines = "given x: .. = 3\n{0}\noutcome\n    + hit if {1}\n    - miss otherwise"
    fine = "square = 2 ^ x\nfactor = 2 ^ (x / 2)"
    assert codes("rule test\n    " + lines.format(fine, "square > 4").replace("\n", "\n    ") + "\n") == [
        "unused-value"
    ]
    assert codes("rule test\n    " + lines.format(fine, "factor > 2").replace("\n", "\n    ") + "\n") == [
        "approximate-decides"
    ]


def test_limits_and_what_they_need_come_before_the_first_draw() -> None:
    test = rule(
        "given x: 0.. = 1\nroll a = d6\ndouble = x * 2\nother = x + 1\n"
        'limit "small": double < 10\ntotal = a + double + other'
    )
    assert [type(each) for each in test.steps] == [plan.Define, plan.Limit, plan.Draw, plan.Define, plan.Define]
    assert [each.name for each in test.steps if isinstance(each, plan.Define)] == ["double", "other", "total"]
