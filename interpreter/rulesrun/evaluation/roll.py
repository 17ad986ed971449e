"""Rolling a rule: from inputs to a `Roll`.

In: a rule of a plan, inputs, and where the dice come from: a seed, a generator, faces that are already known. Out: a
`Roll`. The rule is compiled to a Python function the first time it is needed, in one of two forms: one that takes
forced dice, asks, and records, and a fast one. The first roll of a rule is made by the recording form, for a single
roll is mostly wanted with its trace; the trace of a fast roll is made when it is asked for, from the same dice. What
only the fast form needs is imported with it: a command that rolls once starts sooner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random, SystemRandom
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.choices import ASK, Chosen, Decide, Offer, checked, nobody_decides, offers_dice
from rulesrun.evaluation.draws import Draws
from rulesrun.evaluation.inputs import Inputs, full_name
from rulesrun.evaluation.operations import table_row
from rulesrun.evaluation.pools import shown
from rulesrun.evaluation.python import too_deep
from rulesrun.evaluation.steps import StepWriter
from rulesrun.evaluation.trace import Record, Recorder
from rulesrun.evaluation.values import Approximate, Value, face_text, rounded, whole_if_it_is
from rulesrun.evaluation.walk import all_steps, lasting_steps
from rulesrun.limits import USUAL, in_force, within
from rulesrun.semantics.plan import (
    BagDraw,
    Choice,
    Constant,
    Draw,
    Face,
    Flag,
    Number,
    OutcomeLabel,
    Rule,
    RulesetPlan,
    Table,
)

Json: TypeAlias = "int | float | bool | str | list[Json] | dict[str, Json] | None"

QUICK_BITS = 62
"""The fast form takes whole inputs up to this length; longer ones go the general way."""

PARAMETERS = frozenset(("seed", "rng", "dice", "choose", "aim", "decide", "character", "inputs"))
"""What is given to `Rule.roll` by these names is no input."""

MAX_COMPILED = 64
"""So many forms of a rule, for different policies of its choices, are kept."""


class Play(NamedTuple):
    """What the recording form of a rule needs while it runs."""

    draws: Draws
    recorder: Recorder
    decide: Decide


class Roll:
    """One roll of a rule.

    `outcome` is the label, None for a rule without outcomes; `good` whether it bears a `+` (None: `~`, or no outcome);
    `text` what the ruleset says of it. `values` holds numbers, yes/no and labels by their flat names, `flags` the names
    of the flags that hold, `dice` every face drawn by the name of its roll, in the order drawn. `seed` is None if the
    generator was the caller's. Nothing of a roll changes.
    """

    __slots__ = ("_choosing", "_given", "_record", "_result", "_roller", "seed")

    def __init__(
        self,
        roller: RuleRoller,
        given: tuple[Constant, ...],
        seed: int | None,
        result: tuple[tuple[Value, ...], tuple[Sequence[Face], ...]],
        record: tuple[Mapping[str, Value], tuple[Record, ...]] | None = None,
        choosing: Choosing = (),
    ) -> None:
        self.seed = seed
        self._choosing = choosing
        self._roller = roller
        self._given = given
        self._result = result
        self._record = record

    @property
    def system(self) -> str:
        """The name of the ruleset."""
        return self._roller.ruleset.name

    @property
    def rule(self) -> str:
        """The name of the rule."""
        return self._roller.rule.name

    @property
    def inputs(self) -> dict[str, Constant]:
        """The value of every input, by its flat name."""
        return {each.name: value for each, value in zip(self._roller.rule.inputs, self._given, strict=True)}

    @property
    def outcome(self) -> str | None:
        """The label of the outcome; None for a rule without outcomes."""
        return cast("str | None", self._result[0][-1])

    @property
    def good(self) -> bool | None:
        """Whether the outcome bears a `+`; None for `~`, and for a rule without outcomes."""
        stated = self._stated
        return stated.good if stated else None

    @property
    def text(self) -> str:
        """What the ruleset says of the outcome."""
        stated = self._stated
        return stated.text if stated else ""

    @property
    def values(self) -> dict[str, Any]:
        """Numbers, yes/no and labels by their flat names; none is None."""
        names = self._roller.value_names
        return dict(zip(names, self._result[0], strict=False))

    @property
    def flags(self) -> tuple[str, ...]:
        """The names of the flags that hold."""
        names, values = self._roller.flag_names, self._result[0]
        start = len(self._roller.value_names)
        return tuple(name for name, holds in zip(names, values[start:], strict=False) if holds)

    @property
    def dice(self) -> dict[str, tuple[Face, ...]]:
        """Every face drawn, by the name of its roll, in the order drawn; what was kept stands in the trace."""
        return {name: tuple(faces) for name, faces in zip(self._roller.dice_names, self._result[1], strict=True)}

    @property
    def trace(self) -> tuple[Record, ...]:
        """What happened, line by line in the ruleset's order."""
        return self._recorded()[1]

    @property
    def names(self) -> Mapping[str, Value]:
        """The value of every name at the end of the rule, pools as dice; with `outcome` and `good`."""
        return {**self._recorded()[0], "good": self.good}

    def to_json(self) -> dict[str, Json]:
        """Plain data for `json.dumps`, as a program reads a roll."""
        return {
            "system": self.system,
            "rule": self.rule,
            "inputs": {name: json_value(value) for name, value in self.inputs.items()},
            "seed": self.seed,
            "dice": {name: [json_face(face) for face in faces] for name, faces in self.dice.items()},
            "values": {name: json_value(value) for name, value in self.values.items()},
            "flags": list(self.flags),
            "outcome": self.outcome,
            "good": self.good,
            "text": self.text,
            "trace": [dict(each.to_json()) for each in self.trace],
        }

    def __repr__(self) -> str:
        return f"<Roll of {self.rule}: {self.outcome or self.values}>"

    @property
    def _stated(self) -> OutcomeLabel | None:
        return self._roller.outcomes.get(self.outcome) if self.outcome is not None else None

    def _recorded(self) -> tuple[Mapping[str, Value], tuple[Record, ...]]:
        if self._record is None:
            self._record = self._roller.replay(self._given, self.dice, self._choosing)
        return self._record


