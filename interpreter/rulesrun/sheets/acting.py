"""What happens to a character: actions, and raising something for its price.

In: workings, a state, an action with its arguments or the name of what is to be raised. Out: the state after it, or the
text of its refusal. Updates run in the order written, each seeing what those above it changed. Either all of it happens
or nothing: a result outside its domain, or anything that can then not be worked out, is a `RulesError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.values import Value, value_text
from rulesrun.record import record
from rulesrun.semantics.plan import Constant, Expression, Kind, Number
from rulesrun.semantics.plan_sheet import (
    IT,
    NEXT,
    NOW,
    Action,
    AddEntry,
    Change,
    Entries,
    Refusal,
    RemoveEntry,
    Trait,
    Update,
)
from rulesrun.sheets.evaluate import Names, Workings
from rulesrun.sheets.figures import StepFigures
from rulesrun.sheets.state import MAX_NAME, Entry, State, folded
from rulesrun.suggestions import nearest

NEW = "new"
"""`raise new gunnery` begins an entry; `raise gunnery` raises one that is there."""


@record
class After:
    """What came of it: the state after it, or None and the text of the refusal."""

    state: State | None
    refusal: str
    private: bool


class _Refused(Exception):
    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


def act(work: Workings, state: State, action: Action, given: Mapping[str, Constant]) -> After:
    """An action. Arguments that lie outside their domains are a `RulesError`."""
    names = work.figures(state).names
    arguments = work.parameters(action.parameters, given, names)
    try:
        _judge(work, action.refusals, {**names, **arguments})
        after = _updated(work, state, action.updates, arguments)
    except _Refused as refused:
        return After(None, refused.text, action.private)
    return After(after, "", action.private)


def raise_by_one(work: Workings, state: State, called: str) -> After:
    """An advance: pays its price and raises what is called so by one."""
    figures = work.figures(state)
    step, entry = _step(figures.steps, called)
    part = step.part
    source = work.sheet.part(part.source, Trait)
    private = part.private or (source is not None and source.private)
    what = step.entry or entry or step.name.rpartition(".")[2]
    have = figures.names[part.source]
    if not step.allowed or step.price is None:
        return After(None, f"{what} cannot be raised from {value_text(step.now)}", private)
    if not step.affordable:
        text = f"{what} costs {value_text(step.price)} {part.source}, and there is {value_text(have)}"
        return After(None, text, private)
    changed = _with_trait(state, part.source, cast(Number, have) - step.price)
    name = step.entry or entry
    changed = (
        _with_trait(changed, step.name, step.next) if name is None else _with_entry(changed, step.name, name, step.next)
    )
    try:
        after = _updated(work, changed, part.updates, {NOW: step.now, NEXT: step.next})
    except _Refused as refused:
        return After(None, refused.text, private)
    return After(after, "", private)


# ---------------------------------------------------------------- updates


def _updated(work: Workings, state: State, updates: Sequence[Update], local: Names) -> State:
    for update in updates:
        names = {**work.figures(state).names, **local}
        if update.condition is None or work.holds(update.condition, names):
            _judge(work, update.refusals, names)
            state = _after(work, state, update, names, local)
    if faults := work.figures(state).faults:
        raise RulesError.of(faults[0].message, code="action-failed", span=faults[0].span, hint=faults[0].hint)
    return state


def _judge(work: Workings, refusals: Sequence[Refusal], names: Names) -> None:
    for each in refusals:
        if work.holds(each.condition, names):
            raise _Refused(each.text or "not now")


def _after(work: Workings, state: State, update: Update, names: Names, local: Names) -> State:
    if isinstance(update, Change):
        trait = work.sheet.part(update.name, Trait)
        assert trait is not None
        value = work.value(update.value, names)
        return _with_trait(state, trait.name, work.accepted(trait.domain, trait.kind, value, names, trait.name))
    entries = work.sheet.part(update.entries, Entries)
    assert entries is not None
    name = _entry_name(work, update.entry, names)
    here = next((each for each in state.lists.get(entries.name, ()) if folded(each.name) == folded(name)), None)
    if isinstance(update, AddEntry):
        number = None if update.number is None else _number(work, entries, update.number, names, name)
        return _with_entry(state, entries.name, name, number)
    if here is None:
        raise _not_there(state, entries, name)
    if isinstance(update, RemoveEntry):
        rest = tuple(each for each in state.lists[entries.name] if each is not here)
        return _with_list(state, entries.name, rest)
    scope = {**names, IT: here.number, entries.word: here.number, **local}
    return _with_entry(state, entries.name, name, _number(work, entries, update.value, scope, name))


def _number(work: Workings, entries: Entries, value: Expression, names: Names, name: str) -> Number | None:
    found = work.value(value, names)
    if entries.domain is None:
        return None
    return cast("Number | None", work.accepted(entries.domain, Kind.NUMBER, found, names, name))


def _entry_name(work: Workings, entry: Expression, names: Names) -> str:
    name: Value = work.value(entry, names)
    if not isinstance(name, str) or not folded(name) or len(name) > MAX_NAME or not name.isprintable():
        message = f"an entry is called by a text of at most {MAX_NAME} letters"
        raise RulesError.of(message, code="action-failed", span=entry.span)
    return name


def _with_trait(state: State, name: str, value: Constant) -> State:
    return State(MappingProxyType({**state.traits, name: value}), state.lists)


def _with_list(state: State, name: str, entries: tuple[Entry, ...]) -> State:
    return State(state.traits, MappingProxyType({**state.lists, name: entries}))


def _with_entry(state: State, entries: str, name: str, number: Number | None) -> State:
    """The state in which an entry has this number; one that is not there comes last."""
    before = state.lists.get(entries, ())
    if not any(folded(each.name) == folded(name) for each in before):
        return _with_list(state, entries, (*before, Entry(name, number, MappingProxyType({}))))
    changed = (Entry(each.name, number, each.traits) if folded(each.name) == folded(name) else each for each in before)
    return _with_list(state, entries, tuple(changed))


# ---------------------------------------------------------------- what is raised


def _step(steps: Sequence[StepFigures], called: str) -> tuple[StepFigures, str | None]:
    """The advance that a name calls, and the name of the entry that it begins."""
    if not steps:
        raise RulesError.of("nothing can be raised", code="unknown-advance")
    first, _, rest = called.partition(" ")
    if first == NEW and rest.strip():
        return _new_step(steps, rest.strip())
    found = [each for each in steps if not each.part.new and folded(called) in _names(each)]
    if len(found) == 1:
        return found[0], None
    if found:
        both = " or ".join(f"{each.name}.{each.entry}" if each.entry else each.name for each in found)
        raise RulesError.of(f"{called} may be {both}", code="ambiguous-name")
    near = nearest(called, [each.entry or each.name.rpartition(".")[2] for each in steps if not each.part.new])
    hint = f"did you mean {near}?" if near else None
    if any(each.part.new for each in steps):
        hint = f"{hint or ''} `raise new {called}` begins one".strip()
    raise RulesError.of(f"there is nothing called {called[:60]} to raise", code="unknown-advance", hint=hint)


def _new_step(steps: Sequence[StepFigures], called: str) -> tuple[StepFigures, str]:
    new = [each for each in steps if each.part.new]
    for each in new:
        if called.startswith(f"{each.name}."):
            new, called = [each], called.removeprefix(f"{each.name}.")
    if len(new) != 1:
        lists = " or ".join(f"`raise new {each.name}.{called}`" for each in new)
        hint = f"write {lists}" if new else None
        raise RulesError.of(f"{called[:60]} cannot be begun like this", code="unknown-advance", hint=hint)
    if any(
        each.entry is not None and each.name == new[0].name and folded(each.entry) == folded(called) for each in steps
    ):
        raise RulesError.of(f"{called} is there already", code="not-new", hint=f"`raise {called}` raises it")
    if not folded(called) or len(called) > MAX_NAME or not called.isprintable():
        raise RulesError.of(f"an entry is called by a text of at most {MAX_NAME} letters", code="bad-name")
    return new[0], called


def _names(step: StepFigures) -> set[str]:
    own = step.entry or step.name.rpartition(".")[2]
    return {folded(own), folded(f"{step.name}.{own}" if step.entry else step.name)}


def _not_there(state: State, entries: Entries, name: str) -> RulesError:
    near = nearest(name, [each.name for each in state.lists.get(entries.name, ())])
    hint = f"did you mean {near}?" if near else None
    return RulesError.of(f"{entries.name} has no {name[:60]}", code="action-failed", hint=hint)
