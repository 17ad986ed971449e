"""Sums over the dice kept from one end of a pool of any dice, and the one die of a rank: no walk, no states.

Say the `reach` highest dice are chosen. Look at the throw from above a cut between two faces: the dice above it are
chosen if there are not too many, and were the others all on one face, some of them would fill the places left. For
every cut and every number c < `reach` of dice above it, the throws and their sums are the coefficient of y^c in a
product over the groups of

    (y * scores of the faces above + scores of the faces below) ^ dice.

Filled with the face below the cut, that has also the throws in which too few dice show that face: the next cut has
just these, filled with the same face, and they are taken away. Dice on one face need not be told apart, as they count
alike. What is chosen is what takes the fewest steps, from either end:

| chosen dice | a die above the cut adds | a die below adds | the places left add |
|---|---|---|---|
| all that are kept | what it counts | - | what a kept die counts, each |
| all that are dropped | - | what it counts | as much less, each |
| those down to the one of a rank | - | - | what that one counts |

Questions about the whole throw may stand beside: every die adds to them what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb, prod

from flint import fmpz_poly

from rulesrun.dice.cost import spend
from rulesrun.dice.counted import Counted, counted
from rulesrun.dice.pool import Group
from rulesrun.dice.questions import Answer, Question
from rulesrun.dice.series import TooLarge

WIDEST = 2_000_000
"""So many steps at the most: what takes more is walked."""
FEW = 5
"""With so few numbers of dice above the cut a power is taken at once, else number by number."""
ONE = fmpz_poly([1])


def suits(groups: Sequence[Group], questions: Sequence[Question]) -> bool:
    asked = None if any(group.drawn for group in groups) else counted(groups, questions)
    return asked is not None and _cheapest(groups, asked).steps <= WIDEST


def answers(groups: Sequence[Group], questions: Sequence[Question], budget: int) -> dict[tuple[Answer, ...], int]:
    asked = counted(groups, questions)
    assert asked is not None
    view = _cheapest(groups, asked)
    if view.steps > budget:
        raise TooLarge("the questions have too many states to be answered exactly")
    spend(view.steps)
    found: dict[tuple[Answer, ...], int] = {}
    weighed = _law(groups, asked, view) if view.filled or asked.beside else _of_one_rank(groups, asked, view)
    for exponent, weight in weighed:
        if weight:
            answer = tuple([digit.answer(exponent) for digit in asked.digits])
            found[answer] = found.get(answer, 0) + weight
    return found


@dataclass(frozen=True, slots=True)
class _View:
    """One way to see the questions: `filled` is 1 if the chosen dice are kept, -1 if they are dropped, 0 if only the
    last of them is kept. Sums of dice of which less than `reach` are chosen are below `width`.
    """

    upward: bool
    filled: int
    reach: int
    width: int
    steps: int


def _cheapest(groups: Sequence[Group], asked: Counted) -> _View:
    """The way that takes the fewest steps."""
    first, last, size = asked.first, asked.last, asked.size
    if first == last:
        choices = [(False, 1, 0)]
    elif last - first == 1:
        choices = [(False, 0, last), (True, 0, size - first)]
    elif first == 0:
        choices = [(False, 1, last), (True, -1, size - last)]
    else:
        choices = [(True, 1, size - first), (False, -1, first)]
    score = dict(zip(asked.faces, asked.kept, strict=True))
    alone = both = bits = 0
    for g in asked.members:
        group = groups[g]
        beside = [asked.beside.get((g, face), 0) for face, _ in group.faces]
        alone += group.count * max(beside)
        both += group.count * max(at + score[face] for at, (face, _) in zip(beside, group.faces, strict=True))
        bits += group.count * sum(weight for _, weight in group.faces).bit_length()
    cuts = sum(a != b for a, b in pairwise(asked.kept))
    views = []
    for upward, filled, reach in choices:
        width = 1 + (both if filled < 0 else alone + max(0, reach - 1) * filled * max(asked.kept))
        steps = reach * (3 + width * (64 + bits) // 6400)
        if len(asked.members) > 1:
            steps += len(asked.members) * (10 + max(1, reach) * width * (64 + bits) // 800)
        views.append(_View(upward, filled, reach, width, (1 + cuts) * steps))
    return min(views, key=lambda view: view.steps)


def _of_one_rank(groups: Sequence[Group], asked: Counted, view: _View) -> Iterator[tuple[int, int]]:
    """What the one die counts, and the weight of the throws in which it does, without anything beside: in numbers.

    It is below a cut where less than `reach` dice are above it.
    """
    members = [groups[g] for g in asked.members]
    weights = [dict(group.faces) for group in members]
    above, below = [0] * len(members), [sum(weight.values()) for weight in weights]
    others = prod(group.ways for g, group in enumerate(groups) if g not in asked.members)
    before = prod(group.ways for group in members)
    pairs = list(zip(asked.faces, asked.kept, strict=True))
    for face, counts in reversed(pairs) if view.upward else pairs:
        numbers = [1]
        for at, group in enumerate(members):
            weight = weights[at].get(face, 0)
            above[at], below[at] = above[at] + weight, below[at] - weight
            most = min(view.reach, group.count + 1) if above[at] else 1
            own = [comb(group.count, c) * above[at] ** c * below[at] ** (group.count - c) for c in range(most)]
            long = min(view.reach, len(numbers) + most - 1)
            numbers = [
                sum(numbers[n - c] * own[c] for c in range(max(0, n + 1 - len(numbers)), min(most, n + 1)))
                for n in range(long)
            ]
        after = sum(numbers)
        yield counts, (before - after) * others
        before = after


def _law(groups: Sequence[Group], asked: Counted, view: _View) -> Iterator[tuple[int, int]]:
    """The packed answers and their weights."""
    law = _of_pool(groups, asked, view)
    for g, group in enumerate(groups):
        if g not in asked.members:
            law *= _sum((weight, asked.beside.get((g, face), 0)) for face, weight in group.faces) ** group.count
    return ((exponent, int(weight)) for exponent, weight in enumerate(law.coeffs()))


def _of_pool(groups: Sequence[Group], asked: Counted, view: _View) -> fmpz_poly:
    """The weights of the packed answers, from the dice of the pool."""
    kept, faces, reach = asked.kept, asked.faces, view.reach
    if view.upward:
        kept, faces = kept[::-1], faces[::-1]
    places = {face: place for place, face in enumerate(faces)}
    above, below = (kept if view.filled > 0 else [0] * len(kept)), (kept if view.filled < 0 else [0] * len(kept))
    alike: dict[tuple[tuple[int, int, int, int], ...], int] = {}
    for g in asked.members:
        here = []
        for face, weight in groups[g].faces:
            place, beside = places[face], asked.beside.get((g, face), 0)
            here.append((place, weight, beside + above[place], beside + below[place]))
        key = tuple(sorted(here))
        alike[key] = alike.get(key, 0) + groups[g].count
    dice = [_Dice(each, count) for each, count in alike.items()]
    result = prod((die.below**die.count for die in dice), start=ONE)
    if not reach:
        return result
    lift = reach * max(kept) if view.filled < 0 else 0
    fills = [view.filled * (reach - number) if view.filled else 1 for number in range(reach)]
    result = result.left_shift(lift + fills[0] * kept[0])
    for cut in range(1, len(kept)):
        upper, lower = kept[cut - 1], kept[cut]
        if upper != lower:
            for die in dice:
                die.pass_to(cut)
            for part, fill in zip(_chosen(dice, view), fills, strict=False):
                result += part.left_shift(lift + fill * lower) - part.left_shift(lift + fill * upper)
    return result.right_shift(lift)


def _chosen(dice: Sequence[_Dice], view: _View) -> list[fmpz_poly]:
    """The throws of which so many dice are above the cut, for each number less than `reach`."""
    if len(dice) == 1:
        return dice[0].chosen(view.reach)
    length = view.reach * view.width
    product = ONE
    for die in dice:
        most = min(view.reach, die.count + 1)
        if die.above.is_zero():
            power = die.below**die.count
        elif most <= FEW:
            power = (die.below + die.above.left_shift(view.width)).pow_trunc(die.count, length)
        else:
            power = fmpz_poly()
            for part in reversed(die.chosen(most)):
                power = power.left_shift(view.width) + part
        product = product.mul_low(power, length)
    return [product.right_shift(number * view.width).truncate(view.width) for number in range(view.reach)]


class _Dice:
    """Dice that are alike: the polynomials of what one of them adds if it is above a cut, and if it is below."""

    __slots__ = ("_passed", "_places", "above", "below", "count")

    def __init__(self, places: Sequence[tuple[int, int, int, int]], count: int) -> None:
        """Of each face the place, the weight, and what it adds above and below."""
        self._places, self.count, self._passed = places, count, 0
        self.above, self.below = _sum(()), _sum((weight, adds) for _, weight, _, adds in places)

    def pass_to(self, cut: int) -> None:
        """Moves on to a cut that lies further down."""
        while self._passed < len(self._places) and self._places[self._passed][0] < cut:
            _, weight, above, below = self._places[self._passed]
            self.above += ONE.left_shift(above) * weight
            self.below -= ONE.left_shift(below) * weight
            self._passed += 1

    def chosen(self, reach: int) -> list[fmpz_poly]:
        """The throws of which so many dice are above the cut, for each number less than `reach`."""
        count = self.count
        power = self.below ** (count + 1 - reach)
        powers = [power]
        for _ in range(reach - 1):
            power *= self.below
            powers.append(power)
        power, result = ONE, []
        for number in range(reach):
            result.append(power * powers[reach - 1 - number] * comb(count, number))
            power *= self.above
        return result


def _sum(terms: Iterable[tuple[int, int]]) -> fmpz_poly:
    """The polynomial with these weights and exponents."""
    total = fmpz_poly()
    for weight, exponent in terms:
        total += weight * ONE.left_shift(exponent)
    return total
