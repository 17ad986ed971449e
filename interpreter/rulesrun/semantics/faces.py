"""Faces as a question, a modifier or `in` names them: numbers, ranges, symbols, settings, pools and lists."""

from __future__ import annotations

from rulesrun.diagnostics import Span
from rulesrun.record import changed
from rulesrun.suggestions import nearest
from rulesrun.syntax import nodes as n

from . import plan
from .constants import plain
from .facts import Possible, symbols_of
from .messages import kinds as say
from .names import Names
from .plan import Kind
from .renaming import of_setting
from .symbols import Stop

Alternative = plan.FaceIs | plan.FaceBetween | plan.FaceCompare | plan.FaceParity | plan.FaceWhole


class ReadsFaces(Names):
    """Names, and faces made of them."""

    def faces(self, node: n.Faces, shown: Possible | None = None) -> plan.FaceSet:
        """The faces that are named; `shown` are those of the dice that are asked, if known: their symbols come before
        names.
        """
        if len(node.alternatives) == 1 and (known := self._faces_setting(node.alternatives[0])):
            return changed(known, span=node.span, negated=known.negated != node.negated)
        found = self.all_of(*(lambda each=each: self._alternatives(each, shown) for each in node.alternatives))
        return plan.FaceSet(node.span, tuple(part for parts in found for part in parts), node.negated)

    def _faces_setting(self, node: object) -> plan.FaceSet | None:
        """The faces of a setting, where a bare name stands for one."""
        if (
            not isinstance(node, n.Name)
            or node.text in self.each
            or node.text in self.outer_words
            or node.text in self.names
            or node.text in self.broken
        ):
            return None
        setting = self.world.settings.get(node.text)
        if setting is None or not isinstance(setting.value, plan.FaceSet):
            return None
        self.world.used.add(node.text)
        return of_setting(setting.value, node.text)

    def _alternatives(self, node: object, shown: Possible | None) -> tuple[Alternative, ...]:
        match node:
            case n.Range(low=low, high=high):
                bounds = self.all_of(*(lambda each=each: self._bound(each) for each in (low, high)))
                return (plan.FaceBetween(bounds[0], bounds[1]),)
            case n.FaceCompare(operator=operator, bound=bound):
                return (plan.FaceCompare(operator, self.number(bound)),)
            case n.FaceParity(odd=odd):
                return (plan.FaceParity(odd),)
        if known := self._faces_setting(node):
            if known.negated:
                raise self.refuse(say.negated_setting(node.span, node.text))  # type: ignore[attr-defined]
            return known.alternatives
        if isinstance(node, n.FaceWhole):
            return (self._whole_face(node, shown),)
        return (self._face(node, shown),)  # type: ignore[arg-type]

    def _whole_face(self, node: n.FaceWhole, shown: Possible | None) -> plan.FaceWhole:
        """`12 & heart`, `success & advantage`: what stands before the first `&` is a symbol, or else a number."""
        first = None
        words = [(word.text, word.span) for word in node.words]
        if isinstance(node.first, n.Name) and self._is_symbol(node.first, shown):
            words.append((node.first.text, node.first.span))
        else:
            first = self.number(node.first)
        known = self.world.symbols | symbols_of(shown)
        for text, span in words:
            if text not in known:
                raise self.refuse(say.unknown_symbol(span, text, sorted(known), nearest(text, known)))
        return plan.FaceWhole(first, tuple(sorted(text for text, _ in words)))

    def _is_symbol(self, node: n.Name, shown: Possible | None) -> bool:
        return node.text in symbols_of(shown) or (self.lookup(node) is None and node.text in self.world.symbols)

    def symbol_faces(self, words: tuple[n.Word, ...], shown: Possible | None, span: Span) -> plan.FaceSet:
        """The faces that bear one of these symbols."""
        known = self.world.symbols | symbols_of(shown) | {"blank"}
        for word in words:
            if word.text not in known:
                named = known if shown is None or () in shown else known - {"blank"}
                raise self.refuse(say.unknown_symbol(word.span, word.text, sorted(named), nearest(word.text, named)))
        blank = {"blank": ""} if "blank" not in self.world.symbols else {}
        found = tuple(_symbol(word.span, blank.get(word.text, word.text)) for word in words)
        return plan.FaceSet(span, found, False)

    def _bound(self, node: n.Expression | None) -> plan.Expression | None:
        return None if node is None else self.number(node)

    def _face(self, node: n.Expression, shown: Possible | None) -> plan.FaceIs:
        symbols = symbols_of(shown)
        if isinstance(node, n.Name) and len(node.parts) == 1:
            if node.text in symbols:
                return _symbol(node.span, node.text)
            if self.lookup(node) is None:
                if node.text == "blank" and node.text not in self.later:
                    return _symbol(node.span, "")
                if node.text in self.world.symbols:
                    return _symbol(node.span, node.text)
                if symbols and node.text not in self.later:
                    raise self.refuse(
                        say.unknown_symbol(node.span, node.text, sorted(symbols), nearest(node.text, symbols))
                    )
        value = self.expression(node)
        if value.kind in (Kind.NUMBER, Kind.POOL, Kind.LIST):
            return plan.FaceIs(value)
        raise self.refuse(say.not_a_face(node.span, node.span.text, value.kind))


def _symbol(span: Span, word: str) -> plan.FaceIs:
    return plan.FaceIs(plan.Const(span, Kind.LABEL, False, word))


def constant_faces(span: Span, value: plan.Constant) -> plan.FaceSet:
    """The faces that a caller gives as a plain value: a number, a symbol, or several of them."""
    values = value if isinstance(value, tuple) else (value,)
    alternatives: list[plan.FaceIs] = []
    for each in values:
        if isinstance(each, str):
            alternatives.append(_symbol(span, each))
        elif each is None or isinstance(each, bool | tuple):
            raise Stop
        else:
            alternatives.append(plan.FaceIs(plan.Const(span, Kind.NUMBER, False, plain(each))))
    return plan.FaceSet(span, tuple(alternatives), False)
