"""Syntax slips by example: what a line looks like around the place where the parser stops, and what to say then.

`PATTERNS` are tried in order on the line with `MARK` put at the place (written `‸` here); the first that is found, in a
line of the kind and with the expectations it asks for, gives the message. `bad` is the guilty stretch, without it the word
at the place; `{name}` in a message or a hint stands for the group of that name.
"""

from __future__ import annotations

import re

from rulesrun.record import record

MARK = "\0"
"""Marks the place in a line; no source has it."""

_NAME = r"[^\W\d]\w*"
_DIE = r"\d*d(?:\d+|%|F\b|(?=[ \t]*[({]))"
_GIVEN = rf"^(?:given|setting|track|choice)\s+{_NAME}"


@record
class Pattern:
    """`starts`: the kinds of line (empty: any); `needs` and `lacks`: tokens that the parser would (not) take."""

    code: str
    starts: frozenset[str]
    regex: re.Pattern[str]
    message: str
    hint: str
    needs: frozenset[str]
    lacks: frozenset[str]
    expects: bool


def _p(
    code: str, starts: str, regex: str, message: str, hint: str = "", needs: str = "", lacks: str = "", expects: bool = False
) -> Pattern:
    written = regex.replace("‸", MARK).replace("NAME", _NAME).replace("DIE", _DIE).replace("GIVEN", _GIVEN)
    compiled = re.compile(written, re.DOTALL)
    words = (frozenset(each.split()) for each in (starts, needs, lacks))
    kinds, needed, lacking = words
    return Pattern(code, kinds, compiled, message, hint, needed, lacking, expects)


