"""From a source to a plan, the slow way in: parsing and checking. Imported only when a plan is not kept already."""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.diagnostics import RulesError, Source
from rulesrun.library import Resolve
from rulesrun.limits import in_force
from rulesrun.semantics.asked import compile_asked
from rulesrun.semantics.compile import compile_ruleset
from rulesrun.semantics.items import Given
from rulesrun.semantics.variants import based_on, circle, missing, too_long_together, too_many_bases
from rulesrun.syntax.nodes import File
from rulesrun.syntax.parser import parse, parse_policy, parse_setting, parse_throw

__all__ = ["Given", "compile_asked", "compile_ruleset", "parse_policy", "parse_setting", "parse_throw", "trees"]


def trees(source: Source, resolve: Resolve) -> Sequence[File]:
    """The trees of a source and of all that it is based on, the base first."""
    files = [parse(source)]
    most = in_force.get()
    while based := based_on(files[0]):
        if len(files) > most.bases:
            raise too_many_bases(based, most.bases)
        try:
            base = resolve(based.file)
        except RulesError as reason:
            raise missing(based, reason) from None
        names = [each.span.source.name for each in reversed(files)]
        if base.name in names:
            raise circle(based, [*names[names.index(base.name) :], base.name])
        if sum(len(each.span.source.text) for each in files) + len(base.text) > most.characters:
            raise too_long_together(based, most.characters)
        files.insert(0, parse(base))
    return tuple(files)
