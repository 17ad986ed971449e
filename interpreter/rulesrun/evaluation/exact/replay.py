"""A throw followed draw by draw with the thrower that a roll uses: some faces known, all others tried in turn.

For throws with known faces whose dice do not stay independent. The cost is that of plain enumeration of the dice that
are not known; of an endless throw the ways that are less likely than 10^-12 are left out, and show as a tail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesrun.diagnostics import RulesError, Span
from rulesrun.dice.series import TooLarge
from rulesrun.evaluation import pools
from rulesrun.evaluation.draws import Draws, Numbered, Rolled, Shape
from rulesrun.evaluation.exact.listed_draw import Enumerated, Weights
from rulesrun.evaluation.exact.listing import ENDLESS_TAIL
from rulesrun.evaluation.exact.modifiers import explodes, never_ends
from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.sources import Look
from rulesrun.evaluation.exact.stage import Stage
from rulesrun.evaluation.faces import FaceTest
from rulesrun.evaluation.pools import Die, Pool, arranged
from rulesrun.evaluation.throws import (
    Advantage,
    Again,
    Against,
    Explode,
    Keep,
    Modifier,
    NewDice,
    Reroll,
    SameDice,
    Thrower,
)
from rulesrun.evaluation.values import face_text
from rulesrun.semantics import plan
from rulesrun.semantics.plan import Face

MOST_DRAWS = 400


class Open(Exception):
    """A face that is not known yet: its ways, as weights."""

    def __init__(self, weights: Sequence[int]) -> None:
        super().__init__(weights)
        self.weights = weights


class Replayed(Draws):
    """Draws whose first faces are known, and whose further ones are those of a script."""

    def __init__(self, known: Sequence[Face], script: Sequence[int]) -> None:
        super().__init__(lambda width: 0)
        self.left = list(known)
        self.script = list(reversed(script))

    def face(self, name: str, shape: Shape, span: Span | None) -> Face:
        if isinstance(shape, Rolled):
            return shape.roll(self, name)
        if isinstance(shape, Numbered):
            sides = shape.sides
            return self._face(name, LookShape(Look(tuple(range(1, sides + 1)), (1,) * sides, sides, None, shape.name)))
        assert isinstance(shape, LookShape)
        return self._face(name, shape)

    def _face(self, name: str, shape: LookShape) -> Face:
        if self.left:
            face = self.left.pop(0)
            if not shape.allows(face):
                raise impossible(face, shape.name, name, shape.described)
            return face
        faces: Any = shape.look.faces
        if len(faces) == 1:
            return faces[0]  # type: ignore[no-any-return]
        if not self.script:
            raise Open(shape.look.weights)
        return faces[self.script.pop()]  # type: ignore[no-any-return]

    def throw(self, name: str, shape: Shape, number: int, span: Span | None) -> Pool:
        faces = [self.face(name, shape, span) for _ in range(number)]
        return tuple([Die(face, shape.sides, None, shape.name, face) for face in faces])


def impossible(face: Face, die: str, name: str, described: str) -> RulesError:
    """The error for a known face that the die does not have."""
    return RulesError.of(
        f"{die} in {name} cannot show {face_text(face)}", code="impossible-face", hint=f"its faces are {described}"
    )


@dataclass(frozen=True, slots=True)
class LookShape:
    """A die of a look, as something to throw."""

    look: Look

    @property
    def name(self) -> str:
        return self.look.kind

    @property
    def sides(self) -> int | None:
        return self.look.sides

    def allows(self, face: Face) -> bool:
        return face in self.look.faces

    def first_faces(self, number: int) -> Sequence[Any]:
        return self.look.faces[:number]

    @property
    def described(self) -> str:
        return ", ".join(face_text(face) for face in self.look.faces)  # type: ignore[arg-type]


def shape_of_look(look: Look) -> Any:
    """The shape that bears a look's faces, weights and sides."""
    return LookShape(look)