class RuleRoller:
    """A rule made ready to be rolled; safe to share between threads."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule) -> None:
        self.ruleset = ruleset
        self.rule = rule
        self._limits = None if ruleset.limits == USUAL else ruleset.limits
        self._warm = False
        self._fast: dict[Choosing, Callable[..., Result]] = {}
        self._quick: Callable[..., tuple[tuple[Constant, ...], Result] | None] | None = None
        self._recording: dict[Choosing, Callable[..., dict[str, Value]]] = {}

    @cached_property
    def outcomes(self) -> Mapping[str, OutcomeLabel]:
        """The outcomes by their labels."""
        return {each.label: each for each in self.rule.outcomes}

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The tables that are rolled, by the name of the roll."""
        draws = (step for step in all_steps(self.rule.steps) if isinstance(step, Draw))
        return {step.name: self.ruleset.tables[step.table] for step in draws if step.table is not None}

    @cached_property
    def value_names(self) -> tuple[str, ...]:
        """The names of a roll's values: the rule's values, choices, and rows of rolled tables."""
        lasting = list(lasting_steps(self.rule.steps))
        chosen = (step.name for step in lasting if isinstance(step, Choice) and not offers_dice(step))
        rows = (step.name for step in lasting if isinstance(step, Draw) and step.table is not None)
        return tuple(dict.fromkeys((*(each.name for each in self.rule.values), *chosen, *rows)))

    @cached_property
    def flag_names(self) -> tuple[str, ...]:
        """The names of all flags, those of rolled rules included."""
        return tuple(step.name for step in lasting_steps(self.rule.steps) if isinstance(step, Flag))

    @cached_property
    def dice_names(self) -> tuple[str, ...]:
        """The names of all draws."""
        draws = (step.name for step in all_steps(self.rule.steps) if isinstance(step, Draw | BagDraw))
        return tuple(dict.fromkeys(draws))

    @cached_property
    def inputs(self) -> Inputs:
        """What the rule takes."""
        return Inputs(self.rule, self.ruleset)

    @cached_property
    def _reader(self) -> Reader:
        from rulesrun.evaluation.reader import write_reader

        return write_reader(self.rule, self.ruleset)

    def roll(
        self,
        given: Mapping[str, object],
        *,
        seed: int | None = None,
        rng: Random | None = None,
        dice: Mapping[str, Sequence[object]] | None = None,
        choose: Mapping[str, Chosen] | None = None,
        decide: Decide | None = None,
    ) -> Roll:
        """One roll.

        `given`: inputs by full or short names. `seed`: the same seed gives the same dice on every machine; without it
        and without a generator (`rng`) a fresh one is drawn. `dice`: faces that are already known, by the name of the
        roll. `choose`: policies for choices instead of those written. `decide`: makes choices by the policies `ask`,
        `best` and `worst`. Everything given is checked before anything is rolled; errors are `RulesError`s.
        """
        if self._limits is not None and in_force.get() is not self._limits:
            with within(self._limits):
                return self.roll(given, seed=seed, rng=rng, dice=dice, choose=choose, decide=decide)
        warm, self._warm = self._warm, True
        values = self._reader(given) if warm else None
        quick = values is not None
        if values is None:
            values = tuple(self.inputs.complete(given).values())
            quick = warm and all(map(_is_small, values))
        if rng is None:
            if seed is None:
                seed = SystemRandom().getrandbits(32)
            rng = _generator(seed)
        elif seed is not None:
            raise RulesError.of("a roll takes a seed or a generator (`rng`), not both", code="seed-and-rng")
        choosing = _NO_CHOOSING if not choose else self._choosing(choose)
        if not hasattr(rng, "getrandbits"):
            raise RulesError.of(f"`rng` is a random.Random, not {rng!r}", code="bad-generator")
        if quick and not dice and (not choosing or not _asks(choosing)):
            roll = self._fast.get(choosing) or self._fast_form(choosing)
            if roll is not None:
                return Roll(self, values, seed, roll(*values, rng.getrandbits), None, choosing)
        forced = self._forced(dice or {})
        state, record, result = self._run(values, Draws(rng.getrandbits, forced), choosing, decide or nobody_decides)
        return Roll(self, values, seed, result, (state, record))

    def quick(self, given: Mapping[str, object], rng: Random) -> Roll | None:
        """As `roll`, where the fast form is there and nothing about the inputs is unusual; None anywhere else."""
        form = self._quick or self._quick_form()
        if form is None:
            return None
        try:
            bits = rng.getrandbits
        except AttributeError:
            return None
        made = form(given, bits)
        return None if made is None else Roll(self, made[0], None, made[1])

    def tried(self, given: Mapping[str, object], seed: int, choose: Mapping[str, Chosen]) -> Roll:
        """One roll in the fast form, for those who want its errors before they make many."""
        self._warm = True
        return self.roll(given, seed=seed, choose=choose)

    def replay(
        self, values: tuple[Constant, ...], dice: Mapping[str, Sequence[Face]], choosing: Choosing
    ) -> tuple[Mapping[str, Value], tuple[Record, ...]]:
        """The same roll again with its dice known: the value of every name, and the trace."""
        with within(self.ruleset.limits):
            state, record, _ = self._run(values, Draws(_no_bits, dice), choosing, nobody_decides)
        return state, record

    # ------------------------------------------------------------ forms

    def _run(
        self, values: tuple[Constant, ...], draws: Draws, choosing: Choosing, decide: Decide
    ) -> tuple[Mapping[str, Value], tuple[Record, ...], Result]:
        run = self._recording.get(choosing)
        if run is None:
            run = self._keep(
                self._recording, choosing, lambda: StepWriter(self.ruleset, self.rule, dict(choosing)).function()
            )

        def checked_decision(offer: Offer) -> Value:
            return checked(decide(offer), offer)

        recorder = Recorder(self.ruleset, self.rule, draws)
        state = run(*values, Play(draws, recorder, checked_decision), recorder.see)
        draws.check_all_used()
        named = [self._last_value(name, state) for name in (*self.value_names, *self.flag_names, "outcome")]
        return (
            state,
            tuple(recorder.records),
            (tuple(named), tuple(draws.drawn.get(name, ()) for name in self.dice_names)),
        )

    def _last_value(self, name: str, state: Mapping[str, Value]) -> Value:
        value = state.get(name)
        return table_row(self.tables[name], shown(value)) if name in self.tables and isinstance(value, tuple) else value

    def _fast_form(self, choosing: Choosing) -> Callable[..., Result] | None:
        from rulesrun.evaluation.fast import FastWriter

        choose = dict(choosing)
        for step in all_steps(self.rule.steps):
            if isinstance(step, Choice) and _asks_for(choose.get(step.name, step.policy)):
                return None
        names = (*self.value_names, *self.flag_names)
        return self._keep(
            self._fast,
            choosing,
            lambda: FastWriter(self.ruleset, self.rule, choose, names, self.dice_names, self.tables).function(),
        )

    def _quick_form(self) -> Callable[..., tuple[tuple[Constant, ...], Result] | None] | None:
        """The fast form of a rule that reads its inputs itself; None until the fast form is there."""
        if _NO_CHOOSING not in self._fast or self._limits is not None:
            return None
        if any(each.name in PARAMETERS for each in self.rule.inputs):
            return None
        from rulesrun.evaluation.fast import FastWriter

        names = (*self.value_names, *self.flag_names)
        writer = FastWriter(self.ruleset, self.rule, {}, names, self.dice_names, self.tables)
        self._quick = writer.reading_function()
        return self._quick

    def _keep(self, forms: dict[Choosing, F], choosing: Choosing, make: Callable[[], F]) -> F:
        try:
            made = make()
        except RecursionError:
            raise too_deep(self.rule.span) from None
        if len(forms) >= MAX_COMPILED:
            forms.clear()
        forms[choosing] = made
        return made

    # ------------------------------------------------------------ what a caller gives

    def _choosing(self, choose: Mapping[str, Chosen]) -> Choosing:
        known = {step.name: step for step in all_steps(self.rule.steps) if isinstance(step, Choice)}
        full = {full_name(self.rule, name, known, "choice"): policy for name, policy in choose.items()}
        return tuple(sorted(full.items(), key=lambda pair: pair[0]))

    def _forced(self, dice: Mapping[str, Sequence[object]]) -> dict[str, list[Face]]:
        forced: dict[str, list[Face]] = {}
        for name, faces in dice.items():
            full = full_name(self.rule, name, self.dice_names, "roll")
            if full in forced:
                raise RulesError.of(f"{full} is given twice", code="given-twice")
            if isinstance(faces, str) or not isinstance(faces, Sequence):
                raise RulesError.of(f"the faces of {full} are a list, not {faces!r}", code="impossible-face")
            forced[full] = [face_of(face, full) for face in faces]
        return forced


