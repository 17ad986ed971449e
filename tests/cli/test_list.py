"""`rulesrun list`: a line for each bundled ruleset, then one for each bundled character."""

import subprocess
import sys

from rulesrun import load
from rulesrun.library import CHARACTER, SYSTEMS, bundled


def test_each_bundled_ruleset_and_character_has_one_line_that_fits() -> None:
    done = subprocess.run([sys.executable, "-m", "rulesrun", "list"], capture_output=True, text=True, check=True)
    rulesets, _, characters = done.stdout.partition("\n\n")
    lines = rulesets.splitlines()
    names = [line.split()[0] for line in lines]
    assert sorted(names) == list(bundled())
    assert set(names[:4]) == set(SYSTEMS)
    assert all(line.endswith(load(name).about) and len(line) <= 80 for name, line in zip(names, lines, strict=True))
    assert [line.split()[0] for line in characters.splitlines()] == list(bundled(CHARACTER))
    assert all(line.split()[-1] in SYSTEMS and len(line) <= 80 for line in characters.splitlines())
