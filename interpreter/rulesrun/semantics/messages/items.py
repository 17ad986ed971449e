"""Items of a file: settings, dice, bags, levels, tables, and files that are based on others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.record import changed
from rulesrun.semantics import plan
from rulesrun.semantics.inputs import domain_text
from rulesrun.semantics.plan import Number

from .shape import did_you_mean, error, short, warning

Levels = Mapping[str, Mapping[str, Number]]


def too_many_bases(at: Span, most: int) -> Diagnostic:
    message = f"more than {most:,} files are based on one another"
    return error("too-many-bases", message, at, hint="`--limit bases=N` raises it for files of your own")


def too_long_together(at: Span, most: int) -> Diagnostic:
    message = f"this file and those it is based on are too long together: at most {most:,} characters are read"
    return error("too-long", message, at, hint="`--limit characters=N` raises it for files of your own")


def based_on_circle(at: Span, chain: Sequence[str]) -> Diagnostic:
    return error("based-on-circle", "this file is based on itself", at, notes=[" -> ".join(chain)])


def based_on_missing(at: Span, name: str, reason: str, hint: str | None) -> Diagnostic:
    return error("based-on-missing", reason, at, "named here", hint=hint)


def refers_onward(at: Span, name: str) -> Diagnostic:
    return error(
        "refers-onward",
        f"`{name}` refers to something that is read after it",
        at,
        notes=["levels are read first, then settings, dice, bags and tables, at last rules"],
        hint="work it out in the rule that needs it",
    )


def defined_twice(at: Span, what: str, name: str, first: Span) -> Diagnostic:
    named = {word: f"`{word}` stands twice in this file" for word in ("system", "based on", "sheet")}
    message = named.get(
        what,
        f'the example "{short(name)}" stands twice' if what == "example" else f"the {what} `{name}` is defined twice",
    )
    hint = None if what in named else "give one of them another name, or take it out"
    return error("defined-twice", message, at, "defined again here", also=[(first, "first defined here")], hint=hint)


def clash(at: Span, name: str, what: str, first: Span, first_what: str) -> Diagnostic:
    return error(
        "clash",
        f"a {first_what} and a {what} are both called `{name}`",
        at,
        f"the {what}",
        also=[(first, f"the {first_what}")],
        hint="give one of them another name",
    )


def unknown_setting(name: str, near: str | None, file: str) -> Diagnostic:
    return changed(
        error("unknown-setting", f"there is no setting called `{name}`", None, hint=did_you_mean(near)), file=file
    )


def setting_outside(at: Span | None, name: str, text: str, domain: plan.Domain, levels: Levels) -> Diagnostic:
    expected = f"expected {domain_text(domain, levels)}"
    notes = [] if at else [expected]
    return error(
        "setting-outside", f"`{short(text)}` lies outside the domain of the setting `{name}`", at, expected, notes=notes
    )


def setting_needs_domain(at: Span, name: str, text: str) -> Diagnostic:
    return error(
        "setting-needs-domain",
        f"`{short(text)}` does not show what else `{name}` may be",
        at,
        hint=f"state the domain: `setting {name}: one of {short(text)}, … = {short(text)}`",
    )


def not_constant(at: Span, what: str) -> Diagnostic:
    return error("not-constant", f"the value of {what} is a constant", at, "not known before the roll")


def faces_as_input(at: Span) -> Diagnostic:
    return error(
        "faces-as-input",
        "faces are the domain of settings, not of inputs",
        at,
        hint="make it a setting, or take the lowest face as a number",
    )


def text_as_input(at: Span) -> Diagnostic:
    return error(
        "text-as-input",
        "texts are for the sheet; an input of a rule is a number, yes or no, or a label",
        at,
        hint="name the labels that it may be: `one of a, b`",
    )


def table_of_numbers(at: Span, name: str) -> Diagnostic:
    return error(
        "table-of-numbers",
        f"the rows of the table `{name}` begin with numbers, and a domain is made of labels",
        at,
        hint="a table is a domain where each of its rows begins with a label: `human 0`",
    )


def empty_domain(at: Span) -> Diagnostic:
    return error("empty-domain", "no number lies in this domain", at, "its end is below its start")


def unknown_domain(at: Span, name: str, near: str | None) -> Diagnostic:
    return error(
        "unknown-domain",
        f"there are no levels and no table called `{name}`",
        at,
        hint=did_you_mean(
            near,
            "a domain is written `0..10`, `0..`, `yes or no`, `one of a, b`, `list of 0..`, or is the name of `levels`"
            " or of a table",
        ),
    )


def list_of_lists(at: Span) -> Diagnostic:
    return error("list-of-lists", "the items of a list cannot be lists", at)


def option_twice(at: Span, word: str, first: Span) -> Diagnostic:
    return error("option-twice", f"`{word}` stands twice", at, also=[(first, "first here")])


def mixed_options(at: Span, first: Span) -> Diagnostic:
    return error(
        "mixed-options", "the options are either labels or numbers, not both", at, also=[(first, "the first option")]
    )


def bag_number(at: Span, name: str, value: str) -> Diagnostic:
    return error("bag-number", f"a bag holds a whole number of each thing, and `{short(name)}` is {value}", at)


def bag_order(at: Span, number: str, name: str) -> Diagnostic:
    return error("bag-order", "the number comes first", at, hint=f"write `{number} {short(name)}`")


def bag_range(at: Span) -> Diagnostic:
    return error("bag-range", "cards are numbered by whole numbers, lowest first", at)


def bag_too_large(at: Span, most: int) -> Diagnostic:
    message = f"a bag holds at most {most:,} different cards"
    return error("bag-too-large", message, at, hint="`--limit faces=N` raises it for files of your own")


def row_twice(at: Span, table: str, key: str, first: Span) -> Diagnostic:
    return error(
        "row-twice",
        f"the table `{table}` has two rows for `{short(key)}`",
        at,
        "again here",
        also=[(first, "first here")],
        hint="take one of them out, or put their entries into one row",
    )


def two_entries(at: Span, what: str) -> Diagnostic:
    return error(
        "two-entries",
        f"a row has at most one {what}",
        at,
        hint="a row holds a label, a number and a text, one of each at most",
    )


def band_reversed(at: Span, low: str, high: str) -> Diagnostic:
    return error("band-reversed", f"this band is empty: {high} is below {low}", at, hint=f"write `{high}..{low}`")


def gap(at: Span, table: str, missing: str, before: Span) -> Diagnostic:
    return warning(
        "gap",
        f"the table `{table}` has no row for {missing}",
        at,
        "the next row begins here",
        also=[(before, "the last one ends here")],
        hint="a lookup there gives none",
    )


def overlap(at: Span, table: str, shared: str, first: Span) -> Diagnostic:
    return warning(
        "overlap",
        f"two rows of the table `{table}` fit {shared}",
        at,
        also=[(first, "this row fits too")],
        hint="`is` is then yes for either; any other use is an error",
    )


def face_without_row(at: Span, table: str, face: str) -> Diagnostic:
    return warning(
        "face-without-row",
        f"the die of the table `{table}` may show {face}, for which there is no row",
        at,
        hint="the roll then gives none",
    )


def row_without_face(at: Span, table: str) -> Diagnostic:
    return warning("row-without-face", f"the die of the table `{table}` never points to this row", at)


def unused_setting(at: Span, name: str) -> Diagnostic:
    return warning(
        "unused-setting", f"nothing reads the setting `{name}`", at, hint="take it out, or read it in a rule"
    )


def entries_and_columns(at: Span, entries: int, columns: int) -> Diagnostic:
    many = "1 entry" if entries == 1 else f"{entries} entries"
    return error(
        "entries-and-columns", f"this row has {many}, and the table has {columns} columns", at, hint="one for each"
    )


def mixed_entries(at: Span, first: Span) -> Diagnostic:
    return error(
        "mixed-entries",
        "the entries of a table with columns are of one sort",
        at,
        "and this is another",
        also=[(first, "the first entry")],
        hint="write labels everywhere, or numbers",
    )


def mixed_columns(at: Span, first: Span) -> Diagnostic:
    return error(
        "mixed-columns",
        "the columns of a table are all labels or all numbers",
        at,
        also=[(first, "the first column")],
        hint="write bands such as `..5  6..9`, or labels",
    )


def columns_overlap(at: Span) -> Diagnostic:
    return error("columns-overlap", "this column says again what another one says", at, hint="take it out")
