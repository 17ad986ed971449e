"""What the evaluators accept: a checked ruleset with every name resolved and every kind known.

Only `semantics.compile` makes plans, so an evaluator never has to ask whether a tree is sound. A plan is flat: a rule
that rolls another holds that rule's steps under an `Invoke`, with all their names prefixed (`attacker.total`), so that
every name of a plan is defined once and stands for one value. Settings are constants here; another setting is another
plan.

Values that a name may have while a rule runs:

- a number: int, or Fraction where it is not whole (never a Fraction with denominator 1), or `Approximate` after a
  power that is not whole
- yes or no: bool; a label or text: str; none: None
- a list: tuple of such values
- a pool: see `Draw`; faces are numbers, or tuples: of symbols in sorted order (the empty tuple is a blank), or of a
  number and then the symbols beside it (see `borne`)
- what a table gives: the row's label, else its number, else its text; None in a gap; `Several` where bands overlap
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from rulesrun.diagnostics import Diagnostic, Span
from rulesrun.limits import USUAL, Limits
from rulesrun.record import field, record

if TYPE_CHECKING:
    from .plan_sheet import Sheet

Number: TypeAlias = int | Fraction
Face: TypeAlias = Number | tuple[Number | str, ...]
Constant: TypeAlias = Number | bool | str | tuple["Constant", ...] | None
CompareWord = Literal["=", "!=", "<", "<=", ">", ">="]


class Kind(Enum):
    """What a value is; the text is how messages name it."""

    NUMBER = "a number"
    YES_NO = "yes or no"
    LABEL = "a label"
    TEXT = "a text"
    FACES = "faces"
    POOL = "dice"
    LIST = "a list"
    ROW = "a row of a table"
    NONE = "none"


@record
class Step:
    span: Span = field(compare=False)


@record
class Expr:
    """Every expression has a place and a kind; `optional` says that it may also be none."""

    span: Span = field(compare=False)
    kind: Kind
    optional: bool


# ---------------------------------------------------------------- expressions


@record
class Const(Expr):
    """A number, yes or no, label, text, none or a list of them. A setting whose value is faces is a `FaceSet` where
    it is used. `setting` names the setting that the value comes from; it is empty for what the rule itself says.
    """

    value: Constant
    setting: str = ""


@record
class Var(Expr):
    """An input, roll, value, choice, flag, tracked value or outcome by its flat name. A pool's name has kind POOL."""

    name: str


@record
class Each(Expr):
    """`die`, `other`, `target`, `sides` inside `for each`, `with each`, `when` and `explode on sides`. A die
    without target: none.

    "die" and "other" are whole faces. Where a face may bear symbols beside its number, "number" and "other number" are
    the number alone, and "symbols" is the face without its number (only as the new face of `WithEach`).
    """

    word: Literal["die", "other", "target", "sides", "number", "other number", "symbols"]


@record
class ListOf(Expr):
    items: tuple[Expression, ...]


@record
class NumbersBetween(Expr):
    """The whole numbers from `low` to `high` as a list; empty where the end is below the start."""

    low: Expression
    high: Expression


@record
class FacesOf(Expr):
    """The faces of a pool as a list, the highest first."""

    pool: Expression


@record
class Within(Expr):
    """A value that has to lie in the domain that is stated for `name`; an error that names both where it does not."""

    value: Expression
    domain: Domain
    name: str


@record
class Arithmetic(Expr):
    operator: Literal["+", "-", "*", "/", "^"]
    left: Expression
    right: Expression


@record
class Negative(Expr):
    operand: Expression


@record
class Not(Expr):
    operand: Expression


@record
class And(Expr):
    """Left to right, only as far as needed."""

    left: Expression
    right: Expression


@record
class Or(Expr):
    left: Expression
    right: Expression


@record
class Compare(Expr):
    """Numbers, or yes/no, or with = and != a value and none."""

    operator: CompareWord
    left: Expression
    right: Expression


@record
class InFaces(Expr):
    value: Expression
    faces: FaceSet


@record
class IsLabel(Expr):
    """Whether a label is one of `labels`. No for none; for `Several` rows, yes if any fits. Negation is a `Not`
    around it.
    """

    value: Expression
    labels: frozenset[str]


@record
class IfCase:
    """`condition` is None for the last one, `otherwise`."""

    value: Expression
    condition: Expression | None


@record
class Cases(Expr):
    """The value of the first case that holds; nothing behind it is evaluated."""

    cases: tuple[IfCase, ...]


