"""Values of the wrong kind, and signs that do not go with them."""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics.plan import Kind, Rule

from .shape import A, did_you_mean, error, listed, short, this_is, warning

HINTS = {
    (Kind.POOL, Kind.NUMBER): "ask the dice: `sum of {0}`, `highest of {0}`, `count 6 in {0}`, `size of {0}`",
    (Kind.LIST, Kind.NUMBER): "ask the list: `sum of {0}`, `size of {0}`, `{0} at 1`",
    (Kind.YES_NO, Kind.NUMBER): "make a number of it: `(1 if {0} otherwise 0)`",
    (Kind.LABEL, Kind.NUMBER): "make a number of it by cases: `(1 if {0} is … otherwise 0)`",
    (Kind.NUMBER, Kind.YES_NO): "compare it: `{0} > 0`, `{0} = 1`",
    (Kind.POOL, Kind.YES_NO): "ask the dice: `any 6 in {0}`, `sum of {0} > 0`",
    (Kind.LIST, Kind.YES_NO): "ask the list: `any 6 in {0}`, `size of {0} > 0`",
    (Kind.LABEL, Kind.YES_NO): "compare it: `{0} is …`",
    (Kind.TEXT, Kind.YES_NO): "ask for the row's label: `(TABLE at …).label is …`",
    (Kind.NUMBER, Kind.POOL): "only dice and lists can be asked: name the roll itself",
    (Kind.TEXT, Kind.NUMBER): "ask for the row's number: `(TABLE at …).value`",
}
SHOWN_IN_HINT = 24


def wrong_kind(at: Span, text: str, got: Kind, wanted: Kind) -> Diagnostic:
    hint = HINTS.get((got, wanted))
    shown = short(text) if len(text) <= SHOWN_IN_HINT else "…"
    wants = "dice or a list are" if wanted is Kind.POOL else f"{A[wanted]} is"
    code = f"{got.name.lower().replace('_', '-')}-as-{wanted.name.lower().replace('_', '-')}"
    return error(code, f"{this_is(got)}, and {wants} meant here", at, hint=hint.format(shown) if hint else None)


def row_as_number(at: Span, text: str, table: str) -> Diagnostic:
    return error(
        "row-as-number",
        f"a lookup in `{table}` gives the row's label, and a number is meant here",
        at,
        hint=f"ask for the number: `({short(text)}).value`",
    )


def not_dice(at: Span, got: Kind) -> Diagnostic:
    return error("not-dice", f"{this_is(got)}, and only dice can be thrown", at)


def list_of_others(at: Span, text: str, items: Kind | None) -> Diagnostic:
    return error(
        "list-of-others",
        f"the items of `{short(text)}` are {_many(items)}, and only numbers can be asked",
        at,
        hint="take one of them: `LIST at 1`",
    )


def _many(kind: Kind | None) -> str:
    return {Kind.LABEL: "labels", Kind.YES_NO: "yes or no"}.get(kind or Kind.NONE, "no numbers")


def not_thrown_yet(at: Span, text: str, names: Sequence[str]) -> Diagnostic:
    return error(
        "not-thrown-yet",
        f"the dice of `{short(text)}` are not thrown yet, and numbers are meant here",
        at,
        f"shows {listed(names, 'and')}",
        hint=f"throw them in a line of their own: `roll shown = dice of {short(text)}`",
    )


def symbols_as_numbers(at: Span, text: str, symbols: Sequence[str], numbered: bool = False) -> Diagnostic:
    return error(
        "symbols-as-numbers",
        f"`{short(text)}` shows symbols, and numbers are meant here",
        at,
        f"shows {listed(symbols, 'and')}",
        hint=f"give what bears only {symbols[0]} a number, too: `0 & {symbols[0]}`"
        if numbered
        else f"count the symbols: `count {symbols[0]} in …`",
    )


def approximate_decides(at: Span, text: str) -> Diagnostic:
    return error(
        "approximate-decides",
        f"`{short(text)}` is only approximate and may not decide a roll",
        at,
        "holds a power that is not whole",
        hint="compare exact numbers instead: for `2 ^ (x / 2)` its square, `2 ^ x`",
    )


def lookup_binds_tightly(lookup: Span, source: Span, index: Span, reached: Span) -> Diagnostic:
    rest = reached.source.text[index.end : reached.end]
    place, found = short(index.text), short(lookup.text)
    return error(
        "lookup-binds-tightly",
        f"this looks up `{place}` alone",
        lookup,
        "looks up no further than here",
        hint=f"write `({found}) {short(rest)}`, or `{short(source.text)} at ({place} {short(rest)})`",
    )


