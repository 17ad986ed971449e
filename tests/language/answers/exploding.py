"""Dice that explode, penetrate, double or climb."""

from __future__ import annotations

from fractions import Fraction

from tests.language.answers.play import Answers, Law, Table, chance, exploding, first_and_sum, law, mean, successes


def savage_worlds() -> Answers:
    def play(sides: int, cap: int) -> Law:
        first = {s: first_and_sum(s, cap) for s in (sides, 6)}

        def roll(t: Table) -> tuple[int, bool]:
            trait, wild = t.of(first[sides]), t.of(first[6])
            return max(trait[0], wild[0]), trait[1] == wild[1] == 1

        return law(roll)

    d8, d4, d12 = play(8, 30), play(4, 30), play(12, 30)
    return {
        "p_success_d8": chance(d8, lambda r: r[0] >= 4 and not r[1]),
        "p_raise_d8": chance(d8, lambda r: r[0] >= 8),
        "p_snake_eyes_d8": chance(d8, lambda r: r[1]),
        "p_good_d4_minus2": chance(d4, lambda r: r[0] - 2 >= 4 and not r[1]),
        "p_two_raises_d12": chance(d12, lambda r: r[0] >= 12),
    }


def roll_and_keep() -> Answers:
    die = exploding(10, [10], 30)

    def play(t: Table) -> int:
        return sum(sorted(t.of(die) for _ in range(3))[1:])

    total = law(play)
    return {
        "p_3k2_ge15": chance(total, lambda r: r >= 15),
        "p_3k2_ge25": chance(total, lambda r: r >= 25),
        "mean_3k3": 3 * Fraction(11, 2) * Fraction(10, 9),
    }


def penetrating_dice() -> Answers:
    def die(sides: int, cap: int) -> Law:
        """The first die counts its face, each further one its face less one: every top face adds `sides - 1`."""
        done: Law = {}
        sofar, weight = 0, Fraction(1)
        while sofar < cap:
            for face in range(1, sides):
                value = min(cap, sofar + face)
                done[value] = done.get(value, Fraction(0)) + weight / sides
            weight /= sides
            sofar += sides - 1
        done[cap] = done.get(cap, Fraction(0)) + weight
        return done

    two = law(lambda t: t.of(die(6, 30)) + t.of(die(6, 30)))
    one = die(8, 40)
    return {
        "mean_2d6p": 2 * (Fraction(7, 2) + Fraction(1, 6) * (Fraction(5, 2) / (1 - Fraction(1, 6)))),
        "p_2d6p_ge12": chance(two, lambda r: r >= 12),
        "p_1d8p_eq8": one[8],
        "p_1d8p_eq15": one[15],
    }


