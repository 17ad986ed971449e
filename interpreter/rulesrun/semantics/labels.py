"""Labels: `is`, `is not`, the outcomes of rolled rules, and the words that are taken for labels by mistake."""

from __future__ import annotations

from rulesrun.diagnostics import Diagnostic
from rulesrun.syntax import nodes as n

from . import plan
from .facts import symbols_of
from .messages import kinds as say
from .messages import names as say_names
from .plan import Kind
from .questions import ReadsQuestions

WHOLE = ("die", "other", "number", "other number", "symbols", "other symbols")
"""What the words may mean that stand for a whole die."""


class ReadsLabels(ReadsQuestions):
    """Questions, and comparisons with labels."""

    def _is_label(self, node: n.IsLabel) -> plan.Expression:
        if (
            isinstance(node.left, n.Name)
            and self.each.get(node.left.text) in WHOLE
            and node.labels
            and (self.world.symbols or any(map(symbols_of, self.each_shown)))
        ):
            return self._bears(node, self.each[node.left.text])
        left, good = self._labelled(node.left)
        if not node.labels:
            operator = "!=" if node.negated else "="
            none = plan.Const(node.span, Kind.NONE, True, None)
            return plan.Compare(node.span, Kind.YES_NO, False, operator, left, none)  # type: ignore[arg-type]
        fact = self.facts.of(left)
        if left.kind is Kind.NUMBER and fact.levels is not None:
            return self._is_level(node, left, fact.levels)
        if left.kind not in (Kind.LABEL, Kind.ROW, Kind.TEXT, Kind.NONE):
            raise self.refuse(
                say.is_of_other(node.span, node.left.span, node.left.span.text, left.kind, node.labels[0].text)
            )
        known = fact.labels if left.kind is Kind.LABEL else None
        labels: set[str] = set()
        for word in node.labels:
            if good is not None and word.text == "good" and (known is None or "good" not in known):
                labels |= good
                continue
            if known is not None and word.text not in known:
                raise self.refuse(self._never(node, word, known))
            labels.add(word.text)
        found: plan.Expression = plan.IsLabel(node.span, Kind.YES_NO, False, left, frozenset(labels))
        return plan.Not(node.span, Kind.YES_NO, False, found) if node.negated else found

    def _bears(self, node: n.IsLabel, word: str) -> plan.Expression:
        """`die is heart`: whether the die's face bears the symbol."""
        is_other = word.startswith("other")
        shown = dict(enumerate(self.each_shown)).get(int(is_other))
        faces = self.symbol_faces(node.labels, shown, node.labels[0].span.to(node.labels[-1].span))
        die = plan.Each(node.left.span, Kind.NUMBER, False, "other" if is_other else "die")
        found: plan.Expression = plan.InFaces(node.span, Kind.YES_NO, False, die, faces)
        return plan.Not(node.span, Kind.YES_NO, False, found) if node.negated else found

    def _labelled(self, node: n.Expression) -> tuple[plan.Expression, frozenset[str] | None]:
        """What is compared with labels, and the good ones among its labels if it is an outcome."""
        if isinstance(node, n.Name) and node.text in self.rolled and self.lookup(node) is None:
            rolled = self.rolled[node.text]
            if f"{node.text}.outcome" not in self.names:
                raise self.refuse(say.no_outcome(node.span, node.text, rolled.rule))
            found = self.means(n.Name(node.span, (*node.parts, "outcome")))
            return found, frozenset(each.label for each in rolled.rule.outcomes if each.good)
        found = self.expression(node)
        if isinstance(found, plan.Var) and found.name == "outcome" and self.names["outcome"].what == "outcome":
            return found, frozenset(each.label for each in self.outcomes if each.good)
        return found, None

    def _never(self, node: n.IsLabel, word: n.Word, known: frozenset[str]) -> Diagnostic:
        if isinstance(node.left, n.Name) and f"{node.left.text}.{word.text}" in self.names:
            return say.flag_as_label(word.span, node.left.text, word.text)
        return say_names.never_label(word.span, word.text, node.left.span.text, sorted(known))

    def _is_level(self, node: n.IsLabel, left: plan.Expression, name: str) -> plan.Expression:
        levels = self.world.levels[name]
        tests: list[plan.Expression] = []
        for word in node.labels:
            if word.text not in levels:
                raise self.refuse(say_names.never_label(word.span, word.text, node.left.span.text, sorted(levels)))
            number = plan.Const(word.span, Kind.NUMBER, False, levels[word.text])
            tests.append(plan.Compare(node.span, Kind.YES_NO, False, "=", left, number))
        found = tests[0]
        for each in tests[1:]:
            found = plan.Or(node.span, Kind.YES_NO, False, found, each)
        return plan.Not(node.span, Kind.YES_NO, False, found) if node.negated else found

    def _no_labels_in_faces(self, node: n.InFaces) -> None:
        """`training in (focus or specialty)`, where `is` is meant."""
        named = [each for each in node.faces.alternatives if isinstance(each, n.Name) and not self._faces_setting(each)]
        words = [each for each in named if self._is_unknown(each)]
        if words and all(each.text in self.world.labels for each in words):
            raise self.refuse(say.label_in_faces(node.span, node.left.span.text, [each.text for each in words]))

    def _is_unknown(self, node: n.Name) -> bool:
        """Whether nothing is called so, neither above nor below."""
        return self.lookup(node) is None and node.text not in self.later
