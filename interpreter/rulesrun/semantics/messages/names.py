"""Names that are not known, or not what they are taken for."""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics.plan import Kind, Rule
from rulesrun.suggestions import nearest

from .shape import A, did_you_mean, error, listed, short, warning

FOREIGN_WORDS = {"true": "yes", "false": "no", "null": "none", "nil": "none", "undefined": "none"}
"""Words of other languages that look like names, with what is written here."""


def foreign_word(at: Span, word: str) -> Diagnostic:
    meant = FOREIGN_WORDS[word.casefold()]
    return error("foreign-word", f"there is nothing called `{word}` here", at, hint=f"write `{meant}`")


def unknown_name(at: Span, name: str, near: str | None) -> Diagnostic:
    return error("unknown-name", f"there is nothing called `{name}` here", at, hint=did_you_mean(near))


def used_before(at: Span, name: str, defined: Span, block: str = "rule") -> Diagnostic:
    return error(
        "used-before",
        f"`{name}` is used before it is defined",
        at,
        "used here",
        also=[(defined, "defined here")],
        hint=f"a {block} is read from top to bottom: move the definition up",
    )


def ended(at: Span, name: str, defined: Span) -> Diagnostic:
    return error(
        "ended",
        f"`{name}` ends with the body of its `repeat`",
        at,
        also=[(defined, "defined here")],
        hint="keep what is needed later in a tracked value: `track NAME = START` above the `repeat`",
    )


def outer_word(at: Span, name: str) -> Diagnostic:
    return error(
        "outer-word",
        f"`{name}` belongs to the outer `for each`",
        at,
        hint="work out what is needed of it before, or make the inner `for each` a formula of its own",
    )


def unknown_part(at: Span, head: str, part: str, rule: str, near: str | None) -> Diagnostic:
    return error(
        "unknown-part",
        f"`{head}` is a roll of `{rule}`, which has nothing called `{part}`",
        at,
        hint=did_you_mean(near),
    )


def no_parts(at: Span, head: str, kind: Kind) -> Diagnostic:
    return error(
        "no-parts",
        f"`{head}` is {A[kind]} and has no parts",
        at,
        hint="only rolled rules and rows of tables have parts: `attacker.total`, `fumble.text`",
    )


def outcome_as_part(at: Span, head: str, label: str) -> Diagnostic:
    return error(
        "outcome-as-part",
        f"`{label}` is an outcome of `{head}`, not a value in it",
        at,
        hint=f"write `{head} is {label}`",
    )


def rolled_as_value(at: Span, name: str, rule: Rule, values: Sequence[str]) -> Diagnostic:
    hint = (
        f"name the value that is meant: {listed(f'`{each}`' for each in values[:4])}"
        if values
        else f"ask its outcome: `{name} is …`"
    )
    return error(
        "rolled-as-value", f"`{name}` is a whole roll of `{rule.name}`, and a value is meant here", at, hint=hint
    )


ITEM_HINTS = {
    "table": "look something up in it: `{name} at …`, or roll on it: `roll NAME = {name}`",
    "die": "dice stand only in `roll` lines: write `roll NAME = {name}` above and use the name",
    "rule": "roll it first: `roll NAME = {name}` above, then use `NAME.…`; without dice, write `{name}(…).…`",
    "bag": "draw from it first: `draw NAME = 1 from {name}`",
    "levels": "use one of its names, or make it the domain of an input: `given NAME: {name}`",
}


def item_as_value(at: Span, name: str, what: str) -> Diagnostic:
    a = {"levels": "the name of levels"}.get(what, f"a {what}")
    return error("item-as-value", f"`{name}` is {a}, not a value", at, hint=ITEM_HINTS[what].format(name=name))


def label_as_name(at: Span, name: str, near: str | None) -> Diagnostic:
    return error(
        "label-as-name",
        f"`{name}` is a label, and a value is meant here",
        at,
        hint=did_you_mean(near, f"a label is compared with `is`: `… is {name}`"),
    )


def symbol_as_name(at: Span, name: str) -> Diagnostic:
    return error(
        "symbol-as-name",
        f"`{name}` is a symbol on dice, and a value is meant here",
        at,
        hint=f"count it: `count {name} in …`",
    )


def unknown_label(at: Span, word: str, options: Sequence[str], near: str | None) -> Diagnostic:
    return error(
        "unknown-label",
        f"`{word}` is not one of the labels that belong here",
        at,
        f"expected {listed(options)}",
        hint=did_you_mean(near),
    )


def never_label(at: Span, word: str, of: str, options: Sequence[str]) -> Diagnostic:
    return error(
        "never-label",
        f"`{of}` is never `{word}`",
        at,
        f"it is {listed(options)}" if options else "it has no labels",
        hint=did_you_mean(nearest(word, options)),
    )


def no_such_row(at: Span, word: str, table: str, keys: Sequence[str]) -> Diagnostic:
    return error(
        "no-such-row",
        f"the table `{table}` has no row for `{word}`",
        at,
        f"its rows: {', '.join(keys[:8])}",
        hint=did_you_mean(nearest(word, keys)),
    )


def no_columns(at: Span, table: str) -> Diagnostic:
    return error("no-columns", f"the table `{table}` has no columns", at, hint=f"write `{table} at ROW`")


def needs_column(at: Span, table: str, by: str, row: str) -> Diagnostic:
    return error(
        "needs-column", f"`{table}` is read by row and column", at, hint=f"write `{table} at ({short(row)}, {by})`"
    )


def no_such_column(at: Span, word: str, table: str, keys: Sequence[str]) -> Diagnostic:
    return error(
        "no-such-column",
        f"the table `{table}` has no column `{word}`",
        at,
        f"its columns: {', '.join(keys[:8])}",
        hint=did_you_mean(nearest(word, keys)),
    )


def unknown_row_part(at: Span, part: str, near: str | None) -> Diagnostic:
    return error(
        "unknown-row-part",
        f"a row of a table has no `{part}`",
        at,
        "expected `label`, `value` or `text`",
        hint=did_you_mean(near),
    )


def row_part_missing(at: Span, table: str, part: str) -> Diagnostic:
    return error(
        "row-part-missing",
        f"no row of `{table}` has a {part}",
        at,
        hint=f"ask for what its rows have, or write a {part} in each row",
    )


def no_row(at: Span) -> Diagnostic:
    return error(
        "no-row",
        "only a row of a table has `.label`, `.value` and `.text`",
        at,
        hint="write the lookup itself in the brackets: `(TABLE at …).text`",
    )


def faces_as_value(at: Span, name: str, defined: Span) -> Diagnostic:
    return error(
        "faces-as-value",
        f"`{name}` is faces, and a value is meant here",
        at,
        also=[(defined, "defined here")],
        hint=f"ask with it: `count {name} in …`, `… in {name}`",
    )


def hidden_by_each(at: Span, word: str, hidden: Span) -> Diagnostic:
    return warning(
        "hidden-word",
        f"`{word}` means the die's here and hides the name of that spelling",
        at,
        also=[(hidden, f"this `{word}` is not meant")],
        hint="give the other one another name if it is meant",
    )
