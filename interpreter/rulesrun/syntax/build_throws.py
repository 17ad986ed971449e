"""Throws: groups of dice, the kinds of dice, and the modifiers in the order written."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from lark import Token, v_args
from lark.tree import Meta

from rulesrun.diagnostics import Span
from rulesrun.record import changed

from . import nodes as n
from .build_parts import Parts

ASKED: dict[str, n.Asked] = {
    "COUNT": "count", "ANY": "any", "ALL": "all", "NONE": "none", "PAIRS_OF": "pairs", "ALL_EQUAL": "all_equal",
    "DISTINCT": "distinct", "LARGEST_SET": "largest_set", "FACE_OF_LARGEST_SET": "face_of_largest_set",
    "LONGEST_RUN": "longest_run", "SETS_OF": "sets",
    "GROUPS_OF": "groups", "SUM_OF": "sum", "HIGHEST_OF": "highest", "LOWEST_OF": "lowest",
    "MIDDLE_OF": "middle", "SIZE_OF": "size", "NATURAL": "natural", "SYMBOLS_OF": "symbols",
    "HIGHEST_N": "highest_n", "LOWEST_N": "lowest_n", "DIE_N": "die_n",
}  # fmt: skip
"""The question that a token of the grammar asks."""

ShortDie: TypeAlias = tuple[n.DieKind, tuple[n.Modifier, ...]]
"""A kind of die, and the modifiers written right behind it: `d6!`."""

Option: TypeAlias = tuple[str, Any, Span]
"""What is said behind a modifier: its name, its value, where it stands."""


@v_args(meta=True)
class ThrowParts(Parts):
    """Every rule of the grammar's section on throws has the method of its name here."""

    def throw(self, meta: Meta, parts: list[Any]) -> n.Throw:
        return n.Throw(self._at(meta), parts[0], self._in_order(parts[1:]))

    def dice(self, meta: Meta, parts: list[Any]) -> tuple[n.Group, ...]:
        return tuple(parts)

    # ------------------------------------------------------------ kinds of dice

    def plain_die(self, meta: Meta, parts: list[Token]) -> ShortDie:
        return (self._dice(parts[0])[1], self._in_order([self._shorthand(part) for part in parts[1:]]))

    def die_of(self, meta: Meta, parts: list[Any]) -> ShortDie:
        return (changed(parts[0], span=self._at(meta)), ())

    def named_die(self, meta: Meta, parts: list[Any]) -> ShortDie:
        return (parts[0], ())

    def die_sides(self, meta: Meta, parts: list[Any]) -> n.Sides:
        return n.Sides(self._at(meta), parts[0])

    def die_listed(self, meta: Meta, parts: list[Any]) -> n.Listed:
        return n.Listed(self._at(meta), self._every_face(parts))

    def _every_face(self, parts: list[tuple[n.WeightedFace, ...]]) -> tuple[n.WeightedFace, ...]:
        """All faces of a die; those of its ranges one by one."""
        return tuple(face for faces in parts for face in faces)

    def die_face(self, meta: Meta, parts: list[Any]) -> tuple[n.WeightedFace, ...]:
        return (n.WeightedFace(self._at(meta), parts[0], self._times(parts[1])),)

    def die_faces_between(self, meta: Meta, parts: list[Any]) -> tuple[n.WeightedFace, ...]:
        low, high, symbols, times = parts
        at, first, last = self._at(meta), low.value, high.value
        if first.denominator != 1 or last.denominator != 1 or first > last:
            hint = "write the lower one first: `0..9`"
            self._refuse("face-range", at, "faces from one whole number up to another belong here", hint)
            return (n.WeightedFace(at, low, 1),)
        if not self._listed(at, int(last - first) + 1):
            return (n.WeightedFace(at, low, 1),)
        numbers = [n.Number(at, Fraction(each)) for each in range(int(first), int(last) + 1)]
        return tuple(
            n.WeightedFace(at, n.Symbols(at, symbols, each) if symbols else each, self._times(times))
            for each in numbers
        )

    def borne(self, meta: Meta, parts: list[Token]) -> tuple[n.Word, ...]:
        return tuple(self._word(part) for part in parts)

    def _dice(self, token: Token) -> tuple[n.Number | None, n.DieKind]:
        """The count and kind of a token such as `2d10`, `d%`, `dF`."""
        span, text = self._span(token), str(token)
        number, _, sides = text.partition("d")
        middle = span.start + len(number)
        counted, kind = self.source.span(span.start, middle), self.source.span(middle, span.end)
        count = n.Number(counted, self._digits(number, counted)) if number else None
        if sides == "F":
            return count, n.Fudge(kind)
        at = self.source.span(middle + 1, span.end)
        return count, n.Sides(kind, n.Number(at, Fraction(100) if sides == "%" else self._sides(sides, at)))

    def _kind(self, short: ShortDie) -> n.DieKind:
        """The kind of a die that may bear no modifiers."""
        kind, modifiers = short
        if modifiers:
            self._refuse("modifier-misplaced", modifiers[0].span, "this die bears no modifiers", "take it out")
        return kind

    # ------------------------------------------------------------ groups

    def single_die(self, meta: Meta, parts: list[ShortDie]) -> n.Dice:
        kind, modifiers = parts[0]
        return n.Dice(self._at(meta), None, kind, modifiers)

    def counted_dice(self, meta: Meta, parts: list[Any]) -> n.Dice:
        kind, modifiers = parts[1]
        return n.Dice(self._at(meta), parts[0], kind, modifiers)

    def short_dice(self, meta: Meta, parts: list[Token]) -> n.Dice:
        count, kind = self._dice(parts[0])
        return n.Dice(self._at(meta), count, kind, self._in_order([self._shorthand(part) for part in parts[1:]]))

    def number_dice(self, meta: Meta, parts: list[Any]) -> n.Dice:
        token, kind = parts
        span = self._span(token)
        counted, letter = self.source.span(span.start, span.end - 1), self.source.span(span.end - 1, span.end)
        count = n.Number(counted, self._digits(str(token[:-1]), counted))
        return n.Dice(self._at(meta), count, changed(kind, span=letter.to(kind.span)))

    def same_dice(self, meta: Meta, parts: list[Any]) -> n.SameDice:
        return n.SameDice(self._at(meta), parts[0])

    def rule_roll(self, meta: Meta, parts: list[Any]) -> n.RuleRoll:
        return n.RuleRoll(self._at(meta), parts[0], parts[1])

    def reroll_rule(self, meta: Meta, parts: list[Any]) -> n.RerollRule:
        return n.RerollRule(self._at(meta), parts[0])

    def arguments(self, meta: Meta, parts: list[Any]) -> tuple[n.Argument, ...]:
        return tuple(part for part in parts if part is not None)

    def argument(self, meta: Meta, parts: list[Any]) -> n.Argument:
        return n.Argument(self._at(meta), parts[0], parts[1])

    # ------------------------------------------------------------ modifiers

    def _shorthand(self, token: Token) -> n.Modifier:
        """The modifier of a token such as `kh3`, `!`."""
        span, text = self._span(token), str(token)
        if text == "!":
            return n.Explode(span, None, None, None, False)
        at = self.source.span(span.start + 2, span.end)
        number = n.Number(at, self._digits(text[2:], at))
        word, which = "keep" if text[0] == "k" else "drop", "highest" if text[1] == "h" else "lowest"
        return n.KeepDrop(span, self._literal(Token("", word)), self._literal(Token("", which)), number)

    def keep(self, meta: Meta, parts: list[Any]) -> n.KeepDrop:
        return n.KeepDrop(self._at(meta), self._literal(parts[0]), self._literal(parts[1]), parts[2])

    def explode(self, meta: Meta, parts: list[Any]) -> n.Explode:
        options = self._options(parts[1:])
        at_most, rolling, adding = options.get("at_most"), options.get("rolling"), options.get("adding", False)
        return n.Explode(self._at(meta), parts[0], at_most, rolling, adding)

    def reroll(self, meta: Meta, parts: list[Any]) -> n.Reroll:
        options = self._options(parts[1:])
        return n.Reroll(self._at(meta), parts[0], options.get("at_most"), options.get("in_at_most"))

    def again(self, meta: Meta, parts: list[Any]) -> n.Again:
        return n.Again(self._at(meta), parts[0], self._options(parts[1:]).get("at_most"))

    def group_all_equal(self, meta: Meta, parts: list[Any]) -> n.GroupAllEqual:
        return n.GroupAllEqual(self._at(meta))

    def group_faces(self, meta: Meta, parts: list[Any]) -> n.GroupFaces:
        asked: Any = ASKED[parts[0].type]
        return n.GroupFaces(self._at(meta), asked, parts[1])

    def group_number(self, meta: Meta, parts: list[Any]) -> n.GroupNumber:
        return n.GroupNumber(self._at(meta), self._literal(parts[0]), self._literal(parts[1]), parts[2])

    def advantage(self, meta: Meta, parts: list[Any]) -> n.Advantage:
        return n.Advantage(self._at(meta), parts[0], parts[1])

    def against(self, meta: Meta, parts: list[Any]) -> n.Against:
        return n.Against(self._at(meta), parts[0])

    def when(self, meta: Meta, parts: list[Any]) -> n.When:
        return n.When(self._at(meta), parts[0], parts[1])

    # ------------------------------------------------------------ options of modifiers

    def _options(self, parts: list[Option]) -> dict[str, Any]:
        """The options behind a modifier by name; writing one twice is refused."""
        found: dict[str, Any] = {}
        for name, value, span in parts:
            if name in found:
                self._refuse("option-twice", span, "this is said twice", "take one of them out")
            found[name] = value
        return found

    def once(self, meta: Meta, parts: list[Any]) -> Option:
        return ("at_most", n.Number(self._at(meta), Fraction(1)), self._at(meta))

    def at_most(self, meta: Meta, parts: list[Any]) -> Option:
        return ("at_most", parts[0], self._at(meta))

    def in_at_most(self, meta: Meta, parts: list[Any]) -> Option:
        return ("in_at_most", parts[0], self._at(meta))

    def rolling(self, meta: Meta, parts: list[n.Dice]) -> Option:
        dice = parts[0]
        if dice.modifiers:
            self._refuse("modifier-misplaced", dice.modifiers[0].span, "this die bears no modifiers", "take it out")
        return ("rolling", dice, self._at(meta))

    def adding(self, meta: Meta, parts: list[Any]) -> Option:
        return ("adding", True, self._at(meta))
