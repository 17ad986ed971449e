"""Examples that do not fit the rule they roll."""

from __future__ import annotations

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics.plan import Rule

from .shape import did_you_mean, error, short


def no_roll(at: Span) -> Diagnostic:
    return error("example-without-roll", "this example rolls nothing", at, hint="add a line `roll RULE(INPUT = VALUE)`")


def two_rolls(at: Span, first: Span) -> Diagnostic:
    return error(
        "example-two-rolls",
        "an example rolls once",
        at,
        also=[(first, "the first roll")],
        hint="make two examples of it",
    )


def not_constant(at: Span) -> Diagnostic:
    return error(
        "example-not-constant",
        "an example states its values",
        at,
        "not known before the roll",
        hint="write the number, label, yes or no itself",
    )


def unknown_dice(at: Span, name: str, rule: Rule, near: str | None) -> Diagnostic:
    known = f"its dice: {', '.join(rule.dice[:8])}" if rule.dice else "it rolls no dice"
    return error("unknown-dice", f"`{rule.name}` rolls no dice called `{name}`", at, known, hint=did_you_mean(near))


def dice_twice(at: Span, name: str) -> Diagnostic:
    return error(
        "dice-twice", f"the faces of `{name}` are given twice", at, hint="write them on one line, in the order drawn"
    )


def impossible_face(at: Span, face: str, name: str) -> Diagnostic:
    return error("impossible-face", f"`{name}` never shows {short(face)}", at)


def unknown_choice(at: Span, name: str, rule: Rule, near: str | None) -> Diagnostic:
    names = [each.name for each in rule.choices]
    known = f"its choices: {', '.join(names[:8])}" if names else "it has none"
    return error("unknown-choice", f"`{rule.name}` has no choice called `{name}`", at, known, hint=did_you_mean(near))


def unknown_setting(at: Span, name: str, near: str | None) -> Diagnostic:
    return error("unknown-setting", f"there is no setting called `{name}`", at, hint=did_you_mean(near))


def within_what(at: Span) -> Diagnostic:
    return error(
        "within-what", "`within` allows for a distance from a number", at, hint="write `expect NAME = NUMBER within 1%`"
    )
