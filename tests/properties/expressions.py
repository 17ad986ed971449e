"""Random expressions, faces and pools over the names of a scope."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .items import named, within
from .picks import Picks
from .scope import Dice, Names

CROSSING = "table crossing by side\n    row ..1 2..3 4\n    ..1 0 1 2\n    2 1 1 3\n    3.. 2 0 1"
DUEL = "table duel by mood\n    row calm alert wild\n    ..1 low low mid\n    2.. low mid high"
PRICE = (
    "rule price\n    given mark: ..\n    given dear: yes or no = mark > 2\n    square = mark ^ 2\n"
    "    cost =\n        square + 1 if dear\n        -square otherwise\n    high = cost > 4"
)
WHEN = ("other >= die", "die >= other", "other > die", "die = other + 1")
COMPARES = ("=", ">=", "<=", "<", ">", "!=")


@dataclass
class File:
    """The items of the ruleset before its rules, written when a rule first needs them."""

    items: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    """Kind of each setting by name: number, faces, condition or the labels it may be."""
    marks: tuple[str, ...] = ()
    """The symbols that stand beside numbers on some dice."""

    def need(self, name: str, text: str) -> str:
        self.items.setdefault(name, text)
        return name


TABLES = {
    "grades": ("table grades\n    ..2 poor 1\n    3 fair 2\n    4.. fine 3 \"very fine\"", True),
    "bonuses": ("table bonuses \"what it adds\"\n    ..1 0\n    2..3 1\n    4.. 2", False),
}  # fmt: skip


@dataclass
class Writer:
    picks: Picks
    file: File
    names: Names = field(default_factory=Names)
    each: tuple[str, ...] = ()
    """The words of the die, where `for each` or `with each` stand around."""

    # ------------------------------------------------------------ numbers

    def number(self, depth: int = 2) -> str:
        """A number as a whole expression."""
        picks = self.picks
        if depth <= 0 or picks.chance(20):
            return self.small()
        shape = picks.number(0, 9)
        if shape <= 4:
            return self.asked(depth)
        if shape == 5:
            return (
                f"{self.number_atom(depth - 1)} if {self.condition(depth - 1)} otherwise {self.number_atom(depth - 1)}"
            )
        if shape == 6 and self.names.pools:
            return self.for_each(depth)
        if shape == 7:
            operator = picks.of(("+", "-", "*"))
            return f"{self.number_atom(depth - 1)} {operator} {self.asked(depth - 1)}"
        if shape == 8:
            return self.odd_arithmetic(depth)
        return f"{self.asked_atom(depth - 1)} {picks.of(('+', '-'))} {self.number_atom(depth - 1)}"

    def odd_arithmetic(self, depth: int) -> str:
        atom = self.number_atom(depth - 1)
        return self.picks.of(
            (
                f"-{atom}",
                f"+{atom} - 1",
                f"{atom} / 2",
                f"{atom} ^ 2",
                f"-{atom} ^ {self.picks.number(0, 3)}",
                f"{atom} * {self.picks.of(('1/2', '0.5', '50%', '1.25'))}",
                f"{atom} / {self.number_atom(0)}" if self.picks.chance(25) else f"{atom} / 3",
                f"round_up({self.number(depth - 1)} / 2)",
                self.formula(depth, "cost"),
                self.formula(depth, self.picks.of(("square", "cost"))),
                f"round_down({self.number(depth - 1)} / 2)",
            )
        )

    def formula(self, depth: int, value: str) -> str:
        """What a rule without dice works out."""
        mark = f"round_down({self.number(depth - 1)})" if self.picks.chance(60) else str(self.picks.number(-3, 4))
        more = f", dear = {self.condition(0)}" if self.picks.chance(30) else ""
        return f"{self.file.need('price', PRICE)}(mark = {mark}{more}).{value}"

    def small(self) -> str:
        """A literal or a name."""
        known = [*self.names.numbers, *(die.text for die in self.names.dice), *self.each]
        if known and self.picks.chance(75):
            return self.picks.of(known)
        if self.picks.chance(15):
            return self.number_setting()
        return str(self.picks.number(0, 4))

    def number_setting(self) -> str:
        self.file.settings["spare"] = "number"
        return self.file.need("spare", "setting spare: 0..5 = 2")

    def number_atom(self, depth: int) -> str:
        return self.small() if depth <= 0 or self.picks.chance(40) else f"({self.number(depth)})"

    def asked_atom(self, depth: int) -> str:
        return f"({self.asked(depth)})"

    def count(self) -> str:
        """A whole number that is not negative and small, fit for a number of dice."""
        picks = self.picks
        if self.names.counts and picks.chance(50):
            return picks.of(self.names.counts)
        return str(picks.number(0, 2)) if picks.chance(60) else f"clamp(round_down({self.number(1)}), 0, 2)"

    def maybe(self) -> str:
        name = self.picks.of(self.names.maybe)
        return self.picks.of((f"({name} if not ({name} = none) otherwise 1)", f"(0 if {name} = none otherwise {name})"))

    def asked(self, depth: int) -> str:
        """A question or a function, as it stands in a sum's last place."""
        picks = self.picks
        pool = self.pool_atom(depth - 1)
        if pool is None or picks.chance(25):
            return self.function(depth)
        if self.names.symbols and picks.chance(10):
            return self.count_symbols()
        top = 4
        faces = self.faces(top)
        kinds: tuple[Callable[[], str], ...] = (
            lambda: f"sum of {pool}",
            lambda: f"count {faces} in {pool}",
            lambda: f"highest of {pool}",
            lambda: f"lowest of {pool}",
            lambda: f"middle of {pool}",
            lambda: f"size of {pool}",
            lambda: f"pairs of {faces} in {pool}",
            lambda: f"distinct in {self.with_symbols(pool)}",
            lambda: f"largest set in {self.with_symbols(pool)}",
            lambda: f"face of largest set in {pool}",
            lambda: f"longest run in {pool}",
            lambda: f"sets of {picks.of(('1', '2', '2..', '>= 1', 'odd', '1 or 3'))} in {pool}",
            lambda: f"groups of {picks.of(('3..', '4..', '5', '2 or 4', '>= 6', 'even'))} in {pool}",
            lambda: f"die {picks.of(('1', '2', '(1 + 1)'))} of {pool}",
            lambda: f"wins of {pool} over {self.pool_atom(depth - 1)}",
        )
        return picks.of(kinds)()

    def with_symbols(self, pool: str) -> str:
        """The pool, or the symbols on its dice."""
        return f"symbols of {pool}" if self.file.marks and self.picks.chance(50) else pool

    def count_symbols(self) -> str:
        dice = self.picks.of(self.names.symbols)
        return f"{self.picks.of(('count', 'pairs of'))} {self.symbol_faces(dice)} in {dice.text}"

    def symbol_faces(self, dice: Dice) -> str:
        return " or ".join(self.picks.some(dice.symbols, 1, 2)) or dice.symbols[0]

    def function(self, depth: int) -> str:
        picks = self.picks
        inner = depth - 1
        kinds: list[Callable[[], str]] = [
            lambda: f"max({self.number(inner)}, {self.number(inner)})",
            lambda: f"min({self.number(inner)}, {self.small()}, 3)",
            lambda: f"abs({self.number(inner)})",
            lambda: f"clamp({self.number(inner)}, 0, {picks.number(1, 4)})",
            lambda: f"round_down({self.number(inner)} / 2)",
            lambda: f"round_up({self.number(inner)} / 3)",
            lambda: f"remainder({self.number(inner)}, {picks.of(('2', '3', '1/2', '-2'))})",
            lambda: self.two_way_number(),
            lambda: f"{picks.of(('highest', 'sum', 'lowest'))} of ({self.range_each(inner)})",
            lambda: self.table_number(),
            lambda: f"sum of [{self.small()}, {self.number(inner)}]",
            lambda: f"highest of [{self.small()}, {self.small()}, 2]",
            lambda: f"([{self.small()}, {self.number(0)}, 3] at {picks.number(1, 3)})",
            lambda: f"({self.for_each_range(inner)})",
            lambda: f"({named(self, inner)})",
        ]
        if self.names.maybe:
            kinds += [self.maybe] * 2
        if self.names.lists:
            kinds += [self.list_number] * 3
        return picks.of(kinds)()

    def table_number(self) -> str:
        table = self.picks.of(("bonuses", "grades"))
        self.file.need(table, TABLES[table][0])
        index = self.picks.of((self.picks.of(self.names.numbers) if self.names.numbers else "2", f"({self.number(1)})"))
        return f"({table} at {index}).value" if table == "grades" or self.picks.chance(30) else f"({table} at {index})"

    def two_way_number(self) -> str:
        self.file.need("crossing", CROSSING)
        row = self.picks.of(
            (self.picks.of(self.names.numbers) if self.names.numbers else "1", str(self.picks.number(0, 3)))
        )
        found = f"crossing at ({row}, {self.number(0)})"
        return f"({found} if {found} != none otherwise 0)"

    def range_each(self, depth: int) -> str:
        """Numbers in a row, each changed; perhaps by what dice show."""
        over = self.picks.of((f"1..{self.picks.number(1, 3)}", f"0..{self.count()}"))
        pool = self.pool_atom(0)
        if pool is not None and self.picks.chance(60):
            return f"{over} with each die as die * count die in {pool}"
        return f"{over} with each die as {self.of_die(None)}"

    def list_number(self) -> str:
        name = self.picks.of(sorted(self.names.lists))
        place = self.picks.number(1, max(1, self.names.lists[name]))
        asked = ("sum of", "size of", "highest of", "count even in", "lowest of", "middle of", "distinct in")
        return f"({name} at {place})" if self.picks.chance(40) else f"{self.picks.of(asked)} {name}"

    def for_each(self, depth: int) -> str:
        if self.picks.chance(40):
            return named(self, depth)
        dice = self.picks.of(self.names.pools)
        pool = dice.text if self.picks.chance(70) else self.pool(depth - 1)
        pool, known = (pool, dice) if pool == dice.text else (f"({pool})", None)
        return f"for each die in {pool}: {self.of_die(known)}"

    def for_each_range(self, depth: int) -> str:
        over = self.picks.of((f"1..{self.picks.number(0, 3)}", "[1, 2, 2]", f"0..{self.count()}"))
        return f"for each die in {over}: {self.of_die(None)}"

    def of_die(self, dice: Dice | None) -> str:
        """A number that depends on the die."""
        words = ["die"]
        if dice is not None and dice.sided:
            words.append("sides")
        if dice is not None and dice.target:
            words.append("target")
        inner = replace(self, each=tuple(words))
        picks = self.picks
        if self.file.marks and dice is not None and picks.chance(30):
            return (
                f"(2 if die {picks.of(('is', 'is not'))} {picks.of(('moon', 'star', '(moon or star)'))} otherwise die)"
            )
        word = picks.of(words[::-1])
        return picks.of(
            (
                f"max(0, {word} - die + 1)",
                f"(1 if die >= {word} otherwise 0)",
                f"die * {picks.number(1, 2)}" if word == "die" else f"die + {word}",
                f"(2 if die in {picks.number(2, 3)}..4 otherwise -1)",
                f"min(die, {word})",
                inner.number_atom(1) + " + die",
            )
        )

    def die_condition(self, dice: Dice) -> str:
        """A condition on the die, and perhaps on its size or target."""
        picks = self.picks
        options = [f"die >= {self.small()}", "die in (1 or 3)", f"die {picks.of(COMPARES)} 2", "die > 1 or die = 0"]
        if dice.sided:
            options.append("die = sides")
        if dice.target:
            options.append("die >= target")
        if self.file.marks:
            options += ["die is star", "die is not moon", "die is (moon or star) and die < 3"]
        return picks.of(options)

    # ------------------------------------------------------------ faces

    def faces(self, top: int) -> str:
        """Any faces of numbers."""
        picks = self.picks
        low = picks.number(1, max(1, top))
        kinds = [
            str(low),
            f"{low}..{top}",
            f">= {low}",
            f"{low} or {picks.number(1, top)}",
            f"not {low}",
            "even",
            "odd",
            f"{picks.of(('<', '<=', '>', '!='))} {low}",
            f"{low}..",
            f"..{low}",
            f"not (1) or {low}..{top}",
            self.faces_setting(),
        ]
        if self.names.numbers:
            kinds.append(f">= {picks.of(self.names.numbers)}")
            kinds.append(picks.of(self.names.numbers))
        kinds += sorted(self.names.lists) + [dice.text for dice in self.names.pools if not dice.single]
        if self.file.marks and picks.chance(50):
            return self.marked_faces()
        return picks.of(kinds)

    def marked_faces(self) -> str:
        """Faces by the symbols beside their numbers."""
        picks, mark = self.picks, self.picks.of(self.file.marks)
        return picks.of(
            (mark, f"not {mark}", f"{mark} or 1", " or ".join(self.file.marks), f"2 & {mark}", "3 & star & moon",
             f"{self.number_atom(0)} & {mark}")
        )  # fmt: skip

    def faces_setting(self) -> str:
        self.file.settings["good_on"] = "faces"
        domain = ": faces" if self.picks.chance(20) else ""
        return self.file.need("good_on", f'setting good_on{domain} = 3..4 "what counts"')

    # ------------------------------------------------------------ pools

    def pool_atom(self, depth: int) -> str | None:
        """A pool as it stands behind a question."""
        if not self.names.pools:
            return None
        pool = self.pool(depth)
        return pool if pool.isidentifier() or ("." in pool and " " not in pool) else f"({pool})"

    def pool(self, depth: int) -> str:
        picks = self.picks
        dice = picks.of(self.names.pools)
        if depth <= 0 or picks.chance(55):
            return dice.text
        other = picks.of(self.names.pools)
        first = dice.text
        inner = replace(self, each=("die",))
        kinds: list[str] = [
            f"{first} + {other.text}",
            f"{first} showing {self.faces(dice.top)}",
            f"highest {picks.number(0, 2)} of {first}",
            f"lowest {picks.of(('1', '2', '(0 + 1)'))} of {first}",
            f"{first} cancelled by {other.text}",
            f"{first} cancelled by {other.text} when {picks.of(WHEN)}",
            f"{first} with each die as {self.of_die(dice)}",
            f"({first} with each die as {inner.number_atom(0)}) + {other.text}",
            f"natural {first}" if dice.natural else first,
            f"{first} without {picks.of((f'(highest 1 of {first})', other.text))}",
            f"{first} where {self.die_condition(dice)}",
            f"{first} where count die in {first} >= {picks.number(1, 2)}",
            f"{first} where {within(self, 'die')} > {picks.number(1, 3)}",
            f"{first} with each die as {within(self, 'die')}",
            f"({first} showing {self.faces(dice.top)}) cancelled by ({other.text} showing {self.faces(other.top)})",
        ]
        if not dice.single:
            kinds.append(f"{first} if {self.condition(0)} otherwise no dice")
        if dice.single == other.single:
            kinds.append(f"{first} if {self.condition(0)} otherwise {other.text}")
        return picks.of(kinds)

    # ------------------------------------------------------------ conditions

    def condition(self, depth: int = 1) -> str:
        """A condition that may stand between `and` and `or`, or in brackets."""
        picks = self.picks
        if depth > 0 and picks.chance(25):
            a, b = self.condition_atom(depth - 1), self.condition_atom(depth - 1)
            return picks.of((f"{a} and {b}", f"{a} or {b}", f"not {a}", f"({a} or {b}) and {self.condition_atom(0)}"))
        return self.plain_condition(depth)

    def condition_atom(self, depth: int) -> str:
        return f"({self.condition(depth)})"

    def plain_condition(self, depth: int) -> str:
        picks = self.picks
        kinds: list[Callable[[], str]] = [
            lambda: f"{self.number_atom(depth)} {picks.of(COMPARES)} {self.small()}",
            lambda: f"{self.asked_atom(depth)} {picks.of(COMPARES)} {picks.number(0, 5)}",
            lambda: f"{self.number_atom(depth)} in {picks.number(0, 2)}..{picks.number(2, 5)}",
            lambda: f"{self.small()} in ({picks.number(0, 2)} or {picks.of(('even', '4..', '>= 3', '5'))})",
            lambda: self.formula(1, "high"),
            lambda: f"{self.small()} in {picks.of((self.faces_setting(), 'odd', '>= 2', '..3', '2..'))}",
        ]
        if self.names.pools:
            pool = picks.of(self.names.pools)
            kinds += [
                lambda: f"{picks.of(('any', 'all', 'none'))} {self.faces(pool.top)} in {self.pool_atom(depth)}",
                lambda: f"any {self.faces(pool.top)} in {pool.text}",
                lambda: f"{picks.of(('all', 'none'))} {self.faces(pool.top)} in {pool.text}",
                lambda: f"all equal in {self.with_symbols(self.pool_atom(depth) or pool.text)}",
                lambda: f"{self.pool_atom(depth)} outranks {self.pool_atom(depth)}",
            ]
        if self.names.symbols:
            dice = picks.of(self.names.symbols)
            kinds += [lambda: f"{picks.of(('any', 'none', 'all'))} {self.symbol_faces(dice)} in {dice.text}"] * 2
        if self.names.conditions:
            met = picks.of(self.names.conditions)
            kinds += [
                lambda: met,
                lambda: f"{met} = {picks.of(('yes', 'no'))}",
                lambda: f"{met} != {picks.of(self.names.conditions)}",
            ]
        if self.names.labels:
            kinds += [self.label_condition] * 3
        if self.names.maybe:
            maybe = picks.of(self.names.maybe)
            kinds += [lambda: f"{maybe} = none", lambda: f"not ({maybe} = none) and {maybe} >= 2"]
        if self.names.rolled:
            kinds += [self.outcome_condition] * 3
        kinds.append(self.table_condition)
        return picks.of(kinds)()

    def label_condition(self) -> str:
        name = self.picks.of(sorted(self.names.labels))
        labels = self.names.labels[name]
        some = self.picks.some(labels, 1, 2)
        is_ = self.picks.of(("is", "is not"))
        if self.picks.chance(15):
            return f"{name} {is_} none"
        return f"{name} {is_} {some[0]}" if len(some) == 1 else f"{name} {is_} ({' or '.join(some)})"

    def outcome_condition(self) -> str:
        name = self.picks.of(sorted(self.names.rolled))
        outcomes = self.names.rolled[name].outcomes
        if not outcomes:
            return f"{self.small()} > 1"
        return self.picks.of(
            (f"{name} is good", f"{name} is {self.picks.of(outcomes)}", f"{name} is not {outcomes[0]}")
        )

    def table_condition(self) -> str:
        moods = sorted(name for name, labels in self.names.labels.items() if labels == ("calm", "alert", "wild"))
        if self.picks.chance(35):
            self.file.need("duel", DUEL)
            mood = self.picks.of((*moods, "wild", "calm"))
            row = self.picks.of(self.names.numbers) if self.names.numbers else 2
            return f"duel at ({row}, {mood}) is {self.picks.of(('low', 'mid', 'high'))}"
        if self.picks.chance(40):
            self.file.need("bands", "table bands\n    1..2 low\n    2..3 mid\n    5.. high")
            at = f"bands at ({self.number(1)})"
            return f"{at} is {self.picks.of(('low', 'mid', 'high'))}"
        self.file.need("grades", TABLES["grades"][0])
        at = f"grades at {self.picks.of(self.names.numbers) if self.names.numbers else 3}"
        return self.picks.of((f"{at} is fair", f"({at}).label is not poor", f"{at} is (poor or fine)"))
