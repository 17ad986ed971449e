"""One value of a character: a number, yes or no, a label, a text, a list; judged by the domain it is for.

In: what stands in the file, and a trait or a domain. Out: the constant, or `NOTHING` and a fault at its place. Bounds
that are worked out from other traits are not judged here.
"""

from __future__ import annotations

from typing import Final, TypeAlias, cast

from rulesrun.diagnostics import Diagnostic, Label, RulesError, Severity, Span
from rulesrun.semantics.constants import number_of
from rulesrun.semantics.inputs import Levels, accept, domain_text, read_value
from rulesrun.semantics.plan import (
    Constant,
    Domain,
    Kind,
    LevelsDomain,
    ListDomain,
    Number,
    NumberDomain,
    OneOfDomain,
    YesNoDomain,
)
from rulesrun.semantics.plan_sheet import Trait
from rulesrun.sheets.document import Items, Node, Unread, Word

MAX_TEXT = 5_000
"""No text of a character is longer."""

MAX_SHOWN = 40
"""So many letters of a value that is wrong are told."""

_YAML_HABITS = {"true": "yes", "on": "yes", "false": "no", "off": "no", "null": "none", "~": "none"}


class Nothing:
    """Stands for a value that could not be taken; there is one, `NOTHING`."""


NOTHING: Final = Nothing()
Read: TypeAlias = "Constant | Nothing"


class Values:
    """Reads values and collects what is wrong with them in `faults`."""

    def __init__(self, levels: Levels) -> None:
        self._levels = levels
        self.faults: list[Diagnostic] = []

    def trait(self, trait: Trait, name: str, key: Span, value: Node) -> Read:
        """The value of a trait, which messages call `name`."""
        if trait.kind is not Kind.TEXT:
            return self.value(trait.domain, name, key, value)
        if isinstance(value, Unread):
            return NOTHING
        if not isinstance(value, Word):
            self.fault("wrong-kind", f"{name} is a text, not several values", value.span)
        elif value.plain and not value.text:
            self._empty(name, key, value, "a text", trait.domain.optional)
        elif trait.domain.optional and value.plain and value.text.casefold() in ("~", "null"):
            self.fault("outside-domain", f"{name}: {value.text} is not a text, or none", value.span, "write `none`")
        elif len(value.text) > MAX_TEXT:
            self.fault("too-long", f"{name} is longer than {MAX_TEXT:,} letters", value.span)
        elif value.comment:
            cut = f"`#` begins a comment here, so the text is only {_as_written(value)}"
            self.fault("comment", cut, value.comment, f'put the text in quotes: "{value.text} {value.comment.text}"')
        else:
            return None if trait.domain.optional and value.plain and value.text == "none" else value.text
        return NOTHING

    def value(self, domain: Domain, name: str, key: Span, value: Node) -> Read:
        """The value of a domain, which messages call `name`."""
        if isinstance(value, Unread):
            return NOTHING
        if isinstance(domain, ListDomain) and isinstance(value, Items):
            items = [self.value(domain.items, name, key, each) for each in value.items]
            return NOTHING if any(isinstance(each, Nothing) for each in items) else cast(Constant, tuple(items))
        words = domain_text(domain, self._levels)
        if not isinstance(value, Word):
            self.fault("wrong-kind", f"{name}: several values are not {words}", value.span)
        elif value.plain and not value.text:
            self._empty(name, key, value, words, domain.optional)
        elif isinstance(domain, ListDomain) and not (domain.optional and value.plain and value.text == "none"):
            self.fault("wrong-kind", f"{name} is {words}", value.span, "a list is written [1, 2, 3]")
        else:
            try:
                read = read_value if value.plain else accept
                return read(domain, value.text, self._levels)
            except RulesError as error:
                hint = error.hint or _fix(domain, value)
                self.fault("outside-domain", f"{name}: {_as_written(value)} is not {words}", value.span, hint)
        return NOTHING

    def words(self, trait: Trait) -> str:
        """What a trait may be, in words."""
        if trait.kind is Kind.TEXT:
            return "a text, or none" if trait.domain.optional else "a text"
        return domain_text(trait.domain, self._levels)

    def domain_words(self, domain: Domain) -> str:
        """What a value of a domain may be, in words."""
        return domain_text(domain, self._levels)

    def stand_in(self, trait: Trait) -> Constant:
        """What a trait without a default counts as while it is missing or broken."""
        if trait.domain.optional:
            return None
        if trait.kind is Kind.TEXT:
            return ""
        match trait.domain:
            case YesNoDomain():
                return False
            case OneOfDomain(options):
                return options[0]
            case ListDomain():
                return ()
            case LevelsDomain(name):
                return next(iter(self._levels[name].values()))
            case _:
                return lowest(trait.domain)

    def fault(self, code: str, message: str, span: Span, hint: str | None = None, *others: Label) -> None:
        """One more fault."""
        self.faults.append(Diagnostic(code, Severity.ERROR, message, Label(span), others, (), hint))

    def _empty(self, name: str, key: Span, value: Word, words: str, optional: bool) -> None:
        fix = "`none`" if optional else words
        if value.comment:
            hint = "what follows `#` is a comment; a value that begins with `#` stands in quotes"
        else:
            hint = f"write {fix}, or leave the line out"
        self.fault("missing-value", f"{name} has no value", key.to(value.span), hint)


def lowest(domain: Domain) -> Number:
    """0, or what comes nearest to it in a domain of numbers whose bounds are constant."""
    if not isinstance(domain, NumberDomain):
        return 0
    low, high = number_of(domain.low), number_of(domain.high)
    if low is not None and low > 0:
        return low
    return high if high is not None and high < 0 else 0


def _as_written(value: Word) -> str:
    text = value.text if len(value.text) <= MAX_SHOWN else value.text[: MAX_SHOWN - 1] + "…"
    return text if value.plain else f"`{text}`"


def _fix(domain: Domain, value: Word) -> str | None:
    """What was probably meant by a value in the habits of YAML."""
    meant = _YAML_HABITS.get(value.text.casefold()) if value.plain else None
    if meant and (domain.optional if meant == "none" else isinstance(domain, YesNoDomain)):
        return f"write `{meant}`"
    if value.plain and value.text.endswith((",", ";")):
        return f"no `{value.text[-1]}` ends a line"
    if not value.plain and not isinstance(domain, OneOfDomain | LevelsDomain):
        return "in quotes it is a text: leave them out"
    return None
