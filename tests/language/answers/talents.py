"""Role-playing rules: what a character can do, how much is spent on it, what it costs in the end."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

from tests.language.answers.chains import played, turns
from tests.language.answers.play import Answers, Law, Table, chance, exploding, law, mean, weights


def monster_rating() -> Answers:
    """A rating gives a die for each ten and one more, and half of it is added; what the other has more is lost."""

    def strength(rating: int) -> Law:
        law_: Law = {rating // 2: Fraction(1)}
        for _ in range(rating // 10 + 1):
            after: Law = {}
            for total, weight in law_.items():
                for face in range(1, 7):
                    after[total + face] = after.get(total + face, Fraction(0)) + weight / 6
            law_ = after
        return law_

    laws = {rating: strength(rating) for rating in range(1, 15)}

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        ours, theirs = at
        lead = t.of(laws[ours]) - t.of(laws[theirs])
        return max(0, ours + min(0, lead)), max(0, theirs - max(0, lead))

    ends, rounds = played((14, 12), lambda at: 0 in at, turn)
    return {
        "p_wins": chance(ends, lambda at: at[1] == 0),
        "mean_left": mean(ends, lambda at: at[0]),
        "mean_rounds": rounds,
    }


THREE_DICE = law(lambda t: sum(t.pool(3, 6)))


def melee() -> Answers:
    """Under the dexterity on three dice; three is threefold, four twofold. A hit for five makes reel a round."""

    def blow(t: Table, dexterity: int) -> int:
        total = t.of(THREE_DICE)
        if not (total <= 5 or (total <= dexterity and total <= 15)):
            return 0
        harm = sum(t.pool(2, 6)) - 1
        return int(max(0, harm * {3: 3, 4: 2}.get(total, 1) - 2))

    struck = {9: law(lambda t: blow(t, 9)), 11: law(lambda t: blow(t, 11))}

    def turn(t: Table, at: tuple[int, bool, int]) -> tuple[int, bool, int]:
        strength, reels, rounds = at
        harm = t.of(struck[11])
        answer = t.of(struck[9 if reels else 11]) >= 5
        return max(0, strength - harm), harm >= 5, rounds + answer if rounds < 2 else 2

    ends, rounds = played((11, False, 0), lambda at: at[0] == 0, turn)
    return {
        "mean_blow": mean(struck[11]),
        "mean_blow_reeling": mean(struck[9]),
        "mean_rounds": rounds,
        "p_unanswered": chance(ends, lambda at: at[2] == 0),
    }


def step_pair() -> Answers:
    """A die for the attribute, one for the skill: six is a success, ten two. Pushed, all but ones are thrown again."""

    def scored(face: int) -> int:
        return 2 if face >= 10 else 1 if face >= 6 else 0

    def play(t: Table, sizes: tuple[int, ...], pushes: bool) -> tuple[int, int]:
        faces = [t.roll(size) for size in sizes]
        if pushes and not any(map(scored, faces)):
            faces = [face if face == 1 else t.roll(size) for face, size in zip(faces, sizes, strict=True)]
            return sum(map(scored, faces)), faces.count(1)
        return sum(map(scored, faces)), 0

    def burst(t: Table) -> tuple[int, int]:
        successes, _ = t.of(plain)
        ammunition = t.pool(3, 6)
        return successes + ammunition.count(6) if successes else 0, sum(ammunition)

    plain, pushed = law(lambda t: play(t, (10, 8), False)), law(lambda t: play(t, (10, 8), True))
    shots = law(burst)
    return {
        "p_success": chance(plain, lambda r: r[0] > 0),
        "p_pushed": chance(pushed, lambda r: r[0] > 0),
        "p_harmed": chance(pushed, lambda r: r[1] > 0),
        "mean_successes": mean(pushed, lambda r: r[0]),
        "mean_hits": mean(shots, lambda r: r[0]),
        "p_ge3_hits": chance(shots, lambda r: r[0] >= 3),
    }


Face = tuple[int, int, int, int]
"""Success, explosion, opportunity, strife."""
RING: tuple[Face, ...] = ((0, 0, 0, 0), (0, 0, 1, 1), (0, 0, 1, 0), (1, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 1))
SKILL: tuple[Face, ...] = (
    *[(0, 0, 0, 0)] * 2, *[(0, 0, 1, 0)] * 3, *[(1, 0, 0, 1)] * 2, *[(1, 0, 0, 0)] * 2,
    (1, 0, 1, 0), (0, 1, 0, 1), (0, 1, 0, 0),
)  # fmt: skip


def rings() -> Answers:
    """Two ring dice and one skill die, of which one or two are kept; a kept explosion brings another die, which is
    always kept, and explodes once only."""

    def more(t: Table, kept: tuple[tuple[str, Face], ...]) -> tuple[int, int, int]:
        faces = [face for _, face in kept] + [
            t.roll(RING if kind == "ring" else SKILL) for kind, face in kept if face[1]
        ]
        return sum(f[0] + f[1] for f in faces), sum(f[2] for f in faces), sum(f[3] for f in faces)

    @cache
    def ends(kept: tuple[tuple[str, Face], ...]) -> Law:
        return law(lambda t: more(t, kept))

    def best(goal: Callable[[Law], Fraction]) -> Fraction:
        total = Fraction(0)
        for ring, ring_weight in law(lambda t: t.pool(2, RING)).items():
            for skill, skill_weight in weights(SKILL):
                shown = (("ring", ring[0]), ("ring", ring[1]), ("skill", skill))
                options = [each for number in (1, 2) for each in combinations(shown, number)]
                total += ring_weight * skill_weight * max(goal(ends(each)) for each in options)
        return total

    return {
        "p_two": best(lambda law_: chance(law_, lambda r: r[0] >= 2)),
        "p_two_calm": best(lambda law_: chance(law_, lambda r: r[0] >= 2 and r[2] == 0)),
        "mean_successes": best(lambda law_: mean(law_, lambda r: r[0])),
    }


def bust() -> Answers:
    """Deadlands: the highest of dice that go on at their top; more ones than half of the dice go bust."""

    @cache
    def one(sides: int) -> Law:
        return exploding(sides, (sides,), 30)

    def at_least(number: int, sides: int, goal: int) -> Fraction:
        return 1 - chance(one(sides), lambda n: n < goal) ** number

    def busts(number: int, sides: int) -> Fraction:
        return chance(law(lambda t: t.pool(number, sides)), lambda faces: 2 * faces.count(1) > number)

    def within(number: int, sides: int, goal: int) -> Fraction:
        """The chance to reach the goal and be bust all the same."""

        def ones(t: Table) -> tuple[int, bool]:
            totals = [
                t.of({0: Fraction(1, sides), 1: p_goal, 2: 1 - Fraction(1, sides) - p_goal}) for _ in range(number)
            ]
            return totals.count(0), 1 in totals

        p_goal = chance(one(sides), lambda n: n >= goal)
        return chance(law(ones), lambda r: r[1] and 2 * r[0] > number)

    raises = sum((at_least(3, 8, 5 + 5 * n) for n in range(1, 6)), Fraction(0))
    return {
        "p_fair": at_least(3, 8, 5) - within(3, 8, 5),
        "p_bust": busts(3, 8),
        "p_incredible": at_least(3, 8, 11) - within(3, 8, 11),
        "mean_raises_capped": raises,
    }


def rule_of_ten() -> Answers:
    """Unisystem: a ten adds what the next die shows above five, and goes on at tens; a one takes away likewise."""

    def above() -> Law:
        """What a ten adds, up to twenty and more."""
        found: Law = {}
        base, weight = 0, Fraction(1)
        while base < 40:
            for face in range(1, 10):
                add = base + max(0, face - 5)
                found[add] = found.get(add, Fraction(0)) + weight / 10
            base, weight = base + 5, weight / 10
        found[base] = found.get(base, Fraction(0)) + weight
        return found

    up = above()

    def below() -> Law:
        """What a one becomes: five or less is that less five; a further one takes five more."""
        found: Law = {}
        base, weight = 0, Fraction(1)
        while base > -40:
            for face in range(2, 11):
                value = base + min(0, face - 5)
                found[value] = found.get(value, Fraction(0)) + weight / 10
            base, weight = base - 5, weight / 10
        found[base] = found.get(base, Fraction(0)) + weight
        return found

    down = below()

    def play(t: Table) -> int:
        face = t.roll(10)
        if face == 10:
            return int(10 + t.of(up))
        if face == 1:
            lost = t.of(down)
            return int(lost) if lost < 0 else 1
        return int(face)

    die = law(play)
    return {
        "p_ge9": chance(die, lambda n: n + 5 >= 9),
        "p_ge20": chance(die, lambda n: n + 5 >= 20),
        "p_below_zero": chance(die, lambda n: n < 0),
        "p_eq_minus5": die.get(-5, Fraction(0)) + 0,
    }


def fallout() -> Answers:
    """Stress is added, and a d10 below it brings fallout, which takes some away: three, five or seven."""

    def turn(t: Table, at: tuple[int, int, str]) -> tuple[int, int, str]:
        stress, tests, worst = at
        stress += t.roll(3)
        if t.roll(10) >= stress:
            return stress, tests + 1, worst
        kind = "minor" if stress <= 4 else "moderate" if stress <= 8 else "severe"
        return stress, tests + 1, kind

    ends, tests = played((0, 0, ""), lambda at: at[2] != "", turn)
    assert tests == mean(ends, lambda at: at[1])

    def two(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        stress, falls = at
        stress += t.roll(6)
        if t.roll(10) >= stress:
            return stress, falls
        return max(0, stress - (3 if stress <= 4 else 5 if stress <= 8 else 7)), falls + 1

    five = turns((0, 0), lambda at: False, two, 5)
    return {
        "mean_tests": tests,
        "p_minor": chance(ends, lambda at: at[2] == "minor"),
        "p_moderate": chance(ends, lambda at: at[2] == "moderate"),
        "mean_falls_in_five": mean(five, lambda at: at[1]),
        "p_two_or_more_in_five": chance(five, lambda at: at[1] >= 2),
        "mean_stress_after_five": mean(five, lambda at: at[0]),
    }


def spending() -> Answers:
    """Three tests of 4, 6 and 5 on a d6, and four points to add: as many as possible are passed."""

    @cache
    def most(goals: tuple[int, ...], points: int) -> Fraction:
        if not goals:
            return Fraction(0)
        return max(
            Fraction(min(6, max(0, 7 - goals[0] + spent)), 6) + most(goals[1:], points - spent)
            for spent in range(points + 1)
        )

    @cache
    def every(goals: tuple[int, ...], points: int) -> Fraction:
        if not goals:
            return Fraction(1)
        return max(
            Fraction(min(6, max(0, 7 - goals[0] + spent)), 6) * every(goals[1:], points - spent)
            for spent in range(points + 1)
        )

    def two_of(goals: tuple[int, ...], points: int, needed: int) -> Fraction:
        if needed == 0:
            return Fraction(1)
        if len(goals) < needed:
            return Fraction(0)
        found = Fraction(0)
        for spent in range(points + 1):
            share = Fraction(min(6, max(0, 7 - goals[0] + spent)), 6)
            rest = goals[1:], points - spent
            found = max(found, share * two_of(*rest, needed - 1) + (1 - share) * two_of(*rest, needed))
        return found

    return {
        "mean_passed": most((4, 6, 5), 4),
        "p_all": every((4, 6, 5), 4),
        "p_two": two_of((4, 6, 5), 4, 2),
        "mean_without": most((4, 6, 5), 0),
    }


def otherkind() -> Answers:
    """Of four dice three are given to the goal, to safety and to the story: five is good, three mixed, less bad."""

    def best(worth: Callable[[tuple[int, ...]], int]) -> Fraction:
        shown = law(lambda t: t.pool(4, 6))
        return mean(shown, lambda dice: max(worth(order) for order in permutations(dice, 3)))

    def reached(order: tuple[int, ...]) -> int:
        return int(order[0] >= 5 and order[1] >= 3)

    return {
        "mean_weighted": best(lambda order: 3 * (order[0] >= 5) + 2 * (order[1] >= 3) + (order[2] >= 5)),
        "p_reached": best(reached),
        "mean_product": best(lambda order: order[0] * order[1] - order[2]),
    }


def clocks() -> Answers:
    """Two clocks: ours of six fills by 1, 2, 3 or 5, theirs of four by 2 on a partial and 3 on a bad result."""

    def highest(t: Table) -> str:
        faces = t.pool(2, 6)
        return "critical" if faces.count(6) >= 2 else "full" if 6 in faces else "partial" if max(faces) >= 4 else "bad"

    once = law(highest)

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        result = t.of(once)
        ours = at[0] + {"critical": 5, "full": 3, "partial": 2, "bad": 0}[result]
        theirs = at[1] + {"partial": 1, "bad": 2}.get(result, 0)
        return min(6, ours), min(4, theirs)

    ends, actions = played((0, 0), lambda at: at[0] == 6 or at[1] == 4, turn)
    return {
        "p_done": chance(ends, lambda at: at[0] == 6),
        "p_done_in_time": chance(ends, lambda at: at[0] == 6 and at[1] < 4),
        "mean_actions": actions,
    }


def coins() -> Answers:
    """Prince Valiant: coins, and heads on all of them count one more. Of two sides the higher wins; a tie may be thrown
    again, and in a fight the loser loses as many coins as the other was better.
    """

    def heads(number: int) -> Law:
        return law(lambda t: sum(t.pool(number, (0, 1))) + 0)

    def scored(number: int) -> Law:
        return law(lambda t: (lambda n: n + 1 if n == number else n)(t.of(heads(number))))

    ours, theirs = scored(6), scored(4)
    margin = law(lambda t: t.of(ours) - t.of(theirs))
    ahead, behind = chance(margin, lambda n: n > 0), chance(margin, lambda n: n < 0)

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        """Whoever is beaten loses as many coins as the other was better."""
        if at[0] <= 0 or at[1] <= 0:
            return at
        lead = t.of(scored(at[0])) - t.of(scored(at[1]))
        return max(0, at[0] + min(0, lead)), max(0, at[1] - max(0, lead))

    ends, _ = played((5, 4), lambda at: 0 in at, turn)
    return {
        "p_ahead": ahead,
        "p_in_the_end": ahead / (ahead + behind),
        "p_fight": chance(ends, lambda at: at[1] == 0),
    }


def stress_boxes() -> Answers:
    """Boxes worth one, two and three, each used once for a blow up to its worth; one that fits none takes out."""
    fate = law(lambda t: sum(t.pool(4, (-1, 0, 1))))
    blow = law(lambda t: max(0, 3 + t.of(fate) - 2 - t.of(fate)))

    @cache
    def stands(boxes: tuple[int, ...], blows: int) -> Fraction:
        if not blows:
            return Fraction(1)
        total = Fraction(0)
        for harm, weight in blow.items():
            if harm == 0:
                total += weight * stands(boxes, blows - 1)
                continue
            options = [tuple(b for b in boxes if b != box) for box in boxes if box >= harm]
            total += weight * max((stands(rest, blows - 1) for rest in options), default=Fraction(0))
        return total

    return {"p_stands_3": stands((1, 2, 3), 3), "p_stands_5": stands((1, 2, 3), 5), "mean_blow": mean(blow)}


TALENTS: tuple[Callable[[], Answers], ...] = (
    monster_rating, melee, step_pair, rings, bust, rule_of_ten, fallout, spending, otherkind, clocks, coins,
    stress_boxes,
)  # fmt: skip
