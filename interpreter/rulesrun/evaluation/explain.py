"""Expressions with their values filled in: `3 (10 10 6) + 2 * 1 (10 10) = 5`.

In: an expression and the values that its parts had (by identity of the part; what was not evaluated is not there). Out:
text on one line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from rulesrun.evaluation.faces import expressions_of, face_test
from rulesrun.evaluation.operations import written
from rulesrun.evaluation.pools import Die, shown
from rulesrun.evaluation.values import face_text, value_text
from rulesrun.semantics.plan import (
    And,
    Arithmetic,
    Cases,
    Compare,
    Const,
    Dice,
    Each,
    Expr,
    Expression,
    Faces,
    FaceSet,
    ForEach,
    Function,
    InFaces,
    IsLabel,
    ItemAt,
    Kind,
    Modifier,
    Negative,
    NewestGroup,
    Not,
    Or,
    Outranks,
    Question,
    Sides,
    TableAt,
    Throw,
    WinsOf,
)
from rulesrun.semantics.renaming import parts

LONGEST = 400
"""Longer explanations are cut: they would not be read."""

MOST_FACES = 60
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}

C = TypeVar("C")


class Explainer:
    """Writes explanations from the values in `seen`, by the parts' identities."""

    def __init__(self, seen: Mapping[int, Any]) -> None:
        self._seen = seen

    def value(self, e: Expression, value: Any) -> str:
        """The expression filled in, and its value: `2 + 3 = 5`; conditions as `no: 2 >= 3`."""
        result = self.shown(value)
        filled = self.filled(e)
        if filled == result or len(filled) > LONGEST:
            return result
        if e.kind is Kind.YES_NO and not isinstance(e, Question):
            return f"{result}: {filled}"
        return filled if filled.startswith(f"{result} (") and filled.endswith(")") else f"{filled} = {result}"

    def condition(self, e: Expression) -> str:
        """A condition as written, with its values where that says more."""
        text = written(e)
        filled = self.filled(e)
        return text if filled in ("yes", text) or len(filled) > LONGEST else f"{text} ({filled})"

    def shown(self, value: Any) -> str:
        """A value; dice as their faces."""
        if isinstance(value, tuple) and (not value or isinstance(value[0], Die)):
            return _faces(value)
        return value_text(value)

    def fired(self, cases: Sequence[tuple[C, Expression | None]]) -> C | None:
        """The first of some cases whose condition held."""
        for case, condition in cases:
            if condition is None or self._of(condition) is True:
                return case
        return None

    def throw(self, throw: Throw) -> str:
        """A throw with its numbers filled in: `3d10, keep highest 2`."""
        groups = [self._group(each) if isinstance(each, Dice) else _words(each.span.text) for each in throw.groups]
        return ", ".join([" + ".join(groups), *(self._modifier(each) for each in throw.modifiers)])

    def filled(self, e: Expression) -> str:
        """The expression with the values of its names and questions."""
        match e:
            case Const(value=value):
                return value_text(value)
            case Arithmetic(operator=operator, left=left, right=right):
                strength = _STRENGTH[operator]
                return f"{self._inner(left, strength)} {operator} {self._inner(right, strength + 1)}"
            case Negative(operand=operand):
                return f"-{self._inner(operand, 3)}"
            case Cases(cases=cases):
                chosen = self.fired([(each.value, each.condition) for each in cases])
                return self._known(e) if chosen is None else self.filled(chosen)
            case Function(name=name, arguments=arguments):
                return f"{name}({', '.join(map(self.filled, arguments))})"
            case Not(operand=operand):
                return f"not {self._inner(operand, 5)}"
            case And(left=left, right=right):
                return self._joined(left, "and", right, stops=False)
            case Or(left=left, right=right):
                return self._joined(left, "or", right, stops=True)
            case Compare(operator=operator, left=left, right=right):
                return f"{self.filled(left)} {operator} {self.filled(right)}"
            case InFaces(value=value, faces=faces):
                return f"{self.filled(value)} in {_words(faces.span.text)}"
            case IsLabel(value=value, labels=labels):
                return f"{self._known(value)} is {' or '.join(sorted(labels))}"
            case TableAt(table=table, index=index):
                return f"{table} at {self.filled(index)}"
            case ItemAt(items=items, index=index):
                return f"item {self.filled(index)} of {_words(items.span.text)}"
            case Question():
                return self._question(e)
            case Outranks(left=left, right=right):
                return f"{self._known(left)} outranks {self._known(right)}"
            case WinsOf(left=left, right=right):
                return f"{self._known(e)} ({self._known(left)} against {self._known(right)})"
            case ForEach(each=each):
                return self._sum(each, e)
            case _:
                return self._known(e)

    # ------------------------------------------------------------ parts

    def _of(self, e: Expression) -> Any:
        return e.value if isinstance(e, Const) else self._seen.get(id(e))

    def _known(self, e: Expression) -> str:
        if isinstance(e, Const):
            return value_text(e.value)
        return self.shown(self._seen[id(e)]) if id(e) in self._seen else written(e)

    def _inner(self, e: Expression, strength: int) -> str:
        text = self.filled(e)
        while isinstance(e, Cases):
            chosen = self.fired([(each.value, each.condition) for each in e.cases])
            if chosen is None:
                break
            e = chosen
        weak = isinstance(e, And | Or | Compare | InFaces | IsLabel | Outranks | ForEach)
        if weak or (isinstance(e, Arithmetic) and _STRENGTH[e.operator] < strength):
            return f"({text})"
        return text

    def _joined(self, left: Expression, word: str, right: Expression, stops: bool) -> str:
        if self._of(left) is stops:
            return self._inner(left, 5) if isinstance(left, And | Or) else self.filled(left)
        return f"{self._side(left)} {word} {self._side(right)}"

    def _side(self, e: Expression) -> str:
        return f"({self.filled(e)})" if isinstance(e, And | Or) else self.filled(e)

    def _question(self, e: Question) -> str:
        answer = self._known(e)
        pool = self._of(e.pool)
        if not isinstance(pool, tuple) or len(pool) > MOST_FACES:
            return answer
        faces = shown(pool)
        if e.faces is not None:
            test = self._test(e.faces)
            if test is not None:
                faces = [face for face in faces if test.contains(face)]
        elif (e.asked == "sum" and len(pool) == 1) or e.asked == "size":
            return answer
        texts = " ".join(face_text(face) for face in faces)
        return f"{answer} ({texts})" if texts else answer

    def _test(self, faces: FaceSet) -> Any:
        values = [self._of(each) for each in expressions_of(faces)]
        return None if any(value is None for value in values) else face_test(faces, values)

    def _sum(self, each: Expression, e: ForEach) -> str:
        parts = self._seen.get(id(each) + 1)
        if not parts or len(parts) > MOST_FACES:
            return self._known(e)
        return " + ".join(f"({value_text(part)})" if part < 0 else value_text(part) for part in parts)

    def _group(self, dice: Dice) -> str:
        number = "" if dice.count is None else self._number(dice.count)
        kind = f"d{self._number(dice.kind.sides)}" if isinstance(dice.kind, Sides) else dice.kind.name
        space = " " if number and not kind.startswith("d") and not isinstance(dice.kind, Faces | Sides) else ""
        own = "".join(f", {self._modifier(each)}" for each in dice.modifiers)
        return f"{number}{space}{kind}{own}"

    def _modifier(self, modifier: Modifier) -> str:
        """A modifier as written, numbers that had to be worked out filled in."""
        text, at = "", modifier.span.start
        for part in parts(modifier):
            if not isinstance(part, Expr) or part.kind is not Kind.NUMBER or id(part) not in self._seen:
                continue
            inside = any(isinstance(each, NewestGroup | Each) for each in parts(part))
            if at <= part.span.start and part.span.end <= modifier.span.end and not inside:
                text += modifier.span.source.text[at : part.span.start] + value_text(self._seen[id(part)])
                at = part.span.end
        return _words(text + modifier.span.source.text[at : modifier.span.end]).removeprefix(", ")

    def _number(self, e: Expression) -> str:
        value = self._of(e)
        return _words(e.span.text) if value is None else value_text(value)


def _faces(dice: Sequence[Any]) -> str:
    if len(dice) > MOST_FACES:
        return f"{len(dice)} dice"
    return " ".join(face_text(face) for face in shown(dice)) or "no dice"


def _words(text: str) -> str:
    return " ".join(text.split())
