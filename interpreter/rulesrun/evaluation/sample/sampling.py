"""Sampling a rule: from what a caller gives to a `Sample`.

In: a rule, inputs, policies, a condition that is known to hold, how many trials, a seed. Out: a `Sample`; the same seed
gives the same one for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import SystemRandom
from typing import TYPE_CHECKING

from rulesrun.diagnostics import RulesError
from rulesrun.evaluation.inputs import full_name
from rulesrun.evaluation.odds import policy_text
from rulesrun.evaluation.sample.blocks import Asked, Counted, count
from rulesrun.evaluation.sample.result import Sample
from rulesrun.semantics import plan

if TYPE_CHECKING:
    from rulesrun.evaluation.rule_odds import RuleOdds


def checked_seed(seed: int | None) -> int:
    """The seed, a fresh one if there is none."""
    if seed is None:
        return SystemRandom().getrandbits(32)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise RulesError.of(f"a seed is a whole number, not {seed!r}", code="bad-seed")
    return seed


def sampled(
    asked: RuleOdds,
    given: Mapping[str, object],
    trials: int,
    seed: int,
    *,
    choose: Mapping[str, plan.Policy],
    aim: plan.Expression | None,
    known: plan.Expression | None,
    of: Sequence[str] = (),
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
    keep_interrupted: bool = False,
) -> Sample:
    """The sample for these inputs. `of`: values that are counted along with outcomes and flags. `keep_interrupted`: an
    interruption by the keyboard ends it with what is done.
    """
    for number, what in ((trials, "trials"), (workers, "workers")):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
            raise RulesError.of(f"the number of {what} is a whole number from 1, not {number!r}", code="bad-number")
    inputs = asked.inputs(given)
    policies = {full_name(asked.rule, name, asked.choices, "choice"): each for name, each in choose.items()}
    aim = aim or asked.good

    def counted(
        wanted: Sequence[Sequence[plan.Expression]],
        trials: int,
        progress: Callable[[int], None] | None = None,
        interrupted: list[bool] | None = None,
    ) -> tuple[Counted, int]:
        question = Asked(asked.ruleset, asked.rule, inputs, policies, aim, tuple(tuple(each) for each in wanted), known)
        return count(question, trials, seed, workers, progress, interrupted)

    wanted = [asked.outcome_and_flags, *([asked.value(name)] for name in of)]
    first, size = counted(wanted, trials, progress, [] if keep_interrupted else None)
    texts = {name: policy_text(policies.get(name, step.policy)) for name, step in asked.choices.items()}
    return Sample(
        asked, inputs, texts, seed, first, size, trials, tuple(of), lambda wanted: counted(wanted, first.trials)[0]
    )
