"""Which functions of the exact odds random rules enter: `python -m tests.properties.reached --rules 600 --seed 1`.

Every rule is held against the enumerator with thresholds `lowered`, some also beside known dice; some are asked as
tables or rolled with decisions for the best, and there are games without end, with thresholds lowered as well. Only
that is watched, not the enumerator.
With `--lines` nothing is watched, so that `coverage run -m tests.properties.reached --lines` can measure the lines.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.reference import TooMany, Unruled

import rulesrun

from .compare import compiled, held, policies_of, reference
from .games import compare_best, game, wager
from .known import with_known_dice
from .lowered import lowered, said
from .picks import Picks
from .rules import SHORT, Sample, sample
from .seldom import seldom
from .test_tables import BARS, SMALL, with_bar

PACKAGE = Path(rulesrun.__file__).parent
FOLDERS = ("dice", "evaluation/exact")
RUNS = 300
TRIALS = 20
OWN_SCOPE = 0x3
"""The flags of code that has variables of its own: functions, but not classes and modules."""


@dataclass(frozen=True, order=True)
class Function:
    """A function by its file in the package and its name within."""

    file: str
    name: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"

    @classmethod
    def of(cls, code: CodeType) -> Function:
        return cls(Path(code.co_filename).relative_to(PACKAGE).as_posix(), code.co_qualname)


def functions() -> set[Function]:
    """All functions that have a name, in the folders of the exact odds; not those that only state what others do."""
    found: set[Function] = set()
    for folder in FOLDERS:
        for path in (PACKAGE / folder).rglob("*.py"):
            text = path.read_text()
            stated = set(_stated(ast.parse(text)))
            codes = _within(compile(text, str(path), "exec"))
            found |= {Function.of(code) for code in codes if code.co_qualname not in stated}
    return found


def _stated(tree: ast.AST, inside: str = "") -> Iterator[str]:
    """The methods without a body: `...`, a docstring alone, or the error that another is to be called."""
    for each in ast.iter_child_nodes(tree):
        match each:
            case ast.ClassDef(name=name):
                yield from _stated(each, f"{inside}{name}.")
            case ast.FunctionDef(name=name, body=[ast.Expr(value=ast.Constant()) | ast.Raise() as only]) if inside:
                if isinstance(only, ast.Expr) or ast.unparse(only) == "raise NotImplementedError":
                    yield inside + name
            case ast.FunctionDef(name=name, body=[ast.Expr(value=ast.Constant()), ast.Raise() as last]) if inside:
                if ast.unparse(last) == "raise NotImplementedError":
                    yield inside + name


def _within(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & OWN_SCOPE == OWN_SCOPE and not each.co_name.startswith("<"):
                yield each
            yield from _within(each)


@dataclass
class Watch:
    """Notes the code that is entered while `on`."""

    seen: dict[int, CodeType] = field(default_factory=dict)

    @contextmanager
    def on(self) -> Iterator[None]:
        seen, before = self.seen, sys.gettrace()

        def enter(frame: FrameType, event: str, arg: Any) -> None:
            code = frame.f_code
            seen[id(code)] = code

        sys.settrace(enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def entered(self) -> set[Function]:
        own = [code for code in self.seen.values() if Path(code.co_filename).is_relative_to(PACKAGE)]
        return {Function.of(code) for code in own}


Watched = Callable[[], Any]


def hold(name: str, watched: Watched = nullcontext) -> list[str]:
    """The rule of that name in all ways; what is wrong. `watched` stands around all that the package does."""
    made = rule_of(name)
    wrong = [_held(made, name, watched)]
    place = place_of(name)
    known = with_known_dice(made, name) if place % 3 == 0 else None
    if known is not None:
        wrong.append(_held(known, name, watched))
    if place % 12 == 0:
        with lowered(name), watched():
            wrong += [compare_best(each(Picks.seeded(name))) for each in (game, wager)]
    with watched():
        if place % 4 == 0:
            _ask_table(made)
        _roll(made)
    return [each for each in wrong if each]


def rule_of(name: str) -> Sample:
    """Every second one is a short rule about one thing, which reaches more in less time; half of those are `seldom`."""
    picks = Picks.seeded(name)
    if place_of(name) % 4 == 3:
        return Sample(seldom(picks), "main", {})
    return Sample(picks.of(SHORT)(picks), "main", {}) if place_of(name) % 2 else sample(picks)


def place_of(name: str) -> int:
    return int(name.rpartition("/")[2])


def _held(made: Sample, name: str, watched: Watched) -> str:
    try:
        with watched():
            compiled(made)
        wanted = reference(made, made.asked, RUNS)
    except (rulesrun.RulesError, TooMany, Unruled):
        return ""
    try:
        with lowered(name), watched():
            wrong = held(compiled(made), made, wanted).wrong
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    return f"{made}\n{wrong}\nwhere {said(name)}" if wrong else ""


def _ask_table(made: Sample) -> None:
    """Cells that differ in a number to compare with; that they are right is for `test_tables`."""
    text = with_bar(made.text) if "rule main\n" in made.text else ""
    if text.count("bar") > 1 and "example " not in text:
        with suppress(rulesrun.RulesError):
            list(compiled(replace(made, text=text)).odds_rows(inputs={**made.inputs, "bar": BARS}, budget=SMALL))


def _roll(made: Sample) -> None:
    """A roll and a few trials, if it decides for the best; that they are right is for others."""
    with suppress(rulesrun.RulesError):
        rule = compiled(made)
        if {"best", "worst"} & set(policies_of(rule, made)):
            rule.roll(inputs=made.inputs, choose=made.choose, seed=1)
            rule.sample(TRIALS, inputs=made.inputs, choose=made.choose, seed=1, workers=1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.properties.reached", description=__doc__)
    parser.add_argument("--rules", type=int, default=600, help="how many rules (600)")
    parser.add_argument("--seed", default="1", help="another seed, other rules (1)")
    parser.add_argument("--lines", action="store_true", help="leave it to `coverage run` to watch")
    asked = parser.parse_args()
    watch, wrong = Watch(), 0
    for place in range(asked.rules):
        for each in hold(f"{asked.seed}/{place}", nullcontext if asked.lines else watch.on):
            wrong += 1
            sys.stdout.write(f"\n{asked.seed}/{place}: {each}\n")
    if not asked.lines:
        every = functions()
        never = sorted(every - watch.entered())
        sys.stdout.write("".join(f"{each}\n" for each in never))
        sys.stdout.write(f"{len(never)} of {len(every)} functions were never entered by {asked.rules} rules\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
