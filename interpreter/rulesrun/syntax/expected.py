"""What could stand at a place, in plain words: the parser's names of tokens never reach a reader.

In: the tokens that the parser would take. Out: a phrase such as "a comma, `if`, or the end of the line".
"""

from __future__ import annotations

from collections.abc import Iterable

MAX_PHRASES = 4

PHRASES: dict[str, tuple[str, ...]] = {
    "`otherwise`": ("OTHERWISE",),
    "`:`": ("COLON",),
    "`=`": ("EQUALS",),
    "`in`": ("_IN", "_IN_BRACKET"),
    "`of`": ("_OF",),
    "`)`": ("RPAR",),
    "`]`": ("RSQB",),
    "`}`": ("RBRACE",),
    "`{`": ("LBRACE",),
    "a comma": ("COMMA",),
    "`if`": ("_IF",),
    "`+`, `-` or `~`": ("MARK",),
    "`..`": ("_DOTDOT", "_OPEN_END"),
    "a text in quotes": ("TEXT",),
    "a value": (),
    "a number": ("NUMBER", "PERCENT"),
    "dice": (),
    "a name": ("NAME",),
    "an item (`rule`, `setting`, …)": (
        "SYSTEM", "SETTING", "DIE", "BAG", "LEVELS", "TABLE", "RULE", "EXAMPLE", "SHEET", "_BASED_ON",
    ),
    "a line of a sheet (`trait`, `value`, `action`, …)": (
        "TRAIT", "TRAITS", "LIST", "STATUS", "BUDGET", "ADVANCE", "ACTION", "TEAM", "PRIVATE",
    ),
    "`value`": ("_VALUE_WORD",),
    "`costs`": ("COSTS",),
    "`unless`": ("_UNLESS",),
    "`add` or `remove`": ("_ADD", "_REMOVE"),
    "`to`": ("TO",),
    "`new`": ("NEW",),
    "a line of a rule (`given`, `roll`, `NAME = …`, …)": (
        "_GIVEN", "_GIVEN_ALL_OF", "_LIMIT", "_ROLL", "_CHOICE", "_TRACK", "_REPEAT", "_DRAW", "_PUT", "_FLAG",
        "_OUTCOME",
    ),
    "a line of an example (`dice`, `roll`, `expect`, …)": ("CHOOSE", "SET", "ROLL", "EXPECT"),
    "`about`, `version` or `source`": ("SYSTEM_FACT",),
    "`keep` or `drop`": ("KEEP_DROP",),
    "`highest`, `lowest` or `middle`": ("WHICH",),
    "a modifier (`keep`, `explode`, `reroll`, …)": ("EXPLODE", "AGAIN", "_WITH_ADVANTAGE", "AGAINST"),
    "`reroll`": ("REROLL",),
    "`on`": ("ON",),
    "`times`": ("TIMES",),
    "`dice`": ("DICE",),
    "`from`": ("FROM",),
    "`by`": ("BY",),
    "`given`": (),
    "`back`": ("BACK",),
    "`over`": ("OVER",),
    "`except`": ("EXCEPT",),
    "`as`": ("AS",),
    "`within`": ("WITHIN",),
    "`until`": ("_UNTIL",),
    "`by default`": ("_BY_DEFAULT",),
    "`at most`": ("_AT_MOST",),
    "`once`": ("ONCE",),
    "`rolling`": ("ROLLING",),
    "`adding`": ("ADDING",),
    "`becomes`, `+=` or `-=`": ("UPDATE",),
    "`yes or no`": ("_YES_OR_NO",),
    "`one of`": ("_ONE_OF",),
    "`list of`": ("_LIST_OF",),
    "`text`": ("A_TEXT",),
    "`faces`": ("FACES",),
    "`blank`": ("BLANK",),
    "`none`": ("NONE",),
    "a policy (`never`, `always`, `best`, …)": (
        "NEVER", "ALWAYS", "DEFAULT", "BEST", "WORST", "_BEST_FOR", "_WORST_FOR",
    ),
    "`chance of` or `mean of`": ("CHANCE_OF", "MEAN_OF"),
    "how often (`x3`)": ("WEIGHT",),
    "the end of the line": ("_NL",),
    "`!` or `kh1`": ("SHORTHAND",),
    "`or`": ("_OR",),
    "`and`": ("_AND",),
    "an operator": (
        "PLUS", "MINUS", "STAR", "SLASH", "CARET", "COMPARE", "_IS", "_OUTRANKS", "_SHOWING", "_CANCELLED_BY",
        "_WITH_EACH_DIE_AS", "_WITHOUT", "_WHERE", "_WHEN", "_AT",
    ),
    "`.`": ("DOT",),
    "`not`": ("NOT",),
    "an indented line": ("_INDENT",),
    "the end of the block": ("_DEDENT",),
    "`&`": ("AMPERSAND",),
}  # fmt: skip
"""Each phrase with the tokens that it stands for, the most telling first."""

