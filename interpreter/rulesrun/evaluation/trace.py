"""What happened in a roll, line by line in the ruleset's order, for people and for programs.

In: each line's step and value as it comes up, and the values of all its parts (`see`). Out: `Record`s: every die with
its face and its fate (dropped dice stay visible), which dice counted for what, the arithmetic with its numbers, which
choice was made and why, which outcome line fired.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from rulesrun.evaluation.choices import Chosen
from rulesrun.evaluation.draws import Draws, Event
from rulesrun.evaluation.explain import MOST_FACES, Explainer
from rulesrun.evaluation.values import Value, face_text
from rulesrun.record import record
from rulesrun.semantics.plan import (
    AnyStep,
    BagDraw,
    Bind,
    Choice,
    Define,
    Draw,
    Face,
    Flag,
    Invoke,
    Outcome,
    OutcomeAs,
    OutcomeLabel,
    PutAllBack,
    PutBack,
    Repeat,
    Rule,
    RulesetPlan,
    Track,
    Update,
)

MOST_RECORDS = 20_000
"""Longer traces are cut: an endless repetition may not fill the memory."""

MOST_EVENTS = 20
"""So many explosions, rerolls and the like are told of one throw."""


@record
class Shown:
    """A die as it was drawn. `fate`: kept, dropped, exploded, rerolled, or set aside (with a throw that lost)."""

    face: Face
    fate: str


@record
class Record:
    """One line of a trace: where it stands, the name it is about, what it is, and what happened in words.

    `what` is one of roll, draw, put back, value, track, update, input, choice, flag, outcome, rule, turn. `dice` holds
    every die drawn by this line, in the order drawn.
    """

    line: int
    name: str
    what: str
    text: str
    dice: tuple[Shown, ...] = ()

    def to_json(self) -> dict[str, int | str]:
        """For programs: `{"line": 17, "name": "human", "what": "roll", "text": "3d10: 10 10 6"}`."""
        return {"line": self.line, "name": self.name, "what": self.what, "text": self.text}


class Recorder:
    """Takes down what happens; `records` grows line by line."""

    def __init__(self, ruleset: RulesetPlan, rule: Rule, draws: Draws) -> None:
        self.records: list[Record] = []
        self.chosen: dict[str, list[Value]] = {}
        self._ruleset = ruleset
        self._outcomes: dict[str, Mapping[str, OutcomeLabel]] = {"": {each.label: each for each in rule.outcomes}}
        self._draws = draws
        self._drawn: dict[str, int] = {}
        self._seen: dict[int, Any] = {}
        self._explain = Explainer(self._seen)

    def see(self, key: int, value: Any) -> Any:
        """A part of the line at hand has this value."""
        self._seen[key] = value
        return value

    def note(self, step: AnyStep, value: Any) -> None:
        """A line is done."""
        if len(self.records) <= MOST_RECORDS:
            self._note(step, value)
        self._seen.clear()
        self._draws.events.clear()

    def _note(self, step: AnyStep, value: Any) -> None:
        match step:
            case Draw(name=name):
                self._add(step, name, "roll", self._throw_text(step, value), self._fates(name))
                self._drawn[name] = len(self._draws.drawn.get(name, ()))
            case BagDraw(name=name):
                drawn = _faces(self._new_faces(name))
                self._add(step, name, "draw", drawn or "nothing", self._fates(name))
                self._drawn[name] = len(self._draws.drawn.get(name, ()))
            case PutBack(drawn=name):
                self._add(step, name, "put back", "back in the bag")
            case PutAllBack(bag=name, kept=kept):
                but = f", but {', '.join(kept)}" if kept else ""
                self._add(step, name, "put back", f"all back in the bag{but}")
            case Define(name=name, value=e) | OutcomeAs(name=name, value=e):
                what = "value" if isinstance(step, Define) else "outcome"
                self._add(step, name, what, self._explain.value(e, value))
            case Track(name=name, start=e):
                self._add(step, name, "track", self._explain.value(e, value))
            case Update(name=name, value=e):
                self._add(step, name, "update", self._explain.value(e, value))
            case Bind(name=name, value=e):
                self._add(step, name, "input", self._explain.value(e, value))
            case Flag(name=name, condition=e):
                self._add(step, name, "flag", self._explain.value(e, value))
            case Invoke(name=name, rule=rule):
                self._outcomes[f"{name}."] = {each.label: each for each in self._ruleset.rules[rule].outcomes}
                again = f" again, as {step.reroll_of}" if step.reroll_of else ""
                self._add(step, name, "rule", f"{rule}{again}" if value else "not rolled")
            case Repeat(turn=name):
                self._add(step, name, "turn", str(value))
            case Outcome(name=name):
                self._outcome(step, name, value)
            case _:
                pass

    def chose(self, step: Choice, value: Value, policy: Chosen, offered: bool) -> None:
        """A choice is made, or not offered."""
        self.chosen.setdefault(step.name, []).append(value) if offered else None
        text = self._explain.shown(value)
        if not offered:
            assert step.condition is not None
            text = f"{text} (not offered: {self._explain.filled(step.condition)})"
        elif isinstance(policy, str):
            text = f"{text}, as asked"
        elif policy.word == "value" and policy.value is not None:
            text = f"{text}: {self._explain.filled(policy.value)}"
        else:
            text = f"{text} ({policy.word})"
        self._add(step, step.name, "choice", text)
        self._seen.clear()

    # ------------------------------------------------------------ texts

    def _add(self, step: AnyStep, name: str, what: str, text: str, dice: tuple[Shown, ...] = ()) -> None:
        self._append(Record(step.span.line, name, what, text, dice))

    def _append(self, line: Record) -> None:
        if len(self.records) < MOST_RECORDS:
            self.records.append(line)
        elif len(self.records) == MOST_RECORDS:
            self.records.append(Record(line.line, line.name, "turn", "and so on: the trace is cut here"))

    def _outcome(self, step: Outcome, name: str, label: Value) -> None:
        if label is None:
            self._add(step, name, "outcome", "none")
            return
        assert isinstance(label, str)
        case = self._explain.fired([(each, each.condition) for each in step.cases])
        condition = case.condition if case else None
        stated = self._outcomes.get(name.removesuffix("outcome"), {}).get(label)
        span = condition.span if condition is not None else stated.span if stated else step.span
        why = self._explain.condition(condition) if condition is not None else "otherwise"
        self._append(Record(span.line, name, "outcome", f"{label}: {why}"))

    def _throw_text(self, step: Draw, pool: Sequence[Any]) -> str:
        case = self._explain.fired([(each, each.condition) for each in step.cases])
        if case is None:
            return "not rolled"
        drawn = self._new_faces(step.name)
        faces = _faces(drawn) or "no dice"
        happened = [text for event in self._draws.events if (text := _event_text(event))]
        if len(happened) > MOST_EVENTS:
            happened = [*happened[:MOST_EVENTS], f"and so on, {len(happened) - MOST_EVENTS:,} times more"]
        left = [face_text(die.face) for die in pool]
        if sorted(left) != sorted(map(face_text, drawn)):
            happened.append(f"left {_faces([die.face for die in pool]) or 'no dice'}")
        return "; ".join([f"{self._explain.throw(case.throw)}: {faces}", *happened])

    def _new_faces(self, name: str) -> Sequence[Face]:
        return self._draws.drawn.get(name, [])[self._drawn.get(name, 0) :]

    def _fates(self, name: str) -> tuple[Shown, ...]:
        dice = [Shown(face, "kept") for face in self._new_faces(name)]
        kept: dict[Face, deque[int]] = {}
        for place, die in enumerate(dice):
            kept.setdefault(die.face, deque()).append(place)
        for event in self._draws.events:
            fate = _FATES.get(event.what)
            for face in event.old if fate else ():
                if places := kept.get(face):
                    dice[places.popleft()] = Shown(face, fate or "")
        return tuple(dice)


_FATES = {"dropped": "dropped", "exploded": "exploded", "rerolled": "rerolled", "set aside": "set aside"}


def _event_text(event: Event) -> str:
    old, new = _faces(event.old), _faces(event.new)
    return f"{old} {event.what}: {new}" if event.new else f"{event.what} {old}" if old else ""


def _faces(faces: Sequence[Face]) -> str:
    shown = " ".join(map(face_text, faces[:MOST_FACES]))
    return shown if len(faces) <= MOST_FACES else f"{shown} and {len(faces) - MOST_FACES:,} more"
