"""A few dice added, compared with a number, or read digit by digit."""

from __future__ import annotations

from fractions import Fraction

from tests.language.answers.play import Answers, Law, Table, chance, law, mean


def percentile_bonus() -> Answers:
    def play(bonus: int) -> Law:
        def roll(t: Table) -> int:
            unit = t.roll(range(10))
            tens = [t.roll(range(0, 100, 10)) for _ in range(1 + abs(bonus))]
            numbers = [ten + unit or 100 for ten in tens]
            return min(numbers) if bonus >= 0 else max(numbers)

        return law(roll)

    bonus, penalty = play(1), play(-2)
    return {
        "p_good_55_bonus": chance(bonus, lambda n: n <= 55),
        "p_extreme_55_bonus": chance(bonus, lambda n: 1 < n <= 11),
        "p_fumble_40_penalty2": chance(penalty, lambda n: n >= 96),
        "mean_bonus": mean(bonus),
    }


def fate_ladder() -> Answers:
    fudge = law(lambda t: sum(t.pool(4, (-1, 0, 1))))
    return {
        "p_style_great_vs_fair": chance(fudge, lambda r: r + 2 >= 3),
        "p_success_great_vs_fair": chance(fudge, lambda r: 1 <= r + 2 < 3),
        "p_tie_equal": chance(fudge, lambda r: r == 0),
        "p_fail_fair_vs_great": chance(fudge, lambda r: r - 2 < 0),
    }


def gurps_success() -> Answers:
    three = law(lambda t: sum(t.pool(3, 6)))

    def contest(t: Table) -> int:
        ours, theirs = t.of(three), t.of(three)
        return int((12 - ours) - (10 - theirs))

    margin = law(contest)
    return {
        "p_crit_16": chance(three, lambda n: n <= 6),
        "p_good_12": chance(three, lambda n: n <= 12),
        "p_critfail_6": chance(three, lambda n: n >= 16),
        "p_first_wins_12_10": chance(margin, lambda m: m > 0),
        "p_tie_12_10": chance(margin, lambda m: m == 0),
    }


def dice_chain() -> Answers:
    return {
        "p_d24_plus3_dc15": chance(law(lambda t: t.roll(24)), lambda n: n != 1 and n + 3 >= 15),
        "p_d16_fumble": Fraction(1, 16),
        "mean_d30": Fraction(31, 2),
        "p_d3_end_of_chain": Fraction(1, 3),
    }


def marvel_multiverse() -> Answers:
    def roll(t: Table) -> tuple[int, bool, int]:
        plain, marvel, again = [t.roll(6), t.roll(6)], t.roll(6), t.roll(6)
        counted = 6 if marvel == 1 else marvel
        edge = max(sum(plain), max(plain) + again) + counted
        return sum(plain) + counted, marvel == 1, edge

    action = law(roll)
    return {
        "p_success_2_vs_13": chance(action, lambda r: r[0] + 2 >= 13),
        "p_fantastic_and_success": chance(action, lambda r: r[1] and r[0] + 2 >= 13),
        "p_edge_on_lowest_plain": chance(action, lambda r: r[2] + 2 >= 13),
        "mean_total": mean(action, lambda r: r[0] + 2),
    }


def cyberpunk_red() -> Answers:
    def roll(t: Table) -> int:
        number = t.roll(10)
        return int(number + (t.roll(10) if number == 10 else 0) - (t.roll(10) if number == 1 else 0))

    check = law(roll)
    return {
        "p_10_vs_15": chance(check, lambda r: r + 10 > 15),
        "p_14_vs_15": chance(check, lambda r: r + 14 > 15),
        "p_5_vs_20": chance(check, lambda r: r + 5 > 20),
        "mean_10": mean(check) + 10,
    }


def flip_flop() -> Answers:
    def roll(t: Table) -> tuple[int, int, bool]:
        tens, units = t.roll(range(10)), t.roll(range(10))
        return (10 * tens + units or 100), (10 * units + tens or 100), tens == units

    digits = law(roll)
    return {
        "p_good_45": chance(digits, lambda r: r[0] <= 45),
        "p_matched_success_45": chance(digits, lambda r: r[2] and 1 < r[0] <= 45),
        "p_good_45_obsession": chance(digits, lambda r: min(r[0], r[1]) <= 45),
        "p_matched_failure_45": chance(digits, lambda r: r[2] and 45 < r[0] < 100),
    }


def one_ring() -> Answers:
    def play(weary: bool) -> Law:
        def roll(t: Table) -> tuple[bool, int, int]:
            feat, pool = t.roll(12), t.pool(3, 6)
            total = (feat if feat <= 10 else 0) + sum(0 if weary and die <= 3 else die for die in pool)
            return feat == 11 or total >= 14, pool.count(6), total

        return law(roll)

    fresh, weary = play(False), play(True)
    return {
        "p_good_3d_14": chance(fresh, lambda r: r[0]),
        "p_extraordinary_3d_14": chance(fresh, lambda r: r[0] and r[1] >= 2),
        "p_good_3d_14_weary": chance(weary, lambda r: r[0]),
        "mean_total_weary": mean(weary, lambda r: r[2]),
    }