Result: TypeAlias = tuple[tuple[Value, ...], tuple[Sequence[Face], ...]]
"""Values, flags and the outcome; and the faces drawn."""

Reader: TypeAlias = Callable[[Mapping[str, object]], "tuple[Constant, ...] | None"]

Choosing: TypeAlias = tuple[tuple[str, Chosen], ...]

F = TypeVar("F")

_NO_CHOOSING: Choosing = ()


def face_of(face: object, name: str) -> Face:
    """A face as a caller gives it: a number, symbols as the die spells them (`success & advantage`), both
    (`6 & tengwar`), or `blank`.
    """
    if isinstance(face, int | Fraction) and not isinstance(face, bool):
        return whole_if_it_is(face)
    if isinstance(face, str):
        parts = [each.strip() for each in face.split("&")]
        number = _number_in(parts[0]) if len(parts) > 1 else None
        if number is not None:
            return (number, *sorted(parts[1:]))
        return () if face == "blank" else tuple(sorted(parts))
    if isinstance(face, tuple | list):
        numbers = [each for each in face if isinstance(each, int | Fraction) and not isinstance(each, bool)]
        symbols = sorted(each for each in face if isinstance(each, str))
        if len(numbers) + len(symbols) == len(face) and len(numbers) <= (1 if symbols else 0):
            return (whole_if_it_is(numbers[0]), *symbols) if numbers else tuple(symbols)
    raise RulesError.of(f"{face!r} in {name} is no face of a die", code="impossible-face")


