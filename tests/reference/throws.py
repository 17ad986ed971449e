"""Throwing dice and what is done to them, in the order written.

`again` and `with advantage` make what is left of them once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TypeAlias, assert_never

from rulesrun.syntax import nodes as n

from .dice import Die, Face, Kind, Pool, cut, middle, number, numbers, plain, remaining
from .search import UNLISTED, Ending, Mistake, Script, Search, TooMany
from .values import UNKNOWN, Reader, whole

Make = Callable[[], Pool]
Condition: TypeAlias = n.GroupFaces | n.GroupAllEqual | n.GroupNumber
SURE_BY, MOST_LOOKED, HARDLY_EVER = 1, (12, 400), Fraction(1, 1000)
"""After so many further throws it is asked whether they can end at all: within so many draws, in so many runs, but for
so little of the weight.
"""


def throw(reader: Reader, thrown: n.Throw) -> Pool:
    def groups() -> Pool:
        pools = [group(reader, each) for each in thrown.groups]
        return sum(pools[1:], pools[0])

    return modified(reader, groups, thrown.modifiers)


def group(reader: Reader, dice: n.Group) -> Pool:
    match dice:
        case n.SameDice(pool=pool):
            return fresh(reader, list(reader.pool(pool).dice), False)
        case n.Dice(kind=n.Sides(sides=sides)) if isinstance(sizes := reader.value(sides), tuple):
            kinds = [counting(whole(size, "a number of sides")) for size in sizes]
            if any(sort.sides == 0 for sort in kinds):
                raise Mistake("a die with 0 sides")
            return fresh(reader, [Die(None, sort) for sort in kinds], False)
        case n.Dice(count=count, kind=kind, modifiers=modifiers):
            sort = kind_of(reader, kind)
            many = 1 if count is None else whole(reader.number(count), "a number of dice")
            return modified(reader, lambda: fresh(reader, [Die(None, sort)] * many, count is None), modifiers)
        case _:
            raise Mistake("a rule is rolled alone")


def fresh(reader: Reader, dice: list[Die], single: bool) -> Pool:
    faces = [face(reader, die.kind) if die.kind.faces or die.kind.thrown else die.face for die in dice]
    return Pool(tuple(Die(shown, die.kind, die.target, shown) for shown, die in zip(faces, dice, strict=True)), single)


def face(reader: Reader, kind: Kind) -> Face:
    if kind.thrown:
        return kind.thrown()
    known = reader.world.coming(shown for shown, _ in kind.faces)
    return reader.world.script.draw(kind.faces) if known is UNKNOWN else known


def kind_of(reader: Reader, kind: n.DieKind) -> Kind:
    match kind:
        case n.Sides(sides=sides):
            many = whole(reader.number(sides), "a number of sides")
            if many == 0:
                raise Mistake("a die with 0 sides")
            return counting(many)
        case n.Fudge():
            return Kind("dF", tuple((Fraction(shown), 1) for shown in (-1, 0, 1)))
        case n.Listed(faces=faces):
            listed = faces_of(faces)
            return Kind(f"one of {listed}", listed)
        case n.Name():
            return named_kind(reader, kind.text)
        case _:
            assert_never(kind)


@cache
def counting(sides: int) -> Kind:
    return Kind(f"d{sides}", tuple((Fraction(shown), 1) for shown in range(1, sides + 1)))


def named_kind(reader: Reader, name: str) -> Kind:
    table = reader.world.tables.get(name)
    if table is not None and table.die is not None:
        return kind_of(reader, table.die)
    item = reader.world.dice.get(name)
    if item is None:
        if name != "coin":
            raise Mistake(f"no die is called {name}")
        return Kind("coin", ((Fraction(0), 1), (Fraction(1), 1)))
    if isinstance(item.faces, n.RolledDie):
        rolled = item.faces
        return Kind(name, (), lambda: reader.ask(rolled.asked, numbers(throw(reader.alone(), rolled.throw).dice)))
    return Kind(name, faces_of(item.faces))


def faces_of(weighted: tuple[n.WeightedFace, ...]) -> tuple[tuple[Face, int], ...]:
    weights: dict[Face, int] = {}
    for each in weighted:
        shown = each.face
        value = face_written(shown)
        weights[value] = weights.get(value, 0) + each.weight
    return tuple(weights.items())


def face_written(shown: n.FaceValue) -> Face:
    if isinstance(shown, n.Number):
        return shown.value
    words = tuple(sorted(word.text for word in shown.words))
    return words if shown.number is None else (shown.number.value, *words)


# ---------------------------------------------------------------- modifiers


def modified(reader: Reader, first: Make, modifiers: tuple[n.Modifier | n.When, ...]) -> Pool:
    if not modifiers:
        return first()
    *before, last = modifiers

    def left() -> Pool:
        return modified(reader, first, tuple(before))

    match last:
        case n.When(modifier=modifier, condition=condition):
            return modified(reader, left, (modifier,)) if reader.holds(condition) else left()
        case n.Again():
            return again(reader, left, last)
        case n.Advantage(number=count, at_most=most):
            net = reader.number(count)
            extra = whole(abs(net), "a number of further throws")
            if most is not None:
                extra = min(extra, whole(reader.number(most), "a number of further throws"))
            throws = [left() for _ in range(1 + extra)]
            choose = max if net > 0 else min
            return choose(throws, key=lambda pool: sum(numbers(pool.dice)))
        case n.KeepDrop():
            return keep(reader, left(), last)
        case n.Explode():
            return explode(reader, left(), last)
        case n.Reroll():
            return reroll(reader, left(), last)
        case n.Against(target=target):
            pool, value = left(), reader.number(target)
            return pool.but(replace(die, target=value) for die in pool.dice)
        case _:
            assert_never(last)


def again(reader: Reader, left: Make, how: n.Again) -> Pool:
    limit = None if how.at_most is None else whole(reader.number(how.at_most), "a number of times")
    pool = newest = left()
    times = 0
    while (limit is None or times < limit) and again_holds(reader, how.condition, newest):
        if limit is None and times == SURE_BY and surely(reader, left, how.condition):
            raise Mistake("`again` never ends")
        before = reader.world.script.draws
        newest = left()
        if limit is None and reader.world.script.draws == before:
            raise Mistake("`again` never ends")
        pool = pool.but((*pool.dice, *(replace(die, first=None) for die in newest.dice)))
        times += 1
    return pool


def surely(reader: Reader, left: Make, condition: Condition) -> bool:
    """Whether the condition holds for each way in which the dice can fall once more, in so many draws."""
    world, before = reader.world, reader.world.script
    drawing, world.drawing = world.drawing, ""

    def run(script: Script) -> Ending:
        world.script = script
        return Ending(outcome=again_holds(reader, condition, left()))

    try:
        law = Search(run, *MOST_LOOKED).law()
        return law.get(UNLISTED, 0) < HARDLY_EVER and not any(ending.outcome is False for ending in law)
    except TooMany:
        return False
    finally:
        world.script, world.drawing = before, drawing


def again_holds(reader: Reader, condition: Condition, group: Pool) -> bool:
    match condition:
        case n.GroupFaces(asked=asked, faces=faces):
            return bool(reader.ask_faces(asked, faces, list(group.dice)))
        case n.GroupAllEqual():
            return len(group.dice) >= 2 and len({plain(die.face) for die in group.dice}) == 1
        case n.GroupNumber(asked=asked, operator=operator, bound=bound):
            return reader.compare(operator, reader.ask(asked, numbers(group.dice)), reader.number(bound))
        case _:
            assert_never(condition)


def keep(reader: Reader, pool: Pool, how: n.KeepDrop) -> Pool:
    many = whole(reader.number(how.number), "a number of dice")
    dice, size = pool.dice, len(pool.dice)
    if how.which == "middle":
        kept = middle(dice, many)
        stay = kept if how.word == "keep" else [die for die in dice if die not in kept]
    elif how.which == ("highest" if how.word == "keep" else "lowest"):
        stay = cut(dice, 0, many if how.word == "keep" else size - many)
    else:
        stay = cut(dice, size - many if how.word == "keep" else many, size)
    return pool.but(remaining(stay, dice))


def explode(reader: Reader, pool: Pool, how: n.Explode) -> Pool:
    """Each die with its chain of further throws, as dice of their own or, with `adding`, in the face of the die."""
    limit = None if how.at_most is None else whole(reader.number(how.at_most), "a number of times")
    rolling = None if how.rolling is None else kind_of(reader, how.rolling.kind)
    dice: list[Die] = []
    if how.rolling is not None and how.rolling.count is not None and rolling is not None:
        many = whole(reader.number(how.rolling.count), "a number of dice")
        return pool.but(each for die in pool.dice for each in exploded(reader, die, how.faces, rolling, many, limit))
    for die in pool.dice:
        chain = [die]
        while (limit is None or len(chain) - 1 < limit) and explodes(reader, how.faces, chain[-1]):
            kind = rolling or die.kind
            further = [Die(shown, kind, die.target) for shown, _ in kind.faces]
            if limit is None and further and all(explodes(reader, how.faces, each) for each in further):
                raise Mistake("every face explodes")
            chain.append(Die(face(reader, kind), kind, die.target))
        if how.adding:
            total = sum(numbers(chain), Fraction(0)) if len(chain) > 1 else plain(die.face)
            chain = [replace(die, face=total)]
        dice.extend(chain)
    return pool.but(dice)


def exploded(
    reader: Reader, die: Die, faces: n.Faces | None, kind: Kind, many: int, limit: int | None
) -> Iterator[Die]:
    """The die, and so many further ones if it explodes, which may explode again."""
    yield die
    if limit != 0 and explodes(reader, faces, die):
        for _ in range(many):
            further = Die(face(reader, kind), kind, die.target)
            yield from exploded(reader, further, faces, kind, many, None if limit is None else limit - 1)


def explodes(reader: Reader, faces: n.Faces | None, die: Die) -> bool:
    if faces is None or (isinstance(faces.alternatives[0], n.Name) and faces.alternatives[0].text == "sides"):
        return number(die.face) == die.kind.top
    return reader.each(die).fits(die.face, faces)


def reroll(reader: Reader, pool: Pool, how: n.Reroll) -> Pool:
    limit = None if how.at_most is None else whole(reader.number(how.at_most), "a number of times")
    rerolled = [die for die in pool.dice if reader.fits(die.face, how.faces)]
    if how.in_at_most is not None:
        most = whole(reader.number(how.in_at_most), "a number of dice")
        if most < len(rerolled):
            rerolled = cut(rerolled, len(rerolled) - most, len(rerolled))
    return pool.but(until_another(reader, die, how.faces, limit) if die in rerolled else die for die in pool.dice)


def until_another(reader: Reader, die: Die, faces: n.Faces, limit: int | None) -> Die:
    times = 0
    others = [shown for shown, _ in die.kind.faces]
    if limit is None and others and all(reader.fits(shown, faces) for shown in others):
        raise Mistake("every face is rerolled")
    while (limit is None or times < limit) and reader.fits(die.face, faces):
        die = replace(die, face=face(reader, die.kind))
        times += 1
    return die
