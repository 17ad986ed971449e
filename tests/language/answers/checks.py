"""Checks of all kinds: attributes and points, twists, panic, insight, and choices made before or after the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

from tests.language.answers.chains import played, turns
from tests.language.answers.play import Answers, Law, Table, chance, exploding, law, mean


def three_attributes() -> Answers:
    def check(attributes: tuple[int, int, int], points: int) -> Law:
        def read(dice: tuple[int, ...]) -> tuple[str, int]:
            left = points - sum(max(0, die - most) for die, most in zip(dice, attributes, strict=True))
            quality = 0 if left < 0 else max(1, -(-left // 3))
            if dice.count(1) >= 2:
                return "critical", quality
            return "botch" if dice.count(20) >= 2 else "success" if left >= 0 else "failure", quality

        found = Counter(map(read, product(range(1, 21), repeat=3)))
        return {result: Fraction(ways, 8000) for result, ways in found.items()}

    plain, hard = check((12, 13, 11), 6), check((9, 10, 8), 9)
    return {
        "p_good": chance(plain, lambda r: r[0] in ("critical", "success")),
        "p_critical": chance(plain, lambda r: r[0] == "critical"),
        "mean_quality": mean(plain, lambda r: r[1]),
        "p_quality_2_hard": chance(hard, lambda r: r[1] >= 2),
    }


def trait_damage() -> Answers:
    trait, wild = exploding(8, [8], 40), exploding(6, [6], 40)

    best: Law = {}
    for a, b in product(trait, wild):
        reached = 8 if max(a, b) >= 8 else 4 if max(a, b) >= 4 else 0
        best[reached] = best.get(reached, Fraction(0)) + trait[a] * wild[b]

    def damage(dice: int) -> Law:
        total: Law = {0: Fraction(1)}
        for _ in range(dice):
            after: Law = {}
            for a, b in product(total, wild):
                after[min(40, a + b)] = after.get(min(40, a + b), Fraction(0)) + total[a] * wild[b]
            total = after
        return total

    two, three = damage(2), damage(3)

    def between(low: int, high: int) -> Fraction:
        return best[4] * chance(two, lambda n: low <= n < high) + best[8] * chance(three, lambda n: low <= n < high)

    return {"p_shaken": between(6, 10), "p_wounded": between(10, 99), "p_two_wounds": between(14, 99)}


def fate_points() -> Answers:
    dice = law(lambda t: sum(t.pool(4, (-1, 0, 1))))

    @cache
    def good(total: int, difficulty: int, points: int) -> Fraction:
        if total >= difficulty or points == 0:
            return Fraction(int(total >= difficulty))
        again = sum((weight * good(shown + 2, difficulty, points - 1) for shown, weight in dice.items()), Fraction(0))
        return max(Fraction(0), good(total + 2, difficulty, points - 1), again)

    def chances(difficulty: int, points: int) -> Fraction:
        return sum((weight * good(shown + 2, difficulty, points) for shown, weight in dice.items()), Fraction(0))

    return {"p_good": chances(4, 2), "p_good_one_point": chances(5, 1)}


def twists() -> Answers:
    def play(t: Table) -> tuple[int, int]:
        return t.pool(2, 6)

    def wish(pair: tuple[int, ...]) -> int:
        return (2 if sum(pair) >= 7 else 0) + pair.count(4) - pair.count(3)

    def beside(kept: int) -> Law:
        return law(lambda t: tuple(sorted((kept, t.roll(6)))))

    plain = law(play)
    wished = Fraction(0)
    for pair, weight in plain.items():
        options: list[Law] = [{pair: Fraction(1)}]
        for kept in sorted(set(pair)):
            options.append(beside(kept))
        wished += weight * max(mean(option, wish) for option in options)
    return {
        "p_success": chance(plain, lambda p: sum(p) >= 7),
        "p_good_twist": chance(plain, lambda p: 4 in p),
        "p_success_bad_twist": chance(plain, lambda p: sum(p) >= 7 and 3 in p),
        "mean_wish_reroll": wished,
    }


def wrath_die() -> Answers:
    def play(t: Table) -> tuple[int, int, int]:
        pool, wrath = t.pool(4, 6), t.roll(6)
        dice = (*pool, wrath)
        sixes = dice.count(6)
        return sum(face >= 4 for face in dice) + sixes, sixes, wrath

    found = law(play)
    return {
        "p_success": chance(found, lambda r: r[0] >= 3),
        "p_success_complication": chance(found, lambda r: r[0] >= 3 and r[2] == 1),
        "p_success_glory": chance(found, lambda r: r[0] >= 3 and r[2] == 6),
        "mean_shifts": mean(found, lambda r: min(r[1], (r[0] - 3) // 2) if r[0] >= 3 else 0),
    }


def leaping_bolt() -> Answers:
    hit, critical = Fraction(12, 20), Fraction(1, 20)
    leap = Fraction(1, 8)
    leap_critical = 1 - Fraction(8 * 7 * 6 * 5, 8**4)
    onward = hit * leap + critical * leap_critical
    once = hit * (9 + Fraction(7, 2)) + critical * 2 * (9 + Fraction(7, 2))
    return {
        "mean_damage": once / (1 - onward),
        "p_two_targets": onward * (hit + critical),
        "p_no_damage": 1 - hit - critical,
    }


def sneak_attack() -> Answers:
    def strike(t: Table) -> int:
        """0, 1 or 2: missed, hit, critical."""
        number = t.roll(20)
        return 2 if number == 20 else int(number != 1 and number + 5 >= 14)

    one = law(strike)

    def sums(number: int) -> Law:
        return law(lambda t: sum(t.pool(number, 6)))

    dice = {number: sums(number) for number in range(9)}
    total: Law = {}
    for (first, a), (second, b) in product(one.items(), one.items()):
        sneak = 2 * max(first, second) if first != 1 else 2
        if first == 1:
            early, late = Fraction(14), sum((w * 14 * hit for hit, w in one.items()), Fraction(0))
            assert early > late
        for shown, weight in dice[first + second + sneak].items():
            damage = shown + 3 * (first > 0)
            total[damage] = total.get(damage, Fraction(0)) + a * b * weight
    return {
        "mean_damage": mean(total),
        "p_nothing": total[0],
        "p_ge20": chance(total, lambda n: n >= 20),
    }


def sanity() -> Answers:
    def at_most(t: Table, number: int) -> bool:
        held: bool = t.pick([(True, Fraction(number, 100)), (False, 1 - Fraction(number, 100))])
        return held

    def encounter(t: Table, sanity: int) -> tuple[int, bool]:
        loss = 1 if at_most(t, sanity) else t.roll(6)
        return loss, loss >= 5 and at_most(t, 65)

    def turn(t: Table, at: tuple[int, bool]) -> tuple[int, bool]:
        loss, broken = encounter(t, at[0])
        return max(0, at[0] - loss), at[1] or broken

    sixty = law(lambda t: encounter(t, 60))
    ends, lasts = played((10, False), lambda at: at[0] == 0, turn)
    return {
        "p_broken_60": chance(sixty, lambda r: r[1]),
        "mean_loss_60": mean(sixty, lambda r: r[0]),
        "mean_encounters_10": lasts,
        "p_never_broken_10": chance(ends, lambda at: not at[1]),
        "p_four_10": chance(turns((10, False), lambda at: at[0] == 0, turn, 4), lambda at: at[0] == 0),
    }


def structure() -> Answers:
    def crushed(lost: int) -> Fraction:
        return chance(law(lambda t: t.pool(lost, 6).count(1)), lambda ones: ones >= 2)

    stands = [Fraction(1)]
    for lost in (1, 2, 3):
        stands.append(stands[-1] * (1 - crushed(lost)))
    return {"p_glancing_2": Fraction(4, 36), "p_crushed_3": crushed(3), "mean_checks": sum(stands, Fraction(0))}


def column_of_ranks() -> Answers:
    """From where on a rank's column is green, yellow, red."""
    bounds = {"feeble": (61, 91, 98), "good": (51, 76, 98), "incredible": (31, 76, 91)}

    def colour(rank: str, number: int) -> str:
        green, yellow, red = bounds[rank]
        return "red" if number >= red else "yellow" if number >= yellow else "green" if number >= green else "white"

    def feat(rank: str, karma: int = 0) -> Law:
        return law(lambda t: colour(rank, min(100, t.roll(100) + karma)))

    dodges = 1 - feat("good")["white"]
    weak, strong = feat("feeble"), feat("incredible")
    return {
        "p_good_karma": 1 - feat("good", 20)["white"],
        "p_hit_dodged": dodges * weak.get("green", Fraction(0)) + (1 - dodges) * strong["green"],
        "p_stun_dodged": dodges * weak["red"] + (1 - dodges) * strong["red"],
    }


