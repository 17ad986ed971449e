"""What can be known of a rule's values before it runs, so that the fast form checks nothing that cannot fail.

In: a rule of a plan. Out: for each name a `Known`, and the names of the pools whose dice must stay whole. Everything
here errs on the safe side: what is not certain is left to the general operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rulesrun.evaluation.walk import all_steps
from rulesrun.limits import in_force
from rulesrun.record import record
from rulesrun.semantics.plan import (
    And,
    AnyStep,
    Arithmetic,
    Bag,
    BagDraw,
    Bind,
    Cancelled,
    Cases,
    Choice,
    Compare,
    Const,
    Define,
    Dice,
    DiceOfSizes,
    DiceOption,
    DieKind,
    Domain,
    Draw,
    Each,
    Expression,
    Faces,
    FacesOf,
    Flag,
    ForEach,
    Function,
    InFaces,
    Invoke,
    IsLabel,
    ItemAt,
    Kind,
    LabelOption,
    LevelsDomain,
    ListDomain,
    Natural,
    Negative,
    Not,
    NumberDomain,
    NumbersBetween,
    Or,
    Outranks,
    Question,
    RangeOption,
    Repeat,
    RolledDie,
    SameDice,
    Select,
    Showing,
    Sides,
    Throw,
    Track,
    Union,
    Update,
    Var,
    Where,
    WinsOf,
    WithEach,
    Within,
    Without,
    YesNoDomain,
)
from rulesrun.semantics.renaming import parts

INPUT_BITS = 62
"""The fast form takes whole inputs up to this length; longer ones go the general way."""

DICE_BITS = 40
"""No number of dice or symbols is longer: so many fit into no memory."""


@record
class Known:
    """What is certain of a value.

    `plain`: an int, a Fraction or yes/no, never none or approximate; `whole`: an int. `bits`: no longer than that, None
    if unknown. Of pools and lists the same holds of the faces; `plain` then means that no face is a symbol or a blank.
    """

    plain: bool = False
    whole: bool = False
    bits: int | None = None


NOTHING = Known()
TRUTH = Known(plain=True)
COUNT = Known(plain=True, whole=True, bits=DICE_BITS)


class Knowledge:
    """What is known of every name so far, and of expressions."""

    def __init__(self, bags: Mapping[str, Bag]) -> None:
        self.names: dict[str, Known] = {}
        self._bags = bags
        self._each: list[Known] = []

    def of(self, e: Expression) -> Known:
        """What is certain of an expression's value, or of the faces of its dice."""
        known = self._of(e)
        return Known(False, known.whole, known.bits) if e.optional else known

    def _of(self, e: Expression) -> Known:
        match e:
            case Const(value=value):
                return of_constant(value)
            case Var(name=name):
                return self.names.get(name, NOTHING)
            case Each(word="die" | "other"):
                return self._each[-1] if self._each else NOTHING
            case Each(word="number") if self._each and self._each[-1].plain:
                return self._each[-1]
            case NumbersBetween():
                return Known(True, True, None)
            case FacesOf(pool=pool):
                return self.of(pool)
            case Within(value=value, domain=domain):
                known, stated = self.of(value), of_domain(domain)
                return Known(known.plain or stated.plain, known.whole or stated.whole, known.bits)
            case Arithmetic(operator=operator, left=left, right=right):
                return _arithmetic(operator, self.of(left), self.of(right))
            case Negative(operand=operand):
                return self.of(operand)
            case Not() | And() | Or() | Compare() | InFaces() | IsLabel() | Outranks():
                return TRUTH
            case Cases(cases=cases):
                if cases[-1].condition is not None:
                    return NOTHING
                return either([self.of(each.value) for each in cases])
            case Function(name=name, arguments=arguments):
                known = either([self.of(each) for each in arguments])
                return Known(known.plain, known.whole or name.startswith("round_"), known.bits)
            case ItemAt(items=items):
                return self.of(items)
            case Question():
                return self._question(e)
            case WinsOf():
                return COUNT
            case ForEach(over=over, each=each):
                self._each.append(COUNT if isinstance(over, tuple) else self.of(over))
                known = self.of(each)
                self._each.pop()
                return Known(known.plain, known.whole, None if known.bits is None else known.bits + DICE_BITS)
            case Union(left=left, right=right):
                return either([self.of(left), self.of(right)])
            case Select(pool=pool) | Showing(pool=pool) | Cancelled(pool=pool) | Without(pool=pool) | Where(pool=pool):
                return self.of(pool)
            case WithEach(pool=pool, changed=changed):
                self._each.append(self.of(pool))
                known = self.of(changed)
                self._each.pop()
                plain = known.plain or not isinstance(changed, Each)
                return Known(plain, known.whole and known.plain, known.bits)
            case _:
                return NOTHING

    def inside(self, known: Known) -> None:
        """From here to `outside`, `die` is known so."""
        self._each.append(known)

    def outside(self) -> None:
        """The last `inside` ends."""
        self._each.pop()

    def _question(self, e: Question) -> Known:
        pool = self.of(e.pool)
        match e.asked:
            case "any" | "all" | "none" | "all_equal":
                return TRUTH
            case "count" | "pairs" | "distinct" | "largest_set" | "longest_run" | "sets" | "groups" | "size":
                return COUNT
            case _:
                bits = None if pool.bits is None else pool.bits + DICE_BITS
                return Known(True, pool.plain and pool.whole, bits)

    # ------------------------------------------------------------ names

    def define(self, step: AnyStep) -> None:
        """What is known once a step is done; of the steps inside it too."""
        match step:
            case Define(name=name, value=value):
                self.names[name] = self.of(value)
            case Bind(name=name, domain=domain, value=value):
                known = of_domain(domain)
                self.names[name] = Known(known.plain, known.whole, self.of(value).bits)
            case Draw(name=name, cases=cases):
                self.names[name] = either([self.thrown(case.throw) for case in cases])
            case BagDraw(name=name, bag=bag):
                things = [thing for thing, _ in self._bags[bag.rpartition(".")[2]].contents]
                numbers = [each for each in things if isinstance(each, int | Fraction)]
                self.names[name] = either(map(of_constant, numbers)) if len(numbers) == len(things) else NOTHING
            case Choice(name=name, options=options):
                self.names[name] = self._choice(options)
            case Flag(name=name):
                self.names[name] = TRUTH
            case _:
                pass

    def _choice(self, options: RangeOption | LabelOption | DiceOption | None) -> Known:
        match options:
            case None:
                return TRUTH
            case RangeOption(low=low, high=high):
                known = either([self.of(low), self.of(high)])
                return Known(True, True, known.bits if known.plain else None)
            case DiceOption(pool=pool):
                return self.of(pool)
            case LabelOption(options=labels):
                return either(map(of_constant, labels))

    def tracked(self, track: Track, body: Sequence[AnyStep]) -> None:
        """A tracked name: what its start and all its updates have in common; its length is not known."""
        start = self.of(track.start)
        updates = [each.value for each in all_steps(body) if isinstance(each, Update) and each.name == track.name]
        self.names[track.name] = Known(start.plain, start.whole)
        for value in updates:
            known = self.of(value)
            plain, whole = known.plain and start.plain, known.whole and start.whole
            if (plain, whole) != (start.plain, start.whole):
                self.names[track.name] = NOTHING
                return

    def absent(self, step: Invoke) -> None:
        """The names of a rule that may not have been rolled may be none."""
        for name in step.names:
            known = self.names.get(name, NOTHING)
            self.names[name] = Known(False, known.whole, known.bits)

    def thrown(self, throw: Throw) -> Known:
        """The faces of a throw."""
        known = []
        for group in throw.groups:
            if isinstance(group, Dice):
                known.append(self.of_kind(group.kind))
                known += [self.of_kind(each) for each in _further_kinds(group.modifiers)]
            elif isinstance(group, DiceOfSizes):
                known.append(Known(True, True, self.of(group.sizes).bits))
            else:
                known.append(self.of(group.pool))
        known += [self.of_kind(each) for each in _further_kinds(throw.modifiers)]
        return either(
            [Known(each.plain, each.whole, None if each.bits is None else each.bits + DICE_BITS) for each in known]
        )

    def of_kind(self, kind: DieKind) -> Known:
        """The faces of a die."""
        match kind:
            case Sides(sides=sides):
                return Known(True, True, self.of(sides).bits)
            case Faces(faces=faces):
                return either([of_constant(face) if not isinstance(face, tuple) else NOTHING for face, _ in faces])
            case RolledDie(throw=throw):
                return self.thrown(throw)


