"""The quick way in for inputs that are plainly right: one compiled function that reads and checks them.

In: a rule. Out: a function of the given inputs that returns their values in the rule's order, or None where anything is
unusual (a name it does not know, a label for a number, a value outside its domain, a list); `inputs` then decides.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TypeAlias

from rulesrun.evaluation.expressions import Writer
from rulesrun.evaluation.python import (
    Constants,
    assign,
    binary,
    compared,
    compile_function,
    if_then,
    literal,
    method,
    negated,
    read,
    tuple_of,
)
from rulesrun.evaluation.static import INPUT_BITS, Knowledge, of_domain
from rulesrun.limits import in_force
from rulesrun.semantics.plan import (
    Const,
    Constant,
    Domain,
    LevelsDomain,
    ListDomain,
    NumberDomain,
    OneOfDomain,
    Rule,
    RulesetPlan,
    YesNoDomain,
)

Reader: TypeAlias = Callable[[Mapping[str, object]], "tuple[Constant, ...] | None"]

GIVEN = "given"

_MISSING = object()
_LARGEST = 2**INPUT_BITS - 1


def write_reader(rule: Rule, ruleset: RulesetPlan) -> Reader:
    """The function that reads a rule's inputs."""
    constants = Constants()
    local = {each.name: f"v{place}" for place, each in enumerate(rule.inputs)}
    body = reading(rule, ruleset, constants, local)
    return compile_function([GIVEN], [*body, ast.Return(inputs_read(rule, local))], constants, rule.span)


def inputs_read(rule: Rule, local: Mapping[str, str]) -> ast.expr:
    """The values of a rule's inputs, which stand in these variables."""
    return tuple_of([read(local[each.name]) for each in rule.inputs])


def reading(rule: Rule, ruleset: RulesetPlan, constants: Constants, local: Mapping[str, str]) -> list[ast.stmt]:
    """Statements that read the inputs out of `given` into these variables, or return None."""
    knowledge = Knowledge({})
    writer = Writer(constants, lambda name: read(local[name]), ruleset.tables)
    give_up = ast.Return(literal(None))
    body: list[ast.stmt] = [assign("used", literal(0))]
    for each in rule.inputs:
        variable = local[each.name]
        found = method(read(GIVEN), "get", literal(each.name), constants.name_of(_MISSING))
        default: ast.stmt = give_up if each.default is None else assign(variable, writer.value(each.default))
        missing = compared(read(variable), ast.Is(), constants.name_of(_MISSING))
        count = assign("used", binary(read("used"), ast.Add(), literal(1)))
        made_whole = _made_whole(each.domain, variable, constants)
        check = _check(each.domain, variable, constants, writer, knowledge)
        checked: ast.stmt = give_up if check is None else if_then(negated(check), [give_up])
        sure = isinstance(each.default, Const) and (check is None or _constant_bounds(each.domain))
        body.append(assign(variable, found))
        if sure:
            body.append(if_then(missing, [default], [count, *made_whole, checked]))
        else:
            body += [if_then(missing, [default], [count]), *made_whole, checked]
        knowledge.names[each.name] = of_domain(each.domain)
    all_used = compared(read("used"), ast.NotEq(), constants.call(len, read(GIVEN)))
    return [*body, if_then(all_used, [give_up])]


def _made_whole(domain: Domain, variable: str, constants: Constants) -> list[ast.stmt]:
    """A list of whole numbers between constant bounds becomes a tuple; None where it is anything else."""
    if not isinstance(domain, ListDomain) or domain.optional or not isinstance(domain.items, NumberDomain):
        return []
    bounds: list[ast.expr] = []
    for bound, end in ((domain.items.low, -_LARGEST), (domain.items.high, _LARGEST)):
        if not (bound is None or isinstance(bound, Const)):
            return []
        stated = end if bound is None or _beyond(bound, end) else bound.value
        bounds.append(literal(stated if isinstance(stated, int) else end))
    return [assign(variable, constants.call(whole_numbers, read(variable), *bounds))]


def whole_numbers(value: object, low: int, high: int) -> tuple[int, ...] | None:
    """A list of whole numbers between two bounds, as a tuple; None for anything else."""
    if type(value) not in (list, tuple) or not isinstance(value, list | tuple) or len(value) > in_force.get().items:
        return None
    return tuple(value) if all(type(each) is int and low <= each <= high for each in value) else None


def _constant_bounds(domain: Domain) -> bool:
    """Whether a constant default has been held against the domain for good."""
    bounds = (domain.low, domain.high) if isinstance(domain, NumberDomain) else ()
    return all(bound is None or isinstance(bound, Const) for bound in bounds)


def _check(
    domain: Domain, variable: str, constants: Constants, writer: Writer, knowledge: Knowledge
) -> ast.expr | None:
    """Whether the variable holds a value of the domain; None where that is not plain to see."""
    value = read(variable)
    kind = constants.call(type, value)
    match domain:
        case NumberDomain(low=low, high=high):
            ends: list[ast.expr] = []
            for bound, end in ((low, -_LARGEST), (high, _LARGEST)):
                if bound is None or (isinstance(bound, Const) and _beyond(bound, end)):
                    ends.append(literal(end))
                elif knowledge.of(bound).plain:
                    ends.append(writer.value(bound))
                else:
                    return None
            between = ast.Compare(ends[0], [ast.LtE(), ast.LtE()], [value, ends[1]])
            tests = [compared(kind, ast.Is(), constants.name_of(int)), between]
            if not all(isinstance(end, ast.Constant) for end in ends):
                tests.append(_small(value))
            check: ast.expr = ast.BoolOp(ast.And(), tests)
        case LevelsDomain():
            check = ast.BoolOp(ast.And(), [compared(kind, ast.Is(), constants.name_of(int)), _small(value)])
        case YesNoDomain():
            check = compared(kind, ast.Is(), constants.name_of(bool))
        case ListDomain(optional=False, items=NumberDomain()) if _made_whole(domain, variable, constants):
            check = compared(value, ast.IsNot(), literal(None))
        case OneOfDomain(options=options) if all(isinstance(option, str) for option in options):
            check = ast.BoolOp(
                ast.And(),
                [
                    compared(kind, ast.Is(), constants.name_of(str)),
                    compared(value, ast.In(), constants.name_of(frozenset(options))),
                ],
            )
        case _:
            return None
    if domain.optional:
        return ast.BoolOp(ast.Or(), [compared(value, ast.Is(), literal(None)), check])
    return check


def _small(value: ast.expr) -> ast.expr:
    return ast.Compare(literal(-_LARGEST), [ast.LtE(), ast.LtE()], [value, literal(_LARGEST)])


def _beyond(bound: Const, end: int) -> bool:
    return not isinstance(bound.value, int) or abs(bound.value) > abs(end)
