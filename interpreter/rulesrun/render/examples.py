"""How worked examples came out, as diagnostics and as one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesrun.diagnostics import Diagnostic, Label, Severity
from rulesrun.evaluation.examples import Result
from rulesrun.record import changed
from rulesrun.render.layout import PLAIN, Paint


def failures(result: Result) -> Iterator[Diagnostic]:
    """A diagnostic for each expectation that does not hold, with what was found and what was wanted."""
    message = f'the example "{result.example.text}" does not hold'
    for check in result.checks:
        if not check.holds:
            label = Label(check.span, f"{check.found}, wanted {check.wanted}")
            yield Diagnostic("example", Severity.ERROR, message, label)
    if result.error:
        for problem in result.error.diagnostics:
            placed = problem.primary or Label(result.example.span)
            yield changed(problem, message=f"{message}: {problem.message}", primary=placed)


def result_line(file: str, results: Sequence[Result], paint: Paint = PLAIN) -> str:
    """How many of a file's examples hold."""
    right = sum(each.holds for each in results)
    if not results:
        return f"{file}: there are no examples"
    if right == len(results):
        return (
            f"{file}: {paint.good('all' if right > 1 else 'the')} {right} example{'s hold' if right > 1 else ' holds'}"
        )
    return f"{file}: {paint.bad(f'{len(results) - right} of {len(results)} examples do not hold')}"