def _number_in(text: str) -> Number | None:
    """The whole number or fraction that a text is."""
    if not re.fullmatch(r"-?[0-9]{1,100}(/[0-9]{1,100})?", text) or text.endswith("/0"):
        return None
    return whole_if_it_is(Fraction(text))


def json_value(value: Value | Constant) -> Json:
    """A value for JSON: yes/no as true/false, none as null, labels and fractions as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case Approximate(value=number):
            return rounded(number)
        case tuple():
            return [json_value(each) for each in value]
        case _:
            return str(value)


def json_face(face: Face) -> Json:
    """A face for JSON, as `--dice` takes it back."""
    return face if isinstance(face, int) else face_text(face)


def _generator(seed: object) -> Random:
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise RulesError.of(f"a seed is a whole number, not {seed!r}", code="bad-seed")
    return Random(seed)


def _is_small(value: Constant) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_small, value))
    return not isinstance(value, int) or value.bit_length() <= QUICK_BITS


def _asks_for(policy: Chosen) -> bool:
    return policy == ASK or (not isinstance(policy, str) and policy.word in ("best", "worst"))


def _asks(choosing: Choosing) -> bool:
    return any(_asks_for(policy) for _, policy in choosing)


def _no_bits(width: int) -> int:
    raise AssertionError("all dice of a roll made again are known")
