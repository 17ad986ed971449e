"""Random rules whose first faces are known, as an example gives them: those that a roll has shown."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import rulesrun

from .compare import compiled, policies_of
from .rules import Sample

NUMBER = re.compile(r"-?\d+")
ROLLED_DIE = re.compile(r"^die (\w+) = \w+ of ", re.MULTILINE)


def with_known_dice(sample: Sample, seed: object) -> Sample | None:
    """The same rule and call, where the first faces of some throws are known. None where no roll shows numbers.

    Decisions for the best are left out: the enumerator would foresee the faces. So are dice that are rolled themselves:
    in which order theirs are thrown again nothing says.
    """
    random = Random(f"known {seed}")
    plain = replace(sample, choose={}, aim=None)
    try:
        rule = compiled(plain)
        if {"best", "worst"} & set(policies_of(rule, plain)):
            return None
        shown = rule.roll(inputs=plain.inputs, seed=random.randrange(1 << 30)).dice
    except rulesrun.RulesError:
        return None
    rolled_dice = ROLLED_DIE.findall(plain.text)
    dice: dict[str, list[int]] = {}
    for name, faces in shown.items():
        written = [str(face) for face in faces]
        throws = re.findall(rf"roll {name.rpartition('.')[2]} =.*", plain.text)
        if not throws or any(die in throw for throw in throws for die in ("dice of", *rolled_dice) if rolled_dice):
            continue
        if written and all(map(NUMBER.fullmatch, written)):
            dice[name] = [int(face) for face in written[: random.randint(1, len(written))]]
    some = [name for name in dice if random.random() < 0.7] or list(dice)[:1]
    return replace(plain, dice={name: dice[name] for name in some}) if some else None
