"""What an expression means, given the names above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol

from rulesrun.syntax import nodes as n

from . import dice as d
from .dice import Die, Face, Kind, Pool, numbers
from .search import Mistake, Script, Unruled

Value = Any
"""A number (Fraction), yes or no, a label, none, a list (tuple), dice (Pool), faces (n.Faces), several rows, or a
rolled rule.
"""

LISTED = Kind("an item of a list")


class Rolled(Protocol):
    """A rolled rule, or one whose roll did not take place."""

    @property
    def outcome(self) -> str | None: ...
    @property
    def good(self) -> bool | None: ...
    def value(self, name: str) -> Value: ...


@dataclass(frozen=True)
class Several:
    """The rows that fit where bands overlap."""

    fitting: tuple[Value, ...]


UNKNOWN: Any = object()


@dataclass
class World:
    """What a whole run shares: the forced draws and the items of the file that are no rules."""

    script: Script
    dice: Mapping[str, n.DieItem]
    tables: Mapping[str, n.Table]
    levels: Mapping[str, n.Levels | n.Table]
    """With the tables: the labels of their rows may be a domain."""
    bags: Mapping[str, n.Bag]
    settings: Mapping[str, Value]
    rules: Mapping[str, n.Rule]
    choose: Mapping[str, n.Policy]
    aims: dict[Any, Fraction] = field(default_factory=dict)
    calls: int = 0
    known: dict[str, list[Any]] = field(default_factory=dict)
    """By the full name of a draw the faces that are known of it and still to come, in the order drawn."""
    drawing: str = ""
    """The draw at hand."""

    def coming(self, things: Iterable[Any]) -> Any:
        """The next known face of the draw at hand, among those that it may be; `UNKNOWN` if chance decides."""
        waiting = self.known.get(self.drawing)
        if not waiting:
            return UNKNOWN
        if waiting[0] not in things:
            raise Mistake("a face that is known and cannot be")
        self.script.draws += 1
        return waiting.pop(0)


def whole(value: Fraction, what: str) -> int:
    if value < 0 or value.denominator != 1:
        raise Mistake(f"{value} is not {what}")
    return int(value)


def as_number(value: Value) -> Fraction:
    if type(value) is Fraction:
        return value
    if isinstance(value, Pool) and value.single:
        return sum(numbers(value.dice), Fraction(0))
    raise Mistake(f"{value!r} is no number")


def settled(value: Value) -> Value:
    """Dice written without a count are their number."""
    return as_number(value) if isinstance(value, Pool) and value.single else value


@dataclass(frozen=True)
class Reader:
    """Reads expressions.

    `names` are those above the line; `die` and `other` are set inside `for each`, `with each`, `when`; `item` is the
    word that the die at hand goes by: `for each face in …` calls it `face`.
    """

    world: World
    names: MutableMapping[str, Value]
    die: Die | None = None
    other: Die | None = None
    item: str = "die"

    def each(self, die: Die, other: Die | None = None, item: str = "die") -> Reader:
        return replace(self, die=die, other=other or self.other, item=item)

    def alone(self) -> Reader:
        return Reader(self.world, {})

    # ------------------------------------------------------------ by what is expected

    def number(self, expression: n.Expression) -> Fraction:
        return as_number(self.value(expression))

    def holds(self, condition: n.Expression) -> bool:
        value = self.value(condition)
        if not isinstance(value, bool):
            raise Mistake(f"{value!r} is neither yes nor no")
        return value

    def pool(self, expression: n.Expression) -> Pool:
        value = self.value(expression)
        if isinstance(value, tuple):
            return Pool(tuple(Die(as_number(item), LISTED) for item in value))
        if type(value) is Fraction:
            raise Unruled("one die out of several that is a number here, and dice there")
        if not isinstance(value, Pool):
            raise Mistake(f"{value!r} is no dice")
        return value

    # ------------------------------------------------------------ expressions

    def value(self, expression: n.Expression, labels: Sequence[str] = ()) -> Value:
        """`labels` are those that a bare word may be where one is expected."""
        match expression:
            case n.Number(value=value) | n.YesNo(value=value):
                return value
            case n.Nothing():
                return None
            case n.Name(parts=parts):
                return parts[0] if len(parts) == 1 and parts[0] in labels else self.named(expression)
            case n.Bracket(inside=inside):
                return self.value(inside, labels)
            case n.Cases(cases=cases):
                for case in cases:
                    if case.condition is None or self.holds(case.condition):
                        return self.value(case.value, labels)
                raise Mistake("no case holds")
            case n.List(items=items):
                return tuple(self.plain(item, labels) for item in items)
            case n.Binary(operator="and"):
                return self.holds(expression.left) and self.holds(expression.right)
            case n.Binary(operator="or"):
                return self.holds(expression.left) or self.holds(expression.right)
            case n.Binary():
                return self.arithmetic(expression)
            case n.Unary(operator="not"):
                return not self.holds(expression.operand)
            case n.Unary(operator="-"):
                return -self.number(expression.operand)
            case n.Unary():
                return self.number(expression.operand)
            case n.Compare():
                return self.compare(expression.operator, self.plain(expression.left), self.plain(expression.right))
            case n.InFaces():
                return self.fits(self.number(expression.left), expression.faces)
            case n.IsLabel(left=n.Name(parts=(word,))) if (die := self.dice_at_hand.get(word)) is not None:
                bears = any(word.text in d.symbols(die.face) for word in expression.labels)
                return bears != expression.negated
            case n.IsLabel():
                return (
                    self.is_label(self.value(expression.left), [word.text for word in expression.labels])
                    != expression.negated
                )
            case n.Outranks():
                return d.outranks(numbers(self.pool(expression.left).dice), numbers(self.pool(expression.right).dice))
            case n.WinsOf():
                return Fraction(
                    d.wins(numbers(self.pool(expression.left).dice), numbers(self.pool(expression.right).dice))
                )
            case n.Function():
                return self.function(expression.name, [self.number(each) for each in expression.arguments])
            case n.Formula():
                return self.formula(expression)
            case n.Lookup():
                return self.lookup(expression)
            case n.RowPart():
                return self.row_part(expression)
            case n.Question():
                return self.question(expression)
            case n.NoDice():
                return Pool()
            case n.Without():
                return self.without(expression)
            case n.Where():
                dice = self.pool(expression.pool).dice
                return Pool(tuple(die for die in dice if self.each(die).holds(expression.condition)))
            case n.Showing():
                return Pool(
                    tuple(die for die in self.pool(expression.pool).dice if self.fits(die.face, expression.faces))
                )
            case n.Cancelled():
                return self.cancelled(expression)
            case n.WithEach():
                dice = tuple(self.over(expression.pool))
                return Pool(tuple(replace(die, face=self.each(die).number(expression.changed)) for die in dice))
            case n.ForEach():
                each = [self.each(die, item=expression.word) for die in self.over(expression.over)]
                return sum((read.number(expression.each) for read in each), Fraction(0))
            case _:
                raise TypeError(f"{type(expression).__name__} is no expression")

    def plain(self, expression: n.Expression, labels: Sequence[str] = ()) -> Value:
        """A value that can be compared and listed: a single die is its number."""
        value = self.value(expression, labels)
        return as_number(value) if isinstance(value, Pool) else value

    def named(self, name: n.Name) -> Value:
        first, *rest = name.parts
        if not rest and self.is_word(first):
            return self.word(first)
        value = self.names[first] if first in self.names else self.world.settings[first]
        return value.value(".".join(rest)) if rest else value

    @property
    def dice_at_hand(self) -> dict[str, Die]:
        """The dice that are looked at, by the words for them; a word of one's own hides the other's."""
        dice = {"other": self.other, self.item: self.die}
        return {word: die for word, die in dice.items() if die is not None}

    def is_word(self, word: str) -> bool:
        """Whether it means a die at hand, or its target or sides."""
        return word in self.dice_at_hand or (self.die is not None and word in ("target", "sides"))

    def word(self, word: str) -> Value:
        if word in self.dice_at_hand:
            return d.number(self.dice_at_hand[word].face)
        assert self.die is not None
        if word == "target":
            return self.die.target
        if self.die.kind is LISTED:
            raise Mistake("an item of a list has no sides")
        return self.die.kind.sides

    def arithmetic(self, sum_: n.Binary) -> Value:
        left, right = self.value(sum_.left), self.value(sum_.right)
        if sum_.operator == "+" and isinstance(left, Pool | tuple) and isinstance(right, Pool | tuple):
            left, right = self.pool(sum_.left), self.pool(sum_.right)
        if sum_.operator == "+" and isinstance(left, Pool) and isinstance(right, Pool):
            return left + right
        a, b = as_number(left), as_number(right)
        match sum_.operator:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                if b == 0:
                    raise Mistake("division by zero")
                return a / b
            case _:
                if b.denominator != 1:
                    raise Unruled("the exact value of a power that is not whole")
                if a == 0 and b < 0:
                    raise Mistake("division by zero")
                return a ** int(b)

    def compare(self, operator: str, a: Value, b: Value) -> bool:
        if (
            a is not None
            and b is not None
            and (isinstance(a, bool) != isinstance(b, bool) or isinstance(a, str | tuple))
        ):
            raise Mistake("these two cannot be compared")
        if operator in ("=", "!="):
            return bool((a == b) == (operator == "="))
        if a is None or b is None:
            raise Mistake("none can only be compared with = and !=")
        return bool({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator])

    def is_label(self, value: Value, labels: Sequence[str]) -> bool:
        """Whether it is one of the labels; no labels stand for `none`."""
        if isinstance(value, Several):
            return any(self.is_label(each, labels) for each in value.fitting)
        if value is None or isinstance(value, str):
            return value in labels if labels else value is None
        rolled: Rolled = value
        return self.is_label(rolled.outcome, labels) or ("good" in labels and rolled.good is True)

    def function(self, name: str, values: list[Fraction]) -> Fraction:
        match name:
            case "min":
                return min(values)
            case "max":
                return max(values)
            case "abs":
                return abs(values[0])
            case "round_up":
                return Fraction(-(-values[0] // 1))
            case "round_down":
                return Fraction(values[0] // 1)
            case "remainder":
                if values[1] == 0:
                    raise Mistake("division by zero")
                return values[0] - values[1] * (values[0] // values[1])
            case _:
                value, low, high = values
                return max(low, min(high, value))

    # ------------------------------------------------------------ tables and lists

    def lookup(self, at: n.Lookup) -> Value:
        named = isinstance(at.source, n.Name) and at.source.parts[0] not in self.names
        if named and at.source.span.text in self.world.tables:
            rows = self.rows(at)
            bare = [next((each for each in row if each is not None), None) for row in rows]
            return Several(tuple(bare)) if len(bare) > 1 else bare[0] if bare else None
        items: tuple[Value, ...] = self.value(at.source)
        place = whole(self.number(at.index), "a place in a list")
        if isinstance(at.index, n.Name) and at.index.text == "turn" and items:
            place = (place - 1) % len(items) + 1
        if not 1 <= place <= len(items):
            raise Mistake(f"{place} is outside the list")
        return items[place - 1]

    def rows(self, at: n.Lookup) -> list[tuple[Value, Value, Value]]:
        """Label, number and text of each row that fits."""
        table = self.world.tables[at.source.span.text]
        if at.column is None:
            index = self.plain(at.index)
            return [entries(row) for row in table.rows if fitting(row.key, index)]
        labels = [key.text for key in table.columns if isinstance(key, n.Word)]
        rows = [row.key.text for row in table.rows if isinstance(row.key, n.Word)]
        index, column = self.plain(at.index, rows), self.plain(at.column, labels)
        place = next((place for place, key in enumerate(table.columns) if fitting(key, column)), None)
        if place is None:
            return []
        return [
            entries(n.Row(row.span, row.key, (row.entries[place],))) for row in table.rows if fitting(row.key, index)
        ]

    def formula(self, at: n.Formula) -> Value:
        """A value of a rule that only takes inputs and defines values."""
        rule = self.world.rules[at.rule.text]
        passed = {each.name.text: each.value for each in at.arguments if not isinstance(each.value, n.Policy)}
        names: dict[str, Value] = {}
        for line in rule.lines:
            assert isinstance(line, n.Given | n.Define)
            read, name = Reader(self.world, names), line.name.text
            match line:
                case n.Given() if name in passed:
                    names[name] = settled(self.value(passed[name]))
                case n.Given() if line.default is not None:
                    names[name] = read.value(line.default)
                case n.Define():
                    names[name] = settled(read.value(line.value))
                case _:
                    raise TypeError(f"{type(line).__name__} is no line of a formula here")
        assert at.value is not None
        return names[at.value.text]

    def row_part(self, part: n.RowPart) -> Value:
        inside = part.row
        while isinstance(inside, n.Bracket):
            inside = inside.inside
        if not isinstance(inside, n.Lookup):
            raise Mistake("only rows of a table have parts")
        rows = self.rows(inside)
        if len(rows) > 1:
            raise Mistake("several rows fit")
        return rows[0][("label", "value", "text").index(part.part.text)] if rows else None

    # ------------------------------------------------------------ dice

    def question(self, question: n.Question) -> Value:
        pool = self.pool(question.pool)
        dice = list(pool.dice)
        if question.asked == "sets" and question.faces is not None:
            sizes = Counter(d.plain(die.face) for die in dice).values()
            return Fraction(sum(self.fits(Fraction(size), question.faces) for size in sizes))
        if question.asked == "groups" and (sums := question.faces) is not None:
            return Fraction(d.most_groups(numbers(dice), lambda total: self.fits(total, sums)))
        if question.faces is not None:
            return self.ask_faces(question.asked, question.faces, dice)
        if question.asked == "natural":
            return pool.natural
        if question.asked == "symbols":
            return pool.but(replace(die, face=d.symbols(die.face)) for die in dice)
        if question.number is None:
            return self.ask(question.asked, [d.plain(die.face) for die in dice])
        many = whole(self.number(question.number), "a number of dice")
        match question.asked:
            case "highest_n":
                return Pool(d.remaining(d.cut(dice, 0, many), dice))
            case "lowest_n":
                return Pool(d.remaining(d.cut(dice, len(dice) - many, len(dice)), dice))
            case _:
                faces = sorted(numbers(dice), reverse=True)
                return faces[many - 1] if 1 <= many <= len(faces) else Fraction(0)

    def ask(self, asked: str, faces: Sequence[Face]) -> Value:
        match asked:
            case "size":
                return Fraction(len(faces))
            case "all_equal":
                return len(faces) >= 2 and len(set(faces)) == 1
            case "distinct":
                return Fraction(len(set(faces)))
            case "largest_set" if any(isinstance(face, tuple) for face in faces):
                return Fraction(max(Counter(faces).values()))
        shown = [d.number(face) for face in faces]
        match asked:
            case "sum":
                return sum(shown, Fraction(0))
            case "highest":
                return max(shown, default=Fraction(0))
            case "lowest":
                return min(shown, default=Fraction(0))
            case "middle":
                return d.middle_of(shown)
            case "largest_set":
                return Fraction(d.widest(shown)[0])
            case "face_of_largest_set":
                return d.widest(shown)[1]
            case "longest_run":
                return Fraction(d.longest_run(shown))
        raise TypeError(asked)

    def ask_faces(self, asked: str, faces: n.Faces, dice: list[Die]) -> Value:
        shown = [self.fits(die.face, faces) for die in dice]
        match asked:
            case "any":
                return any(shown)
            case "all":
                return bool(shown) and all(shown)
            case "none":
                return not any(shown)
        count = sum(self.times(die.face, faces) for die in dice)
        return Fraction(count if asked == "count" else count // 2)

    def times(self, face: Face, faces: n.Faces) -> int:
        """How often a face counts: once, or for symbols once for each of them."""
        borne = 0 if faces.negated else sum(self.fits((symbol,), faces) for symbol in d.symbols(face))
        return borne or int(self.fits(face, faces))

    def fits(self, face: Face, faces: n.Faces) -> bool:
        return any(self.fits_one(face, each) for each in faces.alternatives) != faces.negated

    def fits_one(self, face: Face, faces: n.Expression | n.Range | n.FaceCompare | n.FaceParity | n.FaceWhole) -> bool:
        if isinstance(faces, n.Name) and faces.text == "blank" and not self.knows("blank"):
            return face == ()
        if isinstance(faces, n.Name) and len(faces.parts) == 1 and not self.knows(faces.text):
            return isinstance(face, tuple) and faces.text in face
        if isinstance(faces, n.FaceWhole):
            words = [word.text for word in faces.words]
            if isinstance(faces.first, n.Name) and not self.knows(faces.first.text):
                return face == tuple(sorted([faces.first.text, *words]))
            return face == (self.number(faces.first), *sorted(words))
        shown, face = face, d.plain(face)
        symbols = isinstance(face, tuple)
        match faces:
            case n.Range(low=low, high=high):
                low_fits = low is None or (not symbols and d.number(face) >= self.number(low))
                return low_fits and not symbols and (high is None or d.number(face) <= self.number(high))
            case n.FaceCompare(operator=operator, bound=bound):
                return not symbols and self.compare(operator, face, self.number(bound))
            case n.FaceParity(odd=odd):
                return not symbols and d.number(face) % 2 == (1 if odd else 0)
        value = self.value(faces)
        if isinstance(value, n.Faces):
            return self.fits(face, value)
        if isinstance(value, Pool):
            if value.single and len(value.dice) != 1:
                raise Unruled("whether dice that may be read as a number are the faces they show or their sum")
            return shown in {die.face for die in value.dice}
        return face in value if isinstance(value, tuple) else face == as_number(value)

    def knows(self, word: str) -> bool:
        return self.is_word(word) or word in self.names or word in self.world.settings

    def cancelled(self, what: n.Cancelled) -> Pool:
        dice, by = self.pool(what.pool).dice, self.pool(what.by).dice
        when = what.when
        if when is None:
            return Pool(d.remaining(d.equal_cancelled(dice, by), dice))
        left = d.cancelled(dice, by, lambda die, other: self.each(die, other).holds(when))
        return Pool(d.remaining(left, dice))

    def without(self, what: n.Without) -> Pool:
        """The dice that are left when each of the others takes away one that is alike."""
        dice, left = self.pool(what.pool).dice, list(self.pool(what.pool).dice)
        for other in self.pool(what.gone).dice:
            alike = [die for die in left if die.alike(other)]
            if alike:
                left.remove(alike[0])
        return Pool(d.remaining(left, dice))

    def over(self, over: n.Expression | n.Range) -> list[Die]:
        if not isinstance(over, n.Range):
            return list(self.pool(over).dice)
        if over.low is None or over.high is None:
            raise Mistake("a range to go through has two ends")
        low, high = self.number(over.low), self.number(over.high)
        if low.denominator != 1 or high.denominator != 1:
            raise Unruled("the whole numbers between two that are not")
        return [Die(Fraction(value), LISTED) for value in range(int(low), int(high) + 1)]


def fitting(key: n.Key, index: Value) -> bool:
    if isinstance(key, n.Word):
        return bool(key.text == index)
    low, high = key
    if not isinstance(index, Fraction):
        return False
    return (low is None or low.value <= index) and (high is None or index <= high.value)


def entries(row: n.Row) -> tuple[Value, Value, Value]:
    label = next((each.text for each in row.entries if isinstance(each, n.Word)), None)
    number = next((each.value for each in row.entries if isinstance(each, n.Number)), None)
    text = next((each.text for each in row.entries if isinstance(each, n.Text)), None)
    return label, number, text
