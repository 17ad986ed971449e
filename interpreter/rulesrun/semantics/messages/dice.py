"""Dice that cannot be thrown as they are written."""

from __future__ import annotations

from collections.abc import Sequence

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics.plan import Kind

from .shape import A, did_you_mean, error, short, warning


def rule_not_alone(at: Span, name: str) -> Diagnostic:
    return error(
        "rule-not-alone",
        f"`{name}` is rolled alone, not together with dice",
        at,
        hint="give it a `roll` line of its own",
    )


def rule_with_count(at: Span, name: str) -> Diagnostic:
    return error(
        "rule-with-count",
        f"`{name}` is a rule, and a rule is rolled once a line",
        at,
        hint="roll it in a body: `repeat 3 times`",
    )


def bad_count(at: Span, number: str, literal: bool) -> Diagnostic:
    hint = "round it: `round_down(…)`, `round_up(…)`" if "/" in number else "keep it from going below zero: `max(0, …)`"
    return error(
        "bad-count",
        f"{number} dice cannot be rolled",
        at,
        "expected a whole number, 0 or more",
        hint=None if literal else hint,
    )


def bad_sides(at: Span, number: str) -> Diagnostic:
    return error("bad-sides", f"there is no die with {number} sides", at, "expected a whole number, 1 or more")


def pool_in_throw(at: Span, name: str) -> Diagnostic:
    return error(
        "pool-in-throw",
        f"`{name}` are dice that are rolled already",
        at,
        hint=f"throw the same dice again with `dice of {name}`, or add both on a line below",
    )


def number_in_throw(at: Span, name: str, kind: Kind, counted: bool) -> Diagnostic:
    hint = (
        f"for a die with that many sides write `d({name})`"
        if counted
        else f"a `roll` line holds only dice: add `{name}` on the next line"
    )
    return error("number-in-throw", f"`{name}` is {A[kind]}, and a die is meant here", at, hint=hint)


def unknown_die(at: Span, name: str, near: str | None) -> Diagnostic:
    return error(
        "unknown-die",
        f"there is no die, table or rule called `{name}`",
        at,
        hint=did_you_mean(near, "dice are written `d6`, `2d10`, `(a + b) d6`, or defined by `die NAME = …`"),
    )


def no_weight(at: Span) -> Diagnostic:
    return error("no-weight", "a face that never shows", at, "`x0`", hint="leave it out")


def mixed_faces(at: Span, first: Span, bare: str) -> Diagnostic:
    """`bare` is the face that lacks a number."""
    write = "write `0` for it" if bare == "blank" else f"write `0 & {' '.join(bare.split())}`"
    return error(
        "mixed-faces",
        "every face of a die bears a number, or none does",
        at,
        also=[(first, "the first face")],
        hint=f"{write}: a face may bear symbols beside its number",
    )


def die_rolls_itself(at: Span, circle: Sequence[str]) -> Diagnostic:
    return error("die-rolls-itself", "this die is made of itself", at, notes=[" -> ".join(circle)])


def drop_middle(at: Span) -> Diagnostic:
    return error(
        "drop-middle",
        "what is dropped is highest or lowest",
        at,
        hint="to keep both ends, ask for them: `highest 1 of POOL`, `lowest 1 of POOL`",
    )


def not_a_number_of_times(at: Span, number: str) -> Diagnostic:
    return error(
        "not-a-number-of-times", f"{number} is not a number of dice or times", at, "expected a whole number, 0 or more"
    )


def never_ends(at: Span, what: str, faces: str) -> Diagnostic:
    return error(
        "never-ends",
        f"this never ends: every die {what}",
        at,
        faces,
        hint="name fewer faces, or bound it: `once`, `at most 3 times`",
    )


def again_never_ends(at: Span) -> Diagnostic:
    return error(
        "again-never-ends",
        "this never ends: the condition always holds",
        at,
        hint="bound it: `once`, `at most 3 times`",
    )


def face_lacking(at: Span, face: str, shown: str) -> Diagnostic:
    return warning("face-lacking", f"no die here shows `{short(face)}`", at, f"the faces are {shown}")


def when_outside_roll(at: Span) -> Diagnostic:
    return error(
        "when-outside-roll",
        "a die that is defined once cannot depend on a condition",
        at,
        hint="throw its dice on a `roll` line, where modifiers may say `when`",
    )


def too_many_whens(at: Span, most: int) -> Diagnostic:
    return error(
        "too-many-whens",
        f"a roll may have at most {most} modifiers with `when`",
        at,
        hint="choose among throws by cases, each with a condition of its own",
    )


def count_of_sizes(at: Span, sizes: str) -> Diagnostic:
    return error(
        "count-of-sizes",
        f"`{short(sizes)}` is a list: it gives one die for each of its numbers",
        at,
        hint=f"write `d({short(sizes)})`",
    )


def adding_several(at: Span) -> Diagnostic:
    return error(
        "adding-several",
        "several further dice cannot be added to one die's face",
        at,
        hint="take out `adding`: they are further dice of the pool, and `sum of` adds them",
    )


def ever_more_dice(at: Span) -> Diagnostic:
    return error(
        "never-ends",
        "this need not end: each explosion adds more dice than stop exploding",
        at,
        hint="let fewer faces explode, or add `at most 3 times`",
    )