def binds_to_first(question: Span, whole: Span, pool: Span, dice: Span) -> Diagnostic:
    asked = question.source.text[question.start : pool.start]
    one, other = short(pool.text), short(dice.text)
    return error(
        "question-binds-tightly",
        f"this asks only `{one}`, and then adds the dice `{other}` to a number",
        question,
        "asks no further than here",
        also=[(dice, "these dice are not asked")],
        notes=[f"as it stands it is read as `({short(question.text)}) + {other}`"],
        hint=f"to ask both together write `{short(asked)} ({one} + {other})`",
    )


def asked_before(question: Span, pool: Span, whole: Span) -> Diagnostic:
    text = question.source.text
    asked, taken = text[question.start : pool.start], text[pool.start : whole.end]
    return error(
        "question-binds-tightly",
        f"this asks all of `{short(pool.text)}`, and a number has no dice to take",
        question,
        "asks no further than here",
        hint=f"to ask those dice write `{short(asked)} ({short(taken)})`",
    )


def division_by_zero(at: Span) -> Diagnostic:
    return error("division-by-zero", "this divides by zero", at, "always 0")


def or_between_numbers(at: Span, number: Span, suggestion: str | None) -> Diagnostic:
    hint = f"compare it: `… = {short(number.text)}`"
    if suggestion is not None:
        hint = f"faces with `or` stand in brackets or in a question: `{short(suggestion)}`"
    return error(
        "or-between-numbers",
        f"`or` joins conditions, and `{short(number.text)}` is a number",
        number,
        "a condition belongs here",
        hint=hint,
    )


def label_compared(at: Span, label: Span, word: str, other: str | None) -> Diagnostic:
    hint = f"write `{short(other)} is {word}`" if other else f"the label stands to the right of `is`: `NAME is {word}`"
    return error(
        "label-compared",
        f"`{word}` is a label, and labels are compared with `is`",
        at,
        also=[(label, "a label")] if label != at else (),
        hint=hint,
    )


def label_with_sign(at: Span, guilty: Span, text: str, sign: str) -> Diagnostic:
    wanted = {"=": "is", "!=": "is not"}.get(sign)
    hint = (
        f"write `{short(text)} {wanted} LABEL`"
        if wanted
        else "labels and texts have no order: compare with `is` and `is not`"
    )
    return error(
        "label-with-sign",
        f"`{short(text)}` is a label or a text, and `{sign}` compares numbers",
        at,
        also=[(guilty, "no number")] if guilty != at else (),
        hint=hint,
    )


def yes_no_ordered(at: Span, sign: str) -> Diagnostic:
    return error(
        "yes-no-ordered",
        f"yes and no have no order: `{sign}` compares numbers",
        at,
        hint="compare yes and no with `=` and `!=`",
    )


def none_ordered(at: Span, sign: str) -> Diagnostic:
    return error(
        "none-ordered",
        f"`none` has no order: `{sign}` compares numbers",
        at,
        hint="compare with none by `= none` or `!= none`",
    )


def label_in_faces(at: Span, text: str, words: Sequence[str]) -> Diagnostic:
    right = words[0] if len(words) == 1 else f"({' or '.join(words)})"
    return error(
        "label-in-faces",
        "`in` asks for faces, and labels are compared with `is`",
        at,
        hint=f"write `{short(text)} is {right}`",
    )


def is_of_other(at: Span, left: Span, text: str, got: Kind, label: str) -> Diagnostic:
    hint = {
        Kind.POOL: f"ask the dice: `any {label} in {short(text)}`",
        Kind.NUMBER: f"compare numbers with `=`: `{short(text)} = …`",
        Kind.YES_NO: f"write it alone: `{short(text)}`, or `not {short(text)}`",
    }.get(got)
    return error("is-of-other", f"`is` compares labels, and {this_is(got)}", left, f"never `{label}`", hint=hint)


def no_outcome(at: Span, name: str, rule: Rule) -> Diagnostic:
    return error(
        "no-outcome",
        f"`{name}` is a roll of `{rule.name}`, which has no outcomes",
        at,
        also=[(rule.span, "this rule")],
        hint=f"compare one of its values, or add an `outcome` to `{rule.name}`",
    )


def flag_as_label(at: Span, name: str, flag: str) -> Diagnostic:
    return error(
        "flag-as-label",
        f"`{flag}` is not an outcome of `{name}`, but a yes or no in it",
        at,
        hint=f"write `{name}.{flag}`",
    )


