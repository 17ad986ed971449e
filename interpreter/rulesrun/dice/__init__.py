"""Exact mathematics of dice, of no language: laws of numbers, pools, questions asked of pools."""

from rulesrun.dice.comparisons import Outranks, Wins
from rulesrun.dice.joint import Joint, joint
from rulesrun.dice.law import Law
from rulesrun.dice.pool import Cancelled, Face, Group, InSets, Pool, Selection, Showing, Step
from rulesrun.dice.questions import Answer, Count, Highest, Lowest, Matched, Middle, Question, Size
from rulesrun.dice.series import TooLarge
from rulesrun.dice.sets import AllEqual, Distinct, FaceOfLargestSet, LargestSet, LongestRun, SetsOf

__all__ = [
    "AllEqual",
    "Answer",
    "Cancelled",
    "Count",
    "Distinct",
    "Face",
    "FaceOfLargestSet",
    "Group",
    "Highest",
    "InSets",
    "Joint",
    "LargestSet",
    "Law",
    "LongestRun",
    "Lowest",
    "Matched",
    "Middle",
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
