"""What somebody wants a character to do, in words: `suffer_drone_damage 2`, `acquire "gravtech drive" cost=5`.

In: a text and a sheet. Out: the action and a value for each parameter that is given, or what is to be raised. A name
that is unknown, an argument too many, too few or of the wrong kind is a `RulesError`; nothing of the character is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulesrun.diagnostics import RulesError
from rulesrun.record import record
from rulesrun.semantics.inputs import Levels, accept, domain_text, read_value
from rulesrun.semantics.plan import Constant, Kind
from rulesrun.semantics.plan_sheet import Action, Advance, Parameter, Sheet
from rulesrun.suggestions import nearest

RAISE = "raise"
"""The action that every `advance` brings by itself."""

_WORD = re.compile(r"""\s*((?:[^\s"']|"[^"]*"|'[^']*'|(?<=\w)')+)""")
_NAMED = re.compile(r"([A-Za-z]\w*)\s*=\s*(.*)", re.DOTALL)


@record
class ActionCall:
    """An action with the arguments that are given."""

    action: Action
    arguments: Mapping[str, Constant]


@record
class Raise:
    """Something that an advance raises, as it was called: `heavy weapons`, `intellect`."""

    name: str


def read_call(text: str, sheet: Sheet, levels: Levels, arguments: Mapping[str, object]) -> ActionCall | Raise:
    """The call in a text; `arguments` are further ones, by name."""
    words = [match[1] for match in _WORD.finditer(text)]
    if _WORD.sub("", text).strip():
        raise RulesError.of("a quotation mark is not closed", code="bad-action", hint="a text stands between two")
    if not words:
        raise RulesError.of("which action?", code="no-action", hint=_which(sheet))
    name, rest = words[0], words[1:]
    action = sheet.part(name, Action)
    if action is not None:
        return ActionCall(action, _bound(action, rest, arguments, levels))
    if name == RAISE and sheet.of(Advance):
        if not rest:
            raise RulesError.of("raise what?", code="no-action", hint=_which(sheet))
        return Raise(" ".join(_unquoted(each) for each in rest))
    near = nearest(name, [each.name for each in sheet.of(Action)] + [RAISE] * bool(sheet.of(Advance)))
    raise RulesError.of(
        f"the sheet has no action called {name[:60]}",
        code="unknown-action",
        hint=f"did you mean {near}?" if near else _which(sheet),
    )


def _bound(
    action: Action, words: Sequence[str], arguments: Mapping[str, object], levels: Levels
) -> dict[str, Constant]:
    """The arguments by the names of their parameters: those with names, the others in order."""
    parameters = {each.name: each for each in action.parameters}
    given: dict[str, Constant] = {}
    positional: list[str] = []
    for word in words:
        named = _NAMED.fullmatch(word)
        if named is None:
            positional.append(_unquoted(word))
        else:
            _put(action, given, _parameter(action, named[1]), _unquoted(named[2]), levels)
    for name, value in arguments.items():
        _put(action, given, _parameter(action, name), value, levels)
    free = [each for each in parameters.values() if each.name not in given]
    if len(positional) > len(free):
        raise RulesError.of(
            f"{action.name} takes {_takes(action)}, and {positional[len(free)][:60]} is one too many",
            code="too-many-arguments",
            hint="a text of several words stands in quotes" if _has_text(action) else None,
        )
    for parameter, value in zip(free, positional, strict=False):
        _put(action, given, parameter, value, levels)
    missing = [each for each in parameters.values() if each.name not in given and each.default is None]
    if missing:
        what = "; ".join(f"{each.name} is {_words(each, levels)}" for each in missing)
        names = " and ".join(each.name for each in missing)
        raise RulesError.of(f"{action.name} needs {names}", code="missing-argument", hint=what)
    return {name: given[name] for name in parameters if name in given}


def _parameter(action: Action, name: str) -> Parameter:
    found = next((each for each in action.parameters if each.name == name), None)
    if found is None:
        near = nearest(name, [each.name for each in action.parameters])
        hint = f"did you mean {near}?" if near else f"it takes {_takes(action)}"
        raise RulesError.of(f"{action.name} takes no {name[:60]}", code="unknown-argument", hint=hint)
    return found


def _put(action: Action, given: dict[str, Constant], parameter: Parameter, value: object, levels: Levels) -> None:
    name = parameter.name
    if name in given:
        raise RulesError.of(f"{name} is given twice", code="given-twice")
    try:
        given[name] = _value(parameter, value, levels)
    except RulesError as error:
        message = f"{action.name}: {name}: {error.message}"
        raise RulesError.of(message, code="outside-domain", hint=error.hint) from None


def _value(parameter: Parameter, value: object, levels: Levels) -> Constant:
    domain = parameter.domain
    if parameter.kind is Kind.TEXT:
        if value is None or (value == "none" and domain.optional):
            return accept(domain, None, levels)
        if not isinstance(value, str) or not value.strip():
            raise RulesError.of("a text is wanted", code="outside-domain")
        return value
    return read_value(domain, value, levels) if isinstance(value, str) else accept(domain, value, levels)


def _unquoted(word: str) -> str:
    """A word without its quotation marks, wherever they stand in it."""
    return re.sub(r"""\"([^"]*)"|(?<!\w)'([^']*)'""", lambda match: match[1] or match[2] or "", word)


def _words(parameter: Parameter, levels: Levels) -> str:
    return "a text" if parameter.kind is Kind.TEXT else domain_text(parameter.domain, levels)


def _takes(action: Action) -> str:
    return ", ".join(each.name for each in action.parameters) or "no arguments"


def _has_text(action: Action) -> bool:
    return any(each.kind is Kind.TEXT for each in action.parameters)


def _which(sheet: Sheet) -> str:
    names = [each.name for each in sheet.of(Action)]
    if sheet.of(Advance):
        names.append(f"{RAISE} NAME")
    return f"its actions are {', '.join(names)}" if names else "this sheet has no actions"
