"""Which constructs of the language a ruleset uses: every type of the tree, and every word that a type may bear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from rulesrun.diagnostics import Span
from rulesrun.syntax import nodes as n
from rulesrun.syntax import nodes_sheet

ABSTRACT = {"Part"}
ELSEWHERE = {"BasedOn", "File", "TextDomain"}
"""A ruleset that is based on another needs two files; the file itself is no construct; texts are for sheets."""


def types() -> list[type[n.Part]]:
    """Every type of the tree."""
    found = [each for each in vars(n).values() if isinstance(each, type) and issubclass(each, n.Part)]
    return [each for each in found if each.__name__ not in ABSTRACT | ELSEWHERE]


def words_of(hint: Any) -> list[str]:
    """The words of a `Literal`, also inside an optional one."""
    words = [word for word in get_args(hint) if isinstance(word, str)]
    return words or [word for inner in get_args(hint) for word in words_of(inner)]


def every_construct() -> set[str]:
    """All names that `constructs_of` can give."""
    found: set[str] = set()
    for each in types():
        found.add(each.__name__)
        for name, hint in fields_of(each).items():
            found |= {f"{each.__name__}.{name}={word}" for word in words_of(hint) if hint is not str}
            if type(None) in get_args(hint):
                found |= {f"{each.__name__}.{name}", f"{each.__name__} without {name}"}
            if hint is bool:
                found |= {f"{each.__name__}.{name}={value}" for value in (True, False)}
    return (found | set(MORE)) - IMPOSSIBLE


MORE = (
    *(f"Function.name={word}" for word in ("min", "max", "abs", "round_up", "round_down", "remainder", "clamp")),
    *(f"RowPart.part={word}" for word in ("label", "value", "text")),
    "Choice.domain Range", "Choice.domain OneOfDomain", "Choice.domain DiceOfChoice", "Lookup at turn",
    "Lookup in List", "IsLabel of none",
    "ForEach over Range", "ForEach of a named item", "ForEach of a named item over Range",
    "ForEach of a named item over List", "ForEach inside another that its items read", "ForEach inside Where",
    "ForEach inside WithEach", "WithEach over Range", "Dice of the sizes of a list", "LevelsDomain of a table",
    "Dice of a named die", "Table that is rolled", "Roll with cases", "Policy with an aim",
)  # fmt: skip

IMPOSSIBLE = {
    "Question without number", "Number without value", "Expect without condition", "Policy.word=default",
    "Unary.operator=None", "KeepDrop without number", "Formula without value",
}  # fmt: skip


def constructs_of(part: Any) -> set[str]:
    """The names of all constructs in a tree."""
    found: set[str] = set()
    for each in every_part(part):
        kind = type(each).__name__
        found.add(kind)
        for name, hint in fields_of(type(each)).items():
            value = getattr(each, name)
            if isinstance(value, bool):
                found.add(f"{kind}.{name}={value}")
            elif isinstance(value, str) and words_of(hint):
                found |= {f"{kind}.{name}={value}", f"{kind}.{name}"}
            else:
                found.add(f"{kind} without {name}" if value is None else f"{kind}.{name}")
        found |= more_of(each)
    return found


def more_of(part: n.Part) -> set[str]:
    match part:
        case n.Function(name=name):
            return {f"Function.name={name}"}
        case n.RowPart(part=word):
            return {f"RowPart.part={word.text}"}
        case n.Choice(domain=domain) if domain is not None:
            return {f"Choice.domain {type(domain).__name__}"}
        case n.Lookup(index=n.Name(parts=("turn",))):
            return {"Lookup at turn"}
        case n.Lookup(source=n.List()):
            return {"Lookup in List"}
        case n.IsLabel(labels=()):
            return {"IsLabel of none"}
        case n.ForEach():
            return set(sums_of(part))
        case n.WithEach(pool=pool, changed=within) | n.Where(pool=pool, condition=within):
            kind = type(part).__name__
            sums = {f"ForEach inside {kind}" for each in every_part(within) if isinstance(each, n.ForEach)}
            return sums | ({f"{kind} over Range"} if isinstance(pool, n.Range) else set())
        case n.Dice(kind=n.Sides(sides=n.List())):
            return {"Dice of the sizes of a list"}
        case n.LevelsDomain(levels=n.Word(text="beasts")):
            return {"LevelsDomain of a table"}
        case n.Dice(kind=n.Name()):
            return {"Dice of a named die"}
        case n.Table(die=die) if die is not None:
            return {"Table that is rolled"}
        case n.Roll(cases=cases) if len(cases) > 1:
            return {"Roll with cases"}
        case n.Policy(word="best" | "worst", value=value) if value is not None:
            return {"Policy with an aim"}
    return set()


def sums_of(part: n.ForEach) -> Iterator[str]:
    """What there is to say of a `for each`: what it goes over, whether its items have a name of their own."""
    over = type(part.over).__name__
    if over == "Range":
        yield "ForEach over Range"
    if part.word != "die":
        yield "ForEach of a named item"
        yield f"ForEach of a named item over {over}"
    for inner in every_part(part.each):
        if isinstance(inner, n.ForEach) and part.word in names_in(inner.over):
            yield "ForEach inside another that its items read"


def names_in(part: Any) -> set[str]:
    """The names that are read in it."""
    return {each.text for each in every_part(part) if isinstance(each, n.Name)}


def every_part(value: Any) -> Iterator[n.Part]:
    """All parts of a tree, its root first."""
    if isinstance(value, tuple):
        for item in value:
            yield from every_part(item)
    elif isinstance(value, n.Part):
        yield value
        for name in fields_of(type(value)):
            yield from every_part(getattr(value, name))


def fields_of(kind: type[n.Part]) -> dict[str, Any]:
    """The names and types of a part's fields, its place apart."""
    return {name: hint for name, hint in get_type_hints(kind, vars(n) | vars(nodes_sheet)).items() if hint is not Span}
