r"""Mutation testing: which small changes of the code does no test see?

    pip install -e '.[test]' coverage cosmic-ray
    python -m tests.mutants map map.json tests/dice tests/evaluation tests/language tests/rulesets \
        tests/properties/singly.py tests/test_*.py
    python -m tests.mutants try map.json interpreter/rulesrun/evaluation --mutants 150 --seed 1

`map` runs tests once and keeps which lines each of them reaches, and how long it takes. `try` draws places at random in
the files, every place alike, and one of cosmic-ray's changes for each; the tests that reach the place are run, quickest
first, until one fails. The changed code is only in the memory of the process that runs the tests: no file is touched.
A mutant survives that no test has killed within `--seconds`; a test that takes ten times as long as before, and 20
seconds, kills. Left out are annotations, the texts of errors, `strict` of `zip`, and how dataclasses are decorated.
`--only FILE:LINE:COLUMN:OPERATOR` tries a survivor again. Tests that start processes see nothing of a mutant.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).parents[1]
PACKAGES = ROOT / "interpreter"
MEMORY = 4 << 30
"""A mutant may use so much; one that needs more is killed."""
SURVIVES = "survives"
UNFINISHED = "survives as long as there is time"
FIRST = 40
"""So many of the quickest tests are collected and run before the rest is."""
UNSHRUNK = "unshrunk"
"""The settings of hypothesis under which no smaller example is looked for once one has failed."""
Spot = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: in which file, by which operator, its how manieth occurrence there, from where to where."""

    file: Path
    operator: str
    occurrence: int
    start: Spot
    end: Spot

    @property
    def name(self) -> str:
        return f"{self.file}:{self.start[0]}:{self.start[1]}:{self.operator.removeprefix('core/')}"

    def source(self) -> str:
        """The text of the changed file."""
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator

        return str(mutate_code((ROOT / self.file).read_text(), get_operator(self.operator)(), self.occurrence))

    def difference(self) -> str:
        before = (ROOT / self.file).read_text().splitlines()
        lines = list(unified_diff(before, self.source().splitlines(), lineterm="", n=0))
        return "\n".join(lines[3:])


def mutants(files: Sequence[Path]) -> Iterator[list[Mutant]]:
    """Every place of the files that can be changed, with its changes."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    operators = {name: get_operator(name) for name in sorted(operator_names())}
    operators = {name: operator() for name, operator in operators.items() if not operator.arguments()}
    for file in files:
        text = (ROOT / file).read_text()
        nodes, left_out = list(ast_nodes(get_ast(text))), list(meaningless(ast.parse(text)))
        places: dict[tuple[Spot, str], list[Mutant]] = defaultdict(list)
        for name, operator in operators.items():
            spots = (spot for each in nodes for spot in operator.mutation_positions(each))
            for occurrence, (start, end) in enumerate(spots):
                if not any(first <= start < last for first, last in left_out):
                    family = name.split("_")[0]
                    places[start, family].append(Mutant(file, name, occurrence, start, end))
        yield from places.values()


def meaningless(tree: ast.Module) -> Iterator[tuple[Spot, Spot]]:
    """From where to where changes say nothing: annotations, texts of errors, and the like."""
    for each in ast.walk(tree):
        found: list[ast.expr | ast.stmt | None] = []
        match each:
            case ast.AnnAssign():
                found = [each.annotation]
            case ast.arg():
                found = [each.annotation]
            case ast.FunctionDef():
                found = [each.returns]
            case ast.ClassDef():
                found = list(each.decorator_list)
            case ast.keyword(arg="strict"):
                found = [each.value]
            case ast.Raise():
                found = [part for part in ast.walk(each) if isinstance(part, ast.JoinedStr)]
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                found = list(each.body)
        for part in found:
            if part is not None and part.end_lineno is not None and part.end_col_offset is not None:
                at_sign = isinstance(each, ast.ClassDef)
                yield (part.lineno, part.col_offset - at_sign), (part.end_lineno, part.end_col_offset)


def lines_of(file: Path, line: int) -> range | None:
    """The lines whose running runs what stands in this line; None if that happens as the module is imported."""
    tree = ast.parse((ROOT / file).read_text())
    around: list[ast.stmt] = [
        each for each in ast.walk(tree) if isinstance(each, ast.stmt) and each.lineno <= line <= (each.end_lineno or 0)
    ]
    within = [each for each in around if isinstance(each, ast.FunctionDef) and line >= each.body[0].lineno]
    if not within:
        head = [each for each in around if isinstance(each, ast.FunctionDef)]
        return range(head[0].body[0].lineno, (head[0].end_lineno or 0) + 1) if head else None
    inner = min(around, key=lambda each: (each.end_lineno or 0) - each.lineno)
    body: list[ast.stmt] = getattr(inner, "body", [])
    return range(inner.lineno, body[0].lineno if body else (inner.end_lineno or 0) + 1)


class Timed:
    """Notes the time of each test that passes, and tells coverage which test runs."""

    def __init__(self, measured: Any) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.measured.switch_context(item.nodeid)
        started = time.monotonic()
        done = yield
        self.seconds[item.nodeid] = time.monotonic() - started
        self.measured.switch_context("")
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)


def measure(kept: Path, tests: Sequence[str]) -> None:
    """Runs the tests and keeps their times, and for each line of each file who reaches it."""
    import coverage

    measured = coverage.Coverage(data_file=None, source=["rulesrun.evaluation", "rulesrun.dice"], config_file=False)
    timed = Timed(measured)
    measured.start()
    pytest.main([*tests, "-p", "no:cacheprovider", "-m", ""], plugins=[timed])
    measured.stop()
    seconds = {test: time for test, time in timed.seconds.items() if test not in timed.failed}
    place = {test: index for index, test in enumerate(seconds)}
    data = measured.get_data()
    lines = {
        str(Path(file).relative_to(ROOT)): {
            line: sorted(place[test] for test in reached if test in place)
            for line, reached in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    kept.write_text(json.dumps({"seconds": seconds, "lines": lines}))


class Only:
    """Runs these tests of those collected, in this order, for some time; one that takes far longer than it did before
    ends the process.
    """

    def __init__(self, tests: Mapping[str, float], seconds: float) -> None:
        self.tests = tests
        self.place = {test: index for index, test in enumerate(tests)}
        self.until = time.monotonic() + seconds
        self.end = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((each for each in items if each.nodeid in self.place), key=lambda it: self.place[it.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if time.monotonic() > self.until:
            self.end = self.end or UNFINISHED
            item.session.shouldstop = UNFINISHED
        signal.setitimer(signal.ITIMER_REAL, 20 + 10 * self.tests[item.nodeid])
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.end = report.nodeid


class Changed(SourceFileLoader):
    """Loads a module from another text than its file's."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


