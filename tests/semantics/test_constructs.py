"""Every construct of the language has a file that compiles without a word and rolls, and one that is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesrun

HERE = Path(__file__).parent
ERRORS = HERE.parent / "errors"

REFUSED = {
    "again": ("dice/again_never_ends", "dice/again_never_ends_by_faces"),
    "against": ("names/hidden_by_each", "dice/not_a_number_of_times"),
    "arithmetic": ("kinds/pool_as_number", "kinds/division_by_zero", "kinds/approximate_decides"),
    "bag": ("items/bag_range", "lines/unknown_bag", "lines/not_drawn"),
    "based_on": ("variants/missing", "variants/circle"),
    "best": ("calls/best_without_aim", "calls/no_aim"),
    "cases": ("kinds/no_otherwise", "kinds/mixed_cases", "lines/case_unreachable"),
    "choice": ("lines/open_choice", "calls/default_of_itself"),
    "conditions": ("kinds/or_between_numbers", "kinds/number_as_yes_no", "kinds/label_compared"),
    "die": ("dice/mixed_faces", "dice/die_rolls_itself", "dice/unknown_die"),
    "example": ("examples/several_problems", "examples/unknown_dice", "examples/no_roll"),
    "explode": ("dice/never_ends", "dice/never_ends_rolling"),
    "faces": ("kinds/not_a_face", "kinds/unknown_symbol", "dice/face_lacking"),
    "flag": ("lines/not_in_a_body", "kinds/flag_as_label"),
    "formula": ("calls/formula_with_dice", "calls/formula_needs", "kinds/formula_before_rules", "names/outer_word"),
    "given": ("lines/default_outside", "lines/given_below", "items/empty_domain"),
    "given_all_of": ("lines/unknown_exception", "lines/input_needs_another"),
    "keep_and_drop": ("dice/drop_middle", "dice/not_a_number_of_times"),
    "levels": ("items/level_twice", "items/unknown_domain", "names/levels_as_value"),
    "limit": ("lines/limit_after_roll",),
    "lists": ("kinds/not_a_list", "kinds/mixed_list", "items/list_of_lists"),
    "pools": ("kinds/number_as_pool", "kinds/number_for_each", "kinds/question_binds_tightly"),
    "questions": ("kinds/symbols_as_numbers", "kinds/or_in_faces"),
    "reroll": ("dice/never_ends_rerolling",),
    "reroll_rule": ("calls/reroll_of_dice", "calls/reroll_of_rule"),
    "roll": ("dice/bad_count", "dice/bad_sides", "dice/number_in_throw"),
    "roll_cases": ("lines/roll_case_unreachable", "lines/rule_in_cases"),
    "rolled_table": ("lines/table_without_die", "lines/table_not_alone", "items/gaps_of_a_rolled_table"),
    "rule_roll": ("calls/unknown_input", "calls/outside", "calls/rolls_itself"),
    "setting": ("items/setting_outside", "items/setting_needs_domain"),
    "sheet": ("sheet/not_a_trait", "sheet/dice_in_a_sheet", "sheet/unknown_member", "items/text_as_input"),
    "shorthand": ("dice/never_ends_d1",),
    "system": ("items/defined_twice",),
    "table": ("items/row_twice", "items/gap_and_overlap", "names/unknown_row_part"),
    "track_and_repeat": ("lines/becomes_other_kind", "lines/update_of_value", "lines/bad_turns"),
    "with_advantage": ("kinds/approximate_dice",),
}
"""By construct, messages that refuse or warn of something said wrongly with it."""

FILES = sorted((HERE / "constructs").glob("*.rules"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_compiles_without_a_word_and_rolls(path: Path) -> None:
    ruleset = rulesrun.load(path)
    assert ruleset.warnings == ()
    for rule in ruleset:
        choose = {choice.name: "never" for choice in rule.choices if path.stem == "best"}
        assert rule.roll(seed=1, choose=choose).to_json()


def test_every_construct_has_both() -> None:
    assert {path.stem for path in FILES} == set(REFUSED)
    assert all((ERRORS / f"{name}.txt").read_text("utf-8").strip() for names in REFUSED.values() for name in names)
