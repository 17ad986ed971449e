"""Which functions of the exact odds the random rules of `test_reached` do not enter, with the reason.

By reason and file; the names stand side by side.
"""

from __future__ import annotations

NEVER: dict[str, dict[str, str]] = {
    "what only users of `rulesrun.dice` itself ask": {
        "dice/law.py": "Law.variance",
    },
    "only states what others have to do, or is never to be called": {
        "dice/pool.py": "Step.ready Step.reversible Step.tells Walker.done Walker.next Walker.reach Walker.start",
        "dice/questions.py": "Question.next Question.pools",
        "evaluation/exact/alike.py": "_Faces.__getitem__",
        "evaluation/exact/elements.py": "Elements.chance Elements.law",
        "evaluation/exact/suits.py": "Asking.ruleset Asking.wanted",
        "evaluation/exact/tabled.py": "Reader.own",
    },
    "belongs to an error, or to a result that is too long for the enumerator": {
        "evaluation/exact/beyond.py": "_lost",
        "evaluation/exact/forced.py": "_one_kind",
        "evaluation/exact/replay.py": "LookShape.described impossible",
        "evaluation/exact/seen.py": "Uncapped.__init__",
    },
    "one rule in hundreds needs it, or more dice than the enumerator follows": {
        "dice/multiplicity.py": "_derivative",
        "dice/pool.py": "Showing.ready Showing.reversible Showing.tells _Shown.done _Shown.next",
        "dice/questions.py": "Middle.answer Middle.next Middle.start",
        "dice/repetition.py": "_all_roots_outside _as_one_fraction inverse_both_ways",
        "dice/termwise.py": "_within one_in",
        "evaluation/exact/abreast.py": (
            "RangesEach.empty RangesEach.meets RangesEach.only RangesEach.ranges Shares.__mul__"
        ),
        "evaluation/exact/abreast_run.py": "RunAbreast._sums",
        "evaluation/exact/alike.py": "_Marked.__getitem__",
        "evaluation/exact/beyond.py": "row_for",
        "evaluation/exact/choose.py": "Subsets.__iter__ Subsets.__len__",
        "evaluation/exact/decide.py": "Decisions.reads",
        "evaluation/exact/early.py": "_named.<locals>.name_of",
        "evaluation/exact/enough.py": "_of_face",
        "evaluation/exact/expressions/comparisons.py": "_extreme_compared _rising",
        "evaluation/exact/expressions/pool_expressions.py": "_dice_of.<locals>.dice",
        "evaluation/exact/expressions/pool_questions.py": "_counted _is_number",
        "evaluation/exact/expressions/values.py": "_faces_of",
        "evaluation/exact/extremes.py": "_low highest_of lowest_of",
        "evaluation/exact/forced.py": "_Work._reroll _Work._reroll.<locals>.bad _ordered_group.<locals>.same",
        "evaluation/exact/growth.py": "Growth.moment Growth.to_the _sum",
        "evaluation/exact/lines.py": "_forbids",
        "evaluation/exact/listed_draw.py": "Enumerated._exploded _Work.any_number_of",
        "evaluation/exact/loop.py": "Chain._counted",
        "evaluation/exact/loop_period.py": "_size_of",
        "evaluation/exact/modifiers.py": "_about exploded_again.<locals>.moved",
        "evaluation/exact/one_die.py": "dice_of_list",
        "evaluation/exact/packing.py": "Packing.top",
        "evaluation/exact/answer.py": "Far.moment",
        "evaluation/exact/aims.py": "_mean_share",
        "evaluation/exact/replay.py": "dice_of",
        "evaluation/exact/saturated.py": "small_sets small_sets.<locals>.chance small_sets.<locals>.rows",
        "evaluation/exact/sources.py": "Mixed.bounds Mixed.count Mixed.element",
        "evaluation/exact/symbols.py": "added_up",
        "evaluation/exact/tallies.py": "Tallies.parted_by_faces _without _without.<locals>.left",
        "evaluation/exact/without_end.py": "WithoutEnd._largest_set_shown",
    },
}