class Finder:
    """Finds the one module that is changed."""

    def __init__(self, mutant: Mutant) -> None:
        self.path, self.text = str(ROOT / mutant.file), mutant.source()
        self.module = ".".join((ROOT / mutant.file).relative_to(PACKAGES).with_suffix("").parts)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.module:
            return None
        return spec_from_file_location(name, self.path, loader=Changed(name, self.path, self.text))


def fate(mutant: Mutant, tests: Mapping[str, float], seconds: float) -> str:
    """The test that kills the mutant, or how else it ends."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        try:
            run(mutant, tests, seconds, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as told:
        said = told.read()
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return said or "a test takes for ever, or the process dies"


def run(mutant: Mutant, tests: Mapping[str, float], seconds: float, writing: int) -> None:
    """Runs the tests on the changed module, quietly, and writes how that ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.meta_path.insert(0, Finder(mutant))
    only = Only(tests, seconds)
    files = sorted({test.split("::")[0] for test in tests})
    options = ["-x", "-p", "no:cacheprovider", "-m", "", f"--hypothesis-profile={UNSHRUNK}"]
    ended = pytest.main([*files, *options], plugins=[only])
    os.write(writing, (only.end or (SURVIVES if ended == 0 else f"pytest ends with {ended}")).encode())


def tried(kept: Path, mutant: Mutant, seconds: float) -> str:
    """How a mutant fares with the tests that reach it."""
    known = json.loads(kept.read_text())
    lines = {int(line): reached for line, reached in known["lines"][str(mutant.file)].items()}
    wanted = lines_of(mutant.file, mutant.start[0]) or list(lines)
    names = list(known["seconds"])
    reached = {names[index] for line in wanted for index in lines.get(line, ())}
    times = sorted((known["seconds"][test], test) for test in reached)
    end = "survives: no test comes there"
    for part in (times[:FIRST], times[FIRST:]):
        if part and (end := fate(mutant, {test: time for time, test in part}, seconds)) not in (SURVIVES, UNFINISHED):
            break
    return end


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    mapping = commands.add_parser("map", help="run tests and keep what each reaches")
    mapping.add_argument("kept", type=Path)
    mapping.add_argument("tests", nargs="+")
    trying = commands.add_parser("try", help="try mutants")
    trying.add_argument("kept", type=Path)
    trying.add_argument("files", nargs="+", type=Path, help="files or folders")
    trying.add_argument("--mutants", type=int, default=150, help="how many (150)")
    trying.add_argument("--seed", default="1", help="another seed, other mutants (1)")
    trying.add_argument("--seconds", type=float, default=90, help="for the tests of a mutant (90)")
    trying.add_argument("--only", default="", help="those whose names hold this")
    asked = parser.parse_args()
    os.chdir(ROOT)
    for each in ("hypothesis", "numpy", "flint", "lark", "tests.conftest"):
        import_module(each)
    settings.register_profile(UNSHRUNK, settings.get_profile("steady"), phases=[Phase.explicit, Phase.generate])
    if asked.command == "map":
        measure(asked.kept, asked.tests)
        return 0
    files = [file for path in asked.files for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]
    places = list(mutants(files))
    draw = random.Random(asked.seed)
    chosen = [draw.choice(place) for place in draw.sample(places, min(asked.mutants, len(places)))]
    if asked.only:
        chosen = [mutant for place in places for mutant in place if asked.only in mutant.name]
    ends: Counter[bool] = Counter()
    for mutant in sorted(chosen, key=lambda mutant: (mutant.file, mutant.start)):
        end = tried(asked.kept, mutant, asked.seconds)
        survives = end.startswith(SURVIVES)
        ends[survives] += 1
        say(f"{mutant.name}: {end}")
        if survives:
            say(mutant.difference())
    say(f"{ends[False]} of {ends.total()} mutants are killed, of {len(places)} places that can be changed")
    return 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
