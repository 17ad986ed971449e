"""Lines of a rule that stand in the wrong place or say what cannot be."""

from __future__ import annotations

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics.plan import Kind, Rule

from .shape import A, did_you_mean, error, short, warning


def defined_twice(at: Span, name: str, first: Span) -> Diagnostic:
    if name == "outcome":
        hint = "a rule has one outcome: put its lines together, and give a value another name"
    else:
        hint = "a name is defined once in a rule: give this one another name, or `track` a value that changes"
    return error(
        "defined-twice",
        f"`{name}` is defined twice in this rule",
        at,
        "defined again here",
        also=[(first, "first defined here")],
        hint=hint,
    )


def turn_is_taken(at: Span) -> Diagnostic:
    return error(
        "turn-is-taken", "in a `repeat` the word `turn` counts the turns", at, hint="give this value another name"
    )


def hides(at: Span, name: str, what: str, hidden: Span) -> Diagnostic:
    return warning(
        "hides",
        f"`{name}` hides the {what} of that name",
        at,
        also=[(hidden, f"this {what}")],
        hint="give one of them another name",
    )


def not_in_a_body(at: Span, word: str) -> Diagnostic:
    hint = {
        "flag": "track a yes or no in the body, and flag it below",
        "outcome": "put the outcome below the `repeat`",
    }.get(word, "move the line to the top of the rule")
    return error("not-in-a-body", f"`{word}` belongs to the whole rule and cannot be repeated", at, hint=hint)


def given_below(at: Span, name: str) -> Diagnostic:
    return error("given-below", f"the input `{name}` stands below a roll", at, hint="move it up to the other inputs")


def default_from_value(at: Span, name: str) -> Diagnostic:
    return error(
        "default-from-value",
        f"a domain or default may read inputs and settings, and `{name}` is a value",
        at,
        hint="write the expression itself",
    )


def unknown_exception(at: Span, name: str, rule: Rule, near: str | None) -> Diagnostic:
    return error(
        "unknown-exception",
        f"`{rule.name}` has no input called `{name}`",
        at,
        also=[(rule.span, "this rule")],
        hint=did_you_mean(near),
    )


def input_needs_another(at: Span, name: str, needed: str) -> Diagnostic:
    return error(
        "input-needs-another",
        f"the domain or default of `{name}` needs the input `{needed}`, which is not taken over",
        at,
        hint=f"take `{needed}` too, or define `{needed}` above",
    )


def rule_in_cases(at: Span) -> Diagnostic:
    return error(
        "rule-in-cases",
        "a rule is rolled on a line of its own, not by cases",
        at,
        hint="write two rolls with `if`, then `outcome as second if CONDITION otherwise first`",
    )


def rule_and_dice(at: Span, rule: Span) -> Diagnostic:
    return error(
        "rule-and-dice",
        "dice cannot be added to a rule's roll",
        at,
        also=[(rule, "this rolls a rule")],
        hint="give the dice a `roll` line of their own",
    )


def rule_with_modifiers(at: Span, rule: Span) -> Diagnostic:
    return error(
        "rule-with-modifiers",
        "a rule's roll takes no modifiers",
        at,
        also=[(rule, "this rolls a rule")],
        hint="modify the dice in that rule",
    )


def table_not_alone(at: Span, name: str) -> Diagnostic:
    return error(
        "table-not-alone",
        f"the table `{name}` is rolled alone",
        at,
        hint=f"write `roll NAME = {name}`, with a condition behind it at most",
    )


def two_way_rolled(at: Span, name: str, by: str) -> Diagnostic:
    return error(
        "two-way-rolled",
        f"the table `{name}` is read by row and column and cannot be rolled",
        at,
        hint=f"roll a die, then look the result up: `{name} at (DIE, {by})`",
    )


