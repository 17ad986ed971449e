"""Cards, bags and tables of the world: hands that are dealt, decks that run down, treasure, weather and torches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, prod

from tests.language.answers.chains import played, turns
from tests.language.answers.parlour import TWO_DICE
from tests.language.answers.play import Answers, Law, Table, chance, law, mean

THREE_DICE = law(lambda t: int(sum(t.pool(3, 6))))


def adding(first: Law, second: Law) -> Law:
    """The distribution of the sum of two."""
    return law(lambda t: t.of(first) + t.of(second))


def paladin() -> Answers:
    """Three dice in order, with the least that a paladin needs; or four dice and the lowest dropped."""
    four = law(lambda t: sum(t.pool(4, 6)[1:]))
    least = (12, 9, 13, 17)

    def qualifies(score: Law) -> Fraction:
        reached = (sum((weight for total, weight in score.items() if total >= goal), Fraction(0)) for goal in least)
        return prod(reached, start=Fraction(1))

    def modifier(score: int) -> int:
        return (score - 10) // 2

    bonus = law(lambda t: modifier(t.of(four)))
    high = {}
    for kept in (True, False):
        now: Law = {(0, False): Fraction(1)}
        for _ in range(6):
            after: Law = {}
            for (total, above), weight in now.items():
                for score, share in four.items():
                    key = total + modifier(score), above or score > 13
                    after[key] = after.get(key, Fraction(0)) + weight * share
            now = after
        high[kept] = chance(now, lambda r: r[0] > 0 and r[1])
    twelve = 1 - (1 - qualifies(THREE_DICE)) ** 12
    return {
        "p_qualifies": qualifies(THREE_DICE),
        "p_qualifies_four_dice": qualifies(four),
        "p_one_of_twelve": twelve,
        "p_stands": high[True],
        "mean_modifier": mean(bonus),
    }


def treasure() -> Answers:
    """Half of the time one to four gems, each worth what a table says, one in ten of them ten times that."""
    value = {
        10: Fraction(25, 100),
        50: Fraction(25, 100),
        100: Fraction(20, 100),
        500: Fraction(20, 100),
        1000: Fraction(1, 10),
    }
    gem: Law = {}
    for worth, weight in value.items():
        gem[worth] = gem.get(worth, Fraction(0)) + weight * Fraction(9, 10)
        gem[10 * worth] = gem.get(10 * worth, Fraction(0)) + weight / 10
    total: Law = {0: Fraction(1, 2)}
    sofar: Law = {0: Fraction(1)}
    for _ in range(4):
        sofar = adding(sofar, gem)
        for worth, weight in sofar.items():
            total[worth] = total.get(worth, Fraction(0)) + weight / 8
    return {
        "mean_value": mean(total),
        "p_ge1000": chance(total, lambda n: n >= 1000),
        "p_eq60": total[60],
    }


WEATHER = {
    "fair": {"fair": 4, "cloud": 2},
    "cloud": {"fair": 2, "cloud": 2, "rain": 2},
    "rain": {"cloud": 3, "rain": 2, "storm": 1},
    "storm": {"rain": 4, "storm": 2},
}


def weather() -> Answers:
    """A die and yesterday's weather say today's; a party walks three leagues, two in the rain, none in a storm."""

    def turn(t: Table, at: tuple[str, int, int]) -> tuple[str, int, int]:
        sky, leagues, wet = at
        sky = t.of({each: Fraction(share, 6) for each, share in WEATHER[sky].items()})
        return sky, leagues + {"rain": 2, "storm": 0}.get(sky, 3), wet + (sky in ("rain", "storm"))

    week = turns(("fair", 0, 0), lambda at: False, turn, 7)
    dry = turns(("fair", 0, 0), lambda at: at[2] > 0, turn, 7)
    _, days = played(("fair", 0, 0), lambda at: at[0] == "storm", lambda t, at: (turn(t, at)[0], 0, 0))
    return {
        "p_fair_on_the_seventh": chance(week, lambda at: at[0] == "fair"),
        "mean_leagues": mean(week, lambda at: at[1]),
        "p_dry_week": chance(dry, lambda at: at[2] == 0),
        "mean_days_to_storm": days,
    }


def hex_flower() -> Answers:
    """Seven hexes: two dice say where the next one lies, and who would leave the flower stays."""
    ring = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    way = {2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 4, 9: 4, 10: 5, 11: 5, 12: 0}

    def turn(t: Table, at: tuple[int, int]) -> tuple[int, int]:
        dq, dr = ring[way[t.of(TWO_DICE)]]
        there = at[0] + dq, at[1] + dr
        return there if there == (0, 0) or there in ring else at

    after = turns((0, 0), lambda at: False, turn, 4)
    _, steps = played((0, 0), lambda at: at == (1, 0), turn)
    return {"p_back": after[0, 0], "p_east": after[1, 0], "mean_steps_east": steps}


def hazard_die() -> Answers:
    """Each turn a die: an encounter, rest, a torch burns down, a sign, and two faces without anything."""

    def turn(t: Table, at: tuple[int, int, int]) -> tuple[int, int, int]:
        torches, met, tired = at
        face = t.roll(6)
        if face == 2 and tired:
            return torches - 1, met, 0
        return torches - (face == 3), min(2, met + (face == 1)), 1 if face == 2 else tired

    ends, lasts = played((3, 0, 0), lambda at: at[0] == 0, turn)
    six = turns((3, 0, 0), lambda at: at[0] == 0, turn, 6)
    return {
        "mean_turns": lasts,
        "p_unmet": chance(ends, lambda at: at[1] == 0),
        "p_dark_in_six": chance(six, lambda at: at[0] == 0),
    }


def bridge() -> Answers:
    """Thirteen cards: four points for an ace to one for a jack; how long the suits are."""
    points: Law = {0: Fraction(1)}
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for value in (4, 3, 2, 1):
        after: dict[tuple[int, int], int] = {}
        for (cards, total), number in ways.items():
            for more in range(5):
                key = cards + more, total + value * more
                after[key] = after.get(key, 0) + number * comb(4, more)
        ways = after
    points = {}
    for (cards, total), number in ways.items():
        if cards <= 13:
            points[total] = points.get(total, Fraction(0)) + Fraction(number * comb(36, 13 - cards), comb(52, 13))

    def shape(lengths: tuple[int, ...]) -> Fraction:
        orders = len(set(permutations(lengths)))
        return Fraction(orders * prod(comb(13, length) for length in lengths), comb(52, 13))

    voids = sum(
        (shape(lengths) for lengths in product(range(14), repeat=4)
         if sum(lengths) == 13 and min(lengths) == 0 and list(lengths) == sorted(lengths)), Fraction(0),
    )  # fmt: skip
    return {
        "p_ge12": chance(points, lambda n: n >= 12),
        "mean_points": mean(points),
        "p_balanced": shape((3, 3, 3, 4)) + shape((2, 3, 4, 4)) + shape((2, 3, 3, 5)),
        "p_void": voids,
    }


def on_curve() -> Answers:
    """Seventeen lands in forty cards: a hand of seven, a card each turn; a land for each of the first four turns."""

    def reaches(draw_first: bool) -> Fraction:
        now: dict[tuple[int, int], Fraction] = {}
        for lands in range(8):
            now[7, lands] = Fraction(comb(17, lands) * comb(23, 7 - lands), comb(40, 7))
        for turn in range(1, 5):
            if turn > 1 or draw_first:
                after: dict[tuple[int, int], Fraction] = {}
                for (seen, lands), weight in now.items():
                    share = Fraction(17 - lands, 40 - seen)
                    for found, part in ((1, share), (0, 1 - share)):
                        key = seen + 1, lands + found
                        after[key] = after.get(key, Fraction(0)) + weight * part
                now = after
            now = {key: weight for key, weight in now.items() if key[1] >= turn}
        return sum(now.values(), Fraction(0))

    hand = {n: Fraction(comb(17, n) * comb(23, 7 - n), comb(40, 7)) for n in range(8)}
    keep = sum((hand[n] for n in (2, 3, 4, 5)), Fraction(0))
    return {"p_on_curve": reaches(False), "p_on_curve_second": reaches(True), "p_keep_in_two": 1 - (1 - keep) ** 2}


def silver() -> Answers:
    """Seven coppers, three estates and two silvers: two hands of five, without a shuffle between."""
    total = comb(12, 5) * comb(7, 5)
    hands: dict[tuple[int, int], Fraction] = {}
    for c, e, s in product(range(6), range(4), range(3)):
        if c + e + s != 5:
            continue
        first = comb(7, c) * comb(3, e) * comb(2, s)
        for c2, e2, s2 in product(range(6), range(4), range(3)):
            if c2 + e2 + s2 == 5:
                ways = first * comb(7 - c, c2) * comb(3 - e, e2) * comb(2 - s, s2)
                key = c + 2 * s, c2 + 2 * s2
                hands[key] = hands.get(key, Fraction(0)) + Fraction(ways, total)
    return {
        "p_five_third_turn": chance(hands, lambda r: r[0] >= 5),
        "p_five_either": chance(hands, lambda r: max(r) >= 5),
        "p_six_either": chance(hands, lambda r: max(r) >= 6),
        "mean_better": mean(hands, max),
    }


def dragon_bag() -> Answers:
    """Twenty-four cubes miss; ours and four of others hurt. Three, and then four are drawn; none goes back."""

    def hurt(ours: int, draws: tuple[int, ...]) -> Law:
        total = 24 + ours + 4
        return {
            n: Fraction(comb(ours, n) * comb(total - ours, sum(draws) - n), comb(total, sum(draws)))
            for n in range(sum(draws) + 1)
        }

    seven, three = hurt(7, (3, 4)), hurt(3, (3, 4))
    return {
        "mean_hurt_7": mean(seven),
        "p_ge3_7": chance(seven, lambda n: n >= 3),
        "p_unhurt_3": three[0],
    }


def dice_from_the_bag() -> Answers:
    """Sagrada: nine of ninety dice in five colours are drawn and thrown; is a high red one among them?"""
    reds = {n: Fraction(comb(18, n) * comb(72, 9 - n), comb(90, 9)) for n in range(10)}
    lacking = sum((weight * Fraction(5, 6) ** n for n, weight in reds.items()), Fraction(0))

    def colours(number: int) -> Fraction:
        """The chance of just so many colours."""
        ways = sum((-1) ** k * comb(number, k) * comb(18 * (number - k), 9) for k in range(number + 1))
        return Fraction(comb(5, number) * ways, comb(90, 9))

    return {
        "p_red_six": 1 - lacking,
        "mean_colours": sum((n * colours(n) for n in range(1, 6)), Fraction(0)),
        "p_all_colours": colours(5),
    }


def goofspiel() -> Answers:
    """Five prizes, turned up in any order; one side bids what the prize is worth, the other anything."""
    ends: dict[int, Fraction] = {}
    for bids in permutations(range(1, 6)):
        lead = sum(
            prize if prize > bid else -prize if prize < bid else 0 for prize, bid in zip(range(1, 6), bids, strict=True)
        )
        ends[lead] = ends.get(lead, Fraction(0)) + Fraction(1, factorial(5))
    return {"p_ahead": chance(ends, lambda n: n > 0), "p_even": chance(ends, lambda n: n == 0), "mean_lead": mean(ends)}


def hunt() -> Answers:
    """War of the Ring: one to five dice hunt, sixes hit, others too if raised; each hit draws a tile."""
    tiles = Counter(
        {
            ("0", True): 2,
            ("1", False): 2,
            ("1", True): 4,
            ("2", False): 1,
            ("2", True): 2,
            ("3", False): 1,
            ("eye", True): 4,
        }
    )

    def play(t: Table, dice: int, on: int) -> tuple[int, bool]:
        hits = sum(face >= on for face in t.pool(dice, 6))
        if not hits:
            return 0, False
        total = tiles.total()
        kind, revealed = t.of({tile: Fraction(number, total) for tile, number in tiles.items()})
        return (hits if kind == "eye" else int(kind)), revealed

    once, raised = law(lambda t: play(t, 3, 6)), law(lambda t: play(t, 3, 5))
    two = law(lambda t: t.of(once)[0] + t.of(raised)[0])
    return {
        "p_hunted": 1 - Fraction(5, 6) ** 3,
        "mean_corruption": mean(once, lambda r: r[0]),
        "p_revealed": chance(once, lambda r: r[1]),
        "p_ge3_raised": chance(raised, lambda r: r[0] >= 3),
        "p_ge4_after_two": chance(two, lambda n: n >= 4),
    }


def flop() -> Answers:
    """Ace and king of one suit: what the three cards of the flop, and then two more, bring."""
    flops = comb(50, 3)
    pairs = 1 - Fraction(comb(44, 3), flops)
    made = Fraction(comb(11, 3), flops)
    draw = Fraction(comb(11, 2) * 39, flops)
    river = 1 - Fraction(comb(38, 2), comb(47, 2))
    five = comb(50, 5)
    by_the_river = sum((Fraction(comb(11, n) * comb(39, 5 - n), five) for n in (3, 4, 5)), Fraction(0))
    return {
        "p_ace_or_king": pairs,
        "p_flush_draw": draw,
        "p_flush": made,
        "p_drawn_out": river,
        "p_flush_by_the_river": by_the_river,
    }


def event_deck() -> Answers:
    """Each of the thirty-six throws once in a deck, five laid aside; settlements on eight, six and five."""

    def shares(cards: int, number: int) -> Law:
        return {
            n: Fraction(comb(number, n) * comb(36 - number, cards - n), comb(36, cards))
            for n in range(min(cards, number) + 1)
        }

    income = sum((Fraction(number, 36) for number in (5, 5, 4)), Fraction(0))
    return {
        "mean_sevens": mean(shares(31, 6)),
        "p_two_sevens_in_four": chance(shares(4, 6), lambda n: n >= 2),
        "p_no_seven_in_eight": shares(8, 6)[0],
        "mean_income_in_ten": 10 * income,
        "p_dry_spell": Fraction(comb(36 - 14, 5), comb(36, 5)),
    }


HANDS: tuple[Callable[[], Answers], ...] = (
    paladin, treasure, weather, hex_flower, hazard_die, bridge, on_curve, silver, dragon_bag, dice_from_the_bag,
    goofspiel, hunt, flop, event_deck,
)  # fmt: skip
