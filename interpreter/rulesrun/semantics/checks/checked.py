"""What the checks look at: the items of a ruleset and what was understood of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulesrun.record import record
from rulesrun.semantics import plan
from rulesrun.semantics.lines import Lines
from rulesrun.semantics.variants import Items
from rulesrun.semantics.world import World
from rulesrun.syntax import nodes as n


@record
class Checked:
    """The files, their items, the world made of them, the lines of every rule with what they mean, and the sound
    examples. `whole` says that nothing was faulty before.
    """

    files: Sequence[n.File]
    items: Items
    world: World
    read: Mapping[str, Lines]
    examples: Sequence[plan.Example]
    whole: bool


def own_steps(steps: Iterable[plan.AnyStep]) -> Iterator[plan.AnyStep]:
    """The steps of a rule and of its repeated bodies, without those of the rules it rolls."""
    for step in steps:
        yield step
        if isinstance(step, plan.Repeat):
            yield from own_steps(step.steps)


def own_parts(steps: Iterable[plan.AnyStep]) -> Iterator[tuple[object, ...]]:
    """What each own step is made of, without the steps in it: expressions, throws, policies; of a rolled rule its
    arguments.
    """
    for step in own_steps(steps):
        match step:
            case plan.Repeat(until=until, times=times, at_most=at_most):
                yield (until, times, at_most)
            case plan.Invoke(condition=condition, steps=inner):
                yield (condition, tuple(each for each in inner if isinstance(each, plan.Bind)), tuple(_policies(inner)))
            case _:
                yield (step,)


def _policies(steps: Iterable[plan.AnyStep]) -> Iterator[plan.Policy]:
    """The policies of the choices of a rolled rule, which the rule that rolls it may have passed."""
    for step in steps:
        if isinstance(step, plan.Choice):
            yield step.policy
        elif isinstance(step, plan.Invoke | plan.Repeat):
            yield from _policies(step.steps)