@record
class Function(Expr):
    name: Literal["min", "max", "abs", "round_up", "round_down", "remainder", "clamp"]
    arguments: tuple[Expression, ...]


class Formula:
    """A rule without dice, with what it needs to be worked out. Nothing that goes through the parts of a plan looks
    inside: its names are its own.
    """

    __slots__ = ("__weakref__", "levels", "rule", "tables")

    def __init__(self, rule: Rule, tables: Mapping[str, Table], levels: Mapping[str, Mapping[str, Number]]) -> None:
        self.rule = rule
        self.tables = tables
        self.levels = levels

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.rule == other.rule

    def __hash__(self) -> int:
        return hash(self.rule.name)

    def __repr__(self) -> str:
        return f"Formula({self.rule.name})"


@record
class Call(Expr):
    """`RULE(input = value).VALUE`. `arguments` are in the order of the formula's inputs, None where the default holds.
    `whole`, `approximate` and `labels` say what is certain of the value.
    """

    formula: Formula
    arguments: tuple[Expression | None, ...]
    value: str
    whole: bool
    approximate: bool
    labels: frozenset[str] | None


@record
class TableAt(Expr):
    """`part` None: the label, else the number, else the text. `index` is a number or a label."""

    table: str
    index: Expression
    part: Literal["label", "value", "text"] | None


@record
class ItemAt(Expr):
    """`LIST at N`, counted from 1; `around` (`at turn`) goes round the list, otherwise a number outside is an
    error.
    """

    items: Expression
    index: Expression
    around: bool


Asked = Literal[
    "count", "any", "all", "none", "pairs", "all_equal", "distinct", "largest_set", "face_of_largest_set",
    "longest_run", "sets", "groups", "sum", "highest", "lowest", "middle", "size",
]  # fmt: skip


@record
class Question(Expr):
    """Asks a pool or a list of numbers; a number or yes/no. A single die read as a number is asked for its sum.

    `faces` for count, any, all, none, pairs; for sets the sizes, for groups the sums that are meant.
    """

    asked: Asked
    pool: Expression
    faces: FaceSet | None = None


@record
class Outranks(Expr):
    left: Expression
    right: Expression


@record
class WinsOf(Expr):
    left: Expression
    right: Expression


@record
class ForEach(Expr):
    """The sum of `each` over the dice of a pool, the items of a list, or a range of whole numbers."""

    over: Expression | tuple[Expression, Expression]
    each: Expression


# pools from pools (kind POOL; `Var` of kind POOL is the other one)


@record
class Union(Expr):
    left: Expression
    right: Expression


@record
class Select(Expr):
    """`highest N of`, `lowest N of` (also N = 1 as a pool), `die N of` as a pool of one die (ask its sum for the
    number).
    """

    which: Literal["highest", "lowest", "nth"]
    number: Expression
    pool: Expression


@record
class Showing(Expr):
    pool: Expression
    faces: FaceSet


@record
class Cancelled(Expr):
    """`when` None: equal faces. Otherwise a condition over `die` (of pool) and `other` (of by)."""

    pool: Expression
    by: Expression
    when: Expression | None


@record
class Without(Expr):
    """The dice of `pool` less those of `gone`, as multisets of whole dice (not of faces)."""

    pool: Expression
    gone: Expression


@record
class Where(Expr):
    """The dice for which `condition` holds, a condition over `Each` words."""

    pool: Expression
    condition: Expression


@record
class WithEach(Expr):
    pool: Expression
    changed: Expression


@record
class Natural(Expr):
    """The faces of the first throw of a pool as a pool of numbers."""

    pool: Expression


@record
class NewestGroup(Expr):
    """The pool that the condition of an `Again` asks: the dice thrown last."""


Expression: TypeAlias = (
    Const | Var | Each | ListOf | NumbersBetween | FacesOf | Within
    | Arithmetic | Negative | Not | And | Or | Compare | InFaces | IsLabel | Cases
    | Function | Call | TableAt | ItemAt | Question | Outranks | WinsOf | ForEach | Union | Select | Showing | Cancelled
    | Without | Where | WithEach | Natural | NewestGroup
)  # fmt: skip


# ---------------------------------------------------------------- faces


@record
class FaceIs:
    """The faces that equal a number, bear a symbol (a label), or are shown by a pool or a list. The empty label is a
    blank.
    """

    value: Expression


@record
class FaceBetween:
    low: Expression | None
    high: Expression | None


@record
class FaceCompare:
    operator: Literal["<", "<=", ">", ">=", "!="]
    bound: Expression


@record
class FaceParity:
    odd: bool


