"""Pools and the questions asked of them."""

from __future__ import annotations

from typing import Literal

from rulesrun.diagnostics import Span
from rulesrun.record import changed
from rulesrun.syntax import nodes as n

from . import plan
from .borne import number_on
from .faces import ReadsFaces
from .facts import Fact, symbols_alone
from .messages import kinds as say
from .plan import Kind

GIVES_DICE = ("natural", "symbols", "highest_n", "lowest_n", "die_n")
YES_OR_NO = ("any", "all", "none", "all_equal")
NEEDS_NUMBERS = ("groups", "sum", "highest", "lowest", "middle", "longest_run")
ABOUT_NUMBERS = (
    "all_equal", "distinct", "largest_set", "face_of_largest_set", "longest_run", "sets", "groups", "highest", "lowest",
    "middle",
)  # fmt: skip
"""What is asked of the numbers alone, where faces bear symbols beside them; a sum reads numbers in any case."""
DIE_WORDS = {word: word for word in ("die", "target", "sides")}


class ReadsQuestions(ReadsFaces):
    """Faces, and pools that are asked, narrowed or changed."""

    def pool(self, node: n.Expression, numbers: bool = False) -> plan.Expression:
        """Dice, or a list; with `numbers` neither symbols nor labels."""
        found = self.expression(node)
        if found.kind not in (Kind.POOL, Kind.LIST):
            raise self.refuse(say.wrong_kind(node.span, node.span.text, found.kind, Kind.POOL))
        fact = self.facts.of(found)
        if found.kind is Kind.LIST:
            if fact.items not in (None, Kind.NUMBER):
                raise self.refuse(say.list_of_others(node.span, node.span.text, fact.items))
            if found.optional:
                self.warn(say.maybe_none(node.span, node.span.text))
        elif numbers:
            self._bears_numbers(node, fact)
        return found

    def taken_from(self, node: n.Expression, whole: Span) -> plan.Expression:
        """Dice, or a list, of which `whole` makes others."""
        if isinstance(node, n.Question) and node.asked not in GIVES_DICE:
            self.expression(node)
            raise self.refuse(say.asked_before(node.span, node.pool.span, whole))
        return self.pool(node)

    def _bears_numbers(self, node: n.Expression, shown: Fact) -> None:
        symbols = sorted(symbols_alone(shown.faces))
        if not symbols:
            return
        at, text = node.span, node.span.text
        if any(face in shown.lying for face in shown.faces or ()):
            raise self.refuse(say.not_thrown_yet(at, text, symbols))
        numbered = any(number_on(face) is not None for face in shown.faces or ())
        raise self.refuse(say.symbols_as_numbers(at, text, symbols, numbered))

    def numbers_of(self, pool: plan.Expression) -> plan.Expression:
        """The pool without the symbols that may stand beside the numbers of its faces."""
        return self._read_as("number", pool) if self._may_be_marked(pool) else pool

    def _may_be_marked(self, pool: plan.Expression) -> bool:
        return self.world.marked and pool.kind is Kind.POOL and not self.facts.of(pool).unmarked

    def _read_as(self, word: Literal["number", "symbols"], pool: plan.Expression) -> plan.Expression:
        each = plan.Each(pool.span, Kind.NUMBER, False, word)
        return plan.WithEach(pool.span, Kind.POOL, False, pool, each)

    def words_of(self, pool: plan.Expression, word: str = "die") -> dict[str, str]:
        """What `die` (or the word that stands for it), `target` and `sides` mean of each of these dice."""
        beside = {"target": "target", "sides": "sides"} if pool.kind is Kind.POOL else {}
        return beside | {word: self._face_word(pool)}

    def _face_word(self, pool: plan.Expression) -> Literal["die", "number", "symbols"]:
        """What the word for a die is: its face, the number on it, or symbols that are no number."""
        if pool.kind is Kind.POOL and symbols_alone(self.facts.of(pool).faces):
            return "symbols"
        return "number" if self._may_be_marked(pool) else "die"

    def dice(self, node: n.Expression) -> plan.Expression:
        """Dice, not a list."""
        found = self.expression(node)
        if found.kind is not Kind.POOL:
            raise self.refuse(say.not_dice(node.span, found.kind))
        return found

    def question(self, node: n.Question) -> plan.Expression:
        """A question to a pool, or a smaller pool."""
        numbers = node.asked in NEEDS_NUMBERS or node.asked in ("highest_n", "lowest_n", "die_n")
        if node.number is not None:
            pool, number = self.all_of(lambda: self.pool(node.pool, numbers), lambda: self.count(node.number))
        else:
            pool, number = self.pool(node.pool, numbers), None
        match node.asked:
            case "natural":
                if pool.kind is Kind.LIST:
                    raise self.refuse(say.not_dice(node.pool.span, pool.kind))
                return plan.Natural(node.span, Kind.POOL, False, pool)
            case "symbols":
                if pool.kind is Kind.LIST:
                    raise self.refuse(say.not_dice(node.pool.span, pool.kind))
                return changed(self._read_as("symbols", pool), span=node.span)
            case "highest_n" | "lowest_n" | "die_n":
                assert number is not None
                which = {"highest_n": "highest", "lowest_n": "lowest", "die_n": "nth"}[node.asked]
                return plan.Select(node.span, Kind.POOL, False, which, number, pool)  # type: ignore[arg-type]
            case asked:
                kind = Kind.YES_NO if asked in YES_OR_NO else Kind.NUMBER
                shown = None if asked in ("sets", "groups") else self.facts.of(pool).faces
                faces = None if node.faces is None else self.faces(node.faces, shown)
                pool = self.numbers_of(pool) if asked in ABOUT_NUMBERS else pool
                return plan.Question(node.span, kind, False, asked, pool, faces)

    def count(self, node: n.Expression | None) -> plan.Expression:
        """A number of dice: not one that is only approximate."""
        assert node is not None
        return self.exact(self.number(node), node.span)

    def exact(self, value: plan.Expression, at: Span) -> plan.Expression:
        """The value, if it may decide a roll."""
        if self.facts.of(value).approximate:
            raise self.refuse(say.approximate_decides(at, at.text))
        return value

    def union(self, span: Span, left: plan.Expression, right: plan.Expression) -> plan.Expression:
        """Two pools together."""
        return plan.Union(span, Kind.POOL, False, left, right)

    def wins(self, node: n.WinsOf) -> plan.Expression:
        """`wins of A over B`."""
        left, right = self.all_of(lambda: self.pool(node.left, True), lambda: self.pool(node.right, True))
        return plan.WinsOf(node.span, Kind.NUMBER, False, self.numbers_of(left), self.numbers_of(right))

    def outranks(self, node: n.Outranks) -> plan.Expression:
        """`A outranks B`."""
        left, right = self.all_of(lambda: self.pool(node.left, True), lambda: self.pool(node.right, True))
        return plan.Outranks(node.span, Kind.YES_NO, False, self.numbers_of(left), self.numbers_of(right))

    def showing(self, node: n.Showing) -> plan.Expression:
        """`POOL showing FACES`."""
        pool = self.taken_from(node.pool, node.span)
        return plan.Showing(node.span, Kind.POOL, False, pool, self.faces(node.faces, self.facts.of(pool).faces))

    def cancelled(self, node: n.Cancelled) -> plan.Expression:
        """`A cancelled by B when CONDITION`."""
        pool, by = self.all_of(lambda: self.taken_from(node.pool, node.span), lambda: self.pool(node.by))
        when = None
        if node.when is not None:
            other = f"other {self._face_word(by)}".removesuffix(" die")
            with self.each_die(self.words_of(pool) | {"other": other}, node.when.span, pool, by):
                when = self.condition(node.when)
        return plan.Cancelled(node.span, Kind.POOL, False, pool, by, when)

    def without(self, node: n.Without) -> plan.Expression:
        """`POOL without OTHERS`."""
        pool, gone = self.all_of(lambda: self.dice(node.pool), lambda: self.dice(node.gone))
        return plan.Without(node.span, Kind.POOL, False, pool, gone)

    def where_each(self, node: n.Where) -> plan.Expression:
        """`POOL where CONDITION`."""
        pool = self.taken_from(node.pool, node.span)
        with self.each_die(DIE_WORDS | self.words_of(pool), node.condition.span, pool):
            condition = self.condition(node.condition)
        return plan.Where(node.span, Kind.POOL, False, pool, condition)

    def with_each(self, node: n.WithEach) -> plan.Expression:
        """`POOL with each die as VALUE`; of a list or a range, a list."""
        if isinstance(node.pool, n.Range):
            low, high = self.all_of(lambda: self.count(node.pool.low), lambda: self.count(node.pool.high))  # type: ignore[union-attr]
            pool: plan.Expression = plan.NumbersBetween(node.pool.span, Kind.LIST, False, low, high)
        else:
            pool = self.taken_from(node.pool, node.span)
        with self.each_die(DIE_WORDS | self.words_of(pool), node.changed.span, pool):
            face = self.number(node.changed)
        return plan.WithEach(node.span, Kind.POOL, False, pool, face)

    def for_each(self, node: n.ForEach) -> plan.Expression:
        """`for each WORD in POOL: VALUE`, also over a list or a range."""
        over: plan.Expression | tuple[plan.Expression, plan.Expression]
        if isinstance(node.over, n.Range):
            low, high = self.all_of(lambda: self.count(node.over.low), lambda: self.count(node.over.high))  # type: ignore[union-attr]
            over = (low, high)
        else:
            over = self.pool(node.over)
        words = {node.word: "die"} if isinstance(over, tuple) else self.words_of(over, node.word)
        with self.each_die(words, node.each.span, *(() if isinstance(over, tuple) else (over,))):
            each = self.number(node.each)
        return plan.ForEach(node.span, Kind.NUMBER, False, over, each)