@dataclass(frozen=True, slots=True)
class _Fits:
    """A set of faces as a thrower asks it: of a die, whether the face belongs."""

    stage: Stage
    die: Die
    look: Look | None
    """None of a die whose face is rolled."""

    def contains(self, face: Face) -> bool:
        return explodes(self.stage, self.die._replace(face=face), self.look)


def replayed(
    groups: Sequence[NewDice | SameDice], modifiers: Sequence[Modifier], name: str, known: list[Face], seen: Seen
) -> Enumerated:
    """All pools of a throw whose first faces are known; `known` loses those that are drawn."""
    found: Weights = {}
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    tries = 0
    left = known
    while waiting:
        script, weight = waiting.pop()
        tries += 1
        if tries > seen.algebra.budget:
            raise TooLarge(f"more than {seen.algebra.budget:,} ways in which the dice can fall")
        draws = Replayed(known, script)
        thrower = Thrower(draws, name, _shapes(groups, seen))
        try:
            pool = thrower.throw(groups, modifiers)
        except Open as open_:
            total = sum(open_.weights)
            for place, share in enumerate(open_.weights):
                chance = weight * Fraction(share, total)
                if chance >= ENDLESS_TAIL and len(script) < MOST_DRAWS:
                    waiting.append(((*script, place), chance))
            left = draws.left
            continue
        left = draws.left
        key = arranged(pool)
        found[key] = found.get(key, Fraction(0)) + weight
    known[:] = left
    seen.algebra.states += tries
    return Enumerated(found)


def _shapes(groups: Sequence[NewDice | SameDice], seen: Seen) -> Callable[[Die], Any]:
    """What is thrown for another die like this one."""
    rolled = {
        group.shape.name: group.shape
        for group in groups
        if isinstance(group, NewDice) and isinstance(group.shape, Rolled)
    }

    def shape(die: Die) -> Any:
        return rolled.get(die.kind) or shape_of_look(seen.algebra.kinds[die.kind, die.sides])

    return shape


def modifier_of(stage: Stage, seen: Seen) -> Modifier:
    """A modifier with its numbers known, as a thrower takes it."""
    at = stage.modifier
    match at:
        case plan.KeepDrop():
            return Keep(at.word, at.which, stage.number, at.span)
        case plan.Explode():
            shape = None if stage.look is None else shape_of_look(stage.look)
            return Explode(_test(stage, seen), stage.limit, shape, at.adding, stage.many, at.span)
        case plan.Reroll():
            return Reroll(_test(stage, seen), stage.limit, stage.dice, at.span)
        case plan.Again():
            assert stage.holds is not None
            return Again(_turns(stage.holds, stage.modifier), stage.limit, at.span)
        case plan.Advantage():
            return Advantage(stage.number, None, at.span)
        case plan.Against():
            assert stage.target is not None
            return Against(stage.target, at.span)


def _turns(holds: Callable[[Pool], bool], at: plan.Modifier) -> Callable[[Pool], bool]:
    def asked(pool: Pool) -> bool:
        if holds(pool):
            if not pool:
                raise never_ends(at, "brings another throw")
            return True
        return False

    return asked


def _test(stage: Stage, seen: Seen) -> Callable[[Die], FaceTest]:
    def test(die: Die) -> Any:
        return _Fits(stage, die, seen.algebra.kinds.get((die.kind, die.sides)))

    return test


def rolled_shape(kind: plan.RolledDie, groups: Any, modifiers: Any, seen: Seen) -> Rolled:
    """A die whose face is rolled, its dice drawn under the name of the roll."""

    def roll(draws: Draws, name: str) -> Any:
        thrower = Thrower(draws, name, _shapes(groups, seen))
        return pools.ask(kind.asked, thrower.throw(groups, modifiers), kind.throw.span)

    return Rolled(kind.name, roll)


def dice_of(pool: Iterable[Die], at: Span) -> SameDice:
    """Dice that lie there, to be thrown again."""
    return SameDice(tuple(pool), at)