@record
class FaceWhole:
    """The face that bears just these symbols, and this number if there is one."""

    number: Expression | None
    symbols: tuple[str, ...]


@record
class FaceSet:
    """A face belongs to it if an alternative fits; with `negated` if none does. What is said of numbers looks at a
    face's number, and fits no face without one.
    """

    span: Span = field(compare=False)
    alternatives: tuple[FaceIs | FaceBetween | FaceCompare | FaceParity | FaceWhole, ...]
    negated: bool


# ---------------------------------------------------------------- throws


@record
class Sides:
    """Faces 1 to `sides`; 0 and negative or fractional numbers are an error that names the value."""

    span: Span = field(compare=False)
    sides: Expression


@record
class Faces:
    """Given faces with weights. `name` as the ruleset or the field calls it: `dF`, `coin`, a named die, or the text
    `d{1, 1, 2}`.
    """

    name: str
    faces: tuple[tuple[Face, int], ...]


@record
class RolledDie:
    """A die whose face is a question to a throw: `die stat = sum of 4d6, keep highest 3`."""

    name: str
    asked: Literal["sum", "highest", "lowest", "middle"]
    throw: Throw


NamedDie: TypeAlias = Faces | RolledDie
DieKind: TypeAlias = Sides | NamedDie


@record
class Dice:
    """`count` None: a single die. A negative or fractional count is an error that names the value."""

    span: Span = field(compare=False)
    count: Expression | None
    kind: DieKind
    modifiers: tuple[Modifier, ...] = ()
    """Those written as shorthand on this group alone; they come before the throw's own."""


@record
class SameDice:
    """The dice of a pool thrown again: their sides, kinds and targets, new faces. Also the dice, cards or tokens of
    a draw.
    """

    span: Span = field(compare=False)
    pool: Expression


@record
class DiceOfSizes:
    """A die for each number of a list, with faces 1 to that number."""

    span: Span = field(compare=False)
    sizes: Expression


@record
class KeepDrop:
    span: Span = field(compare=False)
    word: Literal["keep", "drop"]
    which: Literal["highest", "lowest", "middle"]
    number: Expression


@record
class Explode:
    """`faces` None: the top face of each die (`!`, `explode on sides`); `limit` per original die, None: without
    end. `many`: how many dice of the kind `rolling` each explosion adds, None: one.
    """

    span: Span = field(compare=False)
    faces: FaceSet | None
    limit: Expression | None
    rolling: DieKind | None
    adding: bool
    many: Expression | None = None


@record
class Reroll:
    """`limit` per die, None: until it shows another face; `dice` at most so many dice, the lowest first (None:
    all).
    """

    span: Span = field(compare=False)
    faces: FaceSet
    limit: Expression | None
    dice: Expression | None


@record
class Again:
    """The whole group once more while the condition holds for the newest group. `condition` asks `Each("die")`'s
    pool: see `NewestGroup`.
    """

    span: Span = field(compare=False)
    condition: Expression
    limit: Expression | None


@record
class Advantage:
    """Everything to its left 1 + abs(number) times, the throw with the highest (number > 0) or lowest sum stays;
    the first on equal sums.
    """

    span: Span = field(compare=False)
    number: Expression
    at_most: Expression | None


@record
class Against:
    span: Span = field(compare=False)
    target: Expression


Modifier: TypeAlias = KeepDrop | Explode | Reroll | Again | Advantage | Against


Group: TypeAlias = Dice | SameDice | DiceOfSizes


@record
class Throw:
    span: Span = field(compare=False)
    groups: tuple[Group, ...]
    modifiers: tuple[Modifier, ...]


# ---------------------------------------------------------------- domains


@record
class NumberDomain:
    """Whole numbers from `low` to `high`; None is open. Bounds are expressions over constants and earlier inputs.
    Only a setting whose value is a fraction and states no domain is not `whole`: it takes any number.
    """

    low: Expression | None
    high: Expression | None
    optional: bool = False
    whole: bool = True


@record
class YesNoDomain:
    optional: bool = False


@record
class TextDomain:
    """Any text; only in sheets."""

    optional: bool = False


@record
class OneOfDomain:
    """Labels or numbers."""

    options: tuple[str | Number, ...]
    optional: bool = False


@record
class LevelsDomain:
    """A name of the levels or any number; the value is the number."""

    levels: str
    optional: bool = False


@record
class FacesDomain:
    """Only for settings: any faces."""

    optional: bool = False


@record
class ListDomain:
    items: Domain
    optional: bool = False


Domain: TypeAlias = NumberDomain | YesNoDomain | OneOfDomain | LevelsDomain | FacesDomain | TextDomain | ListDomain


