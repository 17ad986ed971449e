"""The reference meaning of the rules language: every face of every die in every way, and nothing clever.

It reads the parsed tree (`rulesrun.syntax`), not the checked plan, and uses no other part of the package, so that it is
a second and independent reading of the language. It is slow on purpose: each way that the dice may fall is a whole run
of the rule from its first line, with the draws so far forced (`search`); the dice are single objects (`dice`,
`throws`); every expression is looked up in one place (`values`); lines are followed from top to bottom (`lines`).
`enumerate_rule` is the way in.
"""

from .odds import Reference, enumerate_rule
from .search import Ending, TooMany, Unruled

__all__ = ["Ending", "Reference", "TooMany", "Unruled", "enumerate_rule"]
