"""Exact mathematics of dice, of no language: laws of numbers, pools, questions asked of pools."""

from rulesrun.dice.joint import Joint, joint
from rulesrun.dice.law import Law
from rulesrun.dice.pool import Cancelled, Face, Group, Pool, Selection, Showing, Step
from rulesrun.dice.questions import (
    AllEqual,
    Answer,
    Any,
    Count,
    Counts,
    Distinct,
    FaceOfLargestSet,
    Highest,
    LargestSet,
    LongestRun,
    Lowest,
    Middle,
    Nth,
    Outranks,
    Question,
    SetsOf,
    Size,
    Wins,
)
from rulesrun.dice.series import TooLarge

__all__ = [
    "AllEqual",
    "Answer",
    "Any",
    "Cancelled",
    "Count",
    "Counts",
    "Distinct",
    "Face",
    "FaceOfLargestSet",
    "Group",
    "Highest",
    "Joint",
    "LargestSet",
    "Law",
    "LongestRun",
    "Lowest",
    "Middle",
    "Nth",
    "Outranks",
    "Pool",
    "Question",
    "Selection",
    "SetsOf",
    "Showing",
    "Size",
    "Step",
    "TooLarge",
    "Wins",
    "joint",
]
