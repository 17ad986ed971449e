"""A roll explained: what was asked, every line of the rule with its dice and numbers, and how it came out.

In: a plan's rule and a roll of it. Out: text of at most `WIDTH` columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulesrun.evaluation.roll import Roll
from rulesrun.evaluation.trace import Record
from rulesrun.evaluation.values import face_text, value_text
from rulesrun.render.layout import PLAIN, Paint, grid, wrap
from rulesrun.semantics.plan import Constant, Rule, RulesetPlan


def roll_text(plan: RulesetPlan, rule: Rule, roll: Roll, paint: Paint = PLAIN) -> str:
    """The whole explanation: the call, the trace, the result."""
    parts = [call_text(plan, rule, roll.inputs, paint)]
    if trace := trace_lines(roll.trace, paint):
        parts.append("\n".join(trace))
    parts.append("\n".join(result_lines(rule, roll, paint)))
    return "\n\n".join(parts)


def call_text(plan: RulesetPlan, rule: Rule, inputs: Mapping[str, Constant], paint: Paint = PLAIN) -> str:
    """Which rule is rolled, with which inputs."""
    first = f"{paint.strong(f'{plan.name}: {rule.name}')}"
    lines = wrap(rule.text, first=f"{first} - ", rest="  ") if rule.text else [first]
    if inputs:
        lines += wrap(
            ", ".join(f"{name}={value_text(value)}".replace(" ", "\0") for name, value in inputs.items()), first="  "
        )
    return "\n".join(lines).replace("\0", " ")


def trace_lines(trace: Iterable[Record], paint: Paint = PLAIN) -> list[str]:
    """The trace: line number, name, what happened; a turn of a repetition and a rolled rule are headings."""
    rows = [
        (str(each.line), paint.faint(f"turn {each.text}"), "")
        if each.what == "turn"
        else (str(each.line), paint.name(each.name), each.text)
        for each in trace
    ]
    return grid(rows, right=(0,))


def result_lines(rule: Rule, roll: Roll, paint: Paint = PLAIN) -> list[str]:
    """The outcome with its text; without outcomes the rule's own values; then the flags that hold."""
    lines = []
    if roll.outcome is not None:
        shade = {True: paint.good, False: paint.bad, None: paint.strong}[roll.good]
        text = f" - {roll.text}" if roll.text else ""
        lines += wrap(f"{shade(roll.outcome)}{text}", rest="  ")
    else:
        lines += [f"{name} = {paint.strong(value_text(value))}" for name, value in own_values(rule, roll).items()]
    texts = {each.name: each.text for each in rule.flags}
    for name in roll.flags:
        lines += wrap(f"{paint.strong(name)}{f' - {texts[name]}' if texts.get(name) else ''}", rest="  ")
    return lines


def short_lines(rule: Rule, rolls: Sequence[Roll]) -> list[str]:
    """Each roll on one line: its number, outcome and flags, its own values where they differ, its dice."""
    values = [own_values(rule, roll) for roll in rolls]
    told = [name for name in values[0] if not rule.outcomes or len({each.get(name) for each in values}) > 1]
    rows = [
        (
            str(number),
            " ".join([roll.outcome or "", *roll.flags]).strip(),
            ", ".join(f"{name} {value_text(own[name])}" for name in told if name in own),
            "; ".join(f"{name} {' '.join(map(face_text, faces))}" for name, faces in roll.dice.items() if faces),
        )
        for number, (roll, own) in enumerate(zip(rolls, values, strict=True), 1)
    ]
    return grid(rows, right=(0,))


def own_values(rule: Rule, roll: Roll) -> dict[str, object]:
    """The values that the rule itself defines, those of the rules that it rolls left out."""
    names = [each.name for each in rule.values if "." not in each.name]
    return {name: roll.values[name] for name in names if name in roll.values}
