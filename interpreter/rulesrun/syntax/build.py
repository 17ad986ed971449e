"""From Lark's tree to our own: every rule of `grammar/rules.lark` has the method of its name here, and nothing else is decided."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from ..diagnostics import RulesError, Source, Span
from . import nodes as n

MAX_DEPTH = 100
"""How deep an expression may nest; a sum of 100 terms is as deep as 100 brackets."""

ASKED: dict[str, n.Asked] = {
    "COUNT": "count", "ANY": "any", "ALL": "all", "NONE": "none", "PAIRS_OF": "pairs", "ALL_EQUAL": "all_equal", "DISTINCT": "distinct",
    "LARGEST_SET": "largest_set", "FACE_OF_LARGEST_SET": "face_of_largest_set", "LONGEST_RUN": "longest_run", "SETS_OF": "sets",
    "SUM_OF": "sum", "HIGHEST_OF": "highest", "LOWEST_OF": "lowest", "MIDDLE_OF": "middle", "SIZE_OF": "size", "NATURAL": "natural",
    "HIGHEST_N": "highest_n", "LOWEST_N": "lowest_n", "DIE_N": "die_n",
}  # fmt: skip


def _located(source: Source, meta: Meta) -> Span:
    return source.span(meta.start_pos, meta.end_pos) if not meta.empty else source.span(0, 0)


@v_args(meta=True)
class Builder(Transformer_NonRecursive[Token, Any]):
    """One use for one text. A method gets its rule's place and the parts that the grammar keeps."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source
        self._depths: dict[int, int] = {}

    # ------------------------------------------------------------ small parts

    def _at(self, meta: Meta) -> Span:
        return _located(self.source, meta)

    def _span(self, token: Token) -> Span:
        assert token.start_pos is not None and token.end_pos is not None
        return self.source.span(token.start_pos, token.end_pos)

    def _word(self, token: Token) -> n.Word:
        return n.Word(self._span(token), str(token))

    def _text(self, token: Token | None) -> str:
        return str(token)[1:-1] if token is not None else ""

    def _deep(self, part: Any, *inner: Any) -> Any:
        """Remembers how deep an expression nests; raises `RulesError` at the bound."""
        depth = 1 + max((self._depths.get(id(each), 0) for each in inner), default=0)
        if depth > MAX_DEPTH:
            raise RulesError.of(
                f"this expression nests deeper than {MAX_DEPTH}", code="too-deep", span=part.span, hint="name parts of it on lines of their own"
            )
        self._depths[id(part)] = depth
        return part

    def _dice(self, token: Token) -> tuple[n.Number | None, n.DieKind]:
        """The count and kind of a token such as `2d10`, `d%`, `dF`."""
        span, text = self._span(token), str(token)
        number, _, sides = text.partition("d")
        count = n.Number(self.source.span(span.start, span.start + len(number)), Fraction(number)) if number else None
        at = self.source.span(span.start + len(number), span.end)
        if sides == "F":
            return count, n.Fudge(at)
        size = n.Number(self.source.span(at.start + 1, at.end), Fraction(100 if sides == "%" else int(sides)))
        return count, n.Sides(at, size)

    def _shorthand(self, token: Token) -> n.Modifier:
        span, text = self._span(token), str(token)
        if text == "!":
            return n.Explode(span, None, None, None, False)
        word: Any = "keep" if text[0] == "k" else "drop"
        which: Any = "highest" if text[1] == "h" else "lowest"
        return n.KeepDrop(span, word, which, n.Number(self.source.span(span.start + 2, span.end), Fraction(text[2:])))

    # ------------------------------------------------------------ items

    def start(self, meta: Meta, items: list[Any]) -> n.File:
        return n.File(self._at(meta), tuple(items))

    def alone_policy(self, meta: Meta, parts: list[Any]) -> n.Policy:
        only: n.Policy = parts[0]
        return only

    def alone_setting(self, meta: Meta, parts: list[Any]) -> Any:
        return self._setting_value(parts[0])

    def system(self, meta: Meta, parts: list[Any]) -> n.System:
        return n.System(self._at(meta), self._text(parts[0]), tuple(part for part in parts[1:] if part is not None))

    def system_fact(self, meta: Meta, parts: list[Any]) -> n.SystemFact:
        what: Any = str(parts[0])
        return n.SystemFact(self._at(meta), what, self._text(parts[1]))

    def based_on(self, meta: Meta, parts: list[Any]) -> n.BasedOn:
        return n.BasedOn(self._span(parts[0]), self._text(parts[0]))

    def setting(self, meta: Meta, parts: list[Any]) -> n.Setting:
        name, domain, value, text = parts
        return n.Setting(self._at(meta), self._word(name), domain, self._setting_value(value), self._text(text))

    def _setting_value(self, value: Any) -> Any:
        """Faces that are one plain expression are that expression."""
        if isinstance(value, n.Faces) and not value.negated and len(value.alternatives) == 1:
            only = value.alternatives[0]
            if not isinstance(only, n.Range | n.FaceCompare | n.FaceParity):
                return only
        return value

    def die(self, meta: Meta, parts: list[Any]) -> n.DieItem:
        return n.DieItem(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def die_faces(self, meta: Meta, parts: list[Any]) -> tuple[n.WeightedFace, ...]:
        return tuple(parts)

    def die_face(self, meta: Meta, parts: list[Any]) -> n.WeightedFace:
        face, times = parts
        return n.WeightedFace(self._at(meta), face, int(times[1:]) if times is not None else 1)

    def die_rolled(self, meta: Meta, parts: list[Any]) -> n.RolledDie:
        asked: Any = ASKED[parts[0].type]
        return n.RolledDie(self._at(meta), asked, parts[1])

    def face_value(self, meta: Meta, parts: list[Any]) -> Any:
        return parts[0]

    def blank(self, meta: Meta, parts: list[Any]) -> n.Symbols:
        return n.Symbols(self._at(meta), ())

    def symbols(self, meta: Meta, parts: list[Any]) -> n.Symbols:
        return n.Symbols(self._at(meta), tuple(self._word(part) for part in parts))

    def bag(self, meta: Meta, parts: list[Any]) -> n.Bag:
        return n.Bag(self._at(meta), self._word(parts[0]), tuple(parts[1:-1]), self._text(parts[-1]))

    def bag_named(self, meta: Meta, parts: list[Any]) -> n.BagNamed:
        return n.BagNamed(self._at(meta), self._whole(parts[0]), self._word(parts[1]))

    def bag_numbers(self, meta: Meta, parts: list[Any]) -> n.BagNumbers:
        low, high, times = parts
        return n.BagNumbers(self._at(meta), low, high if high is not None else low, int(times[1:]) if times is not None else 1)

    def _whole(self, token: Token) -> int:
        if "." in token:
            raise RulesError.of("a whole number belongs here", code="whole-number", span=self._span(token), hint=f"write `{token.split('.')[0]}`")
        return int(token)

    def levels(self, meta: Meta, parts: list[Any]) -> n.Levels:
        return n.Levels(self._at(meta), self._word(parts[0]), tuple(parts[2:]), self._text(parts[1]))

    def level(self, meta: Meta, parts: list[Any]) -> n.Level:
        return n.Level(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def table(self, meta: Meta, parts: list[Any]) -> n.Table:
        return n.Table(self._at(meta), self._word(parts[0]), self._kind(parts[1])[1] if parts[1] else None, tuple(parts[3:]), self._text(parts[2]))

    def row(self, meta: Meta, parts: list[Any]) -> n.Row:
        return n.Row(self._at(meta), parts[0], tuple(parts[1:]))

    def key_one(self, meta: Meta, parts: list[Any]) -> Any:
        return (parts[0], parts[0])

    def key_between(self, meta: Meta, parts: list[Any]) -> Any:
        return (parts[0], parts[1])

    def key_from(self, meta: Meta, parts: list[Any]) -> Any:
        return (parts[0], None)

    def key_to(self, meta: Meta, parts: list[Any]) -> Any:
        return (None, parts[0])

    def key_label(self, meta: Meta, parts: list[Any]) -> n.Word:
        return self._word(parts[0])

    def entry_label(self, meta: Meta, parts: list[Any]) -> n.Word:
        return self._word(parts[0])

    def entry_text(self, meta: Meta, parts: list[Any]) -> n.Text:
        return n.Text(self._at(meta), self._text(parts[0]))

    def rule(self, meta: Meta, parts: list[Any]) -> n.Rule:
        return n.Rule(self._at(meta), self._word(parts[0]), tuple(parts[2:]), self._text(parts[1]))

    def example(self, meta: Meta, parts: list[Any]) -> n.Example:
        return n.Example(self._at(meta), self._text(parts[0]), tuple(parts[1:]))

    # ------------------------------------------------------------ lines of a rule

    def given(self, meta: Meta, parts: list[Any]) -> n.Given:
        name, domain, default, text = parts
        return n.Given(self._at(meta), self._word(name), domain, default, self._text(text))

    def given_all(self, meta: Meta, parts: list[Any]) -> n.GivenAllOf:
        return n.GivenAllOf(self._at(meta), self._word(parts[0]), tuple(self._word(part) for part in parts[1:] if part is not None))

    def domain(self, meta: Meta, parts: list[Any]) -> Any:
        return parts[0] if parts[1] is None else n.OrNone(self._at(meta), parts[0])

    def domain_range(self, meta: Meta, parts: list[Any]) -> n.NumberDomain:
        return n.NumberDomain(parts[0].span, parts[0])

    def domain_yes_no(self, meta: Meta, parts: list[Any]) -> n.YesNoDomain:
        return n.YesNoDomain(self._at(meta))

    def domain_faces(self, meta: Meta, parts: list[Any]) -> n.FacesDomain:
        return n.FacesDomain(self._at(meta))

    def domain_one_of(self, meta: Meta, parts: list[Any]) -> n.OneOfDomain:
        return n.OneOfDomain(self._at(meta), tuple(parts))

    def domain_option(self, meta: Meta, parts: list[Any]) -> Any:
        return self._word(parts[0]) if isinstance(parts[0], Token) else parts[0]

    def domain_list(self, meta: Meta, parts: list[Any]) -> n.ListDomain:
        return n.ListDomain(self._at(meta), parts[0])

    def domain_levels(self, meta: Meta, parts: list[Any]) -> n.LevelsDomain:
        return n.LevelsDomain(self._at(meta), self._word(parts[0]))

    def range_between(self, meta: Meta, parts: list[Any]) -> n.Range:
        return n.Range(self._at(meta), parts[0], parts[1])

    def range_from(self, meta: Meta, parts: list[Any]) -> n.Range:
        return n.Range(self._at(meta), parts[0], None)

    def range_to(self, meta: Meta, parts: list[Any]) -> n.Range:
        return n.Range(self._at(meta), None, parts[0])

    def range_any(self, meta: Meta, parts: list[Any]) -> n.Range:
        return n.Range(self._at(meta), None, None)

    def limit(self, meta: Meta, parts: list[Any]) -> n.Limit:
        return n.Limit(self._at(meta), self._text(parts[0]), parts[1])

    def roll(self, meta: Meta, parts: list[Any]) -> n.Roll:
        name, throw, condition = parts
        return n.Roll(self._at(meta), self._word(name), (n.RollCase(throw.span, throw, condition),))

    def roll_cases(self, meta: Meta, parts: list[Any]) -> n.Roll:
        return n.Roll(self._at(meta), self._word(parts[0]), tuple(parts[1:]))

    def roll_case(self, meta: Meta, parts: list[Any]) -> n.RollCase:
        return n.RollCase(self._at(meta), parts[0], self._condition(parts[1]))

    def _condition(self, part: Any) -> Any:
        """None for the token `otherwise`."""
        return None if isinstance(part, Token) else part

    def define(self, meta: Meta, parts: list[Any]) -> n.Define:
        return n.Define(self._at(meta), self._word(parts[0]), parts[1])

    define_cases = define

    def cases(self, meta: Meta, parts: list[Any]) -> n.Cases:
        return n.Cases(self._at(meta), tuple(parts))

    def case(self, meta: Meta, parts: list[Any]) -> n.Case:
        return n.Case(self._at(meta), parts[0], self._condition(parts[1]))

    def choice(self, meta: Meta, parts: list[Any]) -> n.Choice:
        name, domain, condition, policy, text = parts
        return n.Choice(self._at(meta), self._word(name), domain, condition, policy, self._text(text))

    def choice_range(self, meta: Meta, parts: list[Any]) -> n.Range:
        only: n.Range = parts[0]
        return only

    def choice_dice(self, meta: Meta, parts: list[Any]) -> n.DiceOfChoice:
        return n.DiceOfChoice(self._at(meta), parts[0])

    choice_one_of = domain_one_of

    def policy_word(self, meta: Meta, parts: list[Any]) -> n.Policy:
        word: Any = str(parts[0])
        return n.Policy(self._at(meta), word)

    def policy_best_for(self, meta: Meta, parts: list[Any]) -> n.Policy:
        return n.Policy(self._at(meta), "best", parts[0])

    def policy_worst_for(self, meta: Meta, parts: list[Any]) -> n.Policy:
        return n.Policy(self._at(meta), "worst", parts[0])

    def policy_value(self, meta: Meta, parts: list[Any]) -> n.Policy:
        return n.Policy(self._at(meta), "value", parts[0])

    def track(self, meta: Meta, parts: list[Any]) -> n.Track:
        return n.Track(self._at(meta), self._word(parts[0]), parts[1], parts[2])

    def block(self, meta: Meta, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    def repeat_until(self, meta: Meta, parts: list[Any]) -> n.Repeat:
        return n.Repeat(self._at(meta), parts[0], None, parts[1], parts[2])

    def repeat_times(self, meta: Meta, parts: list[Any]) -> n.Repeat:
        return n.Repeat(self._at(meta), parts[1], parts[0], None, parts[2])

    def update(self, meta: Meta, parts: list[Any]) -> n.Update:
        name, operator, value, *condition = parts
        word: Any = str(operator)
        return n.Update(self._at(meta), self._word(name), word, value, condition[0] if condition else None)

    update_if = update_cases = update

    def update_conditional(self, meta: Meta, parts: list[Any]) -> n.Update:
        name, operator, value, condition, _, other = parts
        span = value.span.to(other.span)
        return self.update(meta, [name, operator, self._choose(span, value, condition, other)])

    def draw(self, meta: Meta, parts: list[Any]) -> n.Draw:
        name, number, bag, condition = parts
        return n.Draw(self._at(meta), self._word(name), number, self._word(bag), condition)

    def put_back(self, meta: Meta, parts: list[Any]) -> n.PutBack:
        return n.PutBack(self._at(meta), parts[0], parts[1])

    def flag(self, meta: Meta, parts: list[Any]) -> n.Flag:
        return n.Flag(self._at(meta), self._word(parts[0]), parts[1], self._text(parts[2]))

    def outcome(self, meta: Meta, parts: list[Any]) -> n.Outcome:
        return n.Outcome(self._at(meta), tuple(parts))

    def outcome_line(self, meta: Meta, parts: list[Any]) -> n.OutcomeLine:
        mark, label, condition, text = parts
        sign: Any = str(mark)
        return n.OutcomeLine(self._at(meta), sign, self._word(label), self._condition(condition), self._text(text))

    def outcome_as(self, meta: Meta, parts: list[Any]) -> n.OutcomeAs:
        rolled, *rest = parts
        condition, other = (rest[0], rest[2]) if rest else (None, None)
        return n.OutcomeAs(self._at(meta), rolled, condition, other)

    # ------------------------------------------------------------ throws

    def throw(self, meta: Meta, parts: list[Any]) -> n.Throw:
        return n.Throw(self._at(meta), parts[0], tuple(parts[1:]))

    def dice(self, meta: Meta, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    def plain_die(self, meta: Meta, parts: list[Any]) -> Any:
        return (self._dice(parts[0])[1], tuple(self._shorthand(part) for part in parts[1:]))

    def die_of(self, meta: Meta, parts: list[Any]) -> Any:
        return (parts[0], ())

    def named_die(self, meta: Meta, parts: list[Any]) -> Any:
        return (parts[0], ())

    def _kind(self, part: Any) -> Any:
        """A die's kind and the shorthand behind it."""
        return part if isinstance(part, tuple) else (part, ())

    def single_die(self, meta: Meta, parts: list[Any]) -> n.Dice:
        kind, modifiers = self._kind(parts[0])
        return n.Dice(self._at(meta), None, kind, modifiers)

    def counted_dice(self, meta: Meta, parts: list[Any]) -> n.Dice:
        kind, modifiers = self._kind(parts[1])
        return n.Dice(self._at(meta), parts[0], kind, modifiers)

    def short_dice(self, meta: Meta, parts: list[Any]) -> n.Dice:
        count, kind = self._dice(parts[0])
        return n.Dice(self._at(meta), count, kind, tuple(self._shorthand(part) for part in parts[1:]))

    def number_dice(self, meta: Meta, parts: list[Any]) -> n.Dice:
        token, kind = parts
        span = self._span(token)
        count = n.Number(self.source.span(span.start, span.end - 1), Fraction(token[:-1]))
        return n.Dice(self._at(meta), count, kind)

    def same_dice(self, meta: Meta, parts: list[Any]) -> n.SameDice:
        return n.SameDice(self._at(meta), parts[0])

    def rule_roll(self, meta: Meta, parts: list[Any]) -> n.RuleRoll:
        return n.RuleRoll(self._at(meta), parts[0], parts[1])

    def reroll_rule(self, meta: Meta, parts: list[Any]) -> n.RerollRule:
        return n.RerollRule(self._at(meta), parts[0])

    def die_sides(self, meta: Meta, parts: list[Any]) -> n.Sides:
        return n.Sides(self._at(meta), parts[0])

    def die_listed(self, meta: Meta, parts: list[Any]) -> n.Listed:
        return n.Listed(self._at(meta), tuple(parts))

    def keep(self, meta: Meta, parts: list[Any]) -> n.KeepDrop:
        word: Any = str(parts[0])
        which: Any = str(parts[1])
        return n.KeepDrop(self._at(meta), word, which, parts[2])

    def _options(self, parts: list[Any]) -> dict[str, Any]:
        """The options behind a modifier by name; writing one twice is an error."""
        found: dict[str, Any] = {}
        for name, value, span in parts:
            if name in found:
                raise RulesError.of("this is said twice", code="option-twice", span=span, hint="take one of them out")
            found[name] = value
        return found

    def once(self, meta: Meta, parts: list[Any]) -> Any:
        return ("at_most", n.Number(self._at(meta), Fraction(1)), self._at(meta))

    def at_most(self, meta: Meta, parts: list[Any]) -> Any:
        return ("at_most", parts[0], self._at(meta))

    def in_at_most(self, meta: Meta, parts: list[Any]) -> Any:
        return ("in_at_most", parts[0], self._at(meta))

    def rolling(self, meta: Meta, parts: list[Any]) -> Any:
        kind, shorthand = self._kind(parts[0])
        if shorthand:
            raise RulesError.of("the die that is added bears no modifiers", code="modifier-on-rolling", span=shorthand[0].span, hint="take it out")
        return ("rolling", kind, self._at(meta))

    def adding(self, meta: Meta, parts: list[Any]) -> Any:
        return ("adding", True, self._at(meta))

    def explode(self, meta: Meta, parts: list[Any]) -> n.Explode:
        options = self._options(parts[1:])
        return n.Explode(self._at(meta), parts[0], options.get("at_most"), options.get("rolling"), options.get("adding", False))

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
        asked: Any = str(parts[0])
        operator: Any = str(parts[1])
        return n.GroupNumber(self._at(meta), asked, operator, parts[2])

    def advantage(self, meta: Meta, parts: list[Any]) -> n.Advantage:
        return n.Advantage(self._at(meta), parts[0], parts[1])

    def against(self, meta: Meta, parts: list[Any]) -> n.Against:
        return n.Against(self._at(meta), parts[0])

    def arguments(self, meta: Meta, parts: list[Any]) -> tuple[n.Argument, ...]:
        return tuple(part for part in parts if part is not None)

    def argument(self, meta: Meta, parts: list[Any]) -> n.Argument:
        return n.Argument(self._at(meta), parts[0], parts[1])

    # ------------------------------------------------------------ expressions

    def conditional(self, meta: Meta, parts: list[Any]) -> n.Cases:
        value, condition, _, other = parts
        return self._choose(self._at(meta), value, condition, other)

    def _choose(self, span: Span, value: Any, condition: Any, other: Any) -> n.Cases:
        cases = (n.Case(value.span.to(condition.span), value, condition), n.Case(other.span, other, None))
        chosen: n.Cases = self._deep(n.Cases(span, cases), value, condition, other)
        return chosen

    def showing(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Showing(self._at(meta), parts[0], parts[1]), parts[0])

    def cancelled(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Cancelled(self._at(meta), parts[0], parts[1], parts[2]), *parts)

    def with_each(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.WithEach(self._at(meta), parts[0], parts[1]), *parts)

    def for_each(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.ForEach(self._at(meta), parts[0], parts[1]), *parts)

    def _binary(operator: Any = None) -> Callable[..., Any]:  # type: ignore[misc]
        def build(self: Builder, meta: Meta, parts: list[Any]) -> Any:
            left, *sign, right = parts
            word: Any = operator or str(sign[0])
            return self._deep(n.Binary(self._at(meta), word, left, right), left, right)

        return build

    binary = _binary()
    or_ = _binary("or")
    and_ = _binary("and")

    def _unary(operator: Any) -> Callable[..., Any]:  # type: ignore[misc]
        def build(self: Builder, meta: Meta, parts: list[Any]) -> Any:
            return self._deep(n.Unary(self._at(meta), operator, parts[-1]), parts[-1])

        return build

    not_ = _unary("not")
    negative = _unary("-")
    positive = _unary("+")

    def compare(self, meta: Meta, parts: list[Any]) -> Any:
        operator: Any = str(parts[1])
        return self._deep(n.Compare(self._at(meta), operator, parts[0], parts[2]), parts[0], parts[2])

    def in_faces(self, meta: Meta, parts: list[Any]) -> Any:
        faces = parts[1] if isinstance(parts[1], n.Faces) else n.Faces(parts[1].span, (parts[1],), False)
        return self._deep(n.InFaces(self._at(meta), parts[0], faces), parts[0])

    def is_label(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.IsLabel(self._at(meta), parts[0], parts[2], parts[1] is not None), parts[0])

    def labels(self, meta: Meta, parts: list[Token]) -> tuple[n.Word, ...]:
        return () if parts[0].type == "NONE" else tuple(self._word(part) for part in parts)

    def outranks(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Outranks(self._at(meta), parts[0], parts[1]), *parts)

    def number(self, meta: Meta, parts: list[Any]) -> n.Number:
        return n.Number(self._at(meta), self._value(parts[0]))

    def _value(self, token: Token) -> Fraction:
        if len(token) > 1000:
            raise RulesError.of(f"a number of {len(token)} digits", code="too-long", span=self._span(token), hint="write it as a power or a product")
        return Fraction(token[:-1]) / 100 if token.type == "PERCENT" else Fraction(token)

    def number_literal(self, meta: Meta, parts: list[Any]) -> n.Number:
        tokens = [part for part in parts if part is not None]
        numbers = [self._value(token) for token in tokens if token.type in ("NUMBER", "PERCENT")]
        if len(numbers) == 2 and numbers[1] == 0:
            raise RulesError.of("division by zero", code="division-by-zero", span=self._at(meta))
        value = numbers[0] / numbers[1] if len(numbers) == 2 else numbers[0]
        return n.Number(self._at(meta), -value if tokens[0].type == "MINUS" else value)

    def yes_no(self, meta: Meta, parts: list[Any]) -> n.YesNo:
        return n.YesNo(self._at(meta), parts[0].type == "YES")

    def none(self, meta: Meta, parts: list[Any]) -> n.Nothing:
        return n.Nothing(self._at(meta))

    def name(self, meta: Meta, parts: list[Any]) -> n.Name:
        return n.Name(self._at(meta), tuple(str(part) for part in parts))

    def list_of(self, meta: Meta, parts: list[Any]) -> n.List:
        items = tuple(part for part in parts if part is not None)
        built: n.List = self._deep(n.List(self._at(meta), items), *items)
        return built

    def function(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Function(self._at(meta), str(parts[0]), tuple(parts[1:])), *parts[1:])

    def bracket(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Bracket(self._at(meta), parts[0]), parts[0])

    def part(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.RowPart(self._at(meta), parts[0], self._word(parts[1])), parts[0])

    def lookup(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Lookup(self._at(meta), parts[0], parts[1]), parts[1])

    # ------------------------------------------------------------ questions and faces

    def ask(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Question(self._at(meta), ASKED[parts[0].type], parts[1]), parts[1])

    def ask_faces(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Question(self._at(meta), ASKED[parts[0].type], parts[2], faces=parts[1]), parts[2])

    def ask_number(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.Question(self._at(meta), ASKED[parts[0].type], parts[2], number=parts[1]), parts[2], parts[1])

    def ask_two(self, meta: Meta, parts: list[Any]) -> Any:
        return self._deep(n.WinsOf(self._at(meta), parts[0], parts[1]), *parts)

    def faces(self, meta: Meta, parts: list[Any]) -> n.Faces:
        return n.Faces(self._at(meta), tuple(parts[1:]), parts[0] is not None)

    def face_one(self, meta: Meta, parts: list[Any]) -> Any:
        return parts[0]

    face_between = range_between
    face_from = range_from
    face_to = range_to

    def face_compare(self, meta: Meta, parts: list[Any]) -> n.FaceCompare:
        operator: Any = str(parts[0])
        return n.FaceCompare(self._at(meta), operator, parts[1])

    def face_even(self, meta: Meta, parts: list[Any]) -> n.FaceParity:
        return n.FaceParity(self._at(meta), False)

    def face_odd(self, meta: Meta, parts: list[Any]) -> n.FaceParity:
        return n.FaceParity(self._at(meta), True)

    # ------------------------------------------------------------ examples

    def example_dice(self, meta: Meta, parts: list[Any]) -> n.ExampleDice:
        return n.ExampleDice(self._at(meta), parts[0], tuple(parts[1:]))

    def example_choose(self, meta: Meta, parts: list[Any]) -> n.ExampleChoose:
        return n.ExampleChoose(self._at(meta), parts[0], parts[1])

    def example_set(self, meta: Meta, parts: list[Any]) -> n.ExampleSet:
        return n.ExampleSet(self._at(meta), self._word(parts[0]), self._setting_value(parts[1]))

    def example_roll(self, meta: Meta, parts: list[Any]) -> n.ExampleRoll:
        return n.ExampleRoll(self._at(meta), parts[0], parts[1] or ())

    def expect(self, meta: Meta, parts: list[Any]) -> n.Expect:
        (measure, condition, operator, wanted), within = parts
        return n.Expect(self._at(meta), condition, measure, operator, wanted, within)

    def expect_true(self, meta: Meta, parts: list[Any]) -> Any:
        return (None, parts[0], None, None)

    def _measured(measure: str) -> Callable[..., Any]:  # type: ignore[misc]
        def build(self: Builder, meta: Meta, parts: list[Any]) -> Any:
            return (measure, parts[1], str(parts[2]), parts[3])

        return build

    expect_chance = _measured("chance")
    expect_mean = _measured("mean")