# ---------------------------------------------------------------- steps


@record
class Limit(Step):
    """Where the condition does not hold, the call is an error with this text. All limits of a rule precede its
    first draw.
    """

    condition: Expression
    text: str


@record
class DrawCase:
    throw: Throw
    condition: Expression | None


@record
class Draw(Step):
    """Throws dice: the first case that holds; none holds: an empty pool. The value is a pool: a multiset of dice,
    each with face, sides, target and kind. `single`: written without a count (shown as a die). `table`: the row it
    points to is the name's value (expressions then hold a `TableAt` of this die).
    """

    name: str
    cases: tuple[DrawCase, ...]
    single: bool
    table: str | None = None
    text: str = ""


@record
class Define(Step):
    name: str
    value: Expression


@record
class Bind(Step):
    """An argument of an invoked rule: its value, which must lie in the domain."""

    name: str
    value: Expression
    domain: Domain


@record
class Invoke(Step):
    """A rolled rule. `steps` begin with its `Bind`s; every name in them starts with `name.`. Where `condition` does
    not hold, no step is taken: its pools are empty, its flags no, all its other names none. `names` lists all the
    names it defines.
    """

    name: str
    rule: str
    condition: Expression | None
    steps: tuple[AnyStep, ...]
    names: tuple[str, ...]
    reroll_of: str | None = None
    text: str = ""


@record
class Policy:
    """How a choice is made. `value` for word "value"; `aim` for best and worst (None: the chance of a good outcome
    of the outermost rule).
    """

    word: Literal["never", "always", "best", "worst", "value"]
    value: Expression | None = None
    aim: Expression | None = None


@record
class RangeOption:
    low: Expression
    high: Expression


@record
class LabelOption:
    options: tuple[str | Number, ...]


@record
class DiceOption:
    """Any of the dice of a pool; with `number` just so many of them (all, if there are no more), or `at_most` so
    many. The value is a pool.
    """

    pool: Expression
    number: Expression | None = None
    at_most: bool = False


@record
class Choice(Step):
    """`options` None: yes or no. Where `condition` does not hold: no, the lowest number, the first label, no dice.
    `policy` is the one written behind `by default` (none written: never) or passed in the brackets of the roll; the
    caller may replace it.
    """

    name: str
    options: RangeOption | LabelOption | DiceOption | None
    condition: Expression | None
    policy: Policy
    text: str


@record
class Track(Step):
    name: str
    kind: Kind
    start: Expression


@record
class Update(Step):
    """`value` holds the whole new value (`successes + 2`), so that an update is an assignment."""

    name: str
    value: Expression
    condition: Expression | None


@record
class Repeat(Step):
    """Tests `until` before each turn; `times` is the number of turns; `at_most` bounds them. `turn` is the name
    that counts from 1. `names` lists the names that the body defines; they end with it.
    """

    until: Expression | None
    times: Expression | None
    at_most: Expression | None
    turn: str
    steps: tuple[AnyStep, ...]
    names: tuple[str, ...]


@record
class BagDraw(Step):
    """`number` out of what the bag still holds, all if that is less. The value is a pool of its dice, cards or
    tokens: a named die is a die that shows nothing until it is rolled, a token shows its symbol, a card what it bears.
    `bag` is the flat name of the bag: each invoked rule has its own, full at its start.
    """

    name: str
    number: Expression
    bag: str
    condition: Expression | None


@record
class PutBack(Step):
    drawn: str
    bag: str
    condition: Expression | None


@record
class PutAllBack(Step):
    """Everything that was drawn from the bag is back, but what the draws in `kept` still hold. `drawn` are the other
    draws from it that a name still stands for here: of them nothing is out any more.
    """

    bag: str
    drawn: tuple[str, ...]
    kept: tuple[str, ...]
    condition: Expression | None


@record
class Flag(Step):
    name: str
    condition: Expression
    text: str


@record
class OutcomeCase:
    label: str
    condition: Expression | None


@record
class Outcome(Step):
    """The label of the first case that holds, under the name `outcome` (`attacker.outcome`)."""

    name: str
    cases: tuple[OutcomeCase, ...]


@record
class OutcomeAs(Step):
    """Hands on another roll's outcome: a `Define` of the name `outcome` in effect."""

    name: str
    value: Expression


AnyStep: TypeAlias = (
    Limit
    | Draw
    | Define
    | Bind
    | Invoke
    | Choice
    | Track
    | Update
    | Repeat
    | BagDraw
    | PutBack
    | PutAllBack
    | Flag
    | Outcome
    | OutcomeAs
)