def panic_stress() -> Answers:
    def turn(t: Table, at: tuple[int, bool]) -> tuple[int, bool]:
        number = t.roll(100) - 1
        if number < 40:
            return at
        now = min(20, at[0] + 1)
        return now, number % 11 == 0 and t.roll(20) <= now

    ends = turns((2, False), lambda at: at[1], turn, 6)
    return {"p_panicked": chance(ends, lambda at: at[1]), "mean_stress": mean(ends, lambda at: at[0])}


def aces() -> Answers:
    one = exploding(8, [8], 40)

    def play(t: Table) -> tuple[int, int]:
        pool = t.pool(3, 8)
        return pool.count(1), max(pool)

    first = law(play)
    busts = chance(first, lambda r: r[0] >= 2)
    low = chance(one, lambda n: 1 < n < 5)
    fails_without_bust = low**3 + 3 * Fraction(1, 8) * low**2
    return {
        "p_success": 1 - busts - fails_without_bust,
        "p_bust": busts,
        "p_two_raises": 1 - chance(one, lambda n: n < 15) ** 3,
    }


def mighty_deed() -> Answers:
    def play(t: Table) -> tuple[bool, bool, int, int]:
        number, deed = t.roll(20), t.roll(5)
        needed = 14 - (number + deed + 1)
        burn = 1 <= needed <= 3 and number > 1 and deed >= 3
        hit = number == 20 or (number > 1 and (needed <= 0 or burn))
        return hit, hit and deed >= 3, max(1, t.roll(8) + deed + 1) if hit else 0, needed if burn else 0

    found = law(play)
    return {
        "p_good": chance(found, lambda r: r[0]),
        "p_mighty": chance(found, lambda r: r[1]),
        "mean_dealt": mean(found, lambda r: r[2]),
        "mean_burnt": mean(found, lambda r: r[3]),
    }


def computer_die() -> Answers:
    def node(node: int) -> Law:
        def play(t: Table) -> int:
            pool = t.pool(abs(node), 6)
            fives = sum(face >= 5 for face in pool)
            return int(fives + (t.roll(6) == 5) - (len(pool) - fives if node < 0 else 0))

        return law(play)

    return {
        "p_success_3": chance(node(3), lambda n: n >= 1),
        "p_success_minus_2": chance(node(-2), lambda n: n >= 1),
        "mean_minus_2": mean(node(-2)),
    }


def insight() -> Answers:
    def turn(t: Table, mind: int) -> int:
        own, dread = max(t.pool(2, 6)), t.roll(6)
        return int(mind + (dread > max(mind, own)))

    return {
        "mean_checks": played(1, lambda mind: mind == 6, turn)[1],
        "p_by_ten": turns(1, lambda mind: mind == 6, turn, 10)[6],
    }


CHECKS: tuple[Callable[[], Answers], ...] = (
    three_attributes, trait_damage, fate_points, twists, wrath_die, leaping_bolt, sneak_attack, sanity, structure,
    column_of_ranks, panic_stress, aces, mighty_deed, computer_die, insight,
)  # fmt: skip
