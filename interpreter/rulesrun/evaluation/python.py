"""Python functions made of syntax trees, never of text: what a ruleset says reaches the code only as constants.

In: trees built with the small functions below, which name constants by a `Constants`. Out: a function. All identifiers
are generated, and the functions see nothing of Python but the constants they were given.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

from rulesrun.diagnostics import RulesError, Span


class Constants:
    """The constants of one function, each under a generated name."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def name_of(self, value: object) -> ast.expr:
        """A tree that reads this very object."""
        known = self._names.get(id(value))
        if known is None:
            known = f"k{len(self.values)}"
            self._names[id(value)] = known
            self.values[known] = value
        return read(known)

    def call(self, function: Callable[..., Any], *arguments: ast.expr) -> ast.expr:
        """A call of a Python function."""
        return ast.Call(self.name_of(function), list(arguments), [])


def read(name: str) -> ast.expr:
    """The variable of that name."""
    return ast.Name(name, ast.Load())


def literal(value: int | bool | str | None) -> ast.expr:
    """A value that Python writes itself; negative numbers too."""
    return ast.Constant(value)


def tuple_of(items: Sequence[ast.expr]) -> ast.expr:
    """A tuple."""
    return ast.Tuple(list(items), ast.Load())


def list_of(items: Sequence[ast.expr]) -> ast.expr:
    """A list."""
    return ast.List(list(items), ast.Load())


def dict_of(items: Mapping[str, ast.expr]) -> ast.expr:
    """A dictionary of these by their names."""
    return ast.Dict([literal(name) for name in items], list(items.values()))


def attribute(of: ast.expr, name: str) -> ast.expr:
    """`of.name`."""
    return ast.Attribute(of, name, ast.Load())


def item(of: ast.expr, key: ast.expr) -> ast.expr:
    """`of[key]`."""
    return ast.Subscript(of, key, ast.Load())


def method(of: ast.expr, name: str, *arguments: ast.expr) -> ast.expr:
    """`of.name(arguments)`."""
    return ast.Call(attribute(of, name), list(arguments), [])


def compared(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
    """`left operator right`."""
    return ast.Compare(left, [operator], [right])


def binary(left: ast.expr, operator: ast.operator, right: ast.expr) -> ast.expr:
    """`left operator right` with an arithmetic operator."""
    return ast.BinOp(left, operator, right)


def negated(condition: ast.expr) -> ast.expr:
    """`not condition`."""
    return ast.UnaryOp(ast.Not(), condition)


def listed(each: ast.expr, variable: str, over: ast.expr, condition: ast.expr | None = None) -> ast.expr:
    """`[each for variable in over if condition]`."""
    conditions = [] if condition is None else [condition]
    return ast.ListComp(each, [ast.comprehension(ast.Name(variable, ast.Store()), over, conditions, 0)])


def function_of(parameters: Sequence[str], body: ast.expr) -> ast.expr:
    """`lambda parameters: body`."""
    return ast.Lambda(_arguments(parameters), body)


def assign(name: str, value: ast.expr) -> ast.stmt:
    """`name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def statement(value: ast.expr) -> ast.stmt:
    """An expression for its effect."""
    return ast.Expr(value)


def if_then(condition: ast.expr, then: Sequence[ast.stmt], otherwise: Sequence[ast.stmt] = ()) -> ast.stmt:
    """`if condition: then else: otherwise`; nothing to do is `pass`."""
    return ast.If(condition, list(then) or [ast.Pass()], list(otherwise))


def compile_function(
    parameters: Sequence[str], body: Sequence[ast.stmt], constants: Constants, span: Span | None
) -> Callable[..., Any]:
    """The function; an error where the ruleset's part at `span` nests too deeply for Python."""
    function = ast.FunctionDef("compiled", _arguments(parameters), list(body), [])
    if sys.version_info >= (3, 12):
        function.type_params = []
    module = ast.Module([function], [])
    try:
        _place(module)
        code = compile(module, "<rules>", "exec")
    except (RecursionError, SyntaxError, MemoryError):
        raise too_deep(span) from None
    inner = next(each for each in code.co_consts if isinstance(each, CodeType))
    return FunctionType(inner, {"__builtins__": {}, **constants.values})


def too_deep(span: Span | None) -> RulesError:
    """The error for rules that nest deeper than they can be run."""
    return RulesError.of(
        "this nests too deeply to be run",
        code="too-deep",
        span=span,
        hint="give parts of it names of their own, on lines above",
    )


def _place(tree: ast.AST) -> None:
    """Gives every part the line that Python wants of it, quicker than `ast.fix_missing_locations` and to any depth."""
    waiting = [tree]
    while waiting:
        part: Any = waiting.pop()
        if part._attributes:
            part.lineno, part.col_offset = 1, 0
        for name in part._fields:
            value = getattr(part, name, None)
            if isinstance(value, ast.AST):
                waiting.append(value)
            elif isinstance(value, list):
                waiting += [each for each in value if isinstance(each, ast.AST)]


def _arguments(names: Sequence[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