# ---------------------------------------------------------------- rules and rulesets


@record
class Input:
    """An input of a rule, also one that bubbled up from a rolled rule (`attacker.attribute`). `default` None:
    required. Defaults and bounds may read inputs before this one.
    """

    name: str
    domain: Domain
    default: Expression | None
    text: str
    span: Span = field(compare=False)
    kind: Kind


@record
class OutcomeLabel:
    label: str
    good: bool | None
    text: str
    span: Span = field(compare=False)


@record
class Value:
    """A named value that can be asked: numbers, yes/no, labels; not pools."""

    name: str
    kind: Kind
    span: Span = field(compare=False)


@record
class NamedText:
    name: str
    text: str
    span: Span = field(compare=False)


@record
class Rule:
    name: str
    text: str
    span: Span = field(compare=False)
    inputs: tuple[Input, ...]
    steps: tuple[AnyStep, ...]
    outcomes: tuple[OutcomeLabel, ...]
    values: tuple[Value, ...]
    flags: tuple[NamedText, ...]
    choices: tuple[NamedText, ...]
    dice: tuple[str, ...]
    """The names of its draws, those of rolled rules included."""
    short: Mapping[str, str]
    """Short names of inputs, choices, dice and values that only one thing bears, to their flat names: `push` to
    `check.push`.
    """


@record
class TableRow:
    """The band `low`..`high` (None: open) or the label `key`; of label, value and text those that the row states."""

    low: Number | None
    high: Number | None
    key: str | None
    label: str | None
    value: Number | None
    text: str | None


@record
class Table:
    name: str
    text: str
    die: DieKind | None
    rows: tuple[TableRow, ...]


@record
class TwoWayTable:
    """A table that is read by row and column: what its columns stand for, and each column's key (a label or a band)
    with the name of the table that holds the column's entries.
    """

    name: str
    text: str
    by: str
    columns: tuple[tuple[str | tuple[Number | None, Number | None], str], ...]


@record
class Bag:
    """What it holds when full: pairs of a thing and how many. A thing is a number, a symbol, a number with symbols (a
    face), or a named die, which shows its name until it is thrown.
    """

    name: str
    contents: tuple[tuple[Number | str | tuple[Number | str, ...] | NamedDie, int], ...]


@record
class Setting:
    """`value` is the constant in force, or the `FaceSet`; `written` is it as text, for people and JSON."""

    name: str
    domain: Domain
    value: Constant | FaceSet
    written: str
    text: str
    span: Span = field(compare=False)


@record
class Expect:
    """`condition` is compiled in the scope of the rule at its end, where `outcome` and `good` are known too. With
    `measure` its chance or mean stands in relation `operator` to `wanted`, `within` an absolute distance; of the rolls
    where `given` holds, if it is there.
    """

    span: Span = field(compare=False)
    condition: Expression
    measure: Literal["chance", "mean"] | None
    operator: CompareWord | None
    wanted: Expression | None
    within: Expression | None
    given: Expression | None = None


@record
class Example:
    """`settings` are values changed for this example; `plan` names of `dice`, `choose` and `inputs` are flat."""

    text: str
    span: Span = field(compare=False)
    rule: str
    inputs: Mapping[str, Constant]
    dice: Mapping[str, tuple[Face, ...]]
    choose: Mapping[str, Policy]
    settings: Mapping[str, Constant | FaceSet]
    expects: tuple[Expect, ...]


@record
class RulesetPlan:
    name: str
    about: str
    version: str
    source: str
    settings: Mapping[str, Setting]
    tables: Mapping[str, Table]
    """Those of the columns of `two_way` tables among them."""
    two_way: Mapping[str, TwoWayTable]
    levels: Mapping[str, Mapping[str, Number]]
    bags: Mapping[str, Bag]
    rules: Mapping[str, Rule]
    examples: tuple[Example, ...]
    warnings: tuple[Diagnostic, ...]
    limits: Limits = USUAL
    """The bounds that it was read within, and that its rules are rolled within."""
    sheet_part: Sheet | Callable[[], Sheet] | None = None
    """The sheet, or where the plan was kept, what reads it: few who roll look at it."""

    def bag(self, name: str) -> Bag:
        """The bag of this name, which rules that are rolled have before it."""
        return self.bags[name.rpartition(".")[2]]

    @property
    def sheet(self) -> Sheet | None:
        """What a character is; None if the ruleset does not say."""
        return self.sheet_part() if callable(self.sheet_part) else self.sheet_part
