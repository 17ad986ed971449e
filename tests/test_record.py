"""Records behave as frozen, slotted dataclasses do."""

import copy
import pickle

import pytest

from rulesrun.record import FrozenRecordError, changed, field, field_names, record


@record
class Part:
    """Something with a place that does not count in comparisons."""

    place: int = field(compare=False)


@record
class Pair(Part):
    left: int
    right: tuple[int, ...] = ()
    notes: list[str] = field(default_factory=list, repr=False, compare=False)

    @property
    def size(self) -> int:
        return 1 + len(self.right)


@record
class Empty:
    pass


def test_fields_come_by_place_or_name_and_have_defaults() -> None:
    assert Pair(1, 2) == Pair(place=1, left=2, right=())
    assert field_names(Pair(1, 2)) == ("place", "left", "right", "notes")
    assert Pair(1, 2).notes == []
    assert Pair(1, 2).notes is not Pair(1, 2).notes
    assert Pair(1, 2, (3,)).size == 2
    with pytest.raises(TypeError, match="left"):
        Pair(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="other"):
        Pair(1, 2, other=3)  # type: ignore[call-arg]


def test_compared_and_hashed_by_the_fields_that_count() -> None:
    assert Pair(1, 2, (3,)) == Pair(9, 2, (3,), ["x"])
    assert hash(Pair(1, 2)) == hash(Pair(9, 2))
    assert Pair(1, 2) != Pair(1, 3)
    assert Part(1) == Part(2)
    assert Part(1) != Pair(1, 2)
    assert Empty() == Empty()


def test_nothing_can_be_changed_or_added() -> None:
    pair = Pair(1, 2)
    with pytest.raises(FrozenRecordError):
        pair.left = 3  # type: ignore[misc]
    with pytest.raises(FrozenRecordError):
        del pair.left
    with pytest.raises(FrozenRecordError):
        pair.extra = 3  # type: ignore[attr-defined]
    assert not hasattr(pair, "__dict__")
    assert changed(pair, left=3) == Pair(1, 3)


def test_copied_pickled_shown_and_matched() -> None:
    pair = Pair(1, 2, (3,))
    assert pickle.loads(pickle.dumps(pair)) == pair
    assert copy.deepcopy(pair) == pair
    assert repr(pair) == "Pair(place=1, left=2, right=(3,))"
    match pair:
        case Pair(place, left, right=(third,)):
            assert (place, left, third) == (1, 2, 3)
        case _:
            pytest.fail("a record matches by place")
