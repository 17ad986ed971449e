"""The pipeline in one screen: text, tree, checked plan, ruleset; rolls, odds and samples are asked of its rules.

In: a file or a text. Out: a `Ruleset` of `Rule`s. Both are immutable and safe to share between threads; everything that
can be wrong with a file, an input or a call is a `RulesError`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike

from rulesrun.diagnostics import Source
from rulesrun.evaluation.limits import limits_of
from rulesrun.kept import keep_plan, kept_plan
from rulesrun.library import Resolve, read_ruleset, resolver
from rulesrun.limits import USUAL, Limits, within
from rulesrun.rule import Rule
from rulesrun.ruleset import Ruleset, Table

__all__ = ["Rule", "Ruleset", "Table", "load", "parse", "throw"]


def load(file: str | PathLike[str], *, limits: Limits | Mapping[str, int] | None = None) -> Ruleset:
    """The ruleset in a file: a path or, where nothing of that name exists, a bundled name (`hive.rules` or `hive`).

    `limits` raises bounds for a file that you trust, all (`Limits`) or some by name: `limits={"dice": 1_000_000}`.
    """
    bounds = limits_of(limits)
    with within(bounds):
        source, resolve = read_ruleset(file), resolver(file)
        if bounds != USUAL:
            return _compiled(source, resolve)
        if kept := kept_plan(source, resolve):
            return Ruleset(source, kept[1], kept[0])
        ruleset = _compiled(source, resolve)
        keep_plan(source, ruleset.bases, ruleset.plan)
        return ruleset


def parse(text: str, name: str = "<text>", *, limits: Limits | Mapping[str, int] | None = None) -> Ruleset:
    """The ruleset that a text is; `name` stands for the file in messages. It may be based on a bundled ruleset.

    `limits` raises bounds, as for `load`.
    """
    with within(limits_of(limits)):
        return _compiled(Source.of_text(name, text), resolver(None))


def throw(text: str, *, limits: Limits | Mapping[str, int] | None = None) -> Rule:
    """The rule that throws dice written on one line: `4d6, keep highest 3`, `2d20kh1 + 5`, `skill d6 + bonus`.

    Its dice are the pool `dice` (those behind a minus the pool `minus`), `total` is the sum of all; names are inputs.
    `limits` raises bounds, as for `load`.
    """
    from rulesrun.front import compile_ruleset, parse_throw

    with within(limits_of(limits)):
        source = Source.of_text(text, text)
        return Ruleset(source, {}, compile_ruleset([parse_throw(source)]))["throw"]


def _compiled(source: Source, resolve: Resolve) -> Ruleset:
    from rulesrun.front import compile_ruleset, trees

    bases: dict[str, Source] = {}

    def remembered(name: str) -> Source:
        bases[name] = resolve(name)
        return bases[name]

    with _all_kept():
        return Ruleset(source, bases, compile_ruleset(trees(source, remembered)))


@contextmanager
def _all_kept() -> Iterator[None]:
    """Within, nothing is looked through for what is no longer needed: a tree is built, and all of it is needed."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
