"""Every part of a tree stands for exactly the text that it says it stands for.

The text of each part, put where such a part may stand, parses to that part again; parts lie inside the parts around
them.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulesrun.diagnostics import Source
from rulesrun.record import field_names
from rulesrun.syntax import nodes as n
from rulesrun.syntax import nodes_sheet as s
from rulesrun.syntax.parser import parse

TEXT = (Path(__file__).parent / "data" / "all_constructs.rules").read_text(encoding="utf-8")
FILE = parse(Source.of_text("all_constructs.rules", TEXT))

EXPRESSIONS = (
    n.Number, n.YesNo, n.Nothing, n.Name, n.List, n.Binary, n.Unary, n.Compare, n.InFaces, n.IsLabel, n.Outranks,
    n.Cases, n.Function, n.Lookup, n.RowPart, n.Question, n.WinsOf, n.Showing, n.Cancelled, n.WithEach, n.ForEach,
    n.Bracket, n.Formula, n.NoDice, n.Without, n.Where,
)  # fmt: skip
LINES = (
    n.Given, n.GivenAllOf, n.Limit, n.Roll, n.Define, n.Choice, n.Track, n.Repeat, n.Update, n.Draw, n.PutBack, n.Flag,
    n.Outcome, n.OutcomeAs,
)  # fmt: skip
DOMAINS = (n.NumberDomain, n.YesNoDomain, n.FacesDomain, n.OneOfDomain, n.LevelsDomain, n.ListDomain, n.OrNone)
GROUPS = (n.Dice, n.SameDice, n.RuleRoll, n.RerollRule)
MODIFIERS = (n.Explode, n.Reroll, n.Again, n.Advantage, n.Against)
EXAMPLE_LINES = (n.ExampleDice, n.ExampleChoose, n.ExampleSet, n.ExampleRoll, n.Expect)
SHEET_LINES = (
    s.Trait, s.Traits, s.Entries, s.SheetValue, s.Status, s.Budget, s.Advance, s.Action, s.Team,
)  # fmt: skip
UPDATES = (s.Change, s.AddEntry, s.RemoveEntry)
ITEMS = (s.Sheet, n.System, n.BasedOn, n.Setting, n.DieItem, n.Bag, n.Levels, n.Table, n.Rule, n.Example)


def parts(part: object) -> Iterator[n.Part]:
    """The parts right below a part."""
    if isinstance(part, tuple):
        for each in part:
            yield from [each] if isinstance(each, n.Part) else parts(each)
    elif isinstance(part, n.Part):
        for name in field_names(part):
            value = getattr(part, name)
            yield from [value] if isinstance(value, n.Part) else parts(value)


def every(part: n.Part) -> Iterator[n.Part]:
    yield part
    for each in parts(part):
        yield from every(each)


def bare(part: Any) -> Any:
    """A part without its places."""
    if isinstance(part, tuple):
        return tuple(bare(each) for each in part)
    if isinstance(part, n.Part):
        return (type(part).__name__, *(bare(getattr(part, name)) for name in field_names(part) if name != "span"))
    return part


def first(text: str) -> Any:
    return parse(Source.of_text("again.rules", text)).items[0]


def line(text: str) -> Any:
    return first(f"rule again\n    {text}\n").lines[0]


def of_sheet(text: str) -> Any:
    return first(f"sheet\n    {text}\n").lines[0]


def again(part: n.Part) -> Any:
    """The part that the text of a part parses to, where such a part may stand."""
    base = 0 if isinstance(part, ITEMS) else 8 if isinstance(part, n.Cases | s.BudgetLine) else 4
    text = part.span.text.replace("\n" + " " * (part.span.column - 1), "\n" + " " * base)
    match part:
        case n.Word():
            return line(f"{text} = 3").name
        case n.Policy():
            return line(f"choice again by default {text}").policy
        case n.Cases() if "\n" in text:
            return line(f"again =\n        {text}").value
        case n.Number() if text == "%":
            return line("roll again = d%").cases[0].throw.groups[0].kind.sides
        case n.Number() if text == "once":
            return line("roll again = d6, reroll 1 once").cases[0].throw.modifiers[0].at_most
        case n.Number():
            return first(f"levels again\n    high {text}\n").levels[0].value
        case n.Cases() if text.count("otherwise") and text.startswith("1 if"):
            return line(f"left += {text}").value
        case _ if isinstance(part, EXPRESSIONS):
            return line(f"again = {text}").value
        case n.Case():
            return line(f"again =\n        {text}\n        0 otherwise").value.cases[0]
        case n.RollCase():
            return line(f"roll again =\n        {text}").cases[0]
        case n.Throw():
            return line(f"roll again = {text}").cases[0].throw
        case n.KeepDrop() if text[1] in "hl":
            return line(f"roll again = 3d6{text}").cases[0].throw.groups[0].modifiers[0]
        case n.Explode() if text == "!":
            return line(f"roll again = 3d6{text}").cases[0].throw.groups[0].modifiers[0]
        case n.KeepDrop() | n.Explode() | n.Reroll() | n.Again() | n.Advantage() | n.Against():
            return line(f"roll again = 3d6, {text}").cases[0].throw.modifiers[0]
        case n.When():
            return line(f"roll again = 3d6, {text}").cases[0].throw.modifiers[0]
        case n.GroupFaces() | n.GroupAllEqual() | n.GroupNumber():
            return line(f"roll again = 3d6, again on {text}").cases[0].throw.modifiers[0].condition
        case n.Sides() | n.Fudge() | n.Listed():
            return line(f"roll again = {text}").cases[0].throw.groups[0].kind
        case _ if isinstance(part, GROUPS):
            return line(f"roll again = {text}").cases[0].throw.groups[0]
        case n.Argument():
            return line(f"roll again = other({text})").cases[0].throw.groups[0].arguments[0]
        case n.Faces():
            return line(f"x = count {text} in pool").value.faces
        case n.Range():
            return line(f"given again: {text}").domain.range
        case n.FaceCompare() | n.FaceParity() | n.FaceWhole():
            return line(f"x = count {text} in pool").value.faces.alternatives[0]
        case n.DiceOfChoice():
            return line(f"choice again: {text}").domain
        case _ if isinstance(part, DOMAINS):
            return line(f"given again: {text}").domain
        case s.Trait() if not re.match(r"(private\s+)?trait\b", text):
            return of_sheet(f"list again: 0..\n        {text}").lines[0]
        case s.Member():
            return of_sheet(f"traits again: 0..\n        {text}").members[0]
        case s.BudgetLine():
            return of_sheet(f"budget again = 1\n        {text}").lines[0]
        case s.Parameter():
            return of_sheet(f"action again({text}): a += 1").parameters[0]
        case s.Refusal():
            return of_sheet(f"action again {text}: a += 1").refusals[0]
        case _ if isinstance(part, UPDATES):
            return of_sheet(f"action again: {text}").updates[0]
        case _ if isinstance(part, SHEET_LINES):
            return of_sheet(text)
        case n.OutcomeLine():
            return line(f"outcome\n        {text}").lines[0]
        case _ if isinstance(part, LINES):
            return line(text)
        case n.SystemFact():
            return first(f'system "again"\n    {text}').facts[0]
        case n.Symbols() | n.WeightedFace():
            face = first(f"die again = {text}").faces[0]
            return face if isinstance(part, n.WeightedFace) else face.face
        case n.RolledDie():
            return first(f"die again = {text}").faces
        case n.BagNamed() | n.BagNumbers():
            return first(f"bag again = {text}").parts[0]
        case n.Level():
            return first(f"levels again\n    {text}").levels[0]
        case n.Row():
            return first(f"table again\n    {text}").rows[0]
        case n.Text() if re.search(r"(at|add|remove)\s*$", part.span.source.text[: part.span.start]):
            return of_sheet(f"action again: remove {text} from a").updates[0].entry
        case n.TextDomain():
            return of_sheet(f"trait again: {text}").domain
        case n.Text():
            return first(f"table again\n    1 {text}").rows[0].entries[0]
        case _ if isinstance(part, EXAMPLE_LINES):
            return first(f'example "again"\n    {text}').lines[0]
        case _ if isinstance(part, ITEMS):
            return first(text)
    raise AssertionError(f"no place for {type(part).__name__}")


def test_the_file_has_every_kind_of_part() -> None:
    everything = [*vars(n).values(), *vars(s).values()]
    kinds = {value for value in everything if isinstance(value, type) and issubclass(value, n.Part)}
    assert {type(part) for part in every(FILE)} == kinds - {n.Part}


@pytest.mark.parametrize("item", FILE.items, ids=lambda item: f"{type(item).__name__}-{item.span.line}")
def test_the_text_of_a_part_is_that_part(item: n.Part) -> None:
    for part in every(item):
        if isinstance(part, n.Case | n.RollCase) and not re.search(r"\bif\b|\botherwise$", part.span.text):
            assert part.span == (part.value if isinstance(part, n.Case) else part.throw).span
            continue
        if isinstance(part, n.WeightedFace | n.Number | n.Symbols) and ".." in part.span.text:
            continue  # a range among the faces of a die stands for each of them
        assert bare(again(part)) == bare(part), part.span.text


def test_parts_lie_inside_their_part() -> None:
    for part in every(FILE):
        text = part.span.text
        assert part is FILE or text == text.strip()
        assert part is FILE or text or isinstance(part, n.File)
        for inner in parts(part):
            assert part.span.start <= inner.span.start <= inner.span.end <= part.span.end


def test_comments_and_blanks_change_nothing_but_places() -> None:
    noisy = "\n".join(f'{row}   # if and "or" (kh3 {row}' if row else row for row in TEXT.split("\n"))
    noisy = noisy.replace("\nrule a", "\n\n  # (\n\n      # rule b\nrule a").replace(" >= ", " \t>= ")
    noisy = re.sub(r"(?<=\S) ([-+*]) ", r"\1", noisy)
    parsed = parse(Source.of_text("noisy.rules", "# first\n\n" + noisy))
    assert bare(parsed) == bare(FILE)
    for part in every(parsed):
        assert part is parsed or "#" not in part.span.text.split("\n")[-1]


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_line_endings_and_a_mark_at_the_start_change_nothing(ending: str, start: str) -> None:
    text = start + TEXT.replace("\n", ending)
    for each in (text, text.rstrip(), text + ending * 3, text.replace(ending, "\r\n", 1)):
        assert bare(parse(Source.of_bytes("a.rules", each.encode()))) == bare(FILE)


def test_tabs_indent_as_well_as_spaces() -> None:
    assert bare(parse(Source.of_text("a.rules", TEXT.replace("    ", "\t")))) == bare(FILE)