def plus_minus() -> Answers:
    def exactly(total: int) -> Fraction:
        """Over n = 6k + r: the chance that one die reads n and the other n + total, a geometric series in k."""
        return sum((Fraction(1, 6) ** ((r + total) // 6) / 35 for r in range(1, 6) if (r + total) % 6), Fraction(0))

    at_least_0 = (1 + exactly(0)) / 2
    return {
        "p_swerve_ge0": at_least_0,
        "p_swerve_eq0": exactly(0),
        "p_swerve_ge5": (1 - exactly(0)) / 2 - sum((exactly(total) for total in range(1, 5)), Fraction(0)),
        "p_boxcars_and_success": at_least_0 / 36,
        "mean_swerve": Fraction(0),
    }


def stress_die() -> Answers:
    tenth = Fraction(1, 10)
    doubled = {2**k * face: Fraction(0) for k in range(1, 5) for face in range(2, 11)}
    for k in range(1, 5):
        for face in range(2, 11):
            doubled[2**k * face] += tenth * tenth ** (k - 1) * tenth
    return {
        "p_number_ge9": tenth + tenth * (1 - sum(10 * weight for value, weight in doubled.items() if value < 9)),
        "p_botch_3_dice": tenth * (1 - (1 - tenth) ** 3),
        # 2^k * 27/5 (2 to 10 on the last die, one chance in ten each) with k - 1 further ones before it
        "mean_number": sum(range(2, 10)) * tenth + tenth * Fraction(27, 5) * 2 / (1 - 2 * tenth),
        "p_number_eq8": tenth + doubled[8],
    }


def burning_wheel() -> Answers:
    def test(size: int, obstacle: int, lowest: int, fate: bool) -> Fraction:
        luck = successes(6, range(lowest, 7), [6], obstacle)

        def roll(t: Table) -> bool:
            pool = t.pool(size, 6)
            scored = sum(die >= lowest for die in pool)
            if fate and scored < obstacle:
                scored += sum(t.of(luck) for die in pool if die == 6)
            return bool(scored >= obstacle)

        return law(roll)[True]

    return {
        "p_b4_ob3": test(4, 3, 4, False),
        "p_b4_ob3_fate": test(4, 3, 4, True),
        "p_g5_ob4_fate": test(5, 4, 3, True),
    }


def torg_bonus() -> Answers:
    number = exploding(20, [10, 20], 60)
    return {
        "p_success_8_vs_10": chance(number, lambda n: n >= 15),
        "p_number_ge21": chance(number, lambda n: n >= 21),
        "mean_number": Fraction(21, 2) / (1 - Fraction(1, 10)),
        "p_change_ge9": chance(number, lambda n: n >= 26),
    }


def earthdawn_steps() -> Answers:
    def step(sides: tuple[int, ...]) -> Law:
        return law(lambda t: sum(t.of(exploding(s, [s], 40)) for s in sides))

    five, nine, eleven = step((8,)), step((8, 6)), step((10, 8))
    return {
        "p_step5_ge6": chance(five, lambda r: r >= 6),
        "p_step9_ge10": chance(nine, lambda r: r >= 10),
        "p_step11_ge20": chance(eleven, lambda r: r >= 20),
        "mean_step9": Fraction(9, 2) * Fraction(8, 7) + Fraction(7, 2) * Fraction(6, 5),
    }


def open_ended() -> Answers:
    more = exploding(100, range(96, 101), 300)

    def roll(t: Table) -> int:
        first = t.roll(100)
        return int(first + (t.of(more) if first >= 96 else 0) - (t.of(more) if first <= 5 else 0))

    total = law(roll)
    return {
        "p_over_100_skill30": chance(total, lambda r: r + 30 > 100),
        "p_total_ge150": chance(total, lambda r: r >= 150),
        "p_total_le_minus50": chance(total, lambda r: r <= -50),
        "mean_total": Fraction(101, 2),
    }


def wild_die_d6() -> Answers:
    wild = exploding(6, [6], 40)

    def roll(t: Table) -> tuple[int, bool]:
        plain, extra = t.pool(3, 6), t.of(wild)
        return (sum(plain[:-1]), True) if extra == 1 else (sum(plain) + extra, False)

    skill = law(roll)
    highest = mean(law(lambda t: t.pool(3, 6)[-1]))
    return {
        "p_4d_ge10": chance(skill, lambda r: r[0] >= 10),
        "p_4d_ge15": chance(skill, lambda r: r[0] >= 15),
        "p_success_despite_complication": chance(skill, lambda r: r[0] >= 10 and r[1]),
        "mean_4d": Fraction(21, 2) + Fraction(21, 5) - Fraction(1, 6) * (1 + highest),
    }


def primary_die() -> Answers:
    chain = first_and_sum(6, 40)

    def roll(t: Table) -> tuple[int, bool]:
        (total, first), other = t.of(chain), t.roll(6)
        return 0 if first == 1 else min(60, total + other + 1), first == 6

    attack = law(roll)
    # a first die of 2 to 5, or 6 and an endless die of mean 21/5; the other die and the bonus whenever it is not 1
    hit = Fraction(5, 6) * (Fraction(7, 2) + 1)
    return {
        "mean_2d6": Fraction(2 + 3 + 4 + 5, 6) + Fraction(1, 6) * (6 + Fraction(21, 5)) + hit,
        "p_ge10_2d6": chance(attack, lambda r: r[0] >= 10),
        "p_critical_and_ge15": chance(attack, lambda r: r[1] and r[0] >= 15),
    }


def climbing_die() -> Answers:
    def roll(t: Table) -> int:
        total, size = 0, 4
        while True:
            shown = t.roll(size)
            total += shown
            if shown < size or size == 12:
                return int(total)
            size += 2

    climb = law(roll)
    return {
        "mean_d4": mean(climb),
        "p_ge10_d4": chance(climb, lambda r: r >= 10),
        "p_ge20_d4": chance(climb, lambda r: r >= 20),
    }
