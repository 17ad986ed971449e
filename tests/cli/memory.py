"""How much memory a sweep takes, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CODE = (
    "import resource, sys; from rulesrun.cli import main;"
    "status = main(['odds', *sys.argv[1:], '--workers', '1']);"
    "print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
)


def peak_of(folder: Path, *words: str) -> int:
    """The most memory, in kilobytes, that `rulesrun odds` with these words takes in a folder."""
    call = [sys.executable, "-c", CODE, *words]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=True)
    status, peak = done.stdout.splitlines()[-1].split()
    assert status == "0"
    return int(peak)
