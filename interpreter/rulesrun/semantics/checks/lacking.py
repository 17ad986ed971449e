"""Faces that are asked for though no die there shows them."""

from __future__ import annotations

from collections.abc import Iterator

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.semantics import plan
from rulesrun.semantics.borne import number_on, symbols_on
from rulesrun.semantics.constants import fits
from rulesrun.semantics.facts import MAX_FACES, Facts, Possible
from rulesrun.semantics.messages import dice as say
from rulesrun.semantics.renaming import parts

from .checked import Checked, own_parts


def faces_lacking(checked: Checked) -> Iterator[Diagnostic]:
    """Questions and modifiers that name faces no die of theirs has."""
    for lines in checked.read.values():
        for own in own_parts(lines.steps):
            for part in parts(own):
                match part:
                    case plan.Question(asked=asked, faces=plan.FaceSet() as faces, pool=pool) if asked not in (
                        "sets",
                        "groups",
                    ) and not isinstance(pool, plan.NewestGroup):
                        yield from _lacking(faces, lines.facts.of(pool).faces)
                    case plan.Showing(pool=pool, faces=faces):
                        yield from _lacking(faces, lines.facts.of(pool).faces)
                    case plan.Throw():
                        yield from _in_throw(part, lines.facts)
                    case _:
                        pass


def _in_throw(throw: plan.Throw, facts: Facts) -> Iterator[Diagnostic]:
    together = facts.of_throw(plan.Throw(throw.span, throw.groups, ())).faces
    for group in throw.groups:
        if isinstance(group, plan.Dice):
            alone = facts.of_throw(plan.Throw(throw.span, (plan.Dice(group.span, group.count, group.kind),), ())).faces
            yield from _in_modifiers(group.modifiers, alone)
    yield from _in_modifiers(throw.modifiers, together)


def _in_modifiers(modifiers: tuple[plan.Modifier, ...], shown: Possible | None) -> Iterator[Diagnostic]:
    for modifier in modifiers:
        match modifier:
            case plan.Explode(faces=plan.FaceSet() as faces) | plan.Reroll(faces=faces):
                yield from _lacking(faces, shown)
            case plan.Again(condition=plan.Question(faces=plan.FaceSet() as faces)):
                yield from _lacking(faces, shown)
            case _:
                pass
        if isinstance(modifier, plan.Explode) and (modifier.adding or modifier.rolling is not None):
            return


def _lacking(faces: plan.FaceSet, shown: Possible | None) -> Iterator[Diagnostic]:
    """The alternatives that fit no face."""
    if shown is None or len(shown) > MAX_FACES or not shown:
        return
    for alternative in faces.alternatives:
        only = plan.FaceSet(faces.span, (alternative,), False)
        if all(fits(only, face) is False for face in shown):
            at = _place(faces, alternative)
            yield say.face_lacking(at, at.text, _shown(shown))


def _place(faces: plan.FaceSet, alternative: object) -> Span:
    """Where an alternative stands; a setting's stands where the setting is named."""
    spans = [part.span for part in parts(alternative) if isinstance(part, plan.Expr)]
    inside = [
        span
        for span in spans
        if span.source is faces.span.source and faces.span.start <= span.start <= span.end <= faces.span.end
    ]
    if not inside or len(faces.alternatives) == 1:
        return faces.span
    return Span(faces.span.source, min(span.start for span in inside), max(span.end for span in inside))


def _shown(shown: Possible) -> str:
    if isinstance(shown, range):
        return f"1 to {len(shown)}"
    numbered = sorted((number, symbols_on(face)) for face in shown if (number := number_on(face)) is not None)
    words = [" & ".join(map(str, (number, *symbols))) for number, symbols in numbered]
    if len(words) < len(shown):
        words = sorted(
            {" & ".join(map(str, face)) or "blank" if isinstance(face, tuple) else str(face) for face in shown}
        )
    return ", ".join(words[:8]) + (", …" if len(words) > 8 else "")
