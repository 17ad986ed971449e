"""Names, the words for each die, lists, cases, labels, formulas and tables: they pass values on, known or not."""

from __future__ import annotations

from typing import Any

from rulesrun.evaluation import operations, pools
from rulesrun.evaluation.exact import beyond
from rulesrun.evaluation.exact.beyond import Beyond, Lost
from rulesrun.evaluation.exact.expressions.compiling import Compilers, Evaluated, compiled
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import UnknownPool
from rulesrun.semantics import plan
from rulesrun.semantics.borne import as_number, as_symbols


def _const(at: plan.Const) -> Evaluated:
    value = at.value
    return lambda seen: value


def _var(at: plan.Var) -> Evaluated:
    name = at.name
    return lambda seen: seen.env[name]


def _each(at: plan.Each) -> Evaluated:
    match at.word:
        case "die":
            return lambda seen: seen.die.face if isinstance(seen.die, pools.Die) else seen.die
        case "other":
            return lambda seen: seen.other.face if isinstance(seen.other, pools.Die) else seen.other
        case "target":
            return lambda seen: getattr(seen.die, "target", None)
        case "number":
            return lambda seen: as_number(_face(seen.die))
        case "other number":
            return lambda seen: as_number(_face(seen.other))
        case "symbols":
            return lambda seen: as_symbols(_face(seen.die))
        case _:
            return lambda seen: getattr(seen.die, "sides", None)


def _face(die: Any) -> Any:
    return die.face if isinstance(die, pools.Die) else die


def _list(at: plan.ListOf) -> Evaluated:
    items = [compiled(item) for item in at.items]

    def listed(seen: Seen) -> Any:
        found = tuple([item(seen) for item in items])
        if any(isinstance(each, Beyond) for each in found):
            raise Lost
        return found

    return listed


def _numbers_between(at: plan.NumbersBetween) -> Evaluated:
    low, high = compiled(at.low), compiled(at.high)
    return lambda seen: operations.numbers_between(seen.known(low(seen)), seen.known(high(seen)), at)


def _item_at(at: plan.ItemAt) -> Evaluated:
    items, index = compiled(at.items), compiled(at.index)

    def item(seen: Seen) -> Any:
        there, place = items(seen), seen.known(index(seen))
        if isinstance(there, UnknownPool):
            there = seen.known(there)
        return operations.item_at(there, place, at)

    return item


def _faces_of(at: plan.FacesOf) -> Evaluated:
    pool = compiled(at.pool)
    return lambda seen: pools.downward(pools.shown(operations.dice(seen.known(pool(seen)), at.pool)), at.span)


def _cases(at: plan.Cases) -> Evaluated:
    cases = [
        (None if case.condition is None else compiled(case.condition), case.condition, compiled(case.value))
        for case in at.cases
    ]

    def choose(seen: Seen) -> Any:
        for condition, where, value in cases:
            if condition is None or seen.truth(condition(seen), where):  # type: ignore[arg-type]
                return value(seen)
        return None

    return choose


def _is_label(at: plan.IsLabel) -> Evaluated:
    value = compiled(at.value)
    labels = at.labels

    def is_label(seen: Seen) -> Any:
        found = value(seen)
        return found in labels if type(found) is str else operations.is_label(seen.known(found), at)

    return is_label


def _call(at: plan.Call) -> Evaluated:
    from rulesrun.evaluation.formulas import worked_out

    arguments = [compiled(each) for each in at.arguments if each is not None]
    results: dict[tuple[Any, ...], Any] = {}

    def call(seen: Seen) -> Any:
        values = tuple(seen.known(each(seen)) for each in arguments)
        if values not in results:
            if len(results) >= _REMEMBERED:
                results.clear()
            results[values] = worked_out(values, at)
        return results[values]

    return call


_REMEMBERED = 1000
"""So many values of a formula are remembered while odds are computed."""


def _table_at(at: plan.TableAt) -> Evaluated:
    index = compiled(at.index)
    name = at.table

    def look_up(seen: Seen) -> Any:
        table, place = seen.ruleset.tables[name], seen.bounded(index(seen))
        return operations.table_at(table, beyond.row_for(table, place) if isinstance(place, Beyond) else place, at)

    return look_up


def _group(at: plan.NewestGroup) -> Evaluated:
    return lambda seen: seen.group


COMPILERS: Compilers = {
    plan.Const: _const,
    plan.Var: _var,
    plan.Each: _each,
    plan.ListOf: _list,
    plan.NumbersBetween: _numbers_between,
    plan.FacesOf: _faces_of,
    plan.IsLabel: _is_label,
    plan.Cases: _cases,
    plan.Call: _call,
    plan.TableAt: _table_at,
    plan.ItemAt: _item_at,
    plan.NewestGroup: _group,
}
