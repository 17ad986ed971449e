"""Plans kept between runs: found only for the same text, and harmless whatever stands in the store."""

import pickle
from pathlib import Path
from zlib import crc32

import pytest

import rulesrun
from rulesrun.diagnostics import Source
from rulesrun.kept import MOST, keep_plan, kept_plan
from rulesrun.library import resolver

TEXT = "rule r\n    given n: 1.. = 2\n    roll pool = n d6\n    total = sum of pool\n"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rulesrun"


def kept(store: Path) -> list[Path]:
    return sorted(store.glob("plan-*"))


def test_a_plan_is_found_again_for_the_same_text_only(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text(TEXT)
    first = rulesrun.load(file)
    assert len(kept(store)) == 1
    source = Source.of_text(str(file), TEXT)
    found = kept_plan(source, resolver(file))
    assert found is not None
    assert found[0] == first.plan
    assert rulesrun.load(file)["r"].roll(seed=3).to_json() == first["r"].roll(seed=3).to_json()
    assert kept_plan(Source.of_text(str(file), TEXT + "\n"), resolver(file)) is None
    assert kept_plan(Source.of_text("other.rules", TEXT), resolver(file)) is None


def test_settings_can_be_changed_on_a_kept_plan(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.rules"
    file.write_text("setting bonus = 1\n\n" + TEXT.replace("sum of pool", "sum of pool + bonus"))
    rulesrun.load(file)
    again = rulesrun.load(file)
    assert again.with_settings(bonus=5)["r"].roll(dice={"pool": [1, 1]}).values["total"] == 7
    assert again["r"].roll(dice={"pool": [1, 1]}).values["total"] == 3


@pytest.mark.parametrize("damage", [b"", b"no", b"\0" * 200, None])
def test_a_broken_store_is_no_error(store: Path, tmp_path: Path, damage: bytes | None) -> None:
    file = tmp_path / "a.rules"
    file.write_text(TEXT)
    rulesrun.load(file)
    (path,) = kept(store)
    path.write_bytes(path.read_bytes()[:-9] if damage is None else damage)
    assert rulesrun.load(file)["r"].roll(dice={"pool": [2, 3]}).values["total"] == 5


def test_a_store_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    file = tmp_path / "a.rules"
    file.write_text(TEXT)
    assert rulesrun.load(file)["r"].roll(dice={"pool": [2, 3]}).values["total"] == 5


def test_nothing_but_plans_is_made_of_what_is_read(store: Path, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "sprung",)  # type: ignore[return-value]

    file = tmp_path / "a.rules"
    file.write_text(TEXT)
    rulesrun.load(file)
    (path,) = kept(store)
    data = pickle.dumps(Trap())
    path.write_bytes(crc32(data).to_bytes(4) + data)
    assert rulesrun.load(file)["r"].roll(dice={"pool": [2, 3]}).values["total"] == 5
    assert not (tmp_path / "sprung").exists()


def test_the_store_stays_small(store: Path, tmp_path: Path) -> None:
    plan = rulesrun.parse(TEXT).plan
    for number in range(MOST + 5):
        keep_plan(Source.of_text(f"{number}.rules", TEXT), {}, plan)
    assert len(kept(store)) == MOST
