"""Random lines of a rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .expressions import Writer
from .items import named
from .picks import Picks
from .scope import Dice, Made, Names
from .throws import MARKS, symbol_throw, throw

FUMBLES = "table fumbles, d4 \"what goes wrong\"\n    1 trip 1\n    2..3 slip 0 \"a slip\"\n    4 fall 2"  # fmt: skip
TOKENS = "bag tokens = 2 green, 1 red"
DECK = "bag deck = 1..3, 5 x2"
MIXED = "bag cup = 2 wheel, 1 coinage"
CARDS = "bag cards = 1..2 & moon, 1..2 & star, 3 & moon & star x2"


@dataclass
class Lines:
    """Writes the lines of one rule. `room` is in how many ways its dice may still fall."""

    writer: Writer
    helpers: list[Made]
    room: int
    solved: bool
    """Whether `best` has an aim: the outermost rule has outcomes."""
    text: list[str] = field(default_factory=list)
    indent: str = "    "
    used: int = 0
    tracked: list[tuple[str, str]] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    inputs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    input_labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    flags: list[str] = field(default_factory=list)
    hands: list[tuple[str, str]] = field(default_factory=list)
    """What was drawn, and from which bag."""
    aim: str | None = None
    """The name of a number that the rule's end defines, for `best for`."""
    turns: int = 0
    """How many repetitions stand around the lines."""

    def add(self, line: str) -> None:
        self.text.append(self.indent + line)

    def new(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"

    @property
    def names(self) -> Names:
        return self.writer.names

    @property
    def picks(self) -> Picks:
        return self.writer.picks

    # ------------------------------------------------------------ inputs

    def given(self) -> None:
        picks, names = self.picks, self.names
        free = [name for name in ("might", "skill", "need", "luck") if name not in self.inputs]
        if not free:
            return
        name = free[0]
        kind = picks.of((0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10))
        text = ' "an input"' if picks.chance(15) else ""
        if kind <= 3:
            default = f" = {picks.number(0, 2)}" if picks.chance(80) else ""
            self.add(f"given {name}: 0..3{default}{text}")
            self.inputs[name] = ("0", "1", "2", "3")
            names.counts.append(name)
            names.numbers.append(name)
            if not default:
                self.required.add(name)
            return
        if kind == 4:
            domain = picks.of(("..", "-2..", "..5"))
            default = picks.of(("1", "-1", "spare" if "spare" in self.writer.file.settings else "2"))
            if names.counts and picks.chance(40):
                default = f"{names.counts[0]} + 1"
            self.add(f"given {name}: {domain} = {default}{text}")
            self.inputs[name] = ("-1", "0", "3")
            names.numbers.append(name)
        elif kind == 5:
            self.add(f"given {name}: yes or no = {picks.of(('no', 'yes'))}{text}")
            self.inputs[name] = ("yes", "no")
            names.conditions.append(name)
        elif kind == 6:
            self.writer.file.need("hardness", 'levels hardness "how hard"\n    easy 1\n    fair 2 "so so"\n    hard 3')
            self.add(f"given {name}: hardness = {picks.of(('fair', 'easy', '2'))}{text}")
            self.inputs[name] = ("easy", "hard", "2")
            names.numbers.append(name)
        elif kind == 7:
            self.add(f"given {name}: one of calm, alert, wild = {picks.of(('calm', 'wild'))}{text}")
            self.inputs[name] = ("calm", "alert", "wild")
            self.input_labels[name] = names.labels[name] = ("calm", "alert", "wild")
        elif kind == 10:
            self.writer.file.need("beasts", "table beasts\n    cat 1\n    dog 2\n    bird 0")
            self.add(f"given {name}: beasts = {picks.of(('cat', 'bird'))}{text}")
            self.inputs[name] = ("cat", "dog", "bird")
            self.input_labels[name] = names.labels[name] = ("cat", "dog", "bird")
        elif kind == 8:
            items = ", ".join(str(picks.number(0, 3)) for _ in range(picks.number(1, 3)))
            self.add(f"given {name}: list of 0..3 = [{items}]")
            self.inputs[name] = ("[1, 2]", "[3]", "[0, 0, 2]")
            names.lists[name] = 1
        else:
            self.add(
                f"given {name}: {picks.of(('0..3 or none = none', '0..2 or none = 1', 'one of 1, 2, 4 or none = 4'))}"
            )
            self.inputs[name] = ("none", "1", "2")
            names.maybe.append(name)

    def limit(self) -> None:
        condition = self.picks.of(("3 > 2", "1 + 1 = 2", "not (2 < 1)"))
        if self.names.counts:
            condition = f"{self.names.counts[0]} {self.picks.of(('>= 0', '<= 3', '< 3'))}"
        self.add(f'limit "out of bounds": {condition}')

    # ------------------------------------------------------------ rolls

    def condition_tail(self, percent: int) -> str:
        return f" if {self.writer.condition(1)}" if self.picks.chance(percent) else ""

    def roll(self) -> None:
        picks = self.picks
        thrown = throw(self.writer, self.room)
        name = self.new("pool" if not thrown.dice.single else "cast")
        dice = replace(thrown.dice, text=name)
        if picks.chance(15):
            self.roll_cases(name, dice, thrown.text, thrown.ways)
        else:
            text = ' "the dice"' if picks.chance(10) else ""
            self.add(f"roll {name} = {thrown.text}{self.condition_tail(20)}{text}")
            self.room //= max(1, thrown.ways)
        self.names.pools.append(dice)

    def roll_cases(self, name: str, dice: Dice, text: str, ways: int) -> None:
        second = throw(self.writer, self.room)
        if second.dice.single != dice.single:
            kind = "d3" if dice.single else "2d2"
            second = replace(second, text=kind, ways=4, dice=replace(dice, target=False))
        last = "otherwise" if self.picks.chance(60) else f"if {self.writer.condition(1)}"
        self.add(f"roll {name} =")
        self.add(f"    {text} if {self.writer.condition(1)}")
        self.add(f"    {second.text} {last}")
        self.room //= max(1, ways, second.ways)
        if not second.dice.sided or dice.target != second.dice.target:
            self.names.pools.append(replace(dice, sided=False, target=False))

    def symbols(self) -> None:
        thrown = symbol_throw(self.writer, self.room)
        name = self.new("runes")
        self.add(f"roll {name} = {thrown.text}{self.condition_tail(15)}")
        self.room //= thrown.ways
        self.names.symbols.append(replace(thrown.dice, text=name))

    def table_roll(self) -> None:
        if self.room < 4:
            return self.define()
        self.writer.file.need("fumbles", FUMBLES)
        name = self.new("row")
        condition = self.condition_tail(20)
        self.add(f"roll {name} = fumbles{condition}")
        self.names.labels[name] = ("trip", "slip", "fall")
        self.room //= 3

    def bag(self) -> None:
        picks = self.picks
        if self.room < (4 if self.turns else 12):
            return self.define()
        kind = picks.number(0, 3)
        count = "1" if self.turns else picks.of(("2", "1", "3", self.writer.count()))
        name = self.new("hand")
        text, bag = ((TOKENS, "tokens"), (DECK, "deck"), (MIXED, "cup"), (CARDS, "cards"))[kind]
        if kind == 3:
            self.writer.file.marks = MARKS
        if kind == 2:
            self.writer.file.need("wheel", 'die wheel = 1 x2, 3, 5 "a weighted die"')
            self.writer.file.need("coinage", "die coinage = 0, 1")
        self.writer.file.need(bag, text)
        self.add(f"draw {name} = {count} from {bag}{self.condition_tail(20)}")
        self.room //= 6
        self.hands.append((name, bag))
        if picks.chance(50):
            self.add(f"put {name} back{self.condition_tail(50)}")
            if picks.chance(30):
                self.add(f"put {name} back{self.condition_tail(50)}")
            elif picks.chance(40):
                self.fill(bag)
            if picks.chance(60):
                again = self.new("hand")
                self.add(f"draw {again} = {picks.of(('1', '5'))} from {bag}")
                self.room //= 3
                name = again
        if kind == 0:
            self.names.symbols.append(Dice(name, symbols=("green", "red"), sided=False))
        elif kind in (1, 3):
            self.names.pools.append(Dice(name, 5 if kind == 1 else 3, sided=False))
        else:
            self.define_from(f"size of {name}")
            if self.room >= 8:
                rolled = self.new("pool")
                self.add(f"roll {rolled} = dice of {name}")
                self.names.pools.append(Dice(rolled, 5, natural=True, sided=True))
                self.room //= 8

    # ------------------------------------------------------------ values

    def define(self) -> None:
        picks, writer, names = self.picks, self.writer, self.names
        kind = picks.number(0, 12)
        if kind == 12:
            self.stated()
        elif kind <= 4:
            name = self.new("value")
            self.add(f"{name} = {writer.number(2)}")
            names.numbers.append(name)
        elif kind <= 6:
            name = self.new("met")
            self.add(f"{name} = {writer.condition(2)}")
            names.conditions.append(name)
        elif kind == 7:
            name = self.new("value")
            self.add(f"{name} =")
            for _ in range(picks.number(1, 2)):
                self.add(f"    {writer.number_atom(1)} if {writer.condition(1)}")
            self.add(f"    {writer.asked(1)} otherwise")
            names.numbers.append(name)
        elif kind == 8:
            name = self.new("maybe")
            self.add(f"{name} = {writer.number_atom(1)} + 0 if {writer.condition(1)} otherwise none")
            names.maybe.append(name)
        elif kind == 9:
            self.part()
        elif kind == 10 and picks.chance(30):
            self.writer.file.need("grades", 'table grades\n    ..2 poor 1\n    3 fair 2\n    4.. fine 3 "very fine"')
            self.add(f"{self.new('words')} = (grades at ({writer.number(1)})).text")
        elif kind == 10:
            self.writer.file.need("grades", 'table grades\n    ..2 poor 1\n    3 fair 2\n    4.. fine 3 "very fine"')
            name = self.new("grade")
            self.add(f"{name} = grades at ({writer.number(1)})")
            names.labels[name] = ("poor", "fair", "fine")
        else:
            name = self.new("items")
            self.add(f"{name} = [{writer.small()}, {writer.number_atom(1)}]")
            names.lists[name] = 2

    def stated(self) -> None:
        """A value whose domain is stated."""
        picks, writer, names = self.picks, self.writer, self.names
        if picks.chance(50):
            name = self.new("value")
            value = picks.of((f"clamp(round_down({writer.number(1)}), 0, 9)", f"round_up({writer.number(1)})"))
            self.add(f"{name}: {picks.of(('-90..', '..', '0..9', '-2..90'))} = {value}")
            names.numbers.append(name)
        else:
            name = self.new("mood")
            self.add(f"{name}: one of calm, alert, wild =")
            self.add(f"    alert if {writer.condition(1)}")
            self.add("    calm otherwise")
            names.labels[name] = ("calm", "alert", "wild")

    def part(self) -> None:
        """A name for a part of the dice."""
        if not self.names.pools:
            return self.define()
        name = self.new("part")
        text = self.writer.pool(2)
        if any(each.text == text for each in self.names.pools):
            text = f"{text} + {self.picks.of(self.names.pools).text}"
        self.add(f"{name} = {text}")
        plain = all(
            word not in text for word in ("showing", "highest", "lowest", "cancelled", "with", "where", "if", "natural")
        )
        single = plain and all(each.single for each in self.names.pools if each.text in text.split())
        sided = all(each.sided for each in self.names.pools)
        self.names.pools.append(Dice(name, 4, single=single, natural=False, sided=sided, size=3))
        return None

    # ------------------------------------------------------------ rolled rules

    def invoke(self) -> None:
        picks = self.picks
        fitting = [each for each in self.helpers if each.ways <= self.room]
        if not fitting:
            return self.define()
        made = picks.of(fitting)
        name = self.new("check")
        arguments: list[str] = []
        for each, values in made.inputs.items():
            if picks.chance(35) or (each in self.inputs and not set(self.inputs[each]) <= set(values)):
                value = picks.of(values)
                if values == ("0", "1", "2", "3") and picks.chance(40):
                    value = self.writer.count()
                arguments.append(f"{each} = {value}")
            elif each not in self.inputs:
                self.inputs[f"{name}.{each}"] = values
                if each in made.required:
                    self.required.add(f"{name}.{each}")
                if each in made.labels:
                    self.input_labels[f"{name}.{each}"] = made.labels[each]
        for choice in made.choices:
            if picks.chance(30):
                arguments.append(f"{choice} = {picks.of(('never', 'yes', 'no', 'always', 'yes'))}")
        brackets = f"({', '.join(arguments)})" if arguments or picks.chance(20) else ""
        condition = self.condition_tail(25)
        self.add(f"roll {name} = {made.name}{brackets}{condition}")
        self.room //= made.ways
        self.know(name, made, bool(condition))
        if made.ways <= self.room and not condition and picks.chance(75):
            again = self.new("check")
            condition = self.condition_tail(80)
            self.add(f"roll {again} = reroll {name}{condition}")
            self.know(again, made, bool(condition))
            self.room //= made.ways

    def know(self, name: str, made: Made, maybe: bool) -> None:
        names = self.names
        names.rolled[name] = made
        (names.maybe if maybe else names.numbers).extend(
            f"{name}.{each}" for each in made.names.numbers if "." not in each
        )
        if not maybe:
            names.conditions.extend(f"{name}.{each}" for each in made.names.conditions if "." not in each)
            names.labels |= {f"{name}.{each}": labels for each, labels in made.names.labels.items() if "." not in each}
        rolled = [each for each in made.names.pools if each.text.startswith("pool") and "." not in each.text]
        names.pools.extend(replace(each, text=f"{name}.{each.text}") for each in rolled)
        self.choices.extend(f"{name}.{each}" for each in made.choices)

    # ------------------------------------------------------------ choices

    def choice(self) -> None:
        picks, names, writer = self.picks, self.names, self.writer
        kind = picks.number(0, 6)
        name = self.new("take")
        condition = self.condition_tail(40)
        text = ' "a decision"' if picks.chance(15) else ""
        if kind <= 3:
            policy = self.policy(("always", "never", writer.condition(1), writer.condition(1)))
            self.add(f"choice {name}{condition}{policy}{text}")
            names.conditions.append(name)
            self.choices.append(name)
        elif kind == 4:
            top = picks.number(1, 2)
            policy = self.policy((str(top), "never", f"clamp(round_down({writer.number(1)}), 0, {top})"))
            self.add(f"choice {name}: 0..{top}{condition}{policy}{text}")
            names.numbers.append(name)
            names.counts.append(name)
        elif kind == 5:
            policy = self.policy(("risky", "never", "safe"))
            self.add(f"choice {name}: one of safe, risky{condition}{policy}{text}")
            names.labels[name] = ("safe", "risky")
        elif names.pools:
            pool = picks.of(names.pools)
            policy = self.policy(
                (f"{pool.text} showing {writer.faces(pool.top)}", "never", f"highest 1 of {pool.text}")
            )
            many, some = picks.number(1, 2), picks.of(("", "", "at most ", "at most ", "just "))
            if some == "just ":
                policy = (
                    policy if "best" in policy or "worst" in policy else f" by default highest {many} of {pool.text}"
                )
            elif some and "best" not in policy and "worst" not in policy:
                policy = picks.of(("", " by default never", f" by default highest 1 of {pool.text}"))
            wanted = f"{some.replace('just ', '')}{many} " if some else ""
            self.add(f"choice {name}: {wanted}dice of {pool.text}{condition}{policy}{text}")
            names.pools.append(replace(pool, text=name, single=False, natural=False))

    def policy(self, plain: tuple[str, ...]) -> str:
        picks = self.picks
        if picks.chance(15):
            return ""
        if picks.chance(50):
            best = ["best", "worst"] if self.solved else []
            if self.aim is not None:
                best += [f"best for {self.aim}", f"worst for {self.aim}", f"best for ({self.aim} >= 2)"]
            if best:
                return f" by default {picks.of(best)}"
        return f" by default {picks.of(plain)}"

    # ------------------------------------------------------------ tracked values and repetition

    def track(self) -> str:
        picks, names, writer = self.picks, self.names, self.writer
        kind = picks.number(0, 6)
        name = self.new("count")
        if kind <= 3:
            domain = picks.of((": ..", ": -9..", ": 0..5")) if picks.chance(20) else ""
            self.add(f"track {name}{domain} = {picks.of(('0', '1', writer.number(1)))}")
            self.tracked.append((name, "number"))
            names.numbers.append(name)
        elif kind == 4:
            self.add(f"track {name} = {picks.of(('no', 'yes'))}")
            self.tracked.append((name, "condition"))
            names.conditions.append(name)
        elif kind == 5 or not [each for each in names.pools if not each.single]:
            self.add(f"track {name}: one of calm, alert, wild = calm")
            self.tracked.append((name, "label"))
            names.labels[name] = ("calm", "alert", "wild")
        else:
            pool = picks.of([each for each in names.pools if not each.single])
            self.add(f"track {name} = {'no dice' if picks.chance(40) else pool.text}")
            self.tracked.append((name, "pool"))
            names.pools.append(replace(pool, text=name, natural=False, target=False, sided=False))
        return name

    def update(self, name: str, kind: str) -> None:
        picks, writer = self.picks, self.writer
        deeper = self.indent + "    "
        if kind == "number":
            shapes: tuple[Callable[[], str], ...] = (
                lambda: f"{name} += 1 if {writer.condition(1)}",
                lambda: f"{name} += {writer.number_atom(1)}",
                lambda: f"{name} += {named(writer, 1)}",
                lambda: f"{name} -= {writer.number_atom(0)}",
                lambda: f"{name} {picks.of(('+=', '-='))} {writer.small()}",
                lambda: f"{name} -= 1 if {writer.condition(1)} otherwise {writer.number_atom(0)}",
                lambda: f"{name} becomes max({name}, {writer.number(1)})",
                lambda: f"{name} becomes {name} + {writer.asked(1)}",
                lambda: f"{name} +=\n{deeper}2 if {writer.condition(1)}\n{deeper}{writer.number_atom(0)} otherwise",
            )
            self.add(picks.of(shapes)())
        elif kind == "condition":
            self.add(f"{name} becomes {picks.of((writer.condition(1), f'yes if {writer.condition(1)}', 'no'))}")
        elif kind == "label":
            label = picks.of(("alert", "wild", "calm"))
            tail = picks.of((f" if {writer.condition(1)}", "", f" if {writer.condition(1)} otherwise wild"))
            self.add(f"{name} becomes {label}{tail}")
        else:
            others = [each for each in self.names.pools if not each.single and each.text != name]
            other = picks.of(others).text if others else name
            self.add(
                picks.of(
                    (
                        f"{name} becomes highest 2 of ({name} + {other})",
                        f"{name} becomes {other} if {writer.condition(0)}",
                        f"{name} becomes {name} without (highest 1 of {name})",
                        f"{name} += [{writer.number_atom(1)}]",
                    )
                )
            )

    def repeat(self) -> None:
        picks, names = self.picks, self.names
        if self.turns > 1 or self.room < (4 if self.turns else 8):
            return self.define()
        made = [] if self.turns else [self.track() for _ in range(picks.number(1, 2))]
        made = made or [picks.of(self.tracked)[0]]
        counter = next((name for name, kind in self.tracked if name in made and kind == "number"), None)
        turns = picks.number(1, 3)
        shape = picks.of((0, 1, 2, 3, 3, 4, 5, 5))
        endless = False
        if shape <= 2:
            self.add(f"repeat {turns} times")
        elif shape == 3 and counter:
            self.add(f"repeat until {counter} >= {picks.number(1, 3)}, at most {turns} times")
        elif shape == 4:
            self.add(f"repeat {turns} times until {self.writer.condition(1)}")
        elif counter and not self.turns and picks.chance(60):
            endless = True
            self.add(f"repeat until {counter} >= {picks.number(1, 2)}")
        else:
            self.add(f"repeat until {self.writer.condition(1)}, at most {turns} times")
        inner = Lines(
            replace(self.writer, names=names.copy()), self.helpers, 4 if endless else int(self.room ** (1 / turns)),
            self.solved and not endless, indent=self.indent + "    ", used=self.used, turns=self.turns + 1,
            inputs=self.inputs, input_labels=self.input_labels, required=self.required,
            aim=None if endless else self.aim,
        )  # fmt: skip
        inner.hands = list(self.hands)
        inner.names.numbers.append("turn")
        inner.tracked = list(self.tracked)
        if endless and counter:
            inner.endless_body(counter)
        else:
            inner.bounded_body(made)
        self.text += inner.text
        self.used = inner.used
        self.choices += inner.choices
        self.room = 4 if endless else max(2, inner.room)
        if self.hands and self.room >= 4 and picks.chance(50):
            name, (_, bag) = self.new("hand"), picks.of(self.hands)
            self.add(f"draw {name} = 5 from {bag}")
            self.define_from(f"size of {name}")
            self.room //= 3
        return None

    def fill(self, bag: str) -> None:
        """The bag is full again, perhaps but for what some draws hold."""
        hands = [hand for hand, of in self.hands if of == bag]
        kept = self.picks.of(hands) if hands and self.picks.chance(50) else ""
        self.add(f"put {bag} back{f' except {kept}' if kept else ''}{self.condition_tail(40)}")

    def define_from(self, text: str) -> None:
        """A number of its own."""
        name = self.new("value")
        self.add(f"{name} = {text}")
        self.names.numbers.append(name)

    def endless_body(self, counter: str) -> None:
        """Lines that make the counter grow with some chance in each turn."""
        picks = self.picks
        self.room = 100
        name = self.new("cast")
        self.add(f"roll {name} = {picks.of(('d2', 'coin', 'd3'))}")
        grows = picks.of((f"1 if {name} = 1", f"1 if {name} >= 1", name))
        self.add(f"{counter} += {grows}")
        self.names.pools.append(Dice(name, 2, True))
        others = [each for each in self.tracked if each[0] != counter]
        if others and picks.chance(40):
            self.update(*picks.of(others))
        elif picks.chance(40):
            self.define()

    def bounded_body(self, made: list[str]) -> None:
        """Any lines, and an update of each value tracked for this repetition."""
        picks, names = self.picks, self.names
        shapes: list[Callable[[], object]] = [
            self.roll, self.define, self.roll, self.invoke, self.bag, self.part, self.symbols, self.table_roll,
            self.repeat,
        ]  # fmt: skip
        for hand, _ in self.hands:
            if picks.chance(40):
                self.add(f"put {hand} back{self.condition_tail(30)}")
        if self.hands and picks.chance(30):
            self.fill(picks.of(self.hands)[1])
        if picks.chance(25):
            shapes.append(self.choice)
        if names.lists and picks.chance(85):
            name = self.new("value")
            self.add(f"{name} = {picks.of(sorted(names.lists))} at turn")
            names.numbers.append(name)
        for _ in range(picks.number(1, 2)):
            picks.of(shapes)()
        for each in made:
            self.update(*next(pair for pair in self.tracked if pair[0] == each))
        if picks.chance(30) and self.tracked:
            self.update(*picks.of(self.tracked))

    # ------------------------------------------------------------ results

    def flag(self) -> None:
        name = self.new("flag")
        text = ' "a complication"' if self.picks.chance(20) else ""
        self.add(f"flag {name} if {self.writer.condition(1)}{text}")
        self.names.conditions.append(name)
        self.flags.append(name)
