"""Slips in the lines of a sheet, and functions that there are not; the special before the general."""

from __future__ import annotations

from .slip_patterns import Pattern
from .slip_patterns import slip_pattern as _p

_SHEET = "sheet_line entry_line member budget_line sheet_update team_line"
_PRIVATE = r"^(?:private\s+)?"

SHEET_SLIPS: tuple[Pattern, ...] = (
    _p("no-function", "", r"\b(?P<bad>floor)\s*\([^()‸]*‸", "`{bad}` is no function", "write `round_down(…)`",
       needs="EQUALS"),
    _p("no-function", "", r"\b(?P<bad>ceil|ceiling)\s*\([^()‸]*‸", "`{bad}` is no function", "write `round_up(…)`",
       needs="EQUALS"),
    _p("given-in-sheet", "sheet_line", r"^‸(?P<bad>given\s+(?P<r>.*))", "a character states traits, not inputs",
       "write `trait {r}`"),
    _p("roll-in-sheet", _SHEET, r"^‸(?P<bad>roll|draw|choice|track|repeat|outcome|flag)\b(?!\s*[:=])",
       "nothing is rolled or decided in a sheet",
       "what is rolled stands in rules, which take their inputs from the sheet"),
    _p("missing-colon", "sheet_line", _PRIVATE + r"(?P<bad>(?P<w>trait|traits)\s+(?P<n>NAME))\s*‸\s*=\s*(?P<v>[^\"]+)",
       "a domain is missing: what else may it be?", "write `{w} {n}: 0.. = {v}`, or another domain", needs="COLON"),
    _p("missing-colon", "sheet_line", _PRIVATE + r"(?P<bad>(?P<w>trait|traits)\s+(?P<n>NAME))\s*‸",
       "`:` and a domain are missing",
       "write `{w} {n}: 0..`, `{w} {n}: yes or no`, `{w} {n}: text`", needs="COLON"),
    _p("missing-if", "sheet_line", _PRIVATE + r"status\s+(?P<n>NAME)\s*‸(?P<bad>[:=])\s*(?P<c>[^\"]*)",
       "a status holds while its condition does", "write `status {n} if {c}`", needs="_IF"),
    _p("missing-equals", "sheet_line entry_line", _PRIVATE + r"(?P<bad>value\s+NAME)\s*‸", "what is it worth?",
       "write `{bad} = …`", needs="EQUALS"),
    _p("value-unnamed", "sheet_line", r"^‸(?P<bad>(?P<n>NAME)\s*=\s*(?P<v>[^\"]*))", "what kind of line is this?",
       "what follows from traits is `value {n} = {v}`, what the character states `trait {n}: 0..`"),
    _p("member-sign", "member", r"^(?P<n>NAME)\s*‸(?P<bad>:)\s*(?P<v>[^\"]*)",
       "the domain stands above, on the line of the group",
       "write `{n} = {v}` for a default of its own"),
    _p("define-equals", "budget_line", r"^(?P<n>NAME)\s*‸(?P<bad>:)\s*(?P<v>[^\"]*)",
       "what a thing costs is written with `=`",
       "write `{n} = {v}`"),
    _p("missing-colon", "sheet_line", r"^action\s+NAME\s*\([^)]*?(?P<bad>(?P<n>NAME))\s*‸\s*[,)]",
       "a parameter has a domain",
       "write `{n}: 0..`, `{n}: yes or no`, `{n}: text`", needs="COLON"),
    _p("update-sign", "sheet_line sheet_update", r"(?P<n>NAME(?:\.NAME)*)\s*‸(?P<bad>=)\s*(?P<v>[^\"]*)",
       "a change is not written with `=`",
       "write `{n} becomes {v}`", needs="UPDATE"),
    _p("missing-colon", "sheet_line", r"^(?P<h>action\s+NAME\s*(?:\([^)]*\))?)\s*‸(?P<bad>(?P<c>NAME.*))",
       "`:` is missing before the change",
       "write `{h}: {c}`", needs="COLON"),
    _p("missing-from", "sheet_line", r"^(?P<bad>advance\b.*\bcosts\b.*?)\s*‸$", "what is it paid from?",
       "write `{bad} from TRAIT`", needs="FROM"),
    _p("missing-costs", "sheet_line", r"^(?P<bad>advance\b(?:(?!\bcosts\b).)*?)\s*‸", "what does it cost?",
       "write `{bad} costs PRICE from TRAIT`", needs="COSTS"),
)  # fmt: skip
"""Tried in this order, before those of dice."""
