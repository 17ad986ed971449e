"""Files as large as a shelf of books: read, checked, and any rule of them rolled."""

from __future__ import annotations

import rulesrun

RULE = """\
rule r{number} "rule {number}"
    given n: 1.. = 3
    given needed: 0.. = 1

    roll pool = n d6, explode on 6
    hits = count 5.. in pool

    outcome
        + success if hits >= needed
        - failure otherwise

"""


def test_a_thousand_rules_in_one_file() -> None:
    found = rulesrun.parse('system "Many"\n\n' + "".join(RULE.format(number=number) for number in range(1000)))
    assert len(found) == 1000
    assert not found.warnings
    assert found["r999"].roll(dice={"pool": [5, 1, 2]}).outcome == "success"
