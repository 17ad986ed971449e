"""YAML as a tree with places: keys, texts, entries, items, and nothing that YAML might make of them.

In: the source of a character. Out: its tree, and what is wrong with the YAML itself. Every scalar stays the text that
stands there, so that `007`, `yes` and `2026-11-30` mean what the sheet says they mean. Only what a person writes is
read: anchors, aliases, tags and a second document are faults, and so is a key that stands twice. Size, depth and the
number of entries are bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from rulesrun.diagnostics import Diagnostic, Label, RulesError, Severity, Source, Span
from rulesrun.limits import in_force
from rulesrun.record import changed, record
from rulesrun.sheets.yaml_slips import Slip, not_pairs, slip_of

if TYPE_CHECKING:
    import yaml

MOST_SLIPS, MOST_AGAIN = 20, 20_000
"""So many places that are no YAML are told of one file, and no more than the first of one with more characters."""

_COMMENT = re.compile(r"[ \t]+(#[^\s#!][^\n]*?)\s*(?:\n|$)")
"""A comment that begins without a blank."""


@record
class Word:
    """A scalar: its text without quotes; `plain` says that it stands there without quotes. `comment`: a comment that
    follows on its line and may have been meant as a part of it (`#1`, not `# one`).
    """

    span: Span
    text: str
    plain: bool
    comment: Span | None = None


@record
class Entries:
    """Keys and what stands behind each, in the order of the file; no key twice. `flow`: written between `{` and `}`."""

    span: Span
    pairs: tuple[tuple[Word, Node], ...]
    flow: bool


@record
class Items:
    """A list. `flow`: written between `[` and `]`; else it begins with the dash of its first item."""

    span: Span
    items: tuple[Node, ...]
    flow: bool


@record
class Unread:
    """What has been complained of already; nothing more is said about it."""

    span: Span


Node: TypeAlias = Word | Entries | Items | Unread


def read_document(source: Source) -> tuple[Entries, list[Diagnostic]]:
    """The tree of a character and what is wrong with it; raises `RulesError` where the text cannot be read at all."""
    most = in_force.get().sheet_characters
    if len(source.text) > most:
        raise RulesError.of(
            f"{source.name} is too long: at most {most:,} characters are read",
            code="too-long",
            span=source.span(most, most + 1),
            label="they end here",
            hint="`--limit sheet_characters=N` reads more",
        )
    reader = _Reader(source, source.text)
    try:
        found = reader.document()
    except RulesError as error:
        raise _with_others(source, [*error.diagnostics, *reader.faults]) from None
    if isinstance(found, Entries):
        return found, reader.faults
    if isinstance(found, Word) and found.plain and (slip := not_pairs(source.text, found.span.start)):
        raise _with_others(source, reader.no_yaml(slip).diagnostics)
    where = found.span if found is not None and found.span.text.strip() else None
    raise RulesError.of(
        "a character is written as `name: value`, a line each",
        code="not-a-character",
        span=where,
        hint="for example `name: Armistad`" if where is None else None,
        file=source.name,
    )


def _with_others(source: Source, told: Sequence[Diagnostic]) -> RulesError:
    """The faults of a text that is no YAML, and those that stand in its other parts: one outermost name after the other
    is taken for empty where it cannot be read. Values are judged when all of it can be.
    """
    text, faults = source.text, list(told)
    for _ in range(MOST_SLIPS if len(text) <= MOST_AGAIN else 0):
        slip = next((each.primary.span for each in faults[::-1] if each.code == "not-yaml" and each.primary), None)
        before, text = text, text if slip is None else _emptied(text, slip.start)
        if text == before or not text.strip():
            break
        reader = _Reader(source, text)
        try:
            reader.document()
        except RulesError as error:
            found = [*reader.faults, *error.diagnostics]
        else:
            found = reader.faults
        faults += [each for each in found if each not in faults]
        if not found or found[-1].code != "not-yaml":
            break
    ordered = sorted(faults, key=lambda each: each.primary.span.start if each.primary else -1)
    last = max((place for place, each in enumerate(ordered) if each.code == "not-yaml"), default=None)
    if last is not None:
        noted = (*ordered[last].notes, "the values are looked at once the file can be read")
        ordered[last] = changed(ordered[last], notes=noted)
    return RulesError(ordered)


def _emptied(text: str, at: int) -> str:
    """The text with blanks for all that stands under the outermost name at a place."""
    lines = text.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    here = max(bisect_right(starts, at) - 1, 0)
    outermost = [place for place, line in enumerate(lines) if line[:1].strip() and line[0] not in "#]}"]
    first = max((place for place in outermost if place <= here), default=0)
    end = min((place for place in outermost if place > max(here, first)), default=len(lines))
    blank = re.sub(r"[^\r\n]", " ", "".join(lines[first:end]))
    return "".join([*lines[:first], blank, *lines[end:]])


class _Reader:
    """Reads the events of one YAML text; faults that leave a tree are collected. The text may have blanks where the
    source has something.
    """

    def __init__(self, source: Source, text: str) -> None:
        import yaml

        self.faults: list[Diagnostic] = []
        self._source = source
        self._yaml = yaml
        self._parts = 0
        self._depth = 0
        self._limits = in_force.get()
        self._text = text
        self._events = self._read(text)

    def document(self) -> Node | None:
        """The node of the first document; None for a text without one."""
        yaml = self._yaml
        root: Node | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    self._fault("second-document", "a second document begins here; a file is one character", event)
                    break
                root = self._node(next(self._events))
        return root

    def _read(self, text: str) -> Iterator[yaml.Event]:
        """The events; what is no YAML is an error at its place."""
        try:
            yield from self._yaml.parse(text, Loader=self._yaml.SafeLoader)
        except self._yaml.MarkedYAMLError as error:
            raise self._syntax(error) from None
        except (self._yaml.YAMLError, ValueError) as error:
            place = getattr(error, "position", None)
            span = self._span(place, place + 1) if isinstance(place, int) else None
            raise RulesError.of(
                "this is not YAML text: a character that may not stand in it",
                code="not-yaml",
                span=span,
                file=self._source.name,
            ) from None

    def _syntax(self, error: yaml.MarkedYAMLError) -> RulesError:
        mark, context = error.problem_mark or error.context_mark, error.context_mark
        found = slip_of(self._text, mark.index if mark else 0, error.problem or "", context.index if context else None)
        return self.no_yaml(found)

    def no_yaml(self, found: Slip) -> RulesError:
        """The error that a slip is."""
        return RulesError.of(
            found.message,
            code="not-yaml",
            span=self._span(found.start, found.end),
            secondary=[Label(self._span(at, at + 1), told) for at, told in found.others],
            hint=found.hint,
            file=self._source.name,
        )

    def _node(self, event: yaml.Event) -> Node:
        yaml = self._yaml
        self._parts += 1
        if self._parts > self._limits.sheet_parts:
            message = f"more than {self._limits.sheet_parts:,} keys and values are not read"
            raise self._stop("too-many", message, event, "sheet_parts")
        if isinstance(event, yaml.AliasEvent):
            hint = "a text that begins with `*` stands in quotes"
            self._fault("alias", "an alias (`*`) is not read: write the value itself", event, hint=hint)
            return Unread(self._place(event))
        marks = [getattr(event, "anchor", None), getattr(event, "tag", None)]
        if marks[0] is not None:
            hint = "a text that begins with `&` stands in quotes"
            self._fault("anchor", "an anchor (`&`) is not read", event, hint=hint)
        if marks[1] is not None:
            hint = "a text that begins with `!` stands in quotes"
            self._fault("tag", "a tag (`!`) is not read: the sheet says what a value is", event, hint=hint)
        if marks != [None, None] and isinstance(event, yaml.ScalarEvent) and not event.value:
            return Unread(self._place(event))
        if isinstance(event, yaml.MappingStartEvent):
            return self._inside(event, self._entries)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._inside(event, self._items)
        assert isinstance(event, yaml.ScalarEvent)
        place = self._place(event)
        return Word(place, event.value, event.style is None, self._comment(place.end) if event.style is None else None)

    def _comment(self, end: int) -> Span | None:
        found = _COMMENT.match(self._source.text, end)
        return None if found is None else self._span(found.start(1), found.end(1))

    def _inside(self, event: yaml.Event, read: Callable[[yaml.Event], Node]) -> Node:
        self._depth += 1
        if self._depth > self._limits.sheet_levels:
            message = f"more than {self._limits.sheet_levels} levels, one inside the other, are not read"
            raise self._stop("too-deep", message, event, "sheet_levels")
        node = read(event)
        self._depth -= 1
        return node

    def _entries(self, start: yaml.Event) -> Entries:
        pairs: list[tuple[Word, Node]] = []
        first: dict[str, Word] = {}
        while not isinstance(event := next(self._events), self._yaml.MappingEndEvent):
            key, value = self._node(event), self._node(next(self._events))
            if not isinstance(key, Word):
                self._fault("bad-key", "a key is a single name", key.span, hint="a line each is `name: value`")
            elif key.plain and not key.text:
                self._fault(
                    "bad-key", "a name is missing before this `:`", key.span, hint="a line each is `name: value`"
                )
            elif key.plain and key.text != key.text.strip():
                self._fault(
                    "odd-blank",
                    "an odd blank (no-break space) stands at this name",
                    key.span,
                    hint="write ordinary blanks",
                )
            elif key.text in first:
                earlier = Label(first[key.text].span, "first given here")
                self._fault("given-twice", f"{key.text} is given twice", key.span, earlier, hint="keep one of the two")
            else:
                first[key.text] = key
                pairs.append((key, value))
        return Entries(
            self._whole(start, event, [each.span for pair in pairs for each in pair]), tuple(pairs), _is_flow(start)
        )

    def _items(self, start: yaml.Event) -> Items:
        items = []
        while not isinstance(event := next(self._events), self._yaml.SequenceEndEvent):
            items.append(self._node(event))
        return Items(self._whole(start, event, [each.span for each in items]), tuple(items), _is_flow(start))

    def _whole(self, start: yaml.Event, end: yaml.Event, inside: list[Span]) -> Span:
        """All of a mapping or list; one without brackets ends with what stands last in it, comments left out."""
        at = _start(start)
        if _is_flow(start):
            return self._span(at, _end(end))
        return self._span(at, max((each.end for each in inside), default=at))

    def _place(self, event: yaml.Event) -> Span:
        start, end = _start(event), _end(event)
        return self._span(start, start + len(self._source.text[start:end].rstrip()))

    def _span(self, start: int, end: int) -> Span:
        size = len(self._source.text)
        return Span(self._source, min(start, size), min(end, size))

    def _fault(
        self, code: str, message: str, place: yaml.Event | Span, *others: Label, hint: str | None = None
    ) -> None:
        span = place if isinstance(place, Span) else self._place(place)
        self.faults.append(Diagnostic(code, Severity.ERROR, message, Label(span), others, (), hint))

    def _stop(self, code: str, message: str, place: yaml.Event, limit: str) -> RulesError:
        return RulesError.of(message, code=code, span=self._place(place), hint=f"`--limit {limit}=N` reads more")


def _is_flow(start: yaml.Event) -> bool:
    return bool(start.flow_style)  # type: ignore[attr-defined]


def _start(event: yaml.Event) -> int:
    assert event.start_mark is not None
    return event.start_mark.index


def _end(event: yaml.Event) -> int:
    assert event.end_mark is not None
    return event.end_mark.index
