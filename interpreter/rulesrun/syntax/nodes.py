"""What a ruleset says, as parsed: a tree that may still be wrong.

Every part is frozen and carries the `Span` of the text it stands for. Names are not resolved and kinds are not known
here; `semantics` judges the tree and turns it into a plan.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from rulesrun.diagnostics import Span
from rulesrun.record import record

if TYPE_CHECKING:
    from .nodes_sheet import Sheet


@record
class Part:
    """Anything that stands in a ruleset."""

    span: Span


@record
class Word(Part):
    """A name where it is defined, or a label: `success`."""

    text: str


# ---------------------------------------------------------------- expressions


@record
class Number(Part):
    value: Fraction


@record
class YesNo(Part):
    value: bool


@record
class Nothing(Part):
    """The value `none`."""


@record
class Text(Part):
    text: str


@record
class Name(Part):
    """A name where it is used, dotted for the values of a rolled rule: `attacker.total`."""

    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        return ".".join(self.parts)


@record
class NoDice(Part):
    """`no dice`: an empty pool."""


@record
class List(Part):
    items: tuple[Expression, ...]


@record
class Binary(Part):
    operator: Literal["+", "-", "*", "/", "^", "and", "or"]
    left: Expression
    right: Expression


@record
class Unary(Part):
    operator: Literal["-", "+", "not"]
    operand: Expression


@record
class Compare(Part):
    operator: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


@record
class InFaces(Part):
    """`x in 6..10`."""

    left: Expression
    faces: Faces


@record
class IsLabel(Part):
    """`x is (a or b)`, `x is not a`; `labels` is empty for `x is none`."""

    left: Expression
    labels: tuple[Word, ...]
    negated: bool


@record
class Outranks(Part):
    left: Expression
    right: Expression


@record
class Case(Part):
    """One line of cases; `condition` is None for `otherwise`."""

    value: Expression
    condition: Expression | None


@record
class Cases(Part):
    """A value chosen by conditions: lines of cases, or `A if C otherwise B`."""

    cases: tuple[Case, ...]


@record
class Function(Part):
    name: str
    arguments: tuple[Expression, ...]


@record
class Formula(Part):
    """`RULE(input = value).VALUE`: what a rule without dice works out; `value` is None where none is named."""

    rule: Name
    arguments: tuple[Argument, ...]
    value: Name | None


@record
class Lookup(Part):
    """`TABLE at V`, `LIST at N`, `party at turn`, `[1, 3, 6] at N`; with `column`, `TABLE at (V, COLUMN)`."""

    source: Name | List
    index: Expression
    column: Expression | None


@record
class RowPart(Part):
    """`(TABLE at V).label`."""

    row: Expression
    part: Word


Asked = Literal[
    "count", "any", "all", "none", "pairs", "all_equal", "distinct", "largest_set", "face_of_largest_set",
    "longest_run",
    "sets", "groups", "sum", "highest", "lowest", "middle", "size", "natural", "symbols", "highest_n", "lowest_n",
    "die_n",
]  # fmt: skip


@record
class Question(Part):
    """A question to a pool or a list.

    `faces` is for count, any, all, none, pairs, and as sizes for sets, as sums for groups; `number` for highest N,
    lowest N, die N.
    """

    asked: Asked
    pool: Expression
    faces: Faces | None = None
    number: Expression | None = None


@record
class WinsOf(Part):
    left: Expression
    right: Expression


@record
class Showing(Part):
    pool: Expression
    faces: Faces


@record
class Cancelled(Part):
    pool: Expression
    by: Expression
    when: Expression | None


@record
class Without(Part):
    """`POOL without OTHERS`: the dice that are not among the others."""

    pool: Expression
    gone: Expression


@record
class Where(Part):
    """`POOL where CONDITION`: the dice for which it holds."""

    pool: Expression
    condition: Expression


@record
class WithEach(Part):
    """Over a pool, a list, or a range of whole numbers."""

    pool: Expression | Range
    changed: Expression


@record
class ForEach(Part):
    """`for each WORD in OVER: EACH`."""

    word: str
    over: Expression | Range
    each: Expression


@record
class Bracket(Part):
    """An expression in brackets; kept, because brackets decide how a question binds."""

    inside: Expression


@record
class Range(Part):
    """`a..b`; None is an open end."""

    low: Expression | None
    high: Expression | None


Expression: TypeAlias = (
    Number | YesNo | Nothing | Name | NoDice | List | Binary | Unary | Compare | InFaces | IsLabel | Outranks | Cases
    | Function | Formula | Lookup
    | RowPart | Question | WinsOf | Showing | Cancelled | Without | Where | WithEach | ForEach | Bracket
)  # fmt: skip


# ---------------------------------------------------------------- faces


@record
class FaceCompare(Part):
    operator: Literal["<", "<=", ">", ">=", "!="]
    bound: Expression


@record
class FaceParity(Part):
    odd: bool


@record
class Faces(Part):
    """Alternatives (`1 or 6..10`), `not` before them excludes all of them."""

    alternatives: tuple[Expression | Range | FaceCompare | FaceParity | FaceWhole, ...]
    negated: bool


@record
class FaceWhole(Part):
    """`12 & heart`, `success & advantage`: the faces that bear just this."""

    first: Expression
    words: tuple[Word, ...]


@record
class Symbols(Part):
    """A face that bears symbols: no word for a blank, several for several symbols; some bear a number too."""

    words: tuple[Word, ...]
    number: Number | None = None


FaceValue: TypeAlias = Number | Symbols


@record
class WeightedFace(Part):
    face: FaceValue
    weight: int


# ---------------------------------------------------------------- throws


@record
class Sides(Part):
    """`d10`, `d(sides)`: faces 1 to the number."""

    sides: Expression


@record
class Fudge(Part):
    """`dF`: -1, 0, 1."""


@record
class Listed(Part):
    """`d{1, 1, 2, 3}`."""

    faces: tuple[WeightedFace, ...]


DieKind: TypeAlias = Sides | Fudge | Listed | Name


@record
class Dice(Part):
    """`size d10`; a single die has no count. `modifiers` are those written without a comma: `4d6kh3`, `3d6!`."""

    count: Expression | None
    kind: DieKind
    modifiers: tuple[Modifier, ...] = ()


@record
class SameDice(Part):
    """`dice of POOL`."""

    pool: Expression


@record
class Argument(Part):
    name: Name
    value: Expression | Policy


@record
class RuleRoll(Part):
    """`other_rule(input = value)`."""

    rule: Name
    arguments: tuple[Argument, ...]


@record
class RerollRule(Part):
    """`reroll first`: the whole roll again."""

    rolled: Name


Group: TypeAlias = Dice | SameDice | RuleRoll | RerollRule


@record
class KeepDrop(Part):
    word: Literal["keep", "drop"]
    which: Literal["highest", "lowest", "middle"]
    number: Expression


@record
class Explode(Part):
    """`faces` is None for the top face of whatever die it is (`3d6!`)."""

    faces: Faces | None
    at_most: Expression | None
    rolling: Dice | None
    adding: bool


@record
class Reroll(Part):
    faces: Faces
    at_most: Expression | None
    in_at_most: Expression | None


@record
class GroupFaces(Part):
    asked: Literal["any", "all", "none"]
    faces: Faces


@record
class GroupAllEqual(Part):
    pass


@record
class GroupNumber(Part):
    asked: Literal["sum", "highest", "lowest"]
    operator: Literal["=", "!=", "<", "<=", ">", ">="]
    bound: Expression


@record
class Again(Part):
    condition: GroupFaces | GroupAllEqual | GroupNumber
    at_most: Expression | None


@record
class Advantage(Part):
    number: Expression
    at_most: Expression | None


@record
class Against(Part):
    target: Expression


Modifier: TypeAlias = KeepDrop | Explode | Reroll | Again | Advantage | Against


@record
class When(Part):
    """A modifier that is left out where its condition does not hold: `reroll 1 once when rote`."""

    modifier: Modifier
    condition: Expression


@record
class Throw(Part):
    """Groups of dice and what is done to them, in the order written."""

    groups: tuple[Group, ...]
    modifiers: tuple[Modifier | When, ...]


# ---------------------------------------------------------------- domains


@record
class NumberDomain(Part):
    range: Range


@record
class YesNoDomain(Part):
    pass


@record
class FacesDomain(Part):
    pass


@record
class TextDomain(Part):
    """`text`: whatever is written; only in sheets."""


@record
class OneOfDomain(Part):
    options: tuple[Word | Number, ...]


@record
class LevelsDomain(Part):
    """The name of levels, or of a table whose keys are labels."""

    levels: Word


@record
class ListDomain(Part):
    items: Domain


@record
class OrNone(Part):
    domain: Domain


Domain: TypeAlias = (
    NumberDomain | YesNoDomain | FacesDomain | TextDomain | OneOfDomain | LevelsDomain | ListDomain | OrNone
)  # fmt: skip


# ---------------------------------------------------------------- lines of a rule


@record
class Policy(Part):
    """What a choice is made by: `value` is the aim of best and worst, and the expression of the word "value"."""

    word: Literal["never", "always", "default", "best", "worst", "value"]
    value: Expression | None = None


@record
class Given(Part):
    name: Word
    domain: Domain
    default: Expression | None
    text: str


@record
class GivenAllOf(Part):
    rule: Word
    without: tuple[Word, ...]


@record
class Limit(Part):
    text: str
    condition: Expression


@record
class RollCase(Part):
    throw: Throw
    condition: Expression | None


@record
class Roll(Part):
    """One case with the condition of the whole roll, or several cases."""

    name: Word
    cases: tuple[RollCase, ...]
    text: str


@record
class Define(Part):
    """`domain`: what the value may be, where that is stated."""

    name: Word
    domain: Domain | None
    value: Expression


@record
class DiceOfChoice(Part):
    """`choice NAME: dice of POOL`, with `number` just so many (`2 dice of POOL`) or `at_most` so many."""

    pool: Expression
    number: Expression | None
    at_most: bool


@record
class Choice(Part):
    """`domain` is None for yes or no."""

    name: Word
    domain: Range | OneOfDomain | DiceOfChoice | None
    condition: Expression | None
    policy: Policy | None
    text: str


@record
class Track(Part):
    name: Word
    domain: Domain | None
    start: Expression


@record
class Repeat(Part):
    """`until` and `times` may both be there; one is."""

    until: Expression | None
    times: Expression | None
    at_most: Expression | None
    lines: tuple[Line, ...]


@record
class Update(Part):
    """`condition` is None where the update always happens."""

    name: Word
    operator: Literal["+=", "-=", "becomes"]
    value: Expression
    condition: Expression | None


@record
class Draw(Part):
    name: Word
    number: Expression
    bag: Word
    condition: Expression | None


@record
class PutBack(Part):
    """`put HAND back`, `put BAG back except HAND, OTHER`."""

    drawn: Name
    condition: Expression | None
    without: tuple[Name, ...] = ()


@record
class Flag(Part):
    name: Word
    condition: Expression
    text: str


@record
class OutcomeLine(Part):
    mark: Literal["+", "-", "~"]
    label: Word
    condition: Expression | None
    text: str


@record
class Outcome(Part):
    lines: tuple[OutcomeLine, ...]


@record
class OutcomeAs(Part):
    """`outcome as second if inspire otherwise first`; without a condition only `rolled`."""

    rolled: Name
    condition: Expression | None
    otherwise: Name | None


Line: TypeAlias = (
    Given | GivenAllOf | Limit | Roll | Define | Choice | Track | Repeat | Update | Draw | PutBack | Flag | Outcome
    | OutcomeAs
)  # fmt: skip


# ---------------------------------------------------------------- items of a file


@record
class SystemFact(Part):
    what: Literal["about", "version", "source"]
    text: str


@record
class System(Part):
    name: str
    facts: tuple[SystemFact, ...]


@record
class BasedOn(Part):
    file: str


@record
class Setting(Part):
    """`value` is faces wherever the text is faces; a single number or name without a range is an expression."""

    name: Word
    domain: Domain | None
    value: Expression | Faces
    text: str


@record
class RolledDie(Part):
    """`die stat = sum of 4d6, keep highest 3`."""

    asked: Literal["sum", "highest", "lowest", "middle"]
    throw: Throw


@record
class DieItem(Part):
    name: Word
    faces: tuple[WeightedFace, ...] | RolledDie
    text: str


@record
class BagNamed(Part):
    """`6 green`: so many of a named die, card or token; the number may be a setting's."""

    number: int | Name
    name: Word