def rolled_as_condition(at: Span, name: str, rule: Rule) -> Diagnostic:
    labels = [each.label for each in rule.outcomes][:3]
    hint = (
        f"write `{name} is good` or `{name} is {labels[0]}`"
        if labels
        else f"`{rule.name}` has no outcomes: compare one of its values"
    )
    return error("rolled-as-condition", f"`{name}` is a whole roll, and yes or no is meant here", at, hint=hint)


def maybe_none(at: Span, text: str, defined: Span | None = None) -> Diagnostic:
    return warning(
        "maybe-none",
        f"`{short(text)}` may be none here, which would stop the roll",
        at,
        also=[(defined, "may be none")],
        hint=f"guard it: `{short(text)} != none and …`, or `… if {short(text)} != none otherwise …`",
    )


def not_rolled(at: Span, text: str, rolled: Span, condition: str) -> Diagnostic:
    return warning(
        "maybe-none",
        f"`{short(text)}` may be none here, which would stop the roll",
        at,
        also=[(rolled, "rolled only under a condition")],
        hint=f"guard it: `{short(text)} if {short(condition)} otherwise …`",
    )


def no_otherwise(at: Span) -> Diagnostic:
    return error(
        "no-otherwise",
        "these cases lack a last line for everything else",
        at,
        "the last case has a condition",
        hint="end with `VALUE otherwise`",
    )


def mixed_cases(at: Span, got: Kind, first: Span, first_kind: Kind) -> Diagnostic:
    return error(
        "mixed-cases",
        f"this is {A[got]}, and the first case is {A[first_kind]}",
        at,
        A[got],
        also=[(first, A[first_kind])],
        hint="all cases give the same kind of value, or none",
    )


def no_dice_are_empty(at: Span) -> Diagnostic:
    return error(
        "no-dice-are-empty",
        "dice are never none: no dice are an empty pool",
        at,
        hint="give the roll a condition instead: `roll NAME = DICE if CONDITION`",
    )


def mixed_list(at: Span, got: Kind, first: Span, first_kind: Kind) -> Diagnostic:
    return error(
        "mixed-list",
        f"this is {A[got]}, and the list begins with {A[first_kind]}",
        at,
        A[got],
        also=[(first, A[first_kind])],
        hint="all items of a list are of one kind",
    )


def not_an_item(at: Span, text: str, got: Kind) -> Diagnostic:
    return error(
        "not-an-item",
        f"{A[got]} cannot stand in a list",
        at,
        hint="add pools with `+`; a list holds numbers, labels or yes and no",
    )


def formula_before_rules(at: Span, rule: str) -> Diagnostic:
    return error(
        "formula-before-rules",
        "a formula is worked out in rules and in the sheet, not in what they are made of",
        at,
        hint=f"write the value itself, or use `{short(rule)}(…).…` where it is needed",
    )


def wrong_arguments(at: Span, name: str, got: int, wanted: int) -> Diagnostic:
    expected = {"clamp": "clamp(value, lowest, highest)"}.get(name, f"{name}(value)")
    return error(
        "wrong-arguments",
        f"`{name}` takes {wanted} value{'s' if wanted > 1 else ''}, and here are {got}",
        at,
        hint=f"write `{expected}`",
    )


def not_a_list(at: Span, name: str, got: Kind) -> Diagnostic:
    hint = f"the N-th highest die is `die N of {name}`" if got is Kind.POOL else "`at` looks up in a table or a list"
    return error("not-a-list", f"`{name}` is {A[got]}, not a table or a list", at, hint=hint)


def not_a_face(at: Span, text: str, got: Kind) -> Diagnostic:
    return error(
        "not-a-face",
        f"`{short(text)}` is {A[got]}, and faces are meant here",
        at,
        "expected numbers, ranges, symbols, or dice whose faces are meant",
    )


def unknown_symbol(at: Span, word: str, symbols: Sequence[str], near: str | None) -> Diagnostic:
    return error(
        "unknown-symbol",
        f"no die here shows `{word}`",
        at,
        f"the symbols are {listed(symbols, 'and')}",
        hint=did_you_mean(near),
    )


def negated_setting(at: Span, name: str) -> Diagnostic:
    return error(
        "negated-setting",
        f"`{name}` says what is left out (`not …`) and cannot be joined to other faces",
        at,
        hint="ask it alone, or state the faces it leaves",
    )
