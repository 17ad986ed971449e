"""Random rulesets that follow the grammar and pass the checker, small enough for the reference enumerator.

`sample` writes one from any source of decisions; `samples` is the Hypothesis strategy, `seeded` the plain generator.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from .cards import cards
from .endless import endless
from .expressions import File, Writer
from .hands import listed, thrown_again
from .lines import Lines
from .picks import Picks
from .pools import pools
from .scope import Made
from .turns import decided, periodic

ROOM = 200
"""In about how many ways the dice of a whole rule may fall."""


SHORT: tuple[Callable[[Picks], str], ...] = (
    endless, endless, cards, decided, periodic, pools, pools, listed, thrown_again,
)  # fmt: skip
"""Writers of short rules about one thing."""


@dataclass(frozen=True)
class Sample:
    """A ruleset's text, the rule to ask, and the call. Inputs are by full name, values as Python has them."""

    text: str
    rule: str
    inputs: dict[str, Any]
    choose: dict[str, str] = field(default_factory=dict)
    aim: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    asked: tuple[str, ...] = ()
    """Conditions over the rule's names whose chance is to be asked."""
    dice: dict[str, list[int]] = field(default_factory=dict)
    """The first faces of throws that are known."""

    def __str__(self) -> str:
        call = [f"{self.rule}({', '.join(f'{name} = {value!r}' for name, value in self.inputs.items())})"]
        call += [f"choose {name} = {policy}" for name, policy in self.choose.items()]
        call += [f"set {name} = {value}" for name, value in self.settings.items()]
        call += [f"aim {self.aim}"] if self.aim else []
        call += [f"ask {each}" for each in self.asked]
        call += [f"dice {name} = {', '.join(map(str, faces))}" for name, faces in self.dice.items()]
        return "\n".join((self.text, *("# " + line for line in call)))


def sample(picks: Picks) -> Sample:
    """A ruleset and a call of its last rule."""
    if picks.chance(25):
        return Sample(picks.of(SHORT)(picks), "main", {})
    file = File()
    helpers: list[Made] = []
    for place in range(picks.of((0, 0, 1, 1, 1, 2))):
        outcomes = picks.chance(80)
        helpers.append(
            write_rule(picks, file, helpers, f"helper{place + 1}", outcomes, picks.of((4, 12, 30)), False, outcomes)[0]
        )
    outcomes = picks.chance(75)
    aimed = picks.chance(10)
    made, lines = write_rule(picks, file, helpers, "main", outcomes, ROOM, True, outcomes)
    rules = [*helpers, made]
    inputs = {
        name: python_value(picks.of(values))
        for name, values in made.inputs.items()
        if name in made.required or picks.chance(50)
    }
    if inputs and picks.chance(2):
        inputs[sorted(inputs)[0]] = -7
    choose = {
        name: picks.of(("yes", "no", "never", "always", "default", *(("best", "worst") if outcomes else ())))
        for name in made.choices
        if picks.chance(25)
    }
    settings = {name: changed(picks, name) for name in sorted(file.settings) if picks.chance(20)}
    aim = picks.of((lines.aim, f"{lines.aim} > 1")) if aimed and lines.aim else None
    asked = tuple(lines.writer.condition(2) for _ in range(picks.number(0, 2)))
    text = head(picks) + "".join(f"{item}\n" for item in file.items.values())
    text += "".join("\n".join((f"rule {each.name}{title(picks)}", *each.lines)) + "\n" for each in rules)
    if not made.required and picks.chance(40):
        text += example(picks, file, made)
    return Sample(text, "main", inputs, choose, aim, settings, asked)


def samples() -> st.SearchStrategy[Sample]:
    """Random rulesets for Hypothesis, which makes the failing ones smaller."""

    @st.composite
    def drawn(draw: Callable[[st.SearchStrategy[int]], int]) -> Sample:
        return sample(Picks(lambda ways: draw(st.integers(0, ways - 1))))

    return drawn()


def seeded(seed: int, many: int) -> Iterator[Sample]:
    """The same rulesets for the same seed."""
    for place in range(many):
        yield sample(Picks.seeded(f"{seed}/{place}"))