def _further_kinds(modifiers: Iterable[object]) -> list[DieKind]:
    rolling = [getattr(each, "rolling", None) for each in modifiers]
    return [each for each in rolling if each is not None]


def of_constant(value: object) -> Known:
    """What is certain of a constant; of a list, of its items."""
    match value:
        case bool():
            return TRUTH
        case int():
            return Known(True, True, value.bit_length())
        case Fraction():
            return Known(True, False, None)
        case tuple():
            return either([of_constant(each) for each in value]) if value else Known(True, True, 0)
        case _:
            return NOTHING


def of_domain(domain: Domain) -> Known:
    """What is certain of an input of this domain; of a list, of its items."""
    match domain:
        case NumberDomain(whole=whole, optional=optional):
            return Known(not optional, whole, INPUT_BITS if whole else None)
        case YesNoDomain(optional=optional) | LevelsDomain(optional=optional):
            return Known(not optional)
        case ListDomain(items=items, optional=optional):
            known = of_domain(items)
            return Known(known.plain and not optional, known.whole, known.bits)
        case _:
            return NOTHING


def either(all_known: Iterable[Known]) -> Known:
    """What is certain of a value that is one of these."""
    known = list(all_known)
    if not known:
        return NOTHING
    bits = [each.bits for each in known]
    return Known(
        all(each.plain for each in known),
        all(each.whole for each in known),
        None if None in bits else max(each for each in bits if each is not None),
    )


