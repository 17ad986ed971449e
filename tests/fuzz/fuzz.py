"""Fuzzing with atheris: `python tests/fuzz/fuzz.py TARGET FOLDER [-libfuzzer=options]`.

    pip install atheris
    python tests/fuzz/fuzz.py ruleset /tmp/found -max_total_time=600 -timeout=60 -rss_limit_mb=1024

`TARGET` is a function of `targets.py`. What is found new is kept in the folder; it begins with the rulesets, the texts
of the tests and `corpus/TARGET`. Each kind of fault is kept once, in `FOLDER-faults`: the input, and the traceback
beside it. Mend it, and put the input into `corpus/TARGET` under a name that says what was wrong. A call that takes
longer than `SLOW` seconds counts as a fault.
"""

from __future__ import annotations

import re
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random
from types import FrameType

import atheris

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
TEXTS = {
    "ruleset": ("rulesets/*.rules", "tests/**/*.rules"),
    "call": (),
    "character": ("rulesets/*.yaml", "tests/**/*.yaml"),
}
"""What to begin with, besides the corpus."""

LONGEST = 4_000
"""Bytes of one input: longer ones are slow and show no more."""

SLOW = 10
"""Seconds of the processor that one input may take, with the coverage counted."""

TOKEN = re.compile(r'"[^"\n]*"|\w+|[ \t]+|\n|.')


def texts(target: str) -> list[bytes]:
    """What there is to begin with."""
    paths = [path for pattern in TEXTS[target] for path in sorted(PROJECT.glob(pattern))]
    paths += sorted((HERE / "corpus" / target).glob("*"))
    return [data for path in paths if path.is_file() and len(data := path.read_bytes()) <= LONGEST]


class WordChanger:
    """Changes an input half the time by bytes, else by words and lines, taken from the texts to begin with."""

    def __init__(self, found: Sequence[bytes]) -> None:
        whole = [data.decode("utf-8", "replace") for data in found]
        self.words = sorted({word for text in whole for word in TOKEN.findall(text) if word.strip()})
        self.lines = sorted({line for text in whole for line in text.split("\n") if line.strip()})

    def __call__(self, data: bytes, most: int, seed: int) -> bytes:
        """Another input made of this one."""
        chance = Random(seed)
        if not self.words or chance.random() < 0.3:
            return bytes(atheris.Mutate(data, most))
        text = data.decode("utf-8", "replace")
        for _ in range(chance.randint(1, 3)):
            text = self.with_line(text, chance) if chance.random() < 0.4 else self.with_word(text, chance)
        return text.encode("utf-8", "replace")[:most]

    def with_word(self, text: str, chance: Random) -> str:
        """The text with a word more, fewer, or in place of another."""
        tokens = TOKEN.findall(text) or [""]
        place = chance.randrange(len(tokens))
        word = chance.choice(self.words if chance.random() < 0.5 else tokens)
        tokens[place : place + chance.randint(0, 1)] = [word] if chance.random() < 0.8 else []
        return "".join(tokens)

    def with_line(self, text: str, chance: Random) -> str:
        """The text with a line more, fewer, or in place of another."""
        lines = text.split("\n")
        place = chance.randrange(len(lines))
        line = chance.choice(self.lines if chance.random() < 0.7 else lines)
        lines[place : place + chance.randint(0, 1)] = [line] if chance.random() < 0.8 else []
        return "\n".join(lines)


class TooSlowError(BaseException):
    """An input that takes too long; no `except Exception` of the program may swallow it."""


class FaultKeeper:
    """A target whose faults are kept in a folder, each kind once, instead of ending the run."""

    def __init__(self, target: Callable[[bytes], None], folder: Path) -> None:
        self.target = target
        self.folder = folder
        self.seen: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)
        signal.signal(signal.SIGVTALRM, self.interrupt)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """What the alarm does."""
        raise TooSlowError

    def __call__(self, data: bytes) -> None:
        """Tries one input."""
        signal.setitimer(signal.ITIMER_VIRTUAL, SLOW)
        try:
            self.target(data)
        except (Exception, TooSlowError) as fault:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.keep(data, fault)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def keep(self, data: bytes, fault: BaseException) -> None:
        """Writes down a fault of a kind that has not been seen."""
        frames = traceback.extract_tb(fault.__traceback__)
        place = frames[1 if isinstance(fault, TooSlowError) else -1]
        kind = f"{type(fault).__name__}-{Path(place.filename).stem}-{place.lineno}"
        if isinstance(fault, TooSlowError):
            kind = "-".join(dict.fromkeys(["TooSlow", *(Path(each.filename).stem for each in frames[1:8])]))
        if kind not in self.seen:
            self.seen.add(kind)
            (self.folder / kind).write_bytes(data)
            (self.folder / f"{kind}.txt").write_text("".join(traceback.format_exception(fault)), encoding="utf-8")


def run(words: Sequence[str]) -> None:
    """Fuzzes until it is stopped, or a fault is found."""
    program, name, folder, *options = words
    Path(folder).mkdir(parents=True, exist_ok=True)
    found = texts(name)
    for number, data in enumerate(found):
        (Path(folder) / f"seed-{number}").write_bytes(data)
    with atheris.instrument_imports(include=["rulesrun"]):
        import rulesrun

        for module in walk_packages(rulesrun.__path__, "rulesrun."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
        sys.path.insert(0, str(PROJECT))
        from tests.fuzz.targets import TARGETS
    change = WordChanger(found)
    target = FaultKeeper(TARGETS[name], Path(f"{folder}-faults"))
    atheris.Setup([program, folder, f"-max_len={LONGEST}", *options], target, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    run(sys.argv)
