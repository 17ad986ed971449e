"""War games and skirmishes: who hits whom, what it costs, how long the guns fire and who is still standing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb

from tests.language.answers.chains import played
from tests.language.answers.parlour import TWO_DICE
from tests.language.answers.play import Answers, Law, Table, chance, law, mean


def binomial(number: int, share: Fraction) -> Law:
    return {n: comb(number, n) * share**n * (1 - share) ** (number - n) for n in range(number + 1)}


def after_each_other(values: list[int], hits: int) -> list[int]:
    """What is left of units that are lost in this order."""
    return values[min(hits, len(values)) :]


def landing() -> Answers:
    """Three infantry, an artillery and a tank attack two infantry and a fighter; both sides fire at once."""
    attack, defence = [1, 1, 1, 2, 3], [2, 2, 4]

    def strength(units: list[int], attacking: bool) -> Counter[int]:
        """How many units hit at which number; an artillery lets one infantry hit at two."""
        numbers = Counter(units)
        if attacking and numbers[2] and numbers[1]:
            numbers[1] -= 1
            numbers[2] += 1
        return numbers

    def hits(t: Table, numbers: Counter[int]) -> int:
        return sum(int(t.of(binomial(many, Fraction(number, 6)))) for number, many in sorted(numbers.items()) if many)

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        ours, theirs = after_each_other(attack, at[0]), after_each_other(defence, at[1])
        scored, suffered = hits(t, strength(ours, True)), hits(t, strength(theirs, False))
        return min(5, at[0] + suffered), min(3, at[1] + scored)

    ends, rounds = played((0, 0), lambda at: at[0] == 5 or at[1] == 3, turn)
    return {
        "p_taken": chance(ends, lambda at: at[1] == 3 and at[0] < 5),
        "p_all_gone": chance(ends, lambda at: at == (5, 3)),
        "mean_lost": mean(ends, lambda at: at[0]),
        "mean_rounds": rounds,
    }


THREE_DICE = law(lambda t: sum(t.pool(3, 6)))


def focus() -> Answers:
    """Two attacks, three focus: each boosts one roll to three dice. A foe with eight boxes."""

    def attack(t: Table, aimed: bool, heavy: bool) -> int:
        hit = t.of(THREE_DICE if aimed else TWO_DICE) + 6 >= 14
        return max(0, t.of(THREE_DICE if heavy else TWO_DICE) + 12 - 16) if hit else 0

    blows = {
        choice: law(partial(attack, aimed=choice[0], heavy=choice[1])) for choice in product((False, True), repeat=2)
    }

    def most(boxes: int, spend: int, left: int) -> Fraction:
        """The chance that the boxes go."""
        if boxes <= 0:
            return Fraction(1)
        if not left:
            return Fraction(0)
        return max(
            sum(
                (weight * most(boxes - harm, spend - sum(choice), left - 1) for harm, weight in blow.items()),
                Fraction(0),
            )
            for choice, blow in blows.items()
            if sum(choice) <= spend
        )

    return {"p_destroyed": most(8, 3, 2), "p_without": most(8, 0, 2), "mean_both": mean(blows[True, True])}


def scatter() -> Answers:
    """A blast lands where it is aimed a third of the time, else so far away as two dice say, less the skill."""

    def play(t: Table) -> tuple[int, int]:
        if t.roll((True, False, False)):
            return 0, 5
        away = max(0, t.of(TWO_DICE) - 4)
        return away, 5 if away == 0 else 3 if away <= 2 else 1 if away <= 4 else 0

    def wounds(t: Table) -> int:
        _, under = t.of(landed)
        return int(t.of(binomial(under, Fraction(2, 3) * Fraction(1, 2))))

    landed = law(play)
    suffered = law(wounds)
    return {
        "p_on_target": chance(landed, lambda r: r[0] == 0),
        "mean_away": mean(landed, lambda r: r[0]),
        "mean_wounds": mean(suffered),
        "p_no_wound": suffered[0],
    }


def mighty_blow() -> Answers:
    """Armour nine; then stunned, knocked out, or a casualty. One is added to either throw, where it matters."""

    def play(t: Table, mighty: int, armour: int = 9) -> str:
        broken = t.of(TWO_DICE)
        if broken + mighty < armour:
            return "holds"
        hurt = t.of(TWO_DICE) + (mighty if broken >= armour else 0)
        return "stunned" if hurt <= 7 else "out" if hurt <= 9 else "casualty"

    plain, mighty = law(lambda t: play(t, 0)), law(lambda t: play(t, 1))
    return {
        "p_casualty": plain["casualty"],
        "p_casualty_mighty": mighty["casualty"],
        "p_off_the_field_mighty": mighty["casualty"] + mighty["out"],
        "p_stunned_mighty": mighty["stunned"],
    }


def consciousness() -> Answers:
    """Five head hits of a pilot, who has to reach 3, 5, 7, 10 and 11 in turn; the sixth is death."""
    needed = (3, 5, 7, 10, 11)
    reach = [sum((weight for total, weight in TWO_DICE.items() if total >= goal), Fraction(0)) for goal in needed]
    awake = [Fraction(1)]
    for share in reach:
        awake.append(awake[-1] * share)

    def volley(t: Table) -> int:
        """Of ten shots that hit, how many hit the head."""
        return int(t.of(binomial(10, Fraction(1, 36))))

    return {
        "p_awake_after_3": awake[3],
        "mean_hits_taken": sum(awake[1:], Fraction(0)) + 1,
        "p_awake_after_volley": sum((w * (awake[n] if n <= 5 else 0) for n, w in law(volley).items()), Fraction(0)),
    }


def rate_of_fire() -> Answers:
    """A gun fires on while its coloured die shows two or less, and is broken by a twelve; a squad has morale seven."""

    def turn(t: Table, at: tuple[int, bool, bool]) -> tuple[int, bool, bool]:
        shots, broken, _ = at
        coloured, white = t.roll(6), t.roll(6)
        total = coloured + white
        if total == 12:
            return shots, broken, True
        check = t.of(TWO_DICE) + {2: 3, 3: 2, 4: 2, 5: 1, 6: 1, 7: 0}.get(total, -20) > 7
        return min(4, shots + 1), broken or check, coloured > 2

    ends, fired = played((0, False, False), lambda at: at[2], turn)
    return {
        "p_broken": chance(ends, lambda at: at[1]),
        "mean_shots": fired,
        "p_ge4": chance(ends, lambda at: at[0] >= 4),
    }


def dba() -> Answers:
    """Blades against spears: the side that is beaten recoils, and is destroyed if the other has twice as much."""

    def bout(t: Table, ours: int, theirs: int) -> str:
        mine, yours = t.roll(6) + ours, t.roll(6) + theirs
        if mine == yours:
            return "stand"
        winner, loser = ("ours", yours) if mine > yours else ("theirs", mine)
        return winner + (" destroy" if max(mine, yours) >= 2 * loser else " push")

    once = law(lambda t: bout(t, 5, 4))

    def turn(t: Table, at: tuple[int, int, str]) -> tuple[int, int, str]:
        """Up to two recoils each; then somebody stands at the edge and is lost."""
        result = bout(t, 5 - at[0], 4 - at[1])
        if result == "stand":
            return at
        side, what = result.split()
        if what == "destroy":
            return at[0], at[1], side
        mine, yours = (at[0], at[1] + 1) if side == "ours" else (at[0] + 1, at[1])
        return mine, yours, "theirs" if mine == 3 else "ours" if yours == 3 else ""

    ends, bouts = played((0, 0, ""), lambda at: at[2] != "", turn)
    return {
        "p_destroy": once["ours destroy"],
        "p_beaten": once.get("theirs push", Fraction(0)) + once.get("theirs destroy", Fraction(0)),
        "p_won": chance(ends, lambda at: at[2] == "ours"),
        "mean_bouts": bouts,
    }


ATTACK = {
    "red": ("crit", *["hit"] * 5, "surge", "blank"),
    "black": ("crit", *["hit"] * 3, "surge", *["blank"] * 3),
}


def troopers() -> Answers:
    """Three black and two red dice; surges become hits. Cover takes hits; white dice block on two faces of six."""

    def play(t: Table, cover: int, pierce: int) -> int:
        shown = Counter(t.pool(3, ATTACK["black"])) + Counter(t.pool(2, ATTACK["red"]))
        hits = shown["hit"] + shown["surge"]
        through = max(0, hits - cover) + shown["crit"]
        blocked = t.of(binomial(through, Fraction(2, 6)))
        return through - max(0, int(blocked) - pierce)

    open_, light = law(lambda t: play(t, 0, 0)), law(lambda t: play(t, 1, 1))
    return {
        "mean_wounds": mean(open_),
        "p_three_or_more": chance(open_, lambda n: n >= 3),
        "mean_cover_and_pierce": mean(light),
        "p_none_cover_and_pierce": light[0],
    }


def wings() -> Answers:
    """Damage cards that are not put back: a plane bears so much, and one card in the deck blows it up."""
    deck = Counter({0: 10, 1: 8, 2: 8, 3: 6, 4: 3, 5: 2, 99: 1})

    def cards(bears: int, most: int) -> tuple[dict[int, Fraction], Fraction]:
        """How the number of cards is distributed, and how often the explosion ended it."""
        now: dict[tuple[tuple[int, ...], int], Fraction] = {((), 0): Fraction(1)}
        counts: dict[int, Fraction] = {}
        blown = Fraction(0)
        for at in range(1, most + 1):
            after: dict[tuple[tuple[int, ...], int], Fraction] = {}
            for (gone, damage), weight in now.items():
                left = deck - Counter(gone)
                for value, number in left.items():
                    share = weight * Fraction(number, left.total())
                    if value == 99 or damage + value >= bears:
                        counts[at] = counts.get(at, Fraction(0)) + share
                        blown += share if value == 99 else 0
                    else:
                        key = (tuple(sorted((*gone, value))), damage + value)
                        after[key] = after.get(key, Fraction(0)) + share
            now = after
        assert not now
        return counts, blown

    counts, blown = cards(8, 18)
    return {"mean_cards": mean(counts), "p_exploded": blown, "p_at_most_3": chance(counts, lambda n: n <= 3)}


LONE_WOLF = {
    1: (3, 5),
    2: (4, 4),
    3: (5, 4),
    4: (6, 3),
    5: (7, 2),
    6: (8, 2),
    7: (9, 1),
    8: (10, 0),
    9: (11, 0),
    0: (12, 0),
}
BETTER = {
    1: (4, 5),
    2: (5, 4),
    3: (6, 3),
    4: (7, 3),
    5: (8, 2),
    6: (9, 2),
    7: (10, 1),
    8: (11, 0),
    9: (12, 0),
    0: (14, 0),
}


def lone_wolf() -> Answers:
    """Enemy loses, wolf loses, by a digit; fought to the end, the wolf's blow first when both would fall."""

    def fight(table: dict[int, tuple[int, int]]) -> Law:
        def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
            foe, wolf = table[t.roll(range(10))]
            return max(0, at[0] - foe), max(0, at[1] - wolf)

        return played((18, 14), lambda at: 0 in at, turn)[0]

    even, better = fight(LONE_WOLF), fight(BETTER)
    return {
        "p_wins": chance(even, lambda at: at[0] == 0),
        "mean_left": mean(even, lambda at: at[1]),
        "p_unhurt_better": better[0, 14],
        "p_wins_better": chance(better, lambda at: at[0] == 0),
    }


WARFARE: tuple[Callable[[], Answers], ...] = (
    landing, focus, scatter, mighty_blow, consciousness, rate_of_fire, dba, troopers, wings, lone_wolf,
)  # fmt: skip