PATTERNS: tuple[Pattern, ...] = (
    # ------------------------------------------------------------ numbers and dice written wrongly
    _p("bad-dice", "", r"‸(?P<bad>\d+d)(?!\w)", "`{bad}` lacks the number of sides", "write `{bad}6`, or `{bad}(sides)`"),
    _p("bad-dice", "", r"‸(?P<bad>\d+dd+\w*)", "`{bad}` is not how dice are written", "write `1d6`, `d20`, `d%` or `dF`"),
    _p("bad-dice", "", r"‸(?P<bad>(?P<n>\d+)d(?P<x>[^\W\d]\w*))",
       "`{bad}` is not how dice are written", "dice are `{n}d6`, `{n}d%`; those of a name of their own `{n} d{x}`"),
    _p("bad-number", "", r"‸(?P<bad>\d[\d.]*(?P<x>[^\W\d]\w*))",
       "`{bad}` is neither a number nor a name", "a name begins with a letter; between a number and a name put a blank or a sign"),
    _p("bad-shorthand", "", rf"(?P<bad>(?P<dice>DIE)(?:(?:kh|kl|dh|dl)\d+|!)*‸(?P<x>[^\W\d]\w*))",
       "`{x}` is nothing that may stand right behind dice",
       "the short forms are `kh3`, `kl3`, `dh1`, `dl1` and `!`; anything else goes behind a comma: `{dice}, keep highest 1`"),
    _p("missing-plus", "", rf"(?P<a>DIE)(?P<s>[ \t]*)‸(?P<bad>(?P<b>DIE))",
       "a sign is missing between `{a}` and `{b}`", "several groups of dice are added: `4d6 + 3d8`"),
    # ------------------------------------------------------------ rolls
    _p("roll-name", "line", rf"^roll\s+‸(?P<bad>DIE\S*)", "this roll has no name", "give it one: `roll NAME = {bad}`"),
    _p("roll-name", "line", rf"^roll\s+(?P<n>NAME)\s+‸(?P<bad>DIE\S*)",
       "`=` is missing before the dice", "write `roll {n} = {bad}`"),
    _p("roll-sign", "line roll_case", rf"(?:=\s*|^)‸(?P<bad>-\s*(?P<dice>DIE))",
       "dice cannot be rolled with a minus", "roll `{dice}`, and subtract it on the next line"),
    _p("roll-sign", "line", rf"^roll\s+NAME\s*=\s*‸(?P<bad>[-+])", "a roll begins with dice, not with a sign",
       "roll the dice, and compute on the next line"),
    _p("roll-plus-number", "line", rf"^roll\s+(?P<n>NAME)\s*=\s*d(?:\d+|%)\s*(?P<bad>(?P<s>[-+*/])‸?\s*(?P<x>[\d.]+%?)\s*)‸?(?=$|if\b|,)",
       "a number cannot be thrown with the dice", "add it on the next line: `total = {n} {s} {x}`"),
    _p("roll-plus-number", "line", rf"^roll\s+(?P<n>NAME)\s*=[^,]*?(?P<bad>(?P<s>\+)\s*(?P<x>[\d.]+%?)\s*)‸",
       "a number cannot be thrown with the dice", "add it on the next line: `total = sum of {n} {s} {x}`"),
    _p("roll-arithmetic", "line", rf"^roll\s+(?P<n>NAME)\s*=\s*d(?:\d+|%)\s*‸(?P<bad>(?P<s>[-*/^])\s*(?P<x>[\w.]*))",
       "a `roll` only throws dice", "compute on the next line: `total = {n} {s} {x}`"),
    _p("roll-arithmetic", "line", rf"^roll\s+(?P<n>NAME)\s*=.*?‸(?P<bad>(?P<s>[-*/^])\s*(?P<x>[\w.]*))",
       "a `roll` only throws dice", "compute on the next line: `total = sum of {n} {s} {x}`", lacks="NUMBER"),
    _p("modifier-comma", "line roll_case", r"‸(?P<bad>keep|drop|explode|again|against|with\s+advantage)\b",
       "a comma is missing before `{bad}`", "put a comma between dice and what is done to them: `2d10, {bad} …`", needs="COMMA"),
    _p("modifier-comma", "line roll_case", r"‸(?P<bad>reroll)\b",
       "a comma is missing before `{bad}`", "put a comma between dice and what is done to them: `2d10, {bad} 1`", needs="COMMA"),
    _p("modifier-comma", "line roll_case", r"\S(?P<w>\s*)‸(?P<bad>(?:kh|kl|dh|dl)\d*)\b",
       "`{bad}` stands right behind dice", "write `2d20{bad}`, or `2d20, keep highest 1`"),
    _p("option-comma", "line roll_case", r"(?P<bad>,\s*‸(?P<o>once|at\s+most|rolling|adding|in\s+at\s+most))\b",
       "`{o}` belongs to the modifier before it", "take the comma out: `explode on 6 {o}`"),
    _p("comma-too-many", "", r"(?P<bad>,)\s*‸(?:$|[)\]}}#,]|if\b)", "nothing stands behind this comma", "take it out"),
    _p("comma-too-many", "", r"[(\[{{]\s*‸(?P<bad>,)", "nothing stands before this comma", "take it out"),
    _p("modifier-unknown", "line roll_case", r",\s*‸(?P<bad>(?P<w>dis)?advantage)\b",
       "`{bad}` is written `with advantage N`", "disadvantage is a negative number: `with advantage -1`"),
    _p("modifier-unknown", "line roll_case", r",\s*‸(?P<bad>highest|lowest|middle)\b",
       "`{bad}` of the dice: to keep or to drop?", "write `keep {bad} 1` or `drop {bad} 1`", needs="KEEP_DROP"),
    _p("modifier-unknown", "line roll_case", r",\s*‸(?P<bad>explod\w*|exploding)\b",
       "`{bad}` is written `explode on`", "write `explode on 6`, or `explode on sides` for the top face", needs="KEEP_DROP"),
    _p("modifier-unknown", "line roll_case", r",\s*‸(?P<bad>re-?roll\w*)\b",
       "`{bad}` is written `reroll`", "write `reroll 1 once`", needs="KEEP_DROP"),
    _p("modifier-unknown", "line roll_case", r",\s*‸(?P<bad>\w+)", "`{bad}` is nothing that can be done to dice",
       "that is `keep`, `drop`, `explode on`, `reroll`, `again on`, `with advantage`, `against`", needs="KEEP_DROP"),
    _p("keep-which", "line roll_case", r"\b(?P<k>keep|drop)\s+‸(?P<bad>\w*)", "which dice: the highest or the lowest?",
       "write `{k} highest {bad}` or `{k} lowest {bad}`", needs="WHICH"),
    _p("keep-number", "line roll_case", r"(?P<bad>(?:keep|drop)\s+(?:highest|lowest|middle))\s*‸",
       "how many dice?", "write `{bad} 1`"),
    _p("explode-on", "line roll_case", r"\b(?P<w>explode|again)\s*‸(?P<bad>[^,\s]*)", "`on` is missing behind `{w}`",
       "write `{w} on 6`; `explode on sides` is for the top face", needs="ON"),
    _p("reroll-on", "line roll_case", r"reroll\s+‸(?P<bad>on)\b", "`reroll` takes the faces without `on`", "write `reroll 1`"),
    _p("times", "line roll_case", r"(?P<bad>at\s+most\s+\S+)\s*‸", "`times` is missing", "write `{bad} times`", needs="TIMES"),
    _p("times", "line", r"^(?P<bad>repeat\s+[^‸]*?)\s*:?\s*‸", "`times` is missing", "write `{bad} times`", needs="TIMES"),
    _p("repeat-while", "line", r"^repeat\s+‸?(?P<bad>while)\b", "`repeat` goes on until something holds",
       "write `repeat until` with the opposite condition"),
    _p("call-names", "", r"(?P<rule>NAME)\s*\([^()]*?‸(?P<bad>[^,()‸]+)", "the inputs of `{rule}` are given by name",
       "write `{rule}(INPUT = {bad})`", needs="NAME", lacks="NUMBER"),
    _p("call-names", "line roll_case example_line", r"^[^=‸]*=?.*?(?P<rule>NAME)\s*\((?:[^()]*,)?\s*(?P<bad>[^,()‸=]+?)\s*‸\s*[,)]",
       "the inputs of `{rule}` are given by name", "write `{rule}(INPUT = {bad})`", needs="EQUALS", lacks="NUMBER"),
    _p("dice-outside", "line roll_case", rf"^roll\b.*\([^)]*‸(?P<bad>DIE)", "dice cannot stand inside brackets",
       "roll them in a line of their own, `roll NAME = {bad}`, and use the name here"),
    _p("dice-outside", "line roll_case", rf"(?:=\s*|^)\(?‸(?P<bad>\(\s*DIE[^)]*\))", "dice stand without brackets", "take them out"),
    _p("dice-outside", "line case row start example_line outcome_line level", rf"‸(?P<bad>DIE)",
       "dice can be thrown only in a `roll` line", "write `roll NAME = {bad}` above, and the name here"),
    # ------------------------------------------------------------ conditions and cases
    _p("if-then", "", r"‸(?P<bad>if\s+(?P<c>.*?)\s*(?:,|:|\bthen\b)\s*(?P<a>[^:]*?)\s*:?\s*(?:\belse\b\s*:?|\botherwise\b)\s*(?P<b>.*))$",
       "the value comes first, then its condition", "write `{a} if {c} otherwise {b}`"),
    _p("if-then", "line", r"=\s*‸(?P<bad>if\s+(?P<c>.*?)\s*(?:,|:|\bthen\b)\s*(?P<a>.+))$",
       "the value comes first, then its condition", "write `{a} if {c} otherwise …`"),
    _p("if-then", "", r"‸(?P<bad>if\s+(?P<c>.*?)\s*(?:,|:|\bthen\b)\s*(?P<a>.+))$",
       "the value comes first, then its condition", "write `{a} if {c}`"),
    _p("if-value", "line", r"^‸(?P<bad>if)\b", "no line begins with `if`",
       "the condition goes behind what it governs: `roll NAME = d6 if …`, `NAME = A if … otherwise B`"),
    _p("if-value", "", r"‸(?P<bad>if)\b", "a value is missing before `if`", "write the value first: `3 if …`", lacks="_IF"),
    _p("then", "", r"‸(?P<bad>then)\b", "`then` is not a word of the language", "the value comes first: `A if CONDITION otherwise B`"),
    _p("else", "", r"‸(?P<bad>else\s+if|elif|elsif|elseif)\b", "`{bad}` is not a word of the language",
       "write the cases on lines of their own, each `VALUE if CONDITION`, the last `VALUE otherwise`"),
    _p("else", "", r"‸(?P<bad>else)\b", "`else` is not a word of the language", "write `otherwise`"),
    _p("otherwise-first", "", r"^‸(?P<bad>otherwise)\s+(?P<a>\S.*)", "the value comes before `otherwise`", "write `{a} otherwise`"),
    _p("otherwise-first", "", r"^‸(?P<bad>otherwise)", "a value is missing before `otherwise`", "write `0 otherwise`"),
    _p("missing-if", "case roll_case outcome_line", r"‸(?P<bad>when|unless|where|while|for)\b",
       "a condition begins with `if`", "write `if` (and `not` for the opposite)", needs="_IF"),
    _p("missing-if", "case", r"(?P<bad>[,:])\s*if\b", "no sign stands before `if`", "take it out", needs="_IF"),
    _p("missing-if", "case roll_case", r"^(?P<a>[^‸]*?)\s*‸(?P<bad>[^\s‸][^‸]*)", "`if` is missing before the condition",
       "write `{a} if {bad}`", needs="_IF", expects=True),
    _p("missing-if", "case roll_case", r"(?P<bad>\S.*?)\s*‸$", "this case has no condition",
       "write `{bad} if CONDITION`, or `{bad} otherwise` for the last", needs="_IF"),
    # ------------------------------------------------------------ outcomes and flags
    _p("outcome-mark", "outcome_line", r"^‸(?P<bad>NAME)", "this outcome has no mark",
       "put `+` (good), `-` (bad) or `~` (neutral) before it: `+ {bad} …`", needs="MARK"),
    _p("outcome-mark", "outcome_line", r"^‸(?P<bad>\S)", "an outcome begins with `+` (good), `-` (bad) or `~` (neutral)",
       "write `+ NAME if CONDITION`", needs="MARK"),
    _p("outcome-label", "outcome_line", r"^[-+~]\s*‸(?P<bad>\"[^\"]*\"?)", "the outcome's name comes before its text",
       "write `+ NAME if CONDITION {bad}`"),
    _p("text-last", "outcome_line line", r"‸(?P<bad>(?P<t>\"[^\"]*\")\s*(?P<c>if\b.*|otherwise\b))", "the text goes last", "write `{c} {t}`"),
    _p("missing-if", "outcome_line", r"^(?P<a>[-+~]\s*NAME)\s*‸(?P<bad>[^\s\"‸][^\"‸]*)", "`if` is missing before the condition",
       "write `{a} if {bad}`; the last line ends with `otherwise`", needs="_IF"),
    _p("missing-if", "outcome_line", r"(?P<bad>^[-+~]\s*NAME)\s*‸", "this outcome has no condition",
       "write `{bad} if CONDITION`, or `{bad} otherwise` for the last", needs="_IF"),
    _p("outside-outcome", "line", r"^‸(?P<bad>[-+~]\s*NAME)", "outcomes stand in a block of their own",
       "write `outcome`, and below it, indented, `{bad} if …`"),
    _p("flag-if", "line", r"^(?P<bad>flag\s+NAME)\s*‸", "this flag has no condition", "write `{bad} if CONDITION`", needs="_IF"),
    _p("limit-text", "line", r"^limit\s+‸(?P<bad>[^\"]*)", "a limit begins with the text that explains it",
       'write `limit "text": {bad}`', needs="TEXT"),
    # ------------------------------------------------------------ domains, inputs, settings
    _p("name-spaces", "line", r"^(?P<bad>(?P<a>NAME)\s+‸(?P<b>NAME)(?:\s+NAME)*)\s*=(?!=)", "a name is one word",
       "write `{a}_{b} = …`"),
    _p("name-spaces", "", rf"^(?:given|setting|rule|table|levels|bag|die|roll|choice|track|draw|flag)\s+(?P<bad>(?P<a>NAME)\s+‸(?P<b>NAME)(?:\s+NAME)*)\s*(?=$|[\"=:,‸]|if\b)",
       "a name is one word", "write `{a}_{b}`"),
    _p("name-dash", "", r"(?P<bad>(?P<a>NAME)\s*‸-\s*(?P<b>NAME)(?:-NAME)*)", "a name has no dashes", "write `{a}_{b}`",
       lacks="MINUS"),
    _p("yes-or-no", "line start", r"GIVEN\s*:\s*‸?(?P<bad>(?:yes|no|true|false|True|False)\s*‸?(?:/|\|+|,|or\b)\s*‸?\w+)",
       "this domain is written `yes or no`", "write `yes or no`"),
    _p("yes-or-no", "line start", r"GIVEN\s*:\s*‸(?P<bad>(?:yes|no))\b", "this domain is written `yes or no`", "write `yes or no`"),
    _p("missing-colon", "line", r"^(?P<bad>given\s+(?P<n>NAME))\s*‸\s*(?P<d>[^=\"‸]*?\.\.[^=\"]*)", "`:` is missing before the domain",
       "write `given {n}: {d}`", needs="COLON"),
    _p("missing-colon", "line", r"^(?P<bad>given\s+(?P<n>NAME))\s*‸\s*=\s*(?P<v>\S+)", "this input has no domain",
       "write `given {n}: .. = {v}` for any whole number, or a narrower domain such as `0..`, `yes or no`", needs="COLON"),
    _p("missing-colon", "line", r"^(?P<bad>given\s+(?P<n>NAME))\s*‸", "`:` and a domain are missing",
       "write `given {n}: 0..`, `given {n}: yes or no`, `given {n}: one of a, b`", needs="COLON"),
    _p("missing-colon", "line", r"^(?P<bad>limit\s+\"[^\"]*\")\s*‸", "`:` is missing behind the text",
       "write `{bad}: CONDITION`", needs="COLON"),
    _p("missing-colon", "", r"(?P<bad>for\s+each\s+die\s+in\s+[^:‸]*?)\s*‸", "`:` is missing before what is done for each die",
       "write `{bad}: EXPRESSION`", needs="COLON", lacks="LPAR"),
    _p("range-dots", "line start", r"GIVEN\s*:\s*(?P<bad>(?P<a>-?\w+)\s*(?:-|‸to\b|‸:)\s*(?P<b>\w+))\s*‸?",
       "a range is written with two dots", "write `{a}..{b}`", lacks="LPAR"),
    _p("range-dots", "line start", r"GIVEN\s*:\s*(?P<bad>(?P<a>-?\d+))\s*‸",
       "one number is no domain", "write `{a}..` for this and more, `..{a}` for this and less", needs="_DOTDOT"),
    _p("setting-equals", "start", r"^setting\s+(?P<n>NAME)\s*‸(?P<bad>(?P<v>[^\s=:][^\"]*))", "`=` is missing before the value",
       "write `setting {n} = {v}`", needs="EQUALS"),
    _p("setting-equals", "start", r"^setting\s+(?P<n>NAME)\s*:\s*(?P<bad>(?P<v>[^=\"]*?))\s*‸", "this setting has no value",
       "write `setting {n} = {v}`", needs="EQUALS"),
    _p("text-quotes", "start", r"^(?P<w>system|example)\s+‸(?P<bad>[^\"\s][^\"]*)", "a text stands in double quotes",
       '`{w} "{bad}"`', needs="TEXT"),
    _p("text-quotes", "start", r"^(?P<w>based\s+on)\s+‸(?P<bad>[^\"\s]+)", "the file's name stands in double quotes",
       'write `{w} "{bad}"`'),
    _p("text-quotes", "system_fact", r"^(?P<w>NAME)\s+‸(?P<bad>[^\"\s][^\"]*)", "a text stands in double quotes", '`{w} "{bad}"`'),
    _p("text-inside", "", r"(?P<bad>\"[^\"]*\"‸[^\s\"#][^\"]*\"?)", "a text ends at its second double quote",
       "inside a text use single quotes"),
    _p("text-twice", "", r"\"\s*‸(?P<bad>\"[^\"]*\")", "there is a text already", "make one text of both", lacks="TEXT"),
    # ------------------------------------------------------------ questions and comparisons
    _p("missing-in", "", r"\b(?P<q>count|any|all|none|pairs\s+of)\b(?P<f>[^‸]*?)\s*‸(?P<bad>NAME[\w.]*|\()?",
       "`in` is missing: which dice are asked?", "write `{q} {f} in {bad}`", needs="_IN", lacks="_AND"),
    _p("missing-in", "", r"(?P<q>distinct|all\s+equal|largest\s+set|longest\s+run|sets\s+of\s+\S+)\s*‸(?P<bad>NAME[\w.]*|\()?",
       "`in` is missing: which dice are asked?", "write `{q} in {bad}`", needs="_IN", lacks="_AND"),
    _p("compare-chain", "", r"(?P<a>[\w.]+)\s*(?P<o>[<>=!]+)\s*(?P<b>[\w.]+)\s*‸(?P<bad>(?P<p>[<>=!]+)\s*(?P<c>[\w.]*))",
       "two things are compared at a time", "write `{a} {o} {b} and {b} {p} {c}`", lacks="EQUALS"),
    _p("compare-chain", "example_line", r"\b(?P<w>chance|mean)\s+of\s+(?P<c>[^‸(]*=[^‸]*?)\s*‸(?P<bad>=)",
       "a condition stands in brackets here", "write `{w} of ({c}) = …`"),
    _p("not-in", "", r"‸(?P<bad>not\s+in)\b", "`not` goes before the whole condition", "write `not (x in 6..10)`"),
    _p("is-number", "", r"\bis(?:\s+not)?\s+‸(?P<bad>[-\d.]+|yes|no)", "`is` compares labels",
       "write `= {bad}` or `!= {bad}`", needs="NAME", lacks="NUMBER"),
    _p("percent-of", "", r"\d%\s*‸(?P<bad>[\w(])", "`%` behind a number means hundredths",
       "there is no sign for the remainder; write `a - b * round_down(a / b)`"),
    _p("chance-of", "example_line", r"\bexpect\s+(?P<w>chance|mean|average)\s+‸(?P<bad>\S+)", "`of` is missing", "write `expect {w} of {bad} = …`"),
    # ------------------------------------------------------------ what is missing or too much in general
    _p("missing-otherwise", "", r"(?P<bad>‸.*)", "`otherwise` is missing: what is it when the condition does not hold?",
       "write `A if CONDITION otherwise B`", needs="OTHERWISE", lacks="_IF"),
    _p("colon-end", "", r"‸(?P<bad>:)\s*$", "no colon stands at the end of this line", "take it out"),
    _p("missing-sign", "", r"\d\s*‸(?P<bad>x\d+|x\b)", "multiplication is written `*`", "write `*`", lacks="WEIGHT"),
    _p("missing-comma", "", r"(?P<a>[^\s,(\[{{=]+)\s+‸(?P<bad>[\w\"-]\S*)", "a comma is missing before `{bad}`",
       "write `{a}, {bad}`", needs="COMMA", lacks="COLON _IF"),
    _p("text-quotes", "", r"\S\s+‸(?P<bad>NAME(?:\s+NAME)+)\s*$", "a text stands in double quotes", '`"{bad}"`', needs="TEXT"),
    _p("missing-equals", "line", r"^(?P<n>NAME)\s*‸(?P<bad>:)", "a value is defined with `=`", "write `{n} = …`"),
    _p("value-unnamed", "line", r"^(?P<bad>NAME)\s*‸$", "this line does nothing", "give the value a name: `NAME = {bad}`"),
    _p("value-unnamed", "line", r"^‸(?P<bad>[\w(\[-].*)", "this line does nothing", "give the value a name: `NAME = {bad}`"),
    _p("unfinished-line", "", r"(?P<bad>(?:[-+*/^=<>,:]|\b(?:and|or|not|in|is|of|if))\s*)‸$", "nothing stands behind `{bad}`",
       "finish the line", needs="LPAR", expects=True),
)  # fmt: skip
