"""Which functions of the exact odds the random rules of `test_reached` do not enter, with the reason.

By reason and file; the names stand side by side.
"""

from __future__ import annotations

NEVER: dict[str, dict[str, str]] = {
    "belongs to an error": {
        "evaluation/exact/modifiers.py": "never_ends",
        "evaluation/exact/replay.py": "LookShape.described impossible",
        "evaluation/exact/tabled.py": "_refuse",
    },
    "a safeguard, should anything but a cell's own work read what differs by cell": {
        "evaluation/exact/abreast.py": "RangesEach.empty RangesEach.meets RangesEach.ranges",
    },
    "known faces of dice that are rolled themselves: nothing says in which order theirs are thrown": {
        "evaluation/exact/replay.py": "rolled_shape rolled_shape.<locals>.roll",
    },
    "one rule in hundreds needs it, or more dice than the enumerator follows": {
        "dice/adding.py": "Adding.law",
        "dice/ahead.py": "_each ahead",
        "dice/multiplicity.py": "_Faces.no_wider _power_low",
        "dice/pool.py": "Showing.tells",
        "evaluation/exact/beside_bounded.py": "_by_digits",
        "evaluation/exact/blended.py": "Blend.only",
        "evaluation/exact/enough.py": "uncounted",
        "evaluation/exact/growth.py": "Growth._mirrored",
        "evaluation/exact/lined.py": "_kept _places _reads",
        "evaluation/exact/lines.py": "_forbids",
        "evaluation/exact/listed_draw.py": "_Work._foresee",
        "evaluation/exact/own_numbers.py": "_asked",
        "evaluation/exact/packing.py": "Packing.top",
        "evaluation/exact/parted.py": "_each_below _falls _from sum_where sum_where.<locals>.up_to",
        "evaluation/exact/replay.py": "dice_of",
    },
}
