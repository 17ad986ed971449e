"""Dice that explode or are thrown again for what they show, wave by wave."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulesrun.diagnostics import RulesError, Span
from rulesrun.evaluation import pools
from rulesrun.evaluation.draws import Rolled, Shape
from rulesrun.evaluation.pools import Die
from rulesrun.evaluation.sample.cells import (
    cells,
    listed,
    neat,
    put_back,
    stacked,
)
from rulesrun.evaluation.sample.columns import (
    SMALL,
    Array,
    Coded,
    Column,
    Same,
    Whole,
    apply,
    bare,
    ends,
    normal,
)
from rulesrun.evaluation.sample.dice import Dice, dice_at, firsts_of_number, no_dice, with_faces_as
from rulesrun.evaluation.sample.expressions import clipped
from rulesrun.evaluation.sample.lanes import Lanes
from rulesrun.evaluation.sample.new_dice import NewDice, faces_of, key_of
from rulesrun.evaluation.throws import ENDLESS_CHECK
from rulesrun.semantics import plan
from rulesrun.semantics.borne import as_number

SUSPICIOUS = 20
"""After so many waves it is looked whether a die can stop at all."""


class Exploding(NewDice):
    """Explosions and rerolls."""

    def _explode(self, pool: Dice, how: plan.Explode, lanes: Lanes) -> Dice:
        result, rows, wave, times = [pool], pool.rows, pool, 0
        while (mask := self._exploding(wave, how, times, lanes)) is not None:
            wave = self.joined(self._next_wave(wave, mask, how, lanes), lanes)
            result.append(wave)
            rows += wave.rows
            lanes.block.need(rows * lanes.size)
            times += 1
        return neat(self.joined(result, lanes))

    def _next_wave(self, wave: Dice, mask: Array, how: plan.Explode, lanes: Lanes) -> list[Dice]:
        """The dice that are thrown for those of a wave where the mask holds, in so many parts as each adds dice."""
        many = Same(1) if how.many is None else lanes.get(key_of(how) + " many")
        found = [no_dice(lanes.size)]
        for place in range(ends(many)[1]):
            here = mask & (place < bare(many))
            row, lane = np.nonzero(here)
            if len(row):
                dice = self._further(cells(wave, row, lane), how, lanes.part(lane))
                found.append(stacked(dice, here, row, lane))
        return found

    def _explode_adding(self, pool: Dice, how: plan.Explode, lanes: Lanes) -> Dice:
        newest, result, times = pool, pool if pool.meaning is None else with_faces_as(pool, as_number), 0
        active: Array | None = None
        while (mask := self._exploding(newest, how, times, lanes)) is not None:
            mask = mask if active is None else mask & active
            row, lane = np.nonzero(mask)
            if not len(row):
                break
            dice = self._further(cells(newest, row, lane), how, lanes.part(lane))
            before = cells(result, row, lane)
            result = put_back(result, row, lane, self._added(before, dice, how.span)._replace(tags=before.tags))
            newest = put_back(newest, row, lane, dice)
            active = mask
            times += 1
        return result

    def _added(self, before: Dice, dice: Dice, span: Span) -> Dice:
        if before.meaning is None and dice.meaning is None:
            low, high = before.low + min(dice.low, 0), before.high + max(dice.high, 0)
            if max(-low, high) < SMALL:
                return Dice(before.faces.astype(np.int64) + dice.faces, low, high, None, 0, None)
        one, other = _die_column(before), _die_column(dice)
        total = apply(lambda a, b: normal(pools.rank(a, span) + pools.rank(b, span)), one, other)
        return faces_of(total, before.lanes).dice(0)

    def _exploding(self, wave: Dice, how: plan.Explode, times: int, lanes: Lanes) -> Array | None:
        """Which dice of a wave explode; None if none does."""
        if how.limit is not None and times >= ends(lanes.get(key_of(how)))[1]:
            return None
        goes = self._tops(wave, how, lanes) if how.faces is None else self.of_dice(how.faces, wave, lanes)
        if wave.there is not None:
            goes = goes & wave.there
        if how.limit is not None:
            goes = goes & (times < bare(lanes.get(key_of(how))))
        if not goes.any():
            return None
        if how.limit is None and times == SUSPICIOUS:
            self.check_end(wave, goes, how.faces, how.rolling, how.span, lanes, "explodes")
        return goes

    def _tops(self, pool: Dice, how: plan.Explode, lanes: Lanes) -> Array:
        """Whether each die shows the top face of its kind."""
        tags = lanes.block.tags

        def top(die: Die) -> int:
            shape = self.shape_of(die)
            if shape.top is None or self._is_token(shape):
                raise RulesError.of(
                    f"{die.kind} has no top face that could explode",
                    code="no-top-face",
                    span=how.span,
                    hint="explode on 6",
                )
            if pool.meaning is None:
                return shape.top if type(shape.top) is int and pool.low <= shape.top <= pool.high else pool.low - 1
            return next((code for code, face in enumerate(pool.meaning) if as_number(face) == shape.top), -1)

        if not pool.rows or (pool.there is not None and not pool.there.any()):
            return np.zeros(pool.faces.shape, bool)
        marks = pool.tags
        if not isinstance(marks, int) and pool.there is not None:
            marks = np.where(pool.there, pool.tag_array(), pool.tag_array()[pool.there][0])
        faces = pool.faces if pool.meaning is None else firsts_of_number(pool)[pool.faces]
        return np.asarray(faces == tags.looked_up(marks, np.int64, top))

    def _further(self, dice: Dice, how: plan.Explode, lanes: Lanes) -> Dice:
        """The dice that those which explode add to the pool, one in each lane."""
        tags = lanes.block.tags
        if how.rolling is None:
            new = self._again_thrown(dice, lanes, how.span)
            return new._replace(tags=tags.changed(dice.tags, lambda die: die._replace(first=None)))
        if isinstance(how.rolling, plan.RolledDie):
            new = self._rolled_dice(how.rolling, lanes)
            shape: Shape = self._shapes[how.rolling.name]
        else:
            lanes.count("dice", 1, how.span)
            faces, marks = self._new_faces(how.rolling, 1, lanes)
            new = faces.dice(marks)
            if not isinstance(marks, int):
                kinds = [tags.dice[tag] for tag in marks[0].tolist()]
                targets = [tags.dice[tag].target for tag in np.broadcast_to(dice.tags, dice.faces.shape)[0].tolist()]
                pairs = [tags.of(kind._replace(target=target)) for kind, target in zip(kinds, targets, strict=True)]
                return new._replace(tags=np.array([pairs], np.int64))
            kind = tags.dice[marks]
            return new._replace(tags=tags.changed(dice.tags, lambda die: Die(0, kind.sides, die.target, kind.kind)))
        return new._replace(tags=tags.changed(dice.tags, lambda die: Die(0, shape.sides, die.target, shape.name)))

    def check_end(
        self, pool: Dice, goes: Array, faces: plan.FaceSet | None, rolling: plan.DieKind | None, span: Span,
        lanes: Lanes, what: str,
    ) -> None:  # fmt: skip
        """An error where all faces of the die that is thrown next belong to the set."""
        row, lane = np.nonzero(goes)
        dice = cells(pool, row, lane)
        if rolling is not None:
            if isinstance(rolling, plan.RolledDie):
                return
            dice = self._further(dice, plan.Explode(span, faces, None, rolling, False), lanes.part(lane))
        marks = np.broadcast_to(np.asarray(dice.tags), dice.faces.shape)[0]
        for tag in np.unique(marks).tolist():
            shape = self.shape_of(lanes.block.tags.dice[tag])
            index = np.flatnonzero(marks == tag)
            if isinstance(shape, Rolled):
                continue
            first = list(shape.first_faces(ENDLESS_CHECK + 1))
            if self._is_token(shape):
                first = []
            ends_somewhere = np.zeros(len(index), bool)
            if faces is None:
                ends_somewhere[:] = any(as_number(face) != shape.top for face in first)
            elif len(first) > ENDLESS_CHECK:
                continue
            else:
                for face in first:
                    same = listed([face] * len(index)).dice(tag)
                    ends_somewhere |= ~self.of_dice(faces, same, lanes.part(lane[index]))[0]
            if not ends_somewhere.all():
                raise RulesError.of(
                    f"every face of {shape.name} {what} here, so this would never end",
                    code="endless",
                    span=span,
                    hint="leave out a face, or "
                    + ("bound it: `at most 3 times`" if what == "explodes" else "write `once`"),
                )

    def _reroll(self, pool: Dice, how: plan.Reroll, lanes: Lanes) -> Dice:
        mask = self.of_dice(how.faces, pool, lanes) & pool.present()
        if how.dice is not None:
            mask = self._lowest_of(pool, mask, clipped(lanes.get(key_of(how) + " dice")), how.span, lanes)
        times = 0
        while True:
            if how.limit is not None:
                mask = mask & (times < bare(lanes.get(key_of(how))))
            row, lane = np.nonzero(mask)
            if not len(row):
                return pool
            if how.limit is None and times == SUSPICIOUS:
                self.check_end(pool, mask, how.faces, None, how.span, lanes, "is rerolled")
            pool = put_back(pool, row, lane, self._again_thrown(cells(pool, row, lane), lanes.part(lane), how.span))
            mask = mask & self.of_dice(how.faces, pool, lanes)
            times += 1

    def _lowest_of(self, pool: Dice, mask: Array, number: Any, span: Span, lanes: Lanes) -> Array:
        """The `number` lowest of the dice where the mask holds."""
        tags = lanes.block.tags
        chosen = mask.copy()
        for lane in np.flatnonzero(mask.sum(axis=0) > number).tolist():
            rows = np.flatnonzero(mask[:, lane])
            dice = [dice_at(pool.at_rows(slice(row, row + 1)), tags, lane)[0] for row in rows.tolist()]
            ranked = sorted(range(len(rows)), key=lambda place: pools.order(dice[place], span))
            most = int(number) if np.ndim(number) == 0 else int(number[lane])
            chosen[rows[ranked[most:]], lane] = False
        return chosen


def _die_column(dice: Dice) -> Column:
    faces = dice.faces[0].astype(np.int64)
    return Whole(faces, dice.low, dice.high) if dice.meaning is None else Coded(faces, dice.meaning)
