"""From how many equal dice on one more changes no answer: by what the question is, neither more nor less."""

from __future__ import annotations

import pytest

from rulesrun.evaluation.exact.enough import dice_in, ending, enough, outdone, past, without_end
from rulesrun.evaluation.exact.facts import Facts
from rulesrun.evaluation.exact.sources import Again, Look, More, OneDie, Part, Source, Struck, Thrown
from rulesrun.evaluation.exact.symbols import Asked, Keep, Linear, Modulo, Only, PoolStep, Ranges, UnknownPool, Without
from rulesrun.evaluation.pools import Die

FACES = (1, 2, 3)
D3 = Look(FACES, (1, 1, 1), 3, None, "d3")
STOP, GO = ((0, 0, 1), (0, 1, 1)), ((0, 2, 1),)
BURSTING = Thrown("p", (D3,), (Part(2, OneDie(3, STOP, GO, More(3, STOP, GO, None))),))
"""2d3, explode on 3"""
PLAIN = Thrown("q", (D3,), (Part(2, OneDie(3, (*STOP, *GO))),))
"""2d3"""
SOURCES: dict[str, Source] = {"p": BURSTING, "q": PLAIN}
Q = UnknownPool(((("q", 0), FACES),))


def p(*steps: PoolStep, fixed: int = 0) -> UnknownPool:
    return UnknownPool(((("p", 0), FACES),), steps, tuple(Die(2) for _ in range(fixed)))


def asked(what: str, pool: UnknownPool, *sizes: int, other: UnknownPool | None = None) -> Linear:
    return Linear(0, (), ((Asked(what, pool, frozenset(sizes) if sizes else None, other), 1),))


def needed(form: Linear, ranges: Ranges | None = None) -> int | None:
    facts = Facts() if ranges is None else Facts(inside={form: ranges})
    return enough("p", [form], facts, SOURCES)


def test_questions_of_the_whole_throw() -> None:
    for what in ("highest", "lowest", "distinct", "longest_run"):
        assert needed(asked(what, p())) == 1
    assert needed(asked("all_equal", p())) == 2
    assert needed(asked("sets", p(), 2)) == 3
    assert needed(asked("sets", p(), 1, 4)) == 5
    assert needed(asked("middle", p())) is None
    assert needed(asked("largest_set", p())) is None
    assert needed(asked("highest", Q)) == 0


def test_what_steps_leave() -> None:
    assert needed(asked("score", p(Keep("keep highest", 2)))) == 2
    assert needed(asked("score", p(Keep("keep lowest", 3)))) == 3
    assert needed(asked("score", p(Keep("drop highest", 2)))) is None
    assert needed(asked("sets", p(Keep("drop highest", 2)), 2)) == 5
    assert needed(asked("sets", p(Keep("drop highest", 2), Keep("keep lowest", 4)), 1)) == 6
    assert needed(asked("sets", p(Keep("keep highest", 4), Keep("drop lowest", 3)), 1)) == 4
    assert needed(asked("sets", p(Only(frozenset((1, 2)))), 2)) == 3
    assert needed(asked("sets", p(Keep("keep middle", 2)), 1)) is None
    assert needed(asked("sets", p(Without(Q)), 2)) == 3 + 2
    taken = UnknownPool(Q.pieces, (Without(p()),))
    assert needed(asked("score", taken)) == 2


def test_two_pools_compared() -> None:
    for what in ("wins", "outranks"):
        assert needed(asked(what, p(), other=Q)) == 3
        assert needed(asked(what, Q, other=p())) == 3
        kept = UnknownPool(Q.pieces, (Keep("keep highest", 1),))
        assert needed(asked(what, p(), other=kept)) == 2
        assert needed(asked(what, p(), other=p(Keep("keep lowest", 2)))) == 3
        assert needed(asked(what, p(), other=p())) is None


