"""Odds in a notebook, with the real libraries: tables, charts, data frames."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser

import matplotlib
import pytest

import rulesrun

CHECK = rulesrun.load("hive.rules")["skill_check"]
DAMAGE = rulesrun.load("twist.rules")["damage"]


class Cells(HTMLParser):
    """The cells of the rows of a table; fails for tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


@pytest.fixture(autouse=True)
def no_window() -> Iterator[None]:
    before = matplotlib.get_backend()
    matplotlib.use("Agg")
    yield
    from matplotlib import pyplot

    pyplot.close("all")
    matplotlib.use(before)


def test_odds_show_every_outcome() -> None:
    rows = Cells(CHECK.odds(drone_damage=2, needed=2)._repr_html_()).rows
    assert ["success", "63.5000%", ""] in rows
    assert [row[0] for row in rows] == [each.label for each in CHECK.outcomes]


def test_a_long_distribution_shows_the_likely_values() -> None:
    spread = CHECK.odds(attribute=200).of("successes")
    rows = Cells(spread._repr_html_()).rows
    assert (rows[0], len(rows), rows[-1][0]) == (["value", "chance", ""], 62, "others")
    assert sum(float(row[1].rstrip("%")) for row in rows[1:]) == pytest.approx(100, abs=0.01)
    likely = max(spread.items(), key=lambda pair: pair[1])
    assert [str(likely[0]), f"{float(likely[1]):.4%}", ""] in rows


def test_a_table_shows_its_rows() -> None:
    rows = Cells(CHECK.odds_table(attribute=range(1, 4), needed=[1, 2])._repr_html_()).rows
    assert rows[0] == ["attribute", "needed", *(each.label for each in CHECK.outcomes)]
    assert len(rows) == 7
    assert rows[1][:2] == ["1", "1"] and "87.50%" in rows[1]
    long = CHECK.odds_table(needed=range(1, 130))._repr_html_()
    assert "the first 100 of 129 rows" in long
    assert len(Cells(long).rows) == 101


def test_charts_are_to_scale() -> None:
    spread = DAMAGE.odds(amount=2).of("damage")
    axes = spread.plot()
    bars = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axes.patches}
    assert bars == {value: float(chance) for value, chance in spread.items()}
    assert axes.get_ylabel() == "chance"
    axes.figure.canvas.draw()
    assert len([each for each in axes.get_xticklabels() if each.get_text()]) < 20
    outcomes = CHECK.odds(drone_damage=2, needed=2).plot()
    outcomes.figure.canvas.draw()
    assert [each.get_text() for each in outcomes.get_yticklabels()] == [each.label for each in CHECK.outcomes]
    assert outcomes.get_xlabel() == "chance"
    assert spread.plot(axes) is axes


def test_a_table_as_a_data_frame() -> None:
    table = CHECK.odds_table(attribute=range(1, 4), specialized=[True, False])
    frame = table.to_dataframe()
    assert list(frame.columns) == ["attribute", "specialized", *(each.label for each in CHECK.outcomes)]
    assert frame["success"].tolist() == [float(row["success"]) for row in table]
    assert (frame["attribute"].dtype, frame["specialized"].dtype, frame["success"].dtype) == (
        "int64",
        "bool",
        "float64",
    )
    means = DAMAGE.odds_table(amount=[1, 2]).to_dataframe()
    assert means["mean damage"].tolist() == [float(Fraction(21, 5)), float(Fraction(42, 5))]
    assert CHECK.odds_table(attribute=[]).to_dataframe().columns[0] == "attribute"


@pytest.mark.parametrize("package", ["matplotlib", "pandas"])
def test_what_is_not_installed_is_said(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    table = CHECK.odds_table(needed=range(1, 3))
    uses = [CHECK.odds().plot, CHECK.odds().of("successes").plot] if package == "matplotlib" else [table.to_dataframe]
    for use in uses:
        with pytest.raises(rulesrun.RulesError, match=f"needs the package {package}") as caught:
            use()
        assert caught.value.hint == "pip install 'rulesrun[notebook]'"