def so_many_by_default(at: Span, written: str) -> Diagnostic:
    number, _, pool = written.partition(" dice of ")
    return error(
        "choice-without-default",
        "just so many dice have to be taken, and nothing says which unless somebody chooses",
        at,
        hint=f"write `by default highest {number} of {pool}`, or `at most {written}`",
    )


def table_without_die(at: Span, name: str) -> Diagnostic:
    return error(
        "table-without-die",
        f"the table `{name}` does not say which die is rolled on it",
        at,
        hint=f"write `table {name}, d6` where it begins",
    )


def define_tracked(at: Span, name: str, first: Span) -> Diagnostic:
    return error(
        "define-tracked",
        f"`{name}` is tracked: it changes by `becomes`, `+=` and `-=`",
        at,
        also=[(first, "tracked here")],
        hint=f"write `{name} becomes …`",
    )


def always_none(at: Span, name: str) -> Diagnostic:
    return error("always-none", f"`{name}` would always be none", at)


def open_choice(at: Span) -> Diagnostic:
    return error("open-choice", "a choice needs both bounds", at, hint="write `0..3`")


def empty_choice(at: Span) -> Diagnostic:
    return error("empty-choice", "there is nothing to choose from", at, "its end is below its start")


def track_needs_domain(at: Span, name: str) -> Diagnostic:
    return error(
        "track-needs-domain",
        f"the start of `{name}` does not show what else it may become",
        at,
        hint=f"state the domain: `track {name}: one of calm, alert = calm`",
    )


def not_trackable(at: Span, name: str, got: Kind) -> Diagnostic:
    return error(
        "not-trackable",
        f"`{name}` would be {A[got]}, and tracked values are numbers, yes or no, labels or dice",
        at,
        hint="numbers are tracked as dice that show them: `no dice + [3, 2, 2]`" if got is Kind.LIST else None,
    )


def bad_turns(at: Span, number: str) -> Diagnostic:
    return error("bad-turns", f"{number} is not a number of turns or dice", at, "expected a whole number, 0 or more")


def becomes_other_kind(at: Span, name: str, got: Kind, kind: Kind, first: Span) -> Diagnostic:
    hint = f"state the domain where it is tracked: `track {name}: 0.. or none = …`" if got is Kind.NONE else None
    return error(
        "becomes-other-kind",
        f"`{name}` is {A[kind]} and cannot become {A[got]}",
        at,
        A[got],
        also=[(first, "tracked here")],
        hint=hint,
    )


def number_into_dice(at: Span, name: str) -> Diagnostic:
    return error(
        "number-into-dice",
        f"`{short(name)}` holds dice, and this is a number",
        at,
        hint=f"write `[{short(at.text)}]` for a die that shows it",
    )


def not_counted(at: Span, name: str, kind: Kind, sign: str) -> Diagnostic:
    return error(
        "not-counted", f"`{name}` is {A[kind]}, and `{sign}` is for numbers", at, hint=f"write `{name} becomes …`"
    )


def update_of_value(at: Span, name: str, what: str, first: Span) -> Diagnostic:
    return error(
        "update-of-value",
        f"`{name}` is defined once and cannot change",
        at,
        also=[(first, f"this {what}")],
        hint=f"track it instead: `track {name} = …`",
    )


def update_of_unknown(at: Span, name: str, near: str | None) -> Diagnostic:
    return error(
        "update-of-unknown",
        f"nothing called `{name}` is tracked here",
        at,
        hint=did_you_mean(near, f"write `track {name} = 0` above the `repeat`"),
    )


def unknown_bag(at: Span, name: str, near: str | None) -> Diagnostic:
    return error(
        "unknown-bag",
        f"there is no bag called `{name}`",
        at,
        hint=did_you_mean(near, f"define it: `bag {name} = 6 green, 4 yellow`"),
    )


def not_drawn(at: Span, name: str) -> Diagnostic:
    return error(
        "not-drawn",
        f"`{name}` was not drawn from a bag of this rule",
        at,
        hint="only what a `draw` line of the same rule drew can be put back"
        + ("; a rolled rule has bags of its own" if "." in name else ""),
    )


