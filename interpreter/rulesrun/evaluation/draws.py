"""Dice before they are thrown, and the one door through which every face comes: random, typed in, or of an example.

In: `getrandbits` of a generator that the caller passes in, and faces that are already known. Out: faces, unbiased for
any number of sides and any weights, the same for the same seed on every Python version and platform: only `getrandbits`
is used, and numbers that are too large are thrown away (a die of one side draws nothing).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeAlias

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation.limits import too_large
from rulesrun.evaluation.pools import Die, Pool
from rulesrun.evaluation.values import face_text
from rulesrun.limits import in_force
from rulesrun.record import field, record
from rulesrun.semantics.borne import number_on
from rulesrun.semantics.plan import Face, Faces, Number

Bits: TypeAlias = Callable[[int], int]
"""`getrandbits`: a whole number of so many random bits."""


def below(number: int, bits: Bits) -> int:
    """A whole number from 0 up to, not including, `number`, each as likely as the others."""
    width = (number - 1).bit_length()
    value = bits(width) if width else 0
    while value >= number:
        value = bits(width)
    return value


def numbered_faces(number: int, sides: int, bits: Bits) -> list[Face]:
    """The faces of so many dice with faces 1 to `sides`; the same as `below` gives one by one."""
    width = (sides - 1).bit_length()
    if not width:
        return [1] * number
    faces: list[Face] = []
    for _ in range(number):
        value = bits(width)
        while value >= sides:
            value = bits(width)
        faces.append(value + 1)
    return faces


# ---------------------------------------------------------------- dice before they are thrown


@record
class Numbered:
    """A die with faces 1 to `sides`."""

    name: str
    sides: int

    @property
    def top(self) -> Number | None:
        """The highest face."""
        return self.sides

    def draw(self, bits: Bits) -> Face:
        """A random face."""
        return below(self.sides, bits) + 1

    def allows(self, face: Face) -> bool:
        """Whether the die has the face."""
        return isinstance(face, int) and 1 <= face <= self.sides

    def first_faces(self, number: int) -> Iterable[Face]:
        """Its faces, at most so many of them."""
        return range(1, min(self.sides, number) + 1)

    @property
    def described(self) -> str:
        """Its faces in words."""
        return f"1 to {self.sides:,}" if self.sides > 1 else "1"


@record
class Given:
    """A die with given faces; a face of weight 3 is three times as likely as one of weight 1."""

    name: str
    faces: tuple[Face, ...]
    bounds: tuple[int, ...] = field(repr=False)
    """The sums of the weights up to and including each face."""

    @classmethod
    def of(cls, kind: Faces) -> Given:
        """The die of a plan."""
        return cls(
            kind.name, tuple(face for face, _ in kind.faces), tuple(accumulate(weight for _, weight in kind.faces))
        )

    @property
    def sides(self) -> int | None:
        """Its size: how many sides it has, each face counted with its weight."""
        return self.bounds[-1]

    @property
    def top(self) -> Number | None:
        """The highest face that is a number."""
        return max((number for face in self.faces if (number := number_on(face)) is not None), default=None)

    def draw(self, bits: Bits) -> Face:
        """A random face."""
        return self.faces[bisect_right(self.bounds, below(self.bounds[-1], bits))]

    def allows(self, face: Face) -> bool:
        """Whether the die has the face."""
        return face in self.faces

    def first_faces(self, number: int) -> Iterable[Face]:
        """Its faces, at most so many of them."""
        return self.faces[:number]

    @property
    def described(self) -> str:
        """Its faces in words."""
        return ", ".join(dict.fromkeys(map(face_text, self.faces)))


@record
class Rolled:
    """A die whose face is itself rolled: `sum of 4d6, keep highest 3`. Its dice bear the name of the roll."""

    name: str
    roll: Callable[[Draws, str], Number]
    sides: int | None = None
    top: Number | None = None


Shape: TypeAlias = Numbered | Given | Rolled


def token(thing: Number | str | tuple[Number | str, ...]) -> Given:
    """A card that bears a number, perhaps with symbols, or a token with a symbol: a die of one side."""
    face: Face = (thing,) if isinstance(thing, str) else thing
    return Given(face_text(face), (face,), (1,))


# ---------------------------------------------------------------- the door


@record
class Event:
    """Something that happened to dice after they were thrown, for the trace: `old` faces and the `new` ones, if any."""

    what: str
    old: tuple[Face, ...]
    new: tuple[Face, ...] = ()


class Draws:
    """All draws of one roll, in their order.

    `forced` are faces that are already known, by the name of the roll, taken in the order drawn; what is missing is
    random. `drawn` collects every face under the name of its roll. `events` is filled by those who change dice.
    """

    def __init__(self, bits: Bits, forced: Mapping[str, Sequence[Face]] | None = None) -> None:
        self.bits = bits
        self.drawn: dict[str, list[Face]] = {}
        self.events: list[Event] = []
        self._forced = {name: list(reversed(faces)) for name, faces in (forced or {}).items()}
        self._given = {name: len(faces) for name, faces in self._forced.items()}
        self._limits = in_force.get()
        self._dice = 0
        self._turns = 0
        self._work = 0

    def face(self, name: str, shape: Shape, span: Span | None) -> Face:
        """The next face of a roll."""
        if isinstance(shape, Rolled):
            return shape.roll(self, name)
        self.count_dice(1, span)
        waiting = self._forced.get(name)
        if waiting:
            face = waiting.pop()
            if not shape.allows(face):
                raise RulesError.of(
                    f"{shape.name} in {name} cannot show {face_text(face)}",
                    code="impossible-face",
                    hint=f"its faces are {shape.described}",
                )
        else:
            face = shape.draw(self.bits)
        self.drawn.setdefault(name, []).append(face)
        return face

    def throw(self, name: str, shape: Shape, number: int, span: Span | None) -> Pool:
        """So many new dice."""
        if type(shape) is Numbered and not self._forced.get(name):
            self.count_dice(number, span)
            faces = numbered_faces(number, shape.sides, self.bits)
            self.drawn.setdefault(name, []).extend(faces)
        else:
            faces = [self.face(name, shape, span) for _ in range(number)]
        return tuple([Die(face, shape.sides, None, shape.name, face) for face in faces])

    def from_bag(self, name: str, bag: BagLeft, number: int, span: Span | None) -> list[int]:
        """The things drawn out of a bag, all that are left if there are no more: places in the bag's list."""
        taken: list[int] = []
        for _ in range(min(number, bag.size)):
            self.count_dice(1, span)
            waiting = self._forced.get(name)
            place = bag.place_of(waiting.pop(), name) if waiting else bag.random(self.bits)
            bag.take(place)
            taken.append(place)
            self.drawn.setdefault(name, []).append(bag.shown[place])
        return taken

    def count_dice(self, number: int, span: Span | None) -> None:
        """So many more dice are thrown; an error where that is too many for one roll."""
        self._dice += number
        if self._dice > self._limits.all_dice:
            raise too_large(f"more than {self._limits.all_dice:,} dice in one roll", "all_dice", span)

    def count_turn(self, span: Span | None) -> None:
        """One more turn of a repetition."""
        self._turns += 1
        if self._turns > self._limits.turns:
            hint = "does it ever end? `at most N times` bounds it, `--limit turns=N` allows more"
            raise too_large(f"more than {self._limits.turns:,} turns in one roll", "turns", span, hint)

    def count_work(self, number: int, span: Span | None) -> None:
        """So many more dice or items are looked at, inside something that repeats."""
        self._work += number
        if self._work > self._limits.work:
            raise too_large(f"more than {self._limits.work:,} dice and items to look at in one roll", "work", span)

    def check_all_used(self) -> None:
        """An error where more faces were given than drawn."""
        for name, waiting in self._forced.items():
            if waiting:
                given, drawn = self._given[name], self._given[name] - len(waiting)
                what = f"only {drawn} drawn" if drawn else "none drawn"
                raise RulesError.of(
                    f"{given} faces are given for {name}, and {what}: too many",
                    code="too-many-dice",
                    hint="faces are taken in the order drawn; explosions and rerolls draw further ones",
                )


