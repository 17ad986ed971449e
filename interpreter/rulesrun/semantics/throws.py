"""Dice as `roll` lines throw them: kinds of dice, groups, and modifiers in the order written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

from rulesrun.diagnostics import Span
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .borne import number_on
from .constants import literal_number, plain
from .expressions import Expressions
from .facts import Fact
from .messages import dice as say
from .plan import Kind
from .symbols import Stop
from .world import COIN, FUDGE

MAX_WHENS = 6
"""So many modifiers of a roll may have conditions: each doubles the throws that are made ready."""


class Throws(Expressions):
    """Expressions, and the throws whose numbers are expressions."""

    def throw(self, node: n.Throw) -> plan.Throw:
        """Groups of dice and their modifiers, where all of these hold."""
        for each in node.modifiers:
            if isinstance(each, n.When):
                raise self.refuse(say.when_outside_roll(each.condition.span))
        return self._throw(node, [each for each in node.modifiers if not isinstance(each, n.When)])

    def throws(self, node: n.Throw) -> list[tuple[plan.Throw, plan.Expression | None]]:
        """The throws that a line may make, the first whose condition holds: one for each way in which the conditions
        of its modifiers hold or not.
        """
        whens = [each for each in node.modifiers if isinstance(each, n.When)]
        if len(whens) > MAX_WHENS:
            raise self.refuse(say.too_many_whens(whens[MAX_WHENS].span, MAX_WHENS))
        conditions = self.all_of(*(lambda each=each: self.condition(each.condition) for each in whens))
        known = dict(zip(map(id, whens), conditions, strict=True))
        found: list[tuple[plan.Throw, plan.Expression | None]] = []
        for left_out in product((False, True), repeat=len(whens)):
            out = {id(each) for each, is_out in zip(whens, left_out, strict=True) if is_out}
            held = [known[id(each)] for each in whens if id(each) not in out]
            condition = None
            for each in held:
                condition = each if condition is None else plan.And(node.span, Kind.YES_NO, False, condition, each)
            denied = [known[id(each)] for each in whens if id(each) in out]
            stay = [
                each.modifier if isinstance(each, n.When) else each for each in node.modifiers if id(each) not in out
            ]
            with self.where(condition, denied=denied):
                found.append((self._throw(node, stay), condition))
        return found

    def _throw(self, node: n.Throw, written: Sequence[n.Modifier]) -> plan.Throw:
        groups = self.all_of(*(lambda each=each: self._group(each) for each in node.groups))
        newest = self.facts.of_throw(plan.Throw(node.span, tuple(groups), ()))
        modifiers = self.all_of(*(lambda each=each: self._modifier(each, newest) for each in written))
        return plan.Throw(node.span, tuple(groups), tuple(modifiers))

    # ------------------------------------------------------------ groups

    def _group(self, node: n.Group) -> plan.Group:
        match node:
            case n.SameDice(pool=pool):
                return plan.SameDice(node.span, self.dice(pool))
            case n.Dice(count=count, kind=n.Sides(sides=n.Name() | n.List() | n.Bracket() as sizes)) if (
                found := self._sizes(sizes)
            ):
                if count is not None:
                    raise self.refuse(say.count_of_sizes(node.span, sizes.span.text))
                return plan.DiceOfSizes(node.span, found)
            case n.Dice(count=count, kind=kind):
                number, die = self.both(lambda: self._count(count), lambda: self.kind(kind, node))
                bare = plan.Dice(node.span, number, die)
                shown = self.facts.of_throw(plan.Throw(node.span, (bare,), ()))
                modifiers = self.all_of(*(lambda each=each: self._modifier(each, shown) for each in node.modifiers))
                return changed(bare, modifiers=tuple(modifiers))
            case n.RuleRoll(rule=rule):
                raise self.refuse(say.rule_not_alone(node.span, rule.text))
            case n.RerollRule(rolled=rolled):
                raise self.refuse(say.rule_not_alone(node.span, rolled.text))

    def _sizes(self, node: n.Expression) -> plan.Expression | None:
        """The list of sizes in `d(LIST)`; None for a number."""
        if isinstance(node, n.Name) and ((known := self.lookup(node)) is None or known.kind is not Kind.LIST):
            return None
        found = self.expression(node)
        if found.kind is not Kind.LIST:
            return None
        return self.pool(node, True)

    def _count(self, node: n.Expression | None) -> plan.Expression | None:
        if node is None:
            return None
        count = self.count(node)
        number = literal_number(count)
        if number is not None and (number < 0 or number.denominator != 1):
            raise self.refuse(say.bad_count(node.span, str(number), isinstance(node, n.Number)))
        return count

    def kind(self, node: n.DieKind, group: n.Dice | None = None) -> plan.DieKind:
        """A kind of die."""
        match node:
            case n.Fudge():
                return FUDGE
            case n.Sides(sides=sides):
                found = self.count(sides)
                number = literal_number(found)
                if number is not None and (number < 1 or number.denominator != 1):
                    raise self.refuse(say.bad_sides(node.span, str(number)))
                return plan.Sides(node.span, found)
            case n.Listed(faces=faces):
                return self.listed(node.span, "".join(node.span.text.split()).replace(",", ", "), faces)
            case n.Name():
                return self._named_die(node, group)

    def _named_die(self, node: n.Name, group: n.Dice | None) -> plan.DieKind:
        text, span = node.text, node.span
        if text in self.world.dice:
            return self.world.dice[text]
        if self.world.is_broken("die", text):
            raise Stop
        if text == "coin":
            return COIN
        written = self.world.written
        if text in written.get("rule", ()) and group is not None and group.count is not None:
            raise self.refuse(say.rule_with_count(span, text))
        if text in written.get("rule", ()) or text in written.get("table", ()):
            raise self.refuse(say.rule_not_alone(span, text))
        found = self.lookup(node)
        if found is not None and found.kind is Kind.POOL:
            raise self.refuse(say.pool_in_throw(span, text))
        if found is not None:
            raise self.refuse(
                say.number_in_throw(span, text, found.kind, group is not None and group.count is not None)
            )
        names = [*written.get("die", ()), *written.get("rule", ()), *written.get("table", ()), "coin"]
        raise self.refuse(say.unknown_die(span, text, nearest(text, names)))

    def listed(self, span: Span, name: str, faces: tuple[n.WeightedFace, ...]) -> plan.Faces:
        """A die of given faces; equal faces are put together."""
        counted: Counter[plan.Face] = Counter()
        for each in faces:
            if each.weight < 1:
                raise self.refuse(say.no_weight(each.span))
            counted[face_of(each.face)] += each.weight
        if len({number_on(face) is None for face in counted}) > 1:
            numbered = number_on(face_of(faces[0].face)) is not None
            odd = next(each for each in faces if (number_on(face_of(each.face)) is not None) != numbered)
            bare = odd if numbered else faces[0]
            raise self.refuse(say.mixed_faces(odd.span, faces[0].span, bare.face.span.text))
        return plan.Faces(name, tuple(counted.items()))

    # ------------------------------------------------------------ modifiers

    def _modifier(self, node: n.Modifier, shown: Fact) -> plan.Modifier:
        span = node.span
        match node:
            case n.KeepDrop(word=word, which=which, number=number):
                if word == "drop" and which == "middle":
                    raise self.refuse(say.drop_middle(span))
                return plan.KeepDrop(span, word, which, self._whole(number))
            case n.Explode(faces=faces, at_most=at_most, rolling=rolling, adding=adding):
                kind = None if rolling is None else self.kind(rolling.kind, rolling)
                many = None if rolling is None else self._count(rolling.count)
                if adding and many is not None:
                    raise self.refuse(say.adding_several(span))
                return plan.Explode(span, self._exploding(faces, shown), self._limit(at_most), kind, adding, many)
            case n.Reroll(faces=faces, at_most=at_most, in_at_most=dice):
                return plan.Reroll(span, self.faces(faces, shown.faces), self._limit(at_most), self._limit(dice))
            case n.Again(condition=condition, at_most=at_most):
                return plan.Again(span, self._group_condition(condition, shown), self._limit(at_most))
            case n.Advantage(number=number, at_most=at_most):
                return plan.Advantage(span, self.count(number), self._limit(at_most))
            case n.Against(target=target):
                return plan.Against(span, self.count(target))

    def _exploding(self, faces: n.Faces | None, shown: Fact) -> plan.FaceSet | None:
        """None for `explode on sides`: the top face of whatever die it is."""
        if faces is None:
            return None
        with self.each_die({"sides": "sides"}, faces.span):
            found = self.faces(faces, shown.faces)
        match found.alternatives:
            case (plan.FaceIs(value=plan.Each(word="sides")),) if not found.negated:
                return None
        return found

    def _limit(self, node: n.Expression | None) -> plan.Expression | None:
        return None if node is None else self._whole(node)

    def _whole(self, node: n.Expression) -> plan.Expression:
        found = self.count(node)
        number = literal_number(found)
        if number is not None and (number < 0 or number.denominator != 1):
            raise self.refuse(say.not_a_number_of_times(node.span, str(number)))
        return found

    def _group_condition(self, node: n.GroupFaces | n.GroupAllEqual | n.GroupNumber, shown: Fact) -> plan.Expression:
        pool = plan.NewestGroup(node.span, Kind.POOL, False)
        numbers = pool if shown.unmarked or not self.world.marked else self._read_as("number", pool)
        match node:
            case n.GroupAllEqual():
                return plan.Question(node.span, Kind.YES_NO, False, "all_equal", numbers)
            case n.GroupFaces(asked=asked, faces=faces):
                return plan.Question(node.span, Kind.YES_NO, False, asked, pool, self.faces(faces, shown.faces))
            case n.GroupNumber(asked=asked, operator=operator, bound=bound):
                question = plan.Question(node.span, Kind.NUMBER, False, asked, pool if asked == "sum" else numbers)
                return plan.Compare(node.span, Kind.YES_NO, False, operator, question, self.count(bound))


def face_of(node: n.FaceValue) -> plan.Face:
    """The face that is written: a number, or its symbols in order, behind its number if it has one."""
    if isinstance(node, n.Number):
        return plain(node.value)
    symbols = sorted(word.text for word in node.words)
    return tuple(symbols) if node.number is None else (plain(node.number.value), *symbols)