def test_numbers_with_bounds() -> None:
    largest, total = asked("largest_set", p()), Linear(0, ((("p", 0), FACES),), ())
    assert needed(largest, Ranges.of(3, None)) == 3
    assert needed(largest, Ranges.of(None, 4)) == 5
    assert needed(largest, Ranges.of(2, 2)) == 3
    assert needed(asked("largest_set", p(fixed=1)), Ranges.of(3, None)) == 3
    assert needed(total, Ranges.of(7, None)) == 7
    assert needed(total, Ranges.of(2, 6)) == 7
    assert needed(total, Ranges.of(None, -3)) == 0
    assert needed(total) is None
    beside = Linear(0, ((("p", 0), FACES), (("q", 0), (-1, -2, -3))), ())
    assert needed(beside, Ranges.of(5, None)) == 5 + 6  # the others take 6 away at most
    assert needed(Linear(0, ((("p", 0), (-1, 0, 1)),), ()), Ranges.of(2, None)) is None
    odd = Linear(0, (), ((Modulo(((("p", 0), (1, 0, 1)),), 2), 1),))
    assert needed(odd, Ranges.of(1, 1)) is None


def test_the_face_of_the_largest_set() -> None:
    face = asked("face_of_largest_set", p())
    assert needed(face) is None
    assert needed(face, Ranges.of(3, None)) == 3  # two dice end, one more of the others leads for good
    assert needed(asked("face_of_largest_set", p(fixed=2)), Ranges.of(1, 2)) == 5


def test_faces_that_show_and_several_forms() -> None:
    shown = Facts(shown=((((("p", 0)), 0b1),),))
    assert enough("p", [], shown, SOURCES) == 1
    assert enough("q", [], shown, SOURCES) == 0
    assert enough("p", [], Facts({("p", 0): 0b10}), SOURCES) == 1
    assert enough("p", [asked("sets", p(), 2), asked("all_equal", p())], shown, SOURCES) == 3
    assert enough("p", [asked("sets", p(), 2), asked("middle", p())], shown, SOURCES) is None


@pytest.mark.parametrize(
    ("ranges", "first"),
    [
        (Ranges.of(None, None), 0),
        (Ranges.of(4, None), 4),
        (Ranges.of(None, 4), 5),
        (Ranges(((1, 2), (5, 5))), 6),
        (Ranges(((None, 2), (5, None))), 5),
    ],
)
def test_from_where_on_nothing_changes(ranges: Ranges, first: int) -> None:
    assert past(ranges) == first


def test_how_many_dice_there_are() -> None:
    assert dice_in(Q, SOURCES) == 2
    assert dice_in(p(), SOURCES) == 1 << 40
    assert dice_in(p(Keep("keep highest", 3)), SOURCES) == 3
    assert dice_in(UnknownPool(Q.pieces, (Keep("drop lowest", 1),), ()), SOURCES) == 2  # no fewer are promised
    assert dice_in(UnknownPool(Q.pieces, (), (Die(1),)), SOURCES) == 3


def test_which_dice_have_no_end_and_how_many_end() -> None:
    assert set(without_end(BURSTING)) == {(0, 2)}
    assert set(without_end(PLAIN)) == set()
    assert ending(BURSTING) == ending(PLAIN) == 2
    limited = Thrown("p", (D3,), (Part(2, OneDie(3, STOP, GO, More(3, STOP, GO, 4))),))
    assert set(without_end(limited)) == set()
    assert ending(limited) == 2 * 5
    again = Again("p", PLAIN, Struck(((1, (0b1,)),)), None)
    assert set(without_end(again)) == {(1, face) for face in range(3)}
    assert ending(again) == 4  # the first throw, and a last one
    assert ending(Again("p", PLAIN, Struck(((1, (0b1,)),)), 2)) == 2 * 4
    assert set(without_end(Again("p", PLAIN, Struck(((1, (0b1,)),)), 2))) == set()


def test_where_one_face_may_outdo_another() -> None:
    face = asked("face_of_largest_set", p())
    both = More(3, (STOP[0],), (STOP[1], GO[0]), None)
    two = {"p": Thrown("p", (D3,), (Part(2, OneDie(3, STOP, GO, both)),)), "q": PLAIN}
    assert outdone(two, [asked("sets", Q, 1), face])
    assert not outdone(two, [asked("largest_set", p()), asked("distinct", p()), asked("face_of_largest_set", Q)])
    assert not outdone(SOURCES, [face])
    like = UnknownPool(((("p", 0), (1, 2, 2)),))
    assert not outdone(two, [asked("face_of_largest_set", like)])
    assert not outdone({**two, "p": PLAIN}, [face])
