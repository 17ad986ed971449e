"""The sheet of a character: traits, lists, budgets, advances, actions, teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics import plan
from rulesrun.semantics.inputs import domain_text
from rulesrun.semantics.plan import Kind, Number, Rule

from .shape import A, did_you_mean, error, listed, short, warning

_WHOLES = {"group": "the group", "list": "the list", "budget": "the budget"}


def not_tellable(at: Span, text: str, kind: Kind) -> Diagnostic:
    return error(
        "not-tellable",
        f"`{short(text)}` is {A[kind]}, and a sheet shows single values",
        at,
        hint=f"ask it for a number: `sum of {short(text)}`, `highest of {short(text)}`"
        if kind in (Kind.LIST, Kind.POOL)
        else None,
    )


def no_text_here(at: Span, domain: plan.Domain, levels: Mapping[str, Mapping[str, Number]]) -> Diagnostic:
    return error(
        "no-text-here",
        "a text is no value of this domain",
        at,
        f"expected {domain_text(domain, levels)}",
        hint="write the domain `text`, or a value of the domain before the text that explains it",
    )


def defined_twice(at: Span, name: str, first: Span) -> Diagnostic:
    return error(
        "defined-twice",
        f"`{name}` is defined twice in this sheet",
        at,
        "defined again here",
        also=[(first, "first defined here")],
        hint="a name is defined once in a sheet: give this one another name, or take it out",
    )


def dice_in_sheet(at: Span, rule: Rule) -> Diagnostic:
    what, name = ("dice", rule.dice[0]) if rule.dice else ("a choice", rule.choices[0].name)
    return error(
        "dice-in-sheet",
        f"`{rule.name}` has {what} (`{name}`), and nothing is rolled in a sheet",
        at,
        also=[(rule.span, "this rule")],
        hint="what is rolled stands in rules, whose inputs are filled from the sheet",
    )


def unknown_member(at: Span, whole: str, what: str, member: str, known: Sequence[str], near: str | None) -> Diagnostic:
    return error(
        "unknown-member",
        f"{_WHOLES[what]} `{whole}` has no `{member}`",
        at,
        f"it has {listed([each.partition('.')[2] for each in known][:8])}" if known else "it has no parts",
        hint=did_you_mean(near),
    )


def out_of_place(at: Span, word: str) -> Diagnostic:
    where = "the lines below a `list`" if word == "it" else "`advance` lines"
    meaning = {"it": "the number of an entry", "now": "the number before", "next": "the number after"}[word]
    return error("out-of-place", f"`{word}` is {meaning}, and has a meaning only in {where}", at)


def list_as_trait(at: Span, name: str) -> Diagnostic:
    return error(
        "list-as-trait",
        "a trait is a single value",
        at,
        hint=f"an open list of named numbers is written `list {name}: 0..`, a group of traits `traits {name}: 0..`",
    )


def entries_are_numbers(at: Span, name: str) -> Diagnostic:
    return error(
        "entries-are-numbers",
        f"each entry of `{name}` bears a number",
        at,
        "expected a range such as `0..`, or the name of levels",
        hint=f"what else is known of an entry stands below: `list {name}: 0..`, and indented `NAME: DOMAIN = DEFAULT`",
    )


def word_without_number(at: Span, name: str) -> Diagnostic:
    return error(
        "word-without-number",
        f"the entries of `{name}` bear no number that could be called `{at.text}`",
        at,
        hint=f"write `list {name} of {at.text}: 0..`",
    )


def entry_needs_default(at: Span, name: str) -> Diagnostic:
    return error(
        "entry-needs-default",
        f"`{name}` has no default, and most entries state nothing but a number",
        at,
        hint=f"write `{name}: DOMAIN = VALUE`, or `{name}: DOMAIN or none = none`",
    )


def budget_word(at: Span, word: str, budget: str) -> Diagnostic:
    return error(
        "budget-word",
        f"`{budget}.{word}` is what is {word}, so no line of the budget is called `{word}`",
        at,
        hint="give it another name",
    )


def advance_twice(at: Span, name: str, first: Span) -> Diagnostic:
    return error(
        "defined-twice",
        f"what it costs to raise `{name}` is said twice",
        at,
        "said again here",
        also=[(first, "first said here")],
        hint="let one price tell the cases apart: `costs A if CONDITION otherwise B from …`",
    )


def action_twice(at: Span, name: str, first: Span) -> Diagnostic:
    return error(
        "defined-twice",
        f"the action `{name}` is defined twice",
        at,
        "defined again here",
        also=[(first, "first defined here")],
        hint="give one of them another name, or take it out",
    )


def team_twice(at: Span, rule: str, first: Span) -> Diagnostic:
    return error(
        "defined-twice", f"there are two teams for `{rule}`", at, "again here", also=[(first, "first here")],
        hint="make one of both",
    )  # fmt: skip


def raise_is_taken(at: Span) -> Diagnostic:
    return error(
        "raise-is-taken",
        "`raise` is the action that every `advance` brings",
        at,
        hint="give this action another name",
    )


def nothing_to_raise(at: Span, name: str, why: str) -> Diagnostic:
    return error(
        "nothing-to-raise",
        f"`{name}` is {why}, so nothing in it can be raised",
        at,
        hint=f"what a new entry costs is written `advance new {name} costs …`" if "list" in why else None,
    )


def new_of_no_list(at: Span, name: str) -> Diagnostic:
    return error(
        "new-of-no-list",
        f"only an open `list` gets new entries, and `{name}` is none",
        at,
        hint=f"write `advance {name} costs …`",
    )


def pays_no_number(at: Span, name: str) -> Diagnostic:
    return error("pays-no-number", f"an advance is paid from a number, and `{name}` is none", at)


def not_a_trait(at: Span, name: str, what: str, members: Sequence[str]) -> Diagnostic:
    hints = {
        "value": "it follows from others: change the traits that it is worked out from",
        "status": "it follows from its condition: change the traits that the condition reads",
        "budget": "it follows from what is bought: change the traits that it counts",
        "setting": "settings belong to the system, not to a character",
        "group": f"name one of its traits: {listed([f'`{each}`' for each in members][:4])}" if members else None,
        "list": "name one of its entries: `LIST at NAME += 1`",
        "input": "it is given to the action: a trait is changed by it",
    }
    shown = "parameter" if what == "input" else what
    article = "an" if shown[0] in "aeiou" else "a"
    return error("not-a-trait", f"`{name}` is {article} {shown}, not a trait", at, hint=hints.get(what))


def not_a_list(at: Span, name: str) -> Diagnostic:
    return error(
        "not-a-list", f"`{name}` is no open list, so nothing is added to or taken from it", at,
        hint=f"a list is written `list {name}: 0..`",
    )  # fmt: skip


def which_entry(at: Span, name: str) -> Diagnostic:
    return error(
        "which-entry",
        f"`{name}` is a list: which of its entries changes?",
        at,
        hint=f"write `{name} at NAME += 1`, `add NAME to {name} = 1`, `remove NAME from {name}`",
    )


def entry_number(at: Span, name: str, bare: bool) -> Diagnostic:
    if bare:
        return error("entry-number", f"the entries of `{name}` are bare names and bear no number", at,
                     hint=f"write `add NAME to {name}`")  # fmt: skip
    return error(
        "entry-number", f"an entry of `{name}` bears a number", at, hint=f"write `add NAME to {name} = NUMBER`"
    )


def entry_is_named_by_text(at: Span, name: str, kind: Kind) -> Diagnostic:
    return error(
        "entry-name",
        f"an entry is named by a text, and `{name}` is {A[kind]}",
        at,
        hint=f"write `{name}: text` in the brackets of the action, or the name itself in double quotes",
    )


def not_counted(at: Span, name: str, kind: Kind) -> Diagnostic:
    return error(
        "not-counted", f"`{name}` is {A[kind]}; only numbers go up and down", at, hint=f"write `{name} becomes …`"
    )


def gives_away(at: Span, name: str, trait: Span) -> Diagnostic:
    return warning(
        "gives-away",
        f"`{name}` is public and gets a value that follows from something private",
        at,
        also=[(trait, "this trait")],
        hint=f"write `private trait {name}` if it is to stay hidden",
    )


def shows_through(span: Span, name: str, what: str) -> Diagnostic:
    return warning(
        "shows-through",
        f"`{name}` is public, and whether it changes here follows from something private",
        span,
        hint=f"write `private {what} {name}` if nobody is to learn of it",
    )


def no_list_input(at: Span, name: str, rule: Rule, known: Sequence[str], near: str | None) -> Diagnostic:
    return error(
        "no-list-input",
        f"`{rule.name}` takes no list called `{name}`",
        at,
        f"its lists: {', '.join(known[:8])}" if known else "it takes no lists at all",
        also=[(rule.span, "this rule")],
        hint=did_you_mean(near, "a line of a team says what one member brings to a list of the rule"),
    )
