"""Expressions, the questions to a pool, and faces."""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from rulesrun.diagnostics import Span

from . import nodes as n
from .build_parts import Parts
from .build_throws import ASKED


@v_args(meta=True)
class ExpressionParts(Parts):
    """Every rule of the grammar's sections on expressions, questions and faces has the method of its name here."""

    # ------------------------------------------------------------ values chosen, pools changed

    def conditional(self, meta: Meta, parts: list[Any]) -> n.Cases:
        value, condition, _, other = parts
        return self._choose(self._at(meta), value, condition, other)

    def _choose(self, span: Span, value: n.Expression, condition: n.Expression, other: n.Expression) -> n.Cases:
        cases = (n.Case(value.span.to(condition.span), value, condition), n.Case(other.span, other, None))
        return self._deep(n.Cases(span, cases), value, condition, other)

    def showing(self, meta: Meta, parts: list[Any]) -> n.Showing:
        return self._deep(n.Showing(self._at(meta), parts[0], parts[1]), *parts)

    def cancelled(self, meta: Meta, parts: list[Any]) -> n.Cancelled:
        return self._deep(n.Cancelled(self._at(meta), parts[0], parts[1], parts[2]), *parts)

    def without(self, meta: Meta, parts: list[Any]) -> n.Without:
        return self._deep(n.Without(self._at(meta), parts[0], parts[1]), *parts)

    def where(self, meta: Meta, parts: list[Any]) -> n.Where:
        return self._deep(n.Where(self._at(meta), parts[0], parts[1]), *parts)

    def range_with_each(self, meta: Meta, parts: list[Any]) -> n.WithEach:
        low, high, changed = parts
        over = n.Range(low.span.to(high.span), low, high)
        return self._deep(n.WithEach(self._at(meta), over, changed), *parts)

    def with_each(self, meta: Meta, parts: list[Any]) -> n.WithEach:
        return self._deep(n.WithEach(self._at(meta), parts[0], parts[1]), *parts)

    def for_each(self, meta: Meta, parts: list[Any]) -> n.ForEach:
        words, over, each = parts
        return self._deep(n.ForEach(self._at(meta), words.split()[2], over, each), over, each)

    # ------------------------------------------------------------ operators

    def binary(self, meta: Meta, parts: list[Any]) -> n.Binary:
        left, operator, right = parts
        return self._deep(n.Binary(self._at(meta), self._literal(operator), left, right), left, right)

    def or_(self, meta: Meta, parts: list[Any]) -> n.Binary:
        return self._deep(n.Binary(self._at(meta), "or", parts[0], parts[1]), *parts)

    def and_(self, meta: Meta, parts: list[Any]) -> n.Binary:
        return self._deep(n.Binary(self._at(meta), "and", parts[0], parts[1]), *parts)

    def not_(self, meta: Meta, parts: list[Any]) -> n.Unary:
        return self._deep(n.Unary(self._at(meta), "not", parts[1]), parts[1])

    def negative(self, meta: Meta, parts: list[Any]) -> n.Unary:
        return self._deep(n.Unary(self._at(meta), "-", parts[1]), parts[1])

    def positive(self, meta: Meta, parts: list[Any]) -> n.Unary:
        return self._deep(n.Unary(self._at(meta), "+", parts[1]), parts[1])

    def compare(self, meta: Meta, parts: list[Any]) -> n.Compare:
        left, operator, right = parts
        return self._deep(n.Compare(self._at(meta), self._literal(operator), left, right), left, right)

    def in_faces(self, meta: Meta, parts: list[Any]) -> n.InFaces:
        left, right = parts
        faces = right if isinstance(right, n.Faces) else self._deep(n.Faces(right.span, (right,), False), right)
        return self._deep(n.InFaces(self._at(meta), left, faces), left, faces)

    def is_label(self, meta: Meta, parts: list[Any]) -> n.IsLabel:
        left, negation, labels = parts
        return self._deep(n.IsLabel(self._at(meta), left, labels, negation is not None), left)

    def labels(self, meta: Meta, parts: list[Token]) -> tuple[n.Word, ...]:
        return () if parts[0].type == "NONE" else tuple(self._word(part) for part in parts)

    def outranks(self, meta: Meta, parts: list[Any]) -> n.Outranks:
        return self._deep(n.Outranks(self._at(meta), parts[0], parts[1]), *parts)

    # ------------------------------------------------------------ values

    def yes_no(self, meta: Meta, parts: list[Token]) -> n.YesNo:
        return n.YesNo(self._at(meta), parts[0].type == "YES")

    def none(self, meta: Meta, parts: list[Any]) -> n.Nothing:
        return n.Nothing(self._at(meta))

    def name(self, meta: Meta, parts: list[Token]) -> n.Name:
        return n.Name(self._at(meta), tuple(str(part) for part in parts))

    def no_dice(self, meta: Meta, parts: list[Any]) -> n.NoDice:
        return n.NoDice(self._at(meta))

    def list_of(self, meta: Meta, parts: list[Any]) -> n.List:
        items = tuple(part for part in parts if part is not None)
        return self._deep(n.List(self._at(meta), items), *items)

    def function(self, meta: Meta, parts: list[Any]) -> n.Function:
        return self._deep(n.Function(self._at(meta), str(parts[0]), tuple(parts[1:])), *parts[1:])

    def formula(self, meta: Meta, parts: list[Any]) -> n.Formula:
        rule, arguments, value = parts
        values = [each.value for each in arguments or ()]
        return self._deep(n.Formula(self._at(meta), rule, arguments or (), value), *values)

    def bracket(self, meta: Meta, parts: list[Any]) -> n.Bracket:
        return self._deep(n.Bracket(self._at(meta), parts[0]), parts[0])

    def part(self, meta: Meta, parts: list[Any]) -> n.RowPart:
        return self._deep(n.RowPart(self._at(meta), parts[0], self._word(parts[1])), parts[0])

    def lookup(self, meta: Meta, parts: list[Any]) -> n.Lookup:
        source, index = parts
        row, column = index if isinstance(index, tuple) else (index, None)
        return self._deep(n.Lookup(self._at(meta), source, row, column), source, row, column)

    def two_indexes(self, meta: Meta, parts: list[Any]) -> tuple[n.Expression, n.Expression]:
        return (parts[0], parts[1])

    # ------------------------------------------------------------ questions to a pool

    def ask(self, meta: Meta, parts: list[Any]) -> n.Question:
        return self._deep(n.Question(self._at(meta), ASKED[parts[0].type], parts[1]), parts[1])

    def ask_faces(self, meta: Meta, parts: list[Any]) -> n.Question:
        word, faces, pool = parts
        return self._deep(n.Question(self._at(meta), ASKED[word.type], pool, faces=faces), pool, faces)

    def ask_number(self, meta: Meta, parts: list[Any]) -> n.Question:
        word, number, pool = parts
        return self._deep(n.Question(self._at(meta), ASKED[word.type], pool, number=number), pool, number)

    def ask_two(self, meta: Meta, parts: list[Any]) -> n.WinsOf:
        return self._deep(n.WinsOf(self._at(meta), parts[0], parts[1]), *parts)

    # ------------------------------------------------------------ faces and ranges

    def faces(self, meta: Meta, parts: list[Any]) -> n.Faces:
        negation, *written = parts
        alternatives = [each for part in written for each in _alternatives(part)]
        faces = n.Faces(self._at(meta), tuple(alternatives), negation is not None)
        return self._deep(faces, *alternatives)

    def face_one(self, meta: Meta, parts: list[Any]) -> n.Expression:
        only: n.Expression = parts[0]
        return only

    def range_between(self, meta: Meta, parts: list[Any]) -> n.Range:
        return self._deep(n.Range(self._at(meta), parts[0], parts[1]), *parts)

    def range_from(self, meta: Meta, parts: list[Any]) -> n.Range:
        return self._deep(n.Range(self._at(meta), parts[0], None), *parts)

    def range_to(self, meta: Meta, parts: list[Any]) -> n.Range:
        return self._deep(n.Range(self._at(meta), None, parts[0]), *parts)

    def range_any(self, meta: Meta, parts: list[Any]) -> n.Range:
        return n.Range(self._at(meta), None, None)

    face_between = range_between
    face_from = range_from
    face_to = range_to

    def face_whole(self, meta: Meta, parts: list[Any]) -> n.FaceWhole:
        words = tuple(self._word(part) for part in parts[1:])
        return self._deep(n.FaceWhole(self._at(meta), parts[0], words), parts[0])

    def face_compare(self, meta: Meta, parts: list[Any]) -> n.FaceCompare:
        return self._deep(n.FaceCompare(self._at(meta), self._literal(parts[0]), parts[1]), parts[1])

    def face_even(self, meta: Meta, parts: list[Any]) -> n.FaceParity:
        return n.FaceParity(self._at(meta), False)

    def face_odd(self, meta: Meta, parts: list[Any]) -> n.FaceParity:
        return n.FaceParity(self._at(meta), True)


def _alternatives(part: n.Part) -> list[Any]:
    """Faces in brackets are those alternatives: `not (hit or crit)`."""
    if isinstance(part, n.Bracket) and isinstance(part.inside, n.Binary) and part.inside.operator == "or":
        return _joined_by_or(part.inside)
    return [part]


def _joined_by_or(part: n.Expression) -> list[n.Expression]:
    if isinstance(part, n.Binary) and part.operator == "or":
        return [*_joined_by_or(part.left), *_joined_by_or(part.right)]
    return _alternatives(part)
