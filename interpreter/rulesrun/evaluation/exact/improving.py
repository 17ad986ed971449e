"""Decisions among situations that lead to one another: Howard's policy iteration on a stochastic shortest path.

It begins with decisions that do lead out, and changes one only for what is truly better: so every policy on the way
ends, and the last is the best of those that do (D. P. Bertsekas, Dynamic Programming and Optimal Control, chapter 3).
Where players want different things, one changes decisions only when the others have none to change (A. J. Hoffman and
R. M. Karp, On nonterminating stochastic games, 1966).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from flint import fmpq, fmpq_mat

from rulesrun.evaluation.exact.chain import CUBES, Work

S = TypeVar("S", bound=Hashable)


class Improving(Generic[S]):
    """A group of situations, each with options that lead on with chances that add up to 1.

    `worth` knows what those outside are worth, for each aim; `solved` are those inside among which equations are set
    up: on every way round there must be one of them. `player` tells who decides a situation, `gain` by how much one
    worth is better than another there. `work` counts steps, and may raise where they are too many.
    """

    def __init__(
        self,
        options: Mapping[S, Sequence[Iterable[tuple[fmpq, S]]]],
        solved: Sequence[S],
        worth: Mapping[S, tuple[fmpq, ...]],
        aims: int,
        player: Callable[[S], Hashable],
        gain: Callable[[S, tuple[fmpq, ...], tuple[fmpq, ...]], fmpq],
        work: Work,
    ) -> None:
        self.options, self.solved, self.aims, self.gain, self.work = options, solved, aims, gain, work
        self.player = player
        self.outside = worth
        self.policy = self._leading_out()
        self.worth: dict[S, tuple[fmpq, ...]] = {}

    def improve(self) -> None:
        """Afterwards `policy` has the best options and `worth` what they are worth; of equally good ones the first, as
        far as they lead out.

        Raises ZeroDivisionError where a situation is never left for good, whatever is decided.
        """
        if len(self.policy) < len(self.options):
            raise ZeroDivisionError
        free = [each for each, options in self.options.items() if len(options) > 1]
        decided_by: dict[Hashable, list[S]] = {}
        for each in free:
            decided_by.setdefault(self.player(each), []).append(each)
        better: dict[S, int] | None = {}
        while better is not None:
            self.policy |= better
            self.work(len(self.options) + len(self.solved) ** 3 // CUBES)
            self._evaluate()
            changes = (self._changes(decisions) for decisions in decided_by.values())
            better = next((found for found in changes if found), None)
        self._prefer_the_first(free)

    def _leading_out(self) -> dict[S, int]:
        """For each situation an option that brings it nearer to what is outside, as far as there are some."""
        into: dict[S, list[tuple[S, int]]] = {}
        found: dict[S, int] = {}
        waiting: deque[S] = deque()
        for each, options in self.options.items():
            for number, ways in enumerate(options):
                for _, to in ways:
                    if to in self.options:
                        into.setdefault(to, []).append((each, number))
                    elif each not in found:
                        found[each] = number
                        waiting.append(each)
        while waiting:
            for each, number in into.get(waiting.popleft(), ()):
                if each not in found:
                    found[each] = number
                    waiting.append(each)
        return found

    def _evaluate(self) -> None:
        """What the situations are worth under the policy: x = r + P x."""
        at = {each: number for number, each in enumerate(self.solved)}
        rows: dict[S, tuple[dict[S, fmpq], list[fmpq]]] = {}

        def row(each: S) -> tuple[dict[S, fmpq], list[fmpq]]:
            if each not in rows:
                inside: dict[S, fmpq] = {}
                known = [fmpq(0)] * self.aims
                for weight, to in self.options[each][self.policy[each]]:
                    if to in self.outside:
                        known = [a + weight * b for a, b in zip(known, self.outside[to], strict=True)]
                    elif to in at:
                        inside[to] = inside.get(to, 0) + weight
                    else:
                        more, further = row(to)
                        known = [a + weight * b for a, b in zip(known, further, strict=True)]
                        for last, share in more.items():
                            inside[last] = inside.get(last, 0) + weight * share
                rows[each] = inside, known
            return rows[each]

        equations, right = fmpq_mat(len(at), len(at)), fmpq_mat(len(at), self.aims)
        for each, number in at.items():
            inside, known = row(each)
            equations[number, number] += 1
            for to, weight in inside.items():
                equations[number, at[to]] -= weight
            for aim, amount in enumerate(known):
                right[number, aim] = amount
        found = equations.solve(right, algorithm="dixon")  # type: ignore[call-arg]
        self.worth = {each: tuple(found[number, aim] for aim in range(self.aims)) for each, number in at.items()}
        for each in self.options:
            if each not in self.worth:
                inside, known = row(each)
                self.worth[each] = tuple(
                    amount + sum((weight * self.worth[to][aim] for to, weight in inside.items()), fmpq(0))
                    for aim, amount in enumerate(known)
                )

    def _changes(self, decisions: Iterable[S]) -> dict[S, int]:
        """What is better than what is taken, where there is something."""
        return {each: option for each in decisions if (option := self._better(each)) is not None}

    def _better(self, each: S) -> int | None:
        """The best option that is better than the one that is taken."""
        gains = [self.gain(each, self._mean(ways), self.worth[each]) for ways in self.options[each]]
        best = max(range(len(gains)), key=gains.__getitem__)
        return best if gains[best] > 0 else None

    def _mean(self, ways: Iterable[tuple[fmpq, S]]) -> tuple[fmpq, ...]:
        total = [fmpq(0)] * self.aims
        for weight, to in ways:
            worth = self.worth[to] if to in self.worth else self.outside[to]
            total = [a + weight * b for a, b in zip(total, worth, strict=True)]
        return tuple(total)

    def _prefer_the_first(self, free: Iterable[S]) -> None:
        """Takes the first of equally good options wherever the way out stays open."""
        for each in free:
            before = self.policy[each]
            for number, ways in enumerate(self.options[each][:before]):
                if self._mean(ways) == self.worth[each]:
                    self.policy[each] = number
                    if self._all_lead_out():
                        break
                    self.policy[each] = before

    def _all_lead_out(self) -> bool:
        into: dict[S, list[S]] = {}
        waiting: list[S] = []
        for each, option in self.policy.items():
            for _, to in self.options[each][option]:
                if to in self.options:
                    into.setdefault(to, []).append(each)
                else:
                    waiting.append(each)
        found = set(waiting)
        while waiting:
            new = [each for each in into.get(waiting.pop(), ()) if each not in found]
            found.update(new)
            waiting += new
        return len(found) == len(self.policy)