def two_readings() -> Answers:
    def roll(t: Table) -> tuple[int, int]:
        pool = t.pool(6, 6)
        return sum(pool), sum({1: 0, 6: 2}.get(die, 1) for die in pool)

    blow = law(roll)
    return {
        "mean_body_6": mean(blow, lambda r: r[1]),
        "p_stun_ge25_and_body_le5": chance(blow, lambda r: r[0] >= 25 and r[1] <= 5),
        "p_body_eq6": chance(blow, lambda r: r[1] == 6),
    }


def stunt_die() -> Answers:
    def roll(t: Table) -> tuple[bool, int]:
        dice = [t.roll(6) for _ in range(3)]
        passed = sum(dice) + 2 >= 13
        return passed, dice[2] if passed and len(set(dice)) < 3 else 0

    test = law(roll)
    return {
        "p_success": chance(test, lambda r: r[0]),
        "p_any_stunts": chance(test, lambda r: r[1] > 0),
        "mean_stunts": mean(test, lambda r: r[1]),
        "p_stunts_ge5": chance(test, lambda r: r[1] >= 5),
    }


def boons_banes() -> Answers:
    total = law(lambda t: t.roll(20) + max(t.pool(2, 6)))
    banes = law(lambda t: t.roll(20) - max(t.pool(2, 6)))
    return {
        "p_two_boons": chance(total, lambda r: r >= 13),
        "mean_two_boons": mean(total),
        "p_three_banes_one_boon": chance(banes, lambda r: r + 2 >= 10),
    }


def doubles_again() -> Answers:
    def roll(t: Table) -> int:
        """Spaces; negative for those before going to jail."""
        spaces = 0
        for throw in range(3):
            first, second = t.roll(6), t.roll(6)
            if throw == 2 and first == second:
                return -spaces
            spaces += first + second
            if first != second:
                break
        return spaces

    move = law(roll)
    return {
        "p_jail": chance(move, lambda r: r < 0),
        "mean_spaces": mean(move, abs),
        "p_spaces_ge20": chance(move, lambda r: abs(r) >= 20),
    }


def duality_dice() -> Answers:
    def play(trait: int, advantage: int) -> Law:
        def roll(t: Table) -> str:
            hope, fear = t.roll(12), t.roll(12)
            total = hope + fear + trait + (advantage * t.roll(6) if advantage else 0)
            if hope == fear:
                return "critical"
            return ("success " if total >= 12 else "failure ") + ("hope" if hope > fear else "fear")

        return law(roll)

    plain = play(1, 0)
    return {
        "p_critical": plain["critical"],
        "p_success_hope": plain["success hope"],
        "p_success_fear": plain["success fear"],
        "p_failure_hope": plain["failure hope"],
        "p_failure_fear": plain["failure fear"],
        "p_success_hope_disadvantage": play(2, -1)["success hope"],
    }


def two_unlike_dice() -> Answers:
    check = law(lambda t: (t.roll(10), t.roll(8)))

    def critical(dice: tuple[int, int]) -> bool:
        return dice[0] == dice[1] >= 6

    return {
        "p_good_10_8": chance(check, lambda r: critical(r) or sum(r) >= 10),
        "p_critical_10_8": chance(check, critical),
        "mean_high_10_8": mean(check, max),
        "p_success_with_high_8": chance(check, lambda r: sum(r) >= 10 and not critical(r) and max(r) >= 8),
    }


def middle_die() -> Answers:
    effect = law(lambda t: sorted((t.roll(10), t.roll(8), t.roll(6)))[1])
    return {
        "p_major": chance(effect, lambda r: r <= 3),
        "p_minor": chance(effect, lambda r: 4 <= r <= 7),
        "p_success": chance(effect, lambda r: r >= 8),
        "mean_middle": mean(effect),
    }


def unit_battle() -> Answers:
    def roll(t: Table) -> int:
        units = [(3, 1), (2, 3), (1, 4)]
        return sum(die <= target for number, target in units for die in t.pool(number, 6))

    hits = law(roll)
    return {"mean_hits": mean(hits), "p_ge3_hits": chance(hits, lambda r: r >= 3), "p_no_hits": hits[0]}


def location_and_armour() -> Answers:
    def roll(t: Table) -> tuple[int, bool, bool]:
        where, force = t.roll(10), t.of(three)
        armour, maims = (3, 6) if where <= 2 else (2, 12) if where <= 7 else (0, 8)
        through = max(0, force - armour)
        return through, through >= maims, where <= 2

    three = law(lambda t: sum(t.pool(3, 6)))
    blow = law(roll)
    return {
        "mean_through": mean(blow, lambda r: r[0]),
        "p_maimed": chance(blow, lambda r: r[1]),
        "p_maimed_head": chance(blow, lambda r: r[1] and r[2]),
    }
