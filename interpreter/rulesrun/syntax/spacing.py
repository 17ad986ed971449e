"""Where a blank belongs between two words of a line.

In: words of a line, the kind of block that the line is in. Out: the rows of the line. The blanks never change how the
words are read.
"""

from __future__ import annotations

from .written import Word

INDENT = "    "

_OPENING = frozenset({"LPAR", "LSQB", "LBRACE", "_IN_BRACKET"})
_CLOSING = frozenset({"RPAR", "RSQB", "RBRACE"})
_VALUE_ENDS = _CLOSING | {
    "NUMBER", "PERCENT", "NAME", "YES", "NO", "NONE", "NUMBER_DICE", "DIE_SIDES", "SHORTHAND", "BLANK",
}  # fmt: skip
_VALUE_STARTS = frozenset({
    "NUMBER", "PERCENT", "NAME", "LPAR", "LSQB", "FUNCTION", "MINUS", "PLUS", "COUNT", "SUM_OF", "HIGHEST_OF",
    "LOWEST_OF", "MIDDLE_OF", "SIZE_OF", "PAIRS_OF", "SETS_OF", "GROUPS_OF", "LARGEST_SET", "FACE_OF_LARGEST_SET",
    "LONGEST_RUN", "DISTINCT", "NATURAL", "SYMBOLS_OF", "HIGHEST_N", "LOWEST_N", "DIE_N", "_WINS_OF",
})  # fmt: skip
_CALLS = frozenset({"NAME", "FUNCTION", "_D", "NUMBER_D"})


def rows(words: list[Word], block: str, depth: int) -> list[str]:
    """The rows of a line; those after the first, with the indentation that the brackets around them ask for."""
    done: list[str] = []
    row = ""
    brackets = 0
    for index, word in enumerate(words):
        brackets -= word.kind in _CLOSING
        if word.breaks and index:
            behind, *comments = word.breaks
            indent = INDENT * (depth + brackets)
            done += [f"{row}  {behind}" if behind else row, *(indent + comment for comment in comments)]
            row = indent + word.text
        else:
            row += (" " if index and _apart(words, index, block) else "") + word.text
        brackets += word.kind in _OPENING
    return [*done, row]


def _apart(words: list[Word], index: int, block: str) -> bool:
    """Whether a blank stands before a word."""
    left, right = words[index - 1].kind, words[index].kind
    if left in _OPENING or right in _CLOSING or "DOT" in (left, right) or right in ("COMMA", "COLON", "SHORTHAND"):
        return False
    if _is_sign(words, index - 1, block) or (right in ("LPAR", "LBRACE") and left in _CALLS):
        return False
    if right in ("_DOTDOT", "_OPEN_END"):
        return left not in _VALUE_ENDS or (block == "row" and left == "NAME")
    if left == "_DOTDOT":
        return right not in _VALUE_STARTS
    return not (_is_fraction(words, index) or _is_fraction(words, index - 1))


def _is_sign(words: list[Word], index: int, block: str) -> bool:
    """Whether a word is the sign of a number or a value, not an operator between two."""
    if words[index].kind not in ("PLUS", "MINUS"):
        return False
    return not index or block in ("row", "level") or words[index - 1].kind not in _VALUE_ENDS


def _is_fraction(words: list[Word], index: int) -> bool:
    """Whether a word is the stroke of a plain fraction, `1/3`."""
    kinds = [words[at].kind if 0 <= at < len(words) else "" for at in range(index - 2, index + 3)]
    return kinds[1:4] == ["NUMBER", "SLASH", "NUMBER"] and not {kinds[0], kinds[4]} & {"SLASH", "STAR", "CARET"}
