"""Choices that a person makes at the terminal (`--choose NAME=ask`)."""

from __future__ import annotations

from collections import Counter

from rulesrun.cli.terminal import Terminal
from rulesrun.cli.values import scalar
from rulesrun.evaluation.choices import Decide, Offer
from rulesrun.evaluation.pools import Die, Pool
from rulesrun.evaluation.values import Value, face_text, value_text
from rulesrun.render.layout import wrap


def asker(terminal: Terminal) -> Decide:
    """Makes choices by asking."""

    def decide(offer: Offer) -> Value:
        for line in question(offer):
            terminal.note(line)
        while True:
            answer = terminal.ask(prompt(offer))
            chosen = _chosen(answer, offer)
            if chosen is not _NOTHING:
                return chosen  # type: ignore[return-value]
            terminal.note(f"  {answer!r} cannot be chosen here")

    return decide


def question(offer: Offer) -> list[str]:
    """The choice, and what is known of the roll so far."""
    known = [f"{name}={_shown(value)}" for name, value in offer.known.items()]
    text = f" - {offer.step.text}" if offer.step.text else ""
    return [f"{offer.step.name}{text}", *wrap(", ".join(known), first="  ")]


def prompt(offer: Offer) -> str:
    """What may be answered."""
    if offer.pool is not None:
        return f"  which dice of {_shown(offer.pool)}, with blanks between them, or none:"
    if offer.low is not None and offer.high is not None:
        return f"  a number from {offer.low} to {offer.high}:"
    return f"  {' or '.join(value_text(each) for each in offer.options)}:"


_NOTHING = object()


def _chosen(answer: str, offer: Offer) -> object:
    """What an answer chooses; `_NOTHING` if it cannot be chosen."""
    if offer.pool is not None:
        return _dice(answer, offer.pool)
    value = scalar({"y": "yes", "n": "no"}.get(answer, answer))
    if offer.low is not None and offer.high is not None:
        return value if type(value) is int and offer.low <= value <= offer.high else _NOTHING
    return next((each for each in offer.options if each == value and type(each) is type(value)), _NOTHING)


def _dice(answer: str, pool: Pool) -> object:
    wanted = Counter() if answer == "none" else Counter(answer.replace(",", " ").split())
    taken = []
    for die in pool:
        if wanted[face_text(die.face)]:
            wanted[face_text(die.face)] -= 1
            taken.append(die)
    return _NOTHING if wanted.total() else tuple(taken)


def _shown(value: Value) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], Die):
        return " ".join(face_text(die.face) for die in value if isinstance(die, Die))
    return value_text(value)