class BagLeft:
    """What is still in a bag while a rule runs."""

    def __init__(self, name: str, things: Sequence[tuple[Shape, Face, int]]) -> None:
        self.name = name
        self.shapes = [shape for shape, _, _ in things]
        self.shown = [face for _, face, _ in things]
        self.full = [number for _, _, number in things]
        self.numbers = list(self.full)
        self.size = sum(self.numbers)

    def random(self, bits: Bits) -> int:
        """The place of a random thing."""
        return bisect_right(list(accumulate(self.numbers)), below(self.size, bits))

    def place_of(self, face: Face, roll: str) -> int:
        """The place of a thing that is known; an error where none is left."""
        for place in range(len(self.shown)):
            if self.numbers[place] and self.shown[place] == face:
                return place
        left = ", ".join(
            f"{number} {shape.name}" for shape, number in zip(self.shapes, self.numbers, strict=True) if number
        )
        raise RulesError.of(
            f"there is no {face_text(face)} left in {self.name} to draw for {roll}",
            code="impossible-face",
            hint=f"it still holds {left}" if left else None,
        )

    def take(self, place: int) -> None:
        """One of these less."""
        self.numbers[place] -= 1
        self.size -= 1

    def put(self, places: Iterable[int]) -> None:
        """These are back."""
        for place in places:
            self.numbers[place] += 1
            self.size += 1

    def refill(self, *kept: Iterable[int]) -> None:
        """Everything is back, but the things at these places."""
        self.numbers = list(self.full)
        self.size = sum(self.full)
        for places in kept:
            for place in places:
                self.take(place)

    def contents(self) -> tuple[tuple[Die, int], ...]:
        """The things that are left, and how many of each."""
        left = [place for place, number in enumerate(self.numbers) if number]
        return tuple(zip(self.dice(left), [self.numbers[place] for place in left], strict=True))

    def dice(self, places: Iterable[int]) -> Pool:
        """The things at these places, as they lie there."""
        return tuple(
            Die(self.shown[place], self.shapes[place].sides, None, self.shapes[place].name, self.shown[place])
            for place in places
        )


def shape_finder(shapes: Mapping[str, Shape]) -> Callable[[Die], Shape]:
    """How to find a lying die's shape, to throw it again; a card or token stays what it is."""

    def shape_of(die: Any) -> Shape:
        if die.kind in shapes:
            return shapes[die.kind]
        if die.sides is not None and die.kind == f"d{die.sides}":
            return Numbered(die.kind, die.sides)
        face: Face = die.face
        return Given(die.kind, (face,), (1,))

    return shape_of