def not_drawn_from(at: Span, name: str, bag: str) -> Diagnostic:
    return error(
        "not-drawn",
        f"`{name}` was not drawn from `{bag}` in this rule",
        at,
        hint=f"only what a line `draw NAME = … from {bag}` drew is out of it",
    )


def only_bags_except(at: Span, name: str) -> Diagnostic:
    return error(
        "not-drawn",
        f"`{name}` was drawn under one name, and goes back whole",
        at,
        hint="`except` stands behind a bag: `put BAG back except NAME`",
    )


def no_otherwise(at: Span) -> Diagnostic:
    return error(
        "outcome-without-otherwise",
        "the outcome lacks a last line for everything else",
        at,
        "the last line has a condition",
        hint="end with `- failure otherwise`",
    )


def two_marks(at: Span, label: str, first: Span) -> Diagnostic:
    return error(
        "two-marks",
        f"the outcome `{label}` has two different marks",
        at,
        also=[(first, "first marked here")],
        hint="an outcome is always good (`+`), bad (`-`) or neutral (`~`)",
    )


def flag_and_outcome(at: Span, name: str, first: Span) -> Diagnostic:
    return error(
        "flag-and-outcome",
        f"a flag and an outcome are both called `{name}`",
        at,
        also=[(first, "the other one")],
        hint="give one of them another name",
    )


def until_reads_body(at: Span, name: str, defined: Span) -> Diagnostic:
    return error(
        "until-reads-body",
        f"`until` is tested before each turn, when `{name}` is not there yet",
        at,
        also=[(defined, "defined in the body")],
        hint="track what is tested: `track over = no` above, `over becomes …` in the body",
    )


def outcomes_differ(at: Span, label: str, first: str, second: str) -> Diagnostic:
    return error("outcomes-differ", f"`{label}` is marked differently in `{first}` and `{second}`", at)


def outcome_may_be_none(at: Span) -> Diagnostic:
    return warning(
        "outcome-may-be-none",
        "the outcome may be that of a roll that was not made",
        at,
        hint="take the other one by the condition of the roll: `outcome as second if CONDITION otherwise first`",
    )


def outcome_of_value(at: Span, name: str) -> Diagnostic:
    return error("outcome-of-value", f"`{name}` is not a roll of a rule and has no outcome", at)


def rule_without_outcome(at: Span, name: str, rule: Rule) -> Diagnostic:
    return error(
        "no-outcome", f"`{name}` is a roll of `{rule.name}`, which has no outcomes", at, also=[(rule.span, "this rule")]
    )


def limit_after_roll(at: Span, drawn: str) -> Diagnostic:
    return error(
        "limit-after-roll",
        f"a limit is checked before anything is rolled, and this depends on `{drawn}`",
        at,
        hint="limit the inputs, or make it a line of the outcome",
    )


def unused_input(at: Span, name: str) -> Diagnostic:
    return warning("unused-input", f"nothing reads the input `{name}`", at, hint="take it out, or use it in the rule")


def unused_value(at: Span, name: str, what: str) -> Diagnostic:
    return warning(
        "unused-value",
        f"nothing reads the {what} `{name}`",
        at,
        hint="take it out, or expect it in an example if it is a result",
    )


def outcome_unreachable(at: Span, label: str, earlier: Span | None) -> Diagnostic:
    return error(
        "outcome-unreachable",
        f"this line of the outcome can never be reached, so it never gives `{label}`",
        at,
        "never decides",
        also=[(earlier, "holds whenever the other would")],
        hint="the first line that holds wins: put the narrower condition first",
    )


def case_unreachable(at: Span, earlier: Span | None) -> Diagnostic:
    return error(
        "case-unreachable",
        "this case can never be reached",
        at,
        "never decides",
        also=[(earlier, "holds whenever the other would")],
        hint="the first case that holds wins: put the narrower condition first",
    )
