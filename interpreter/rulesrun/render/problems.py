"""Diagnostics as text: where, what, the source line with carets under the guilty part, what explains it, the fix.

In: diagnostics. Out: text; nothing is printed. Tabs are shown as four blanks, wide characters keep the carets aligned,
and of a line wider than the output only the part around the carets is shown.
"""

from collections.abc import Iterable

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.render.layout import PLAIN, WIDTH, Paint, width, wrap

TAB = "    "


def problems_text(problems: Iterable[Diagnostic], paint: Paint = PLAIN) -> str:
    """All diagnostics, in the order given, with an empty line between them."""
    return "\n\n".join(problem_text(each, paint) for each in problems)


def problem_text(problem: Diagnostic, paint: Paint = PLAIN) -> str:
    """One diagnostic as several lines, the first `FILE:LINE:COLUMN: error: MESSAGE`, or `error: MESSAGE`."""
    shade = paint.bad if problem.is_error else paint.warning
    kind = f"{problem.severity.value}:"
    labels = [*filter(None, [problem.primary]), *problem.secondary]
    place = _place(problem.primary.span) if problem.primary else problem.file or ""
    lines = [f"{paint.strong(place + ':') + ' ' if place else ''}{shade(kind)} {paint.strong(problem.message)}"]
    gutter = max((len(str(label.span.line)) for label in labels), default=0) + 1
    shown: Span | None = None
    for label in labels:
        if shown and label.span.source is not shown.source:
            lines.append(f"{' ' * gutter}--> {_place(label.span)}")
        again = shown is not None and label.span.source is shown.source and label.span.line == shown.line
        mark, colour = ("^", shade) if label is problem.primary else ("-", paint.name)
        cells = WIDTH - gutter - 4
        source_line, marks = _marked(label.span, mark, cells)
        if not again:
            lines.append(f"{paint.faint(f'{label.span.line:>{gutter + 1}} |')} {source_line}".rstrip())
        beside = len(marks) + 1 + width(label.text) <= cells
        texts = [f"{marks} {label.text}".rstrip()] if beside else [marks, *wrap(label.text, cells)]
        lines += [f"{paint.faint(' ' * (gutter + 1) + ' |')} {colour(text)}" for text in texts]
        shown = label.span
    indent = " " * (gutter + 2 if labels else 2)
    for note in problem.notes:
        lines += wrap(note, first=f"{indent}note: ")
    if problem.hint:
        lines += wrap(problem.hint, first=f"{indent}hint: ")
    return "\n".join(lines)


def counted(problems: Iterable[Diagnostic]) -> str:
    """How many errors and warnings there are, in words."""
    found = list(problems)
    errors = sum(each.is_error for each in found)
    counts = [(errors, "error"), (len(found) - errors, "warning")]
    words = [f"{count} {word}{'s' if count > 1 else ''}" for count, word in counts if count]
    return ", ".join(words) or "no problems"


def _place(span: Span) -> str:
    return f"{span.source.name}:{span.line}:{span.column}"


def _marked(span: Span, mark: str, cells: int) -> tuple[str, str]:
    """The span's first line, cut to `cells` around the span, and the marks that stand under it."""
    line = span.source.line(span.line)
    start = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    before, guilty, after = (
        line[max(0, start - cells - 1) : start],
        line[start:end][: cells + 1],
        line[end:][: cells + 1],
    )
    if width(_shown(before + guilty + after)) > cells:
        before, guilty, after = _window(before, guilty, after, cells)
    marks = " " * width(_shown(before)) + mark * max(width(_shown(guilty)), 1)
    return _shown(before + guilty + after).rstrip(), marks


def _window(before: str, guilty: str, after: str, cells: int) -> tuple[str, str, str]:
    """The three parts cut so that they fit: the guilty part first, of the rest at least a third before it."""
    guilty = _cut(guilty, cells * 2 // 3)
    room = cells - width(_shown(guilty))
    before = _cut(before[::-1], max(room // 3, room - width(_shown(after))))[::-1]
    return before, guilty, _cut(after, room - width(_shown(before)))


def _cut(text: str, cells: int) -> str:
    """As much of the text as fits, ending with an ellipsis where something is missing."""
    if width(_shown(text)) <= cells:
        return text
    while text and width(_shown(text)) > cells - 1:
        text = text[:-1]
    return text + "…"


def _shown(text: str) -> str:
    return text.replace("\t", TAB)
