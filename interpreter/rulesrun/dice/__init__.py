"""Exact mathematics of dice, of no language: laws of numbers, pools, questions asked of pools."""

from rulesrun.dice.law import Law
from rulesrun.dice.series import TooLarge

__all__ = ["Law", "TooLarge"]