_QUESTIONS = frozenset({
    "COUNT", "ANY", "ALL", "NONE", "PAIRS_OF", "ALL_EQUAL", "DISTINCT", "LARGEST_SET", "FACE_OF_LARGEST_SET",
    "LONGEST_RUN", "SETS_OF", "GROUPS_OF", "SUM_OF", "HIGHEST_OF", "LOWEST_OF", "MIDDLE_OF", "SIZE_OF", "NATURAL",
    "SYMBOLS_OF", "HIGHEST_N", "LOWEST_N", "DIE_N",
    "_WINS_OF",
})  # fmt: skip
_VALUE = _QUESTIONS | {
    "NUMBER", "PERCENT", "YES", "NO", "NAME", "LPAR", "LSQB", "_NO_DICE", "FUNCTION", "FOR_EACH_IN",
}  # fmt: skip
_SIGNS = frozenset({"PLUS", "MINUS", "NOT"})  # where a value begins
_FACES = frozenset({"_EVEN", "_ODD", "COMPARE", "_DOTDOT"})
_DICE = frozenset(
    {"NUMBER_DICE", "NUMBER_D", "DIE_SIDES", "_D", "_DICE_OF", "REROLL", "LPAR", "FUNCTION", "NUMBER", "NAME"}
)
_CONDITION = frozenset({"GROUP_NUMBER"})

WORDED = frozenset().union(*PHRASES.values()) | _VALUE | _SIGNS | _FACES | _DICE | _CONDITION | {"$END"}
"""Every token that has words."""


_LINE = frozenset({"_GIVEN", "NAME"})
_OPERATORS = frozenset({"EQUALS", "_IN", "_IN_BRACKET", "_OR", "_AND"})


def expected(accepts: Iterable[str]) -> str:
    """The phrase for the tokens that could stand at a place; empty if none could."""
    chosen = phrases(accepts)[:MAX_PHRASES]
    if len(chosen) < 2:
        return "".join(chosen)
    return ", ".join(chosen[:-1]) + ("," if len(chosen) > 2 else "") + " or " + chosen[-1]


def phrases(accepts: Iterable[str]) -> list[str]:
    """What could stand at a place, the most telling first."""
    left = set(accepts)
    found: set[str] = set()
    if "STAR" not in left:
        left -= _SIGNS
    elif "_AND" in left:
        left -= _OPERATORS
    if left != {"DOT"}:
        left -= {"DOT"}
    if left >= _LINE:
        left -= {"NAME"}
    if "_SHOWING" in left:
        left -= {"_DOTDOT"}
    if "_GIVEN" in left and "_LIMIT" not in left:
        found.add("`given`")
        left -= {"_GIVEN"}
    if "DIE_SIDES" in left:
        found.add("dice")
        left -= _DICE
    if left >= {"NUMBER", "NAME", "LPAR"} or (left & _QUESTIONS and "_IN" not in left):
        found.add("a value")
        left -= _VALUE | {"_NL"}
        if "_EVEN" in left:
            left -= _FACES
    if "GROUP_NUMBER" in left:
        left -= _QUESTIONS | _CONDITION
    found |= {phrase for phrase, tokens in PHRASES.items() if left & set(tokens)}
    return [phrase for phrase in PHRASES if phrase in found]
