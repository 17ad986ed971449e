"""Which functions of the exact odds the random rules of `test_reached` do not enter, with the reason.

By reason and file; the names stand side by side.
"""

from __future__ import annotations

NEVER: dict[str, dict[str, str]] = {
    "belongs to an error": {
        "evaluation/exact/listed_draw.py": "_Work._large",
        "evaluation/exact/modifiers.py": "never_ends",
        "evaluation/exact/replay.py": "LookShape.described impossible",
    },
    "a safeguard, should anything but a cell's own work read what differs by cell": {
        "evaluation/exact/abreast.py": "RangesEach.empty RangesEach.meets RangesEach.only RangesEach.ranges",
    },
    "one rule in hundreds needs it, or more dice than the enumerator follows": {
        "dice/adding.py": "Adding.law",
        "dice/ahead.py": "_each ahead",
        "dice/pool.py": "Selection.turned",
        "evaluation/exact/beyond.py": "_lost",
        "evaluation/exact/beside_bounded.py": "_by_digits",
        "evaluation/exact/blended.py": "Blend.only",
        "evaluation/exact/choose.py": "foresee_options",
        "evaluation/exact/draw.py": "_number_of_a_list",
        "evaluation/exact/enough.py": "uncounted",
        "evaluation/exact/expressions/conditions.py": "_as_odd",
        "evaluation/exact/expressions/number_lists.py": "_holds _longest_run _sets",
        "evaluation/exact/expressions/tails.py": "_look_at",
        "evaluation/exact/growth.py": "Growth._mirrored Growth.remainder Growth.rounded",
        "evaluation/exact/lined.py": "_kept _places _reads",
        "evaluation/exact/lines.py": "_forbids",
        "evaluation/exact/packing.py": "Packing.top",
        "evaluation/exact/parted.py": "_each_below _falls sum_where sum_where.<locals>.up_to",
        "evaluation/exact/replay.py": "dice_of",
        "evaluation/exact/runs.py": "_again _middle _moved",
        "evaluation/exact/seen.py": "Uncapped.__init__",
        "evaluation/exact/suits.py": "alike_draws",
    },
}