@record
class BagNumbers(Part):
    """`1..10 x4`, `2..14 & heart`: cards that bear numbers, each so many times, and perhaps symbols."""

    low: Number
    high: Number
    times: int
    symbols: tuple[Word, ...] = ()


@record
class Bag(Part):
    name: Word
    parts: tuple[BagNamed | BagNumbers, ...]
    text: str


@record
class Level(Part):
    name: Word
    value: Number
    text: str


@record
class Levels(Part):
    name: Word
    levels: tuple[Level, ...]
    text: str


Key: TypeAlias = tuple[Number | None, Number | None] | Word
"""A band of numbers (None: open) or a label."""


@record
class Row(Part):
    key: Key
    entries: tuple[Number | Word | Text, ...]


@record
class Table(Part):
    """`by`: what the `columns` of a two-way table stand for; each row then has an entry for every column."""

    name: Word
    die: DieKind | None
    rows: tuple[Row, ...]
    text: str
    by: Word | None
    columns: tuple[Key, ...]


@record
class Rule(Part):
    name: Word
    lines: tuple[Line, ...]
    text: str


@record
class ExampleDice(Part):
    name: Name
    faces: tuple[FaceValue, ...]


@record
class ExampleChoose(Part):
    name: Name
    policy: Policy


@record
class ExampleSet(Part):
    name: Word
    value: Expression | Faces


@record
class ExampleRoll(Part):
    rule: Name
    arguments: tuple[Argument, ...]


@record
class Expect(Part):
    """`condition` holds; or with `measure`, the chance or mean of `condition` (where `given` holds) compares with
    `wanted`.
    """

    condition: Expression
    given: Expression | None
    measure: Literal["chance", "mean"] | None
    operator: Literal["=", "!=", "<", "<=", ">", ">="] | None
    wanted: Expression | None
    within: Expression | None


ExampleLine: TypeAlias = ExampleDice | ExampleChoose | ExampleSet | ExampleRoll | Expect


@record
class Example(Part):
    text: str
    lines: tuple[ExampleLine, ...]


Item: TypeAlias = System | BasedOn | Setting | DieItem | Bag | Levels | Table | Rule | Example


@record
class File(Part):
    """A whole file, its items in order."""

    items: tuple[Item | Sheet, ...]
