"""Exact answers to the mechanics in `more/`, worked out without the language: every way the dice can fall is played.

`python -m tests.language.answers` prints them as JSON; `data/more.json` holds what it printed. An endless explosion is
followed as far as a question can tell its results apart, or summed as the geometric series it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.language.answers import (
    bets,
    boards,
    checks,
    clashes,
    combats,
    contests,
    decided,
    decks,
    exploding,
    further,
    hands,
    meetings,
    parlour,
    pools,
    stories,
    sums,
    talents,
    turns,
    warfare,
)
from tests.language.answers.marked import MARKED
from tests.language.answers.play import Answers

GAMES: tuple[Callable[[], Answers], ...] = (
    contests.mythras_opposed,
    contests.roll_for_shoes,
    contests.opposed_sl,
    contests.mastery_contest,
    contests.tied_highest,
    contests.pendragon_opposed,
    contests.best_of_five,
    contests.duel,
    exploding.savage_worlds,
    exploding.roll_and_keep,
    exploding.penetrating_dice,
    exploding.plus_minus,
    exploding.stress_die,
    exploding.burning_wheel,
    exploding.torg_bonus,
    exploding.earthdawn_steps,
    exploding.open_ended,
    exploding.wild_die_d6,
    exploding.primary_die,
    exploding.climbing_die,
    pools.one_roll_engine,
    pools.exalted,
    pools.cortex_prime,
    pools.raise_and_see,
    pools.liars_dice,
    pools.king_of_tokyo,
    pools.farkle,
    pools.lasers_feelings,
    pools.trophy_ruin,
    pools.heart_difficulty,
    pools.artifact_dice,
    pools.x_wing,
    pools.block_dice,
    pools.chosen_rerolls,
    pools.best_combination,
    pools.cant_stop,
    pools.cut_and_twist,
    pools.base_dice,
    pools.shared_out_dice,
    sums.percentile_bonus,
    sums.fate_ladder,
    sums.gurps_success,
    sums.dice_chain,
    sums.marvel_multiverse,
    sums.cyberpunk_red,
    sums.flip_flop,
    sums.one_ring,
    sums.two_readings,
    sums.stunt_die,
    sums.boons_banes,
    sums.doubles_again,
    sums.duality_dice,
    sums.two_unlike_dice,
    sums.middle_die,
    sums.unit_battle,
    sums.location_and_armour,
    turns.zombie_dice,
    turns.craps,
    turns.pig,
    turns.poker_hands,
    turns.usage_die,
    turns.ten_candles,
    turns.death_saves,
    turns.blackjack_dealer,
    turns.keno,
    turns.mulligan,
    turns.collecting,
    turns.chaos_bag,
    turns.pig_best,
    *MARKED,
    *further.FURTHER,
    *boards.BOARDS,
    *clashes.CLASHES,
    *checks.CHECKS,
    *decks.DECKS,
    *decided.DECIDED,
    *parlour.PARLOUR,
    *stories.STORIES,
    *combats.COMBATS,
    *bets.BETS,
    *warfare.WARFARE,
    *talents.TALENTS,
    *hands.HANDS,
    *meetings.MEETINGS,
)


def answers() -> list[dict[str, Any]]:
    """All of it, in the shape of the mechanics in `data/`."""
    return [
        {
            "id": game.__name__.replace("_", "-"),
            "answers": {key: f"{value.numerator}/{value.denominator}" for key, value in game().items()},
        }
        for game in GAMES
    ]