def write_rule(
    picks: Picks, file: File, helpers: list[Made], name: str, outcomes: bool, room: int, last: bool, solved: bool
) -> tuple[Made, Lines]:
    lines = Lines(Writer(picks, file), helpers, room, solved)
    before = room
    lines.aim = "total" if picks.chance(70) else None
    if last and helpers and not any("." in each for each in helpers[0].inputs) and picks.chance(15):
        take_over(picks, lines, helpers[0])
    for _ in range(picks.of((0, 1, 1, 2, 3))):
        lines.given()
    if picks.chance(8):
        lines.limit()
    lines.roll()
    shapes: list[Callable[[], object]] = [
        lines.roll, lines.roll, lines.define, lines.define, lines.define, lines.part, lines.choice, lines.repeat,
        lines.symbols, lines.table_roll, lines.bag, lines.bag, lines.invoke, lines.invoke, lines.invoke,
        lines.flag, lines.repeat,
    ]  # fmt: skip
    for _ in range(picks.number(1, 6) if last else picks.number(0, 3)):
        picks.of(shapes)()
    if lines.aim is not None:
        lines.add(f"total = {lines.writer.number(2)}")
        lines.names.numbers.append("total")
    if picks.chance(25):
        lines.flag()
    labels: tuple[str, ...] = ()
    if outcomes:
        labels = write_outcome(picks, lines, name)
    made = Made(
        name, lines.text, lines.inputs, lines.required, lines.names, labels, outcomes, tuple(lines.choices),
        max(2, before // max(1, lines.room)), lines.input_labels,
    )  # fmt: skip
    return made, lines


def take_over(picks: Picks, lines: Lines, other: Made) -> None:
    """`given all of` another rule, perhaps except one."""
    own = [each for each in other.inputs if "." not in each]
    without = [own[-1]] if own and picks.chance(40) else []
    lines.add(f"given all of {other.name}{f' except {without[0]}' if without else ''}")
    for name in own:
        if name not in without:
            lines.inputs[name] = other.inputs[name]
            if name in other.required:
                lines.required.add(name)
            if name in other.names.numbers:
                lines.names.numbers.append(name)
            if name in other.names.counts:
                lines.names.counts.append(name)
            if name in other.labels:
                lines.input_labels[name] = other.labels[name]


OUTCOMES = (("+", "triumph"), ("+", "success"), ("~", "draw_even"), ("-", "failure"))


def write_outcome(picks: Picks, lines: Lines, name: str) -> tuple[str, ...]:
    rolled = [each for each, made in lines.names.rolled.items() if made.outcomes]
    if rolled and picks.chance(70):
        other = picks.of(rolled)
        if picks.chance(50):
            lines.add(f"outcome as {picks.of(rolled)} if {lines.writer.condition(1)} otherwise {other}")
        else:
            lines.add(f"outcome as {other}")
        return lines.names.rolled[other].outcomes
    chosen = picks.some(OUTCOMES[:3], 1, 2)
    lines.add("outcome")
    for mark, label in chosen:
        text = ' "so it goes"' if picks.chance(10) else ""
        lines.add(f"    {mark} {label} if {lines.writer.condition(2)}{text}")
    lines.add("    - failure otherwise")
    return (*(label for _, label in chosen), "failure")


def python_value(text: str) -> Any:
    if text.startswith("["):
        return [int(item) for item in text[1:-1].split(", ")]
    words: dict[str, Any] = {"yes": True, "no": False, "none": None}
    return words[text] if text in words else int(text) if text.lstrip("-").isdigit() else text


def changed(picks: Picks, setting: str) -> str:
    return picks.of(("3", "0") if setting == "spare" else ("2..3", "1 or 4", ">= 3", "4"))


def head(picks: Picks) -> str:
    if not picks.chance(5):
        return ""
    return 'system "Random"\n    about "made by chance"\n    version "1"\n    source "nowhere"\n'


def title(picks: Picks) -> str:
    return ' "a rule"' if picks.chance(10) else ""


def example(picks: Picks, file: File, made: Made) -> str:
    """An example that holds whatever the rule says."""
    lines = [
        'example "it runs"',
        *forced(picks, file, made),
        f"    roll {made.name}{'()' if picks.chance(50) else ''}",
    ]
    lines += ["    expect 1 + 1 = 2"]
    if made.good:
        lines.append(
            f"    expect chance of good {picks.of(('>= 0', '= 50% within 1/2', '<= 1', '< 2', '> -1', '!= 2'))}"
        )
    if "total" in made.names.numbers:
        total = (
            "total = total",
            "chance of (total >= total) = 1",
            "chance of (total = total) given (total >= total) = 1",
            "mean of (total - total) <= 0",
            "mean of (0 * total) = 0",
        )
        lines.append(f"    expect {picks.of(total)}")
    return "\n".join(lines) + "\n"


def forced(picks: Picks, file: File, made: Made) -> list[str]:
    """Lines that set what the example needs: dice, choices, settings."""
    lines = []
    first = next((line.split() for line in made.lines if line.startswith("    roll ")), [])
    if len(first) > 3 and re.fullmatch(r"\d*d\d+[^ ]*", first[3]):
        lines.append(f"    dice {first[1]} = {picks.of(('1', '2'))}")
    if made.choices and picks.chance(90):
        lines.append(f"    choose {made.choices[0]} = {picks.of(('never', 'yes', 'always', 'no'))}")
    if file.settings and picks.chance(60):
        name = sorted(file.settings)[0]
        lines.append(f"    set {name} = {changed(picks, name)}")
    return lines