def _arithmetic(operator: str, left: Known, right: Known) -> Known:
    if operator in ("/", "^"):
        return Known(left.plain and right.plain and operator == "/")
    bits = None
    if left.bits is not None and right.bits is not None:
        bits = left.bits + right.bits if operator == "*" else max(left.bits, right.bits) + 1
        bits = bits if bits <= in_force.get().number_bits else None
    return Known(left.plain and right.plain, left.whole and right.whole, bits)


# ---------------------------------------------------------------- which dice must stay whole


def whole_pools(steps: Sequence[AnyStep], policies: Iterable[Expression]) -> frozenset[str]:
    """The names of pools of which more than the faces is asked: target, sides, first faces, or to throw them again."""
    demand = _Demand()
    everything = (*all_steps(steps), *policies)
    while True:
        before = len(demand.names)
        for part in everything:
            demand.step(part)
        if len(demand.names) == before:
            return frozenset(demand.names)


class _Demand:
    def __init__(self) -> None:
        self.names: set[str] = set()

    def step(self, part: AnyStep | Expression) -> None:
        match part:
            case Define(name=name, value=value) | Track(name=name, start=value) | Update(name=name, value=value):
                self._same(name, value)
            case Choice(name=name, options=DiceOption(pool=pool), policy=policy):
                self._same(name, pool)
                if policy.value is not None:
                    self._same(name, policy.value)
            case _:
                pass
        own: object = part
        if isinstance(part, Invoke):
            own = (part.condition,)
        elif isinstance(part, Repeat):
            own = (part.until, part.times, part.at_most)
        for each in parts(own):
            self._asked(each)

    def _same(self, name: str, value: Expression) -> None:
        if value.kind is Kind.POOL and name in self.names:
            self.whole(value)

    def _asked(self, part: object) -> None:
        match part:
            case Natural(pool=pool) | SameDice(pool=pool):
                self.whole(pool)
            case Without(pool=pool, gone=gone):
                self.whole(pool)
                self.whole(gone)
            case Where(pool=pool, condition=condition) if _reads_dice(condition):
                self.whole(pool)
            case ForEach(over=over, each=each) if not isinstance(over, tuple) and _reads_dice(each):
                self.whole(over)
            case WithEach(pool=pool, changed=changed) if _reads_dice(changed):
                self.whole(pool)
            case Cancelled(pool=pool, by=by, when=when) if when is not None and _reads_dice(when):
                self.whole(pool)
                self.whole(by)
            case _:
                pass

    def whole(self, e: Expression) -> None:
        """The dice of this pool must be whole."""
        match e:
            case Var(name=name):
                self.names.add(name)
            case Union(left=left, right=right):
                self.whole(left)
                self.whole(right)
            case (
                Select(pool=pool)
                | Showing(pool=pool)
                | Cancelled(pool=pool)
                | Without(pool=pool)
                | Where(pool=pool)
                | WithEach(pool=pool)
                | Natural(pool=pool)
            ):
                self.whole(pool)
            case Cases(cases=cases):
                for each in cases:
                    self.whole(each.value)
            case _:
                pass


def _reads_dice(e: Expression) -> bool:
    return any(isinstance(part, Each) and part.word in ("target", "sides") for part in parts(e))
