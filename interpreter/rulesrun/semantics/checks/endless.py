"""Explosions, rerolls and repeated throws that can never end, as far as that is known before rolling."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rulesrun.diagnostics import Diagnostic
from rulesrun.record import changed
from rulesrun.semantics import plan
from rulesrun.semantics.borne import as_number, number_on
from rulesrun.semantics.constants import fits, is_literal, literal_number
from rulesrun.semantics.facts import MAX_FACES, Facts, Possible, faces_of
from rulesrun.semantics.messages import dice as say
from rulesrun.semantics.plan import Number
from rulesrun.semantics.renaming import parts

from .checked import Checked, own_parts


def never_ending(checked: Checked) -> Iterator[Diagnostic]:
    """All throws of the rules and of dice that are rolled themselves."""
    empty = Facts(checked.world.tables, checked.world.settings)
    for die in checked.world.dice.values():
        if isinstance(die, plan.RolledDie):
            yield from _in_throw(die.throw, empty)
    for lines in checked.read.values():
        for own in own_parts(lines.steps):
            for part in parts(own):
                if isinstance(part, plan.Draw):
                    for case in part.cases:
                        yield from _in_throw(case.throw, lines.facts)


def _in_throw(throw: plan.Throw, facts: Facts) -> Iterator[Diagnostic]:
    groups = [_faces(group, facts) for group in throw.groups]
    for group, faces in zip(throw.groups, groups, strict=True):
        if isinstance(group, plan.Dice):
            for modifier in group.modifiers:
                yield from _endless(modifier, [faces])
    for index, modifier in enumerate(throw.modifiers):
        yield from _endless(modifier, groups)
        if (
            isinstance(modifier, plan.Again)
            and modifier.limit is None
            and _always(modifier.condition, throw, groups, index == 0)
        ):
            yield say.again_never_ends(modifier.span)


def _faces(group: plan.Group, facts: Facts) -> Possible | None:
    return facts.of_throw(plan.Throw(group.span, (_bare(group),), ())).faces


def _bare(group: plan.Group) -> plan.Group:
    return changed(group, modifiers=()) if isinstance(group, plan.Dice) else group


def _endless(modifier: plan.Modifier, groups: list[Possible | None]) -> Iterator[Diagnostic]:
    match modifier:
        case plan.Explode(faces=faces, limit=None, rolling=None):
            if any(_all_fit(faces, shown) for shown in groups):
                yield say.never_ends(modifier.span, "explodes", "all its faces explode")
        case plan.Explode(faces=faces, limit=None, rolling=plan.Sides() | plan.Faces() as rolling):
            if _all_fit(faces, faces_of(rolling)):
                yield say.never_ends(modifier.span, "that is added explodes", "all its faces explode")
            elif (many := literal_number(modifier.many)) is not None and many * _share(faces, rolling) > 1:
                yield say.ever_more_dice(modifier.span)
        case plan.Reroll(faces=faces, limit=None):
            if any(_all_fit(faces, shown) for shown in groups):
                yield say.never_ends(modifier.span, "is rerolled", "all its faces are rerolled")
        case _:
            pass


def _share(faces: plan.FaceSet | None, kind: plan.Sides | plan.Faces) -> Fraction:
    """The chance that a die shows one of the faces (None: its top face), as far as that is known."""
    shown = faces_of(kind)
    if not shown or len(shown) > MAX_FACES or (faces is not None and not is_literal(faces)):
        return Fraction(0)
    weights = dict(kind.faces) if isinstance(kind, plan.Faces) else dict.fromkeys(shown, 1)
    top = max((number for face in shown if (number := number_on(face)) is not None), default=None)
    fitting = [face for face in weights if (number_on(face) == top if faces is None else fits(faces, face) is True)]
    return Fraction(sum(weights[face] for face in fitting), sum(weights.values()))


def _all_fit(faces: plan.FaceSet | None, shown: Possible | None) -> bool:
    """Whether a die can show no other face; `faces` None means its top face."""
    if not shown:
        return False
    if faces is None:
        return len({number_on(face) for face in shown} if len(shown) <= MAX_FACES else shown) == 1
    if not is_literal(faces):
        return False
    if len(shown) <= MAX_FACES:
        return all(fits(faces, face) is True for face in shown)
    ends = (1, len(shown))
    whole = [each for each in faces.alternatives if isinstance(each, plan.FaceBetween | plan.FaceCompare)]
    return not faces.negated and any(
        all(fits(plan.FaceSet(faces.span, (each,), False), end) is True for end in ends) for each in whole
    )


def _always(condition: plan.Expression, throw: plan.Throw, groups: list[Possible | None], first: bool) -> bool:
    """Whether the condition of `again` holds whatever the newest group shows."""
    known = [shown for shown in groups if shown is not None and 0 < len(shown) <= MAX_FACES]
    if len(known) < len(groups):
        return False
    match condition:
        case plan.Question(asked="any" | "all", faces=plan.FaceSet() as faces):
            return _thrown(throw) and all(_all_fit(faces, shown) for shown in known)
        case plan.Question(asked="none", faces=plan.FaceSet() as faces):
            return is_literal(faces) and all(fits(faces, face) is False for shown in known for face in shown)
        case plan.Question(asked="all_equal"):
            return len({as_number(face) for shown in known for face in shown}) == 1 and _lowest_count(throw) >= 2
        case plan.Compare(operator=operator, left=plan.Question(asked=asked), right=right) if first:
            ends = _ends(asked, throw, known)
            bound = literal_number(right)
            return ends is not None and bound is not None and _holds_between(operator, *ends, bound)
        case _:
            return False


def _lowest_count(throw: plan.Throw) -> int:
    counts = [
        1 if group.count is None else literal_number(group.count) or 0
        for group in throw.groups
        if isinstance(group, plan.Dice)
    ]
    return sum(int(each) for each in counts)


def _thrown(throw: plan.Throw) -> bool:
    return _lowest_count(throw) > 0


def _ends(asked: str, throw: plan.Throw, groups: list[Possible]) -> tuple[Number, Number] | None:
    """The lowest and highest answer that the group can give."""
    low: list[Number] = []
    high: list[Number] = []
    for group, shown in zip(throw.groups, groups, strict=True):
        if not isinstance(group, plan.Dice) or group.modifiers:
            return None
        count = 1 if group.count is None else literal_number(group.count)
        numbers = [number for face in shown if (number := number_on(face)) is not None]
        if not count or len(numbers) < len(shown):
            return None
        times = count if asked == "sum" else 1
        low.append(min(numbers) * times)
        high.append(max(numbers) * times)
    if asked == "sum":
        return sum(low), sum(high)
    return (max(low), max(high)) if asked == "highest" else (min(low), min(high))


def _holds_between(operator: str, low: Number, high: Number, bound: Number) -> bool:
    match operator:
        case ">=":
            return low >= bound
        case ">":
            return low > bound
        case "<=":
            return high <= bound
        case "<":
            return high < bound
        case "=":
            return low == high == bound
        case _:
            return bound < low or bound > high
