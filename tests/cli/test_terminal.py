"""What a terminal sees that a pipe does not, and how calls end that are cut short."""

from __future__ import annotations

import errno
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

DUEL = str(Path(__file__).parent / "files" / "duel.rules")
PLAIN = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")} | {"TERM": "xterm"}


def on_a_terminal(*words: str, typed: str = "", **environment: str) -> str:
    """What a call shows on a terminal, where somebody types."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "rulesrun", *words]
    process = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=PLAIN | environment, close_fds=True
    )
    os.close(follower)
    os.write(leader, typed.encode())
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            break
        if not part:
            break
        shown += part
    process.wait(timeout=60)
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


def test_colours_only_on_a_terminal_that_wants_them() -> None:
    call = (DUEL, "strike", "--seed", "1")
    piped = subprocess.run([sys.executable, "-m", "rulesrun", *call], capture_output=True, text=True, check=True).stdout
    assert "\x1b" not in piped
    shown = on_a_terminal(*call)
    assert "\x1b[1;31mmiss\x1b[0m" in shown
    for wish in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert on_a_terminal(*call, **wish) == piped


def test_many_rolls_show_their_progress() -> None:
    shown = on_a_terminal(DUEL, "strike", "--times", "500", "--seed", "1", NO_COLOR="1")
    assert "250 of 500" in shown
    assert "\r\x1b[K" in shown
    assert "500 rolls" in shown


def test_a_person_is_asked_until_the_answer_can_be_chosen() -> None:
    call = (DUEL, "strike", "--dice", "die=1", "--dice", "second=6", "--choose", "push=ask", "--seed", "1")
    shown = on_a_terminal(*call, typed="perhaps\nyes\n", NO_COLOR="1")
    assert "push - throw the die again?" in shown
    assert "die=1" in shown
    assert "no or yes:" in shown
    assert "'perhaps' cannot be chosen here" in shown
    assert "yes, as asked" in shown


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m rulesrun show twist.rules 2>&1 >&3 3>&- | cat >&2; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", f"exec 3> >(exec true); sleep 0.2; {command}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "w") as full:
        call = [sys.executable, "-m", "rulesrun", "show", DUEL]
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: the result cannot be written")


def test_an_interrupted_call_ends_at_once_with_what_is_done() -> None:
    call = [sys.executable, "-m", "rulesrun", DUEL, "strike", "--times", "100000000"]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.search(r"^[0-9,]+ rolls$", out, re.MULTILINE)
    assert err.startswith("stopped after ") and len(err.strip().splitlines()) == 1
