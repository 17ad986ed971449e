"""Cards, tokens and symbols: decks that are drawn from and shuffled, bags, and dice that show more than numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb

from tests.language.answers.chains import turns
from tests.language.answers.play import Answers, Law, Table, chance, law, mean


def drawn(t: Table, deck: Counter[int], times: int = 1) -> list[int]:
    """So many cards one after the other; they leave the deck."""
    cards = []
    for _ in range(times):
        total = deck.total()
        card: int = t.pick([(each, Fraction(number, total)) for each, number in deck.items() if number])
        deck[card] -= 1
        cards.append(card)
    return cards


def turn_order() -> Answers:
    def turn(t: Table, at: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        players, nemesis, row, longest = at
        theirs = t.pick([(True, Fraction(nemesis, players + nemesis)), (False, Fraction(players, players + nemesis))])
        players, nemesis = players - (not theirs), nemesis - theirs
        row = row + 1 if theirs else 0
        if players + nemesis == 0:
            players, nemesis = 4, 2
        return players, nemesis, row, max(longest, row)

    ends = turns((4, 2, 0, 0), lambda at: False, turn, 12)
    return {
        "p_three_in_a_row": chance(ends, lambda at: at[3] >= 3),
        "p_two_in_a_row": chance(ends, lambda at: at[3] >= 2),
    }


MODIFIERS = Counter({0: 6, 1: 5, -1: 5, 2: 1, -2: 1, 101: 2, 50: 1, -50: 1})


def modifier_deck() -> Answers:
    def attack(advantage: bool) -> Law:
        def play(t: Table) -> int:
            deck = Counter(MODIFIERS)
            cards = drawn(t, deck, 2 if advantage else 1)
            while all(card == 101 for card in cards):
                cards += drawn(t, deck)
            best, rolling = max(card for card in cards if card != 101), cards.count(101)
            return {50: 2 * (3 + rolling), -50: 0}.get(best, max(0, 3 + best + rolling))

        return law(play)

    plain, better = attack(False), attack(True)
    return {
        "mean_damage": mean(plain),
        "p_ge5": chance(plain, lambda n: n >= 5),
        "mean_damage_advantage": mean(better),
        "p_none_advantage": better[0],
    }


def bless_and_curse() -> Answers:
    values = Counter({1: 1, 0: 2, -1: 3, -2: 2, -3: 1, -4: 1, 99: 1})

    def total(blessed: int, cursed: int) -> Fraction:
        """The chance that just so many of either come before the first other token."""
        others = values.total()
        ways = comb(blessed + cursed, blessed)
        order = Fraction(1)
        taken = 0
        for left in (*range(4, 4 - blessed, -1), *range(3, 3 - cursed, -1)):
            order *= Fraction(left, others + 7 - taken)
            taken += 1
        return ways * order * Fraction(others, others + 7 - taken)

    def success(skill: int) -> Fraction:
        found = Fraction(0)
        for blessed in range(5):
            for cursed in range(4):
                for value, number in values.items():
                    if value != 99 and max(0, skill + 2 * blessed - 2 * cursed + value) >= 3:
                        found += total(blessed, cursed) * Fraction(number, values.total())
        return found

    return {"p_success": success(3), "p_success_one_more": success(4)}


def fate_deck() -> Answers:
    deck = Counter({**dict.fromkeys(range(1, 14), 4), 0: 1, 14: 1})

    def flip(twist: int) -> Law:
        def value(t: Table) -> int:
            cards = drawn(t, Counter(deck), 1 + abs(twist))
            if 0 in cards or 14 in cards:
                return 0 if 0 in cards else 14
            return max(cards) if twist >= 0 else min(cards)

        return law(value)

    attack, defence = flip(1), flip(0)
    margin = law(lambda t: t.of(attack) - t.of(defence))
    return {
        "p_hit": chance(margin, lambda n: n >= 0),
        "p_severe": chance(margin, lambda n: n >= 11),
        "mean_attack": mean(attack),
        "mean_negative": mean(flip(-2)),
    }


def opening_buys() -> Answers:
    coppers = {n: Fraction(comb(7, n) * comb(3, 5 - n), comb(10, 5)) for n in range(2, 6)}
    return {"p_five_and_two": coppers[5] + coppers[2], "p_four_first": coppers[4]}


def basics() -> Answers:
    """A hand with a basic: how many wanted cards are in it, and in the six prizes of what is left."""
    hands: Law = {}
    for basic in range(1, 8):
        for wanted in range(5):
            if basic + wanted <= 7:
                ways = comb(8, basic) * comb(4, wanted) * comb(48, 7 - basic - wanted)
                hands[wanted] = hands.get(wanted, Fraction(0)) + Fraction(ways, comb(60, 7))
    ready = sum(hands.values(), Fraction(0))
    unseen = sum(
        (weight * Fraction(comb(49 + wanted, 6), comb(53, 6)) for wanted, weight in hands.items()), Fraction(0)
    )
    return {
        "mean_mulligans": 1 / ready - 1,
        "p_wanted": 1 - hands[0] / ready,
        "p_none_prized": unseen / ready,
    }


def initiative_bag() -> Answers:
    """Where the end lies among the tokens is as likely as anywhere else, and so is every order of the others."""

    def play(t: Table) -> tuple[int, int]:
        before = t.roll(8) - 1
        heroes: int = t.pick(
            [(n, Fraction(comb(3, n) * comb(4, before - n), comb(7, before))) for n in range(4) if 0 <= before - n <= 4]
        )
        return heroes, before - heroes

    found = law(play)
    return {
        "p_hero_acts": chance(found, lambda r: r[0] >= 1),
        "p_all_act": found[3, 4],
        "mean_foe_acts": mean(found, lambda r: r[1]),
        "p_more_than_foes": chance(found, lambda r: r[0] > r[1]),
    }


def elder_sign() -> Answers:
    faces = ("1", "2", "3", "lore", "peril", "terror")

    def task(dice: int, clues: int, lore: int) -> Law:
        def done(shown: tuple[str, ...]) -> bool:
            return sum(int(face) for face in shown if face.isdigit()) >= clues and shown.count("lore") >= lore

        def thrown(left: int) -> Law:
            return law(lambda t: t.pool(left, faces))

        found: Law = {}
        going = Fraction(1)
        for left in range(dice, 0, -1):
            reached = chance(thrown(left), done)
            found[left] = going * reached
            going *= 1 - reached
        return found | {0: going}

    six, five = task(6, 5, 1), task(5, 2, 2)
    return {"p_completed_6": 1 - six[0], "mean_left_6": mean(six), "p_completed_lore": 1 - five[0]}


RED = ((1, 0, 0), *[(2, 0, 0)] * 3, *[(3, 0, 0)] * 2)
BLUE = ((0, 1, 2), (1, 0, 2), (2, 0, 3), (1, 1, 3), (1, 0, 4), (1, 0, 5))
"""Damage, surges and range."""
BLACK = ((1, 0), (1, 0), (2, 0), (2, 0), (3, 0), (0, 1))
"""Blocks and evades."""


def surges() -> Answers:
    def attack(distance: int) -> Law:
        def play(t: Table) -> int:
            red, blue, (blocks, evades) = t.roll(RED), t.roll(BLUE), t.roll(BLACK)
            damage, surge, reach = (a + b for a, b in zip(red, blue, strict=True))
            surge = max(0, surge - evades)
            return max(
                max(0, damage + 2 * bought - blocks) if reach + 3 * (surge - bought) >= distance else 0
                for bought in range(surge + 1)
            )

        return law(play)

    near, far = attack(3), attack(5)
    return {
        "mean_dealt": mean(near),
        "p_nothing": near[0],
        "mean_dealt_far": mean(far),
        "p_ge4_far": chance(far, lambda n: n >= 4),
    }


DECKS: tuple[Callable[[], Answers], ...] = (
    turn_order, modifier_deck, bless_and_curse, fate_deck, opening_buys, basics, initiative_bag, elder_sign, surges,
)  # fmt: skip
