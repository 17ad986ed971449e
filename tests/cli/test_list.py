"""`rulesrun list`: a line for each bundled ruleset."""

import subprocess
import sys

from rulesrun import load
from rulesrun.library import SYSTEMS, bundled


def test_each_bundled_ruleset_has_one_line_that_fits() -> None:
    done = subprocess.run([sys.executable, "-m", "rulesrun", "list"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    names = [line.split()[0] for line in lines]
    assert sorted(names) == list(bundled())
    assert set(names[:4]) == set(SYSTEMS)
    assert all(line.endswith(load(name).about) and len(line) <= 80 for name, line in zip(names, lines, strict=True))
