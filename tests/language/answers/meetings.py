"""Games that mix what others have apart: sets and rerolls, cards and dice, tables, endless dice and death spirals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod

from tests.language.answers.play import Answers, Law, Table, chance, exploding, law, mean


def given(chances: Law, holds: Callable[..., bool], where: Callable[..., bool]) -> Fraction:
    return chance(chances, lambda r: holds(r) and where(r)) / chance(chances, where)


def both(first: Law, second: Law, join: Callable[..., object]) -> Law:
    """The law of what two independent results give together."""
    found: Law = {}
    for a, p in first.items():
        for b, q in second.items():
            key = join(a, b)
            found[key] = found.get(key, Fraction(0)) + p * q
    return found


def summed(number: int, faces: Iterable[int]) -> Law:
    one = list(faces)
    found: Law = {0: Fraction(1)}
    for _ in range(number):
        found = both(found, {face: Fraction(n, len(one)) for face, n in Counter(one).items()}, lambda a, b: a + b)
    return found


def outgunned() -> Answers:
    def sizes(dice: tuple[int, ...]) -> list[int]:
        return sorted((n for n in Counter(dice).values() if n > 1), reverse=True)

    def played(size: int, risk: bool) -> Law:
        def play(t: Table) -> tuple[str, bool]:
            first = t.pool(size, 6)
            counts = Counter(first)
            matched = tuple(die for die in first if counts[die] > 1)
            loose = size - len(matched)
            again = risk and 0 < loose < size
            left = tuple(die for die in first if counts[die] == 1)
            pool = matched + (t.pool(loose, 6) if again else left)
            before, after = sizes(first), sizes(pool)
            better = any(
                a > b
                for a, b in (
                    (max(after, default=1), max(before, default=1)),
                    (len(after), len(before)),
                    (sum(n >= 3 for n in after), sum(n >= 3 for n in before)),
                )
            )
            if again and not better and len(before) == 1:
                return "nothing_left", again
            widest = max(after, default=1)
            return "critical" if widest >= 3 else "basic" if widest == 2 else "failure", again

        return law(play)

    plain, bold = played(5, False), played(6, True)
    return {
        "p_basic_5d": chance(plain, lambda r: r[0] == "basic"),
        "p_critical_5d": chance(plain, lambda r: r[0] == "critical"),
        "p_critical_risk_6d": chance(bold, lambda r: r[0] == "critical"),
        "p_nothing_left_6d": chance(bold, lambda r: r[0] == "nothing_left"),
        "p_good_risk_6d": chance(bold, lambda r: r[0] in ("critical", "basic")),
        "p_critical_given_again": given(bold, lambda r: r[0] == "critical", lambda r: r[1]),
    }


def lex_arcana() -> Answers:
    def below(sizes: tuple[int, ...], least: int) -> Fraction:
        ways, top = prod(sizes), sum(sizes)
        sums = Counter(sum(dice) for dice in product(*(range(1, size + 1) for size in sizes)))
        found, weight, before = Fraction(0), Fraction(1), 0
        while before < least:
            found += weight * Fraction(sum(n for s, n in sums.items() if s != top and before + s < least), ways)
            weight, before = weight / ways, before + top
        return found

    return {
        "p_4_6": 1 - below((4, 6), 9),
        "p_4_6_ge15": 1 - below((4, 6), 15),
        "mean_4_6": 6 * Fraction(24, 23),
        "p_3_3_4_ge12": 1 - below((3, 3, 4), 12),
    }


def kingdom_death() -> Answers:
    def play(t: Table) -> tuple[int, bool, int, bool]:
        hits = sum(die >= 6 for die in t.pool(3, 10))
        places = [(weak, trap) for weak in range(hits + 1) for trap in (0, 1) if weak + trap <= hits]
        ways = {p: comb(6, hits - sum(p)) * comb(3, p[0]) for p in places}
        weak, trap = t.of({p: Fraction(n, comb(10, hits)) for p, n in ways.items()})
        if trap:
            return hits, True, 0, False
        tries = t.pool(hits, 10)
        return hits, False, sum(die >= 6 for die in tries), weak > 0 and 10 in tries

    found = law(play)
    return {
        "p_trapped": chance(found, lambda r: r[1]),
        "mean_wounds": mean(found, lambda r: r[2]),
        "p_crippled": chance(found, lambda r: r[3]),
        "p_two_given_three": given(found, lambda r: r[2] >= 2, lambda r: r[0] == 3),
    }


def sleep_spell() -> Answers:
    def asleep(power: int, goblins: tuple[int, ...]) -> tuple[int, bool]:
        return sum(sum(goblins[:n]) <= power for n in range(1, 5)), power <= 20

    found = both(summed(5, range(1, 9)), law(lambda t: t.pool(4, 12)), asleep)
    return {
        "p_all": chance(found, lambda r: r[0] == 4),
        "mean_asleep": mean(found, lambda r: r[0]),
        "p_three_given_weak": given(found, lambda r: r[0] >= 3, lambda r: r[1]),
    }


def anima() -> Answers:
    done: Law = {n: Fraction(1, 100) for n in range(1, 90)}
    going: Law = {n: Fraction(1, 100) for n in range(90, 101)}
    for bar in range(91, 102):
        following: Law = {}
        for total, weight in going.items():
            for more in range(1, 101):
                into = following if more >= bar else done
                into[total + more] = into.get(total + more, Fraction(0)) + weight / 100
        going = following
    assert not going
    return {
        "p_success": chance(done, lambda n: n >= 120),
        "p_fumble": chance(done, lambda n: n <= 3),
        "mean_total": mean(done),
        "p_ge250": chance(done, lambda n: n >= 250),
    }


def baccarat() -> Answers:
    card = [0, 0, 0, 0, *range(1, 10)]
    two = both(summed(2, card), {0: Fraction(1)}, lambda a, _: a % 10)

    def play(t: Table) -> tuple[int, bool, bool]:
        ours, theirs = t.of(two), t.of(two)
        if max(ours, theirs) >= 8:
            return (ours > theirs) - (ours < theirs), True, False
        extra = t.roll(card) if ours <= 5 else None
        if extra is None:
            draws = theirs <= 5
        else:
            least = {3: {*range(10)} - {8}, 4: {*range(2, 8)}, 5: {*range(4, 8)}, 6: {6, 7}}
            draws = theirs <= 2 or extra in least.get(theirs, ())
        last = t.roll(card) if draws else 0
        player, bank = (ours + (extra or 0)) % 10, (theirs + last) % 10
        return (player > bank) - (player < bank), False, extra is not None and not draws

    found = law(play)
    return {
        "p_player": chance(found, lambda r: r[0] == 1),
        "p_bank": chance(found, lambda r: r[0] == -1),
        "p_tie": chance(found, lambda r: r[0] == 0),
        "p_natural": chance(found, lambda r: r[1]),
        "p_bank_given_stands": given(found, lambda r: r[0] == -1, lambda r: r[2]),
    }


def spartacus() -> Answers:
    @cache
    def wounds(ours: int, theirs: int) -> Law:
        def higher(a: tuple[int, ...], b: tuple[int, ...]) -> int:
            return sum(x > y for x, y in zip(reversed(a), reversed(b), strict=False))

        return both(law(lambda t: t.pool(ours, 6)), law(lambda t: t.pool(theirs, 6)), higher)

    def turned(mine: int, yours: int) -> Law:
        def play(t: Table) -> tuple[int, int]:
            left = yours - t.of(wounds(mine, yours))
            return mine - (t.of(wounds(left, mine)) if left else 0), left

        return law(play)

    @cache
    def ended(mine: int, yours: int) -> tuple[Fraction, Fraction]:
        """The chance to win, and how many turns it takes on average."""
        if not mine or not yours:
            return Fraction(mine > 0), Fraction(0)
        after = turned(mine, yours)
        stay = after.pop((mine, yours), Fraction(0))
        won = sum((p * ended(*left)[0] for left, p in after.items()), Fraction(0))
        turns = sum((p * ended(*left)[1] for left, p in after.items()), Fraction(1))
        return won / (1 - stay), turns / (1 - stay)

    def quick(t: Table) -> bool:
        state = t.of(turned(3, 4))
        if all(state):
            state = t.of(turned(*state))
        mine, yours = state
        return bool(mine > 0 and yours == 0)

    return {
        "p_won_3v3": ended(3, 3)[0],
        "mean_turns_3v3": ended(3, 3)[1],
        "p_won_3v4": ended(3, 4)[0],
        "p_quick_given_won_3v4": chance(law(quick), lambda won: won) / ended(3, 4)[0],
    }


def silent_death() -> Answers:
    dice = law(lambda t: tuple(sorted((t.roll(8), t.roll(6), t.roll(6)))))

    def harm(which: int) -> Callable[[tuple[int, ...]], int]:
        return lambda r: r.count(r[which]) * r[which] if sum(r) >= 11 else 0

    low, middle, high = harm(0), harm(1), harm(2)
    hit = chance(dice, lambda r: sum(r) >= 11)
    return {
        "p_hit": hit,
        "mean_medium": mean(dice, middle),
        "p_medium_ge8": chance(dice, lambda r: middle(r) >= 8),
        "mean_high_given_hit": mean(dice, high) / hit,
        "p_high_ge12": chance(dice, lambda r: high(r) >= 12),
        "mean_low": mean(dice, low),
    }


def ten_dice_rule() -> Answers:
    one = exploding(10, [10], 40)
    best: Law = {}
    for dice in combinations_with_replacement(sorted(one), 4):
        ways = factorial(4) // prod(factorial(n) for n in Counter(dice).values())
        total = min(60, dice[2] + dice[3])
        best[total] = best.get(total, Fraction(0)) + ways * prod((one[die] for die in dice), start=Fraction(1))
    low = sum((p for value, p in one.items() if 1 < value < 12), Fraction(0))
    low += one[1] * chance(one, lambda value: value < 12)
    return {
        "p_4k2_20": chance(best, lambda n: n >= 20),
        "p_4k2_30": chance(best, lambda n: n >= 30),
        "p_3k1_emphasis": 1 - low**3,
        "mean_1k10": Fraction(55, 9),
    }


def marvel_heroic() -> Answers:
    def side(*sizes: int) -> Law:
        def play(t: Table) -> tuple[int, int, bool]:
            dice = [(t.roll(size), -size) for size in sizes]
            shown = sorted((die for die in dice if die[0] > 1), reverse=True)
            effect = max((-size for _, size in shown[2:]), default=4)
            return sum(face for face, _ in shown[:2]), effect, len(shown) < len(dice)

        return law(play)

    found = both(side(6, 8, 8, 10), side(6, 6, 8), lambda a, b: (*a, b[0]))
    success = chance(found, lambda r: r[0] > r[3])
    return {
        "p_success": success,
        "p_opportunity": chance(found, lambda r: r[2]),
        "mean_effect_given_success": mean(found, lambda r: r[1] if r[0] > r[3] else 0) / success,
        "p_extraordinary": chance(found, lambda r: r[0] >= r[3] + 5),
        "p_opportunity_small": chance(found, lambda r: r[2] and r[1] == 4),
    }


def owzthat() -> Answers:
    scored = {1: Fraction(7, 36), 2: Fraction(1, 6), 3: Fraction(1, 6), 4: Fraction(1, 6), 6: Fraction(1, 6)}
    out, nothing = Fraction(4, 36), Fraction(1, 36)

    def below(least: int, wickets: int) -> list[Fraction]:
        """The chance of each number of runs below `least` when the last wicket falls."""
        start = [Fraction(1)] + [Fraction(0)] * (least - 1)
        for _ in range(wickets):
            after = [Fraction(0)] * least
            for runs in range(least):
                here = start[runs] / (1 - nothing)
                after[runs] = here * out
                for more, weight in scored.items():
                    if runs + more < least:
                        start[runs + more] += here * weight
            start = after
        return start

    first = below(100, 3)
    return {
        "mean_runs": 3 * mean(scored) / out,
        "p_century": 1 - sum(first, Fraction(0)),
        "p_duck": first[0],
        "p_below_150": sum(below(150, 10), Fraction(0)),
    }


def breath() -> Answers:
    def dragon(t: Table) -> tuple[int, int]:
        ready, breaths, longest, waiting = True, 0, 0, 0
        for _ in range(6):
            ready = ready or t.roll(6) >= 5
            breaths, waiting = (breaths + 1, 0) if ready else (breaths, waiting + 1)
            ready, longest = False, max(longest, waiting)
        return breaths, longest

    found = law(dragon)
    return {
        "mean_breaths": mean(found, lambda r: r[0]),
        "p_waiting": chance(found, lambda r: r[1] >= 3),
        "p_three_given_short": given(found, lambda r: r[0] >= 3, lambda r: r[1] <= 2),
    }


def roll_through_the_ages() -> Answers:
    city = ("food3", "work3", "food1", "pot", "skull", "coin")

    def food(dice: tuple[str, ...]) -> int:
        return 3 * dice.count("food3") + dice.count("food1")

    def worth(dice: tuple[str, ...]) -> int:
        skulls = dice.count("skull")
        pots = dice.count("pot") + 2 * skulls
        return 2 * pots + min(food(dice), len(dice)) - (6 if skulls == 2 else 9 if skulls > 2 else 0)

    @cache
    def best(dice: tuple[str, ...], throws: int) -> Fraction:
        if not throws:
            return Fraction(worth(dice))
        free = [place for place, face in enumerate(dice) if face != "skull"]
        found = []
        for many in range(len(free) + 1):
            for again in combinations(free, many):
                kept = [face for place, face in enumerate(dice) if place not in again]
                new = [best(tuple(sorted((*kept, *more))), throws - 1) for more in product(city, repeat=many)]
                found.append(sum(new, Fraction(0)) / len(new))
        return max(found)

    two, three = list(product(city, repeat=2)), list(product(city, repeat=3))
    return {
        "mean_worth": sum((best(tuple(sorted(dice)), 2) for dice in two), Fraction(0)) / len(two),
        "mean_plain": Fraction(sum(worth(dice) for dice in three), len(three)),
        "p_fed_plain": Fraction(sum(food(dice) >= 3 for dice in three), len(three)),
        "p_two_skulls": Fraction(sum(dice.count("skull") == 2 for dice in three), len(three)),
    }


def chain_of_command() -> Answers:
    found = law(lambda t: t.pool(5, 6))

    def threes(dice: tuple[int, ...]) -> int:
        """How many threes can be put together of ones and twos."""
        ones, twos = dice.count(1), dice.count(2)
        return max(pairs + (ones - pairs) // 3 for pairs in range(min(ones, twos) + 1))

    def senior(dice: tuple[int, ...]) -> bool:
        return dice.count(6) < 2 and (4 in dice or (threes(dice) >= 1 and 3 in dice))

    return {
        "p_turn_ends": chance(found, lambda dice: dice.count(6) >= 3),
        "p_again": chance(found, lambda dice: dice.count(6) == 2),
        "mean_leaders": mean(found, lambda dice: dice.count(3) + threes(dice)),
        "p_senior": chance(found, senior),
        "p_combined": chance(found, lambda dice: threes(dice) >= 2 and 5 not in dice),
    }


MEETINGS: tuple[Callable[[], Answers], ...] = (
    outgunned,
    lex_arcana,
    kingdom_death,
    sleep_spell,
    anima,
    baccarat,
    spartacus,
    silent_death,
    ten_dice_rule,
    marvel_heroic,
    owzthat,
    breath,
    roll_through_the_ages,
    chain_of_command,
)
