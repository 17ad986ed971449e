"""The odds of a rule for every combination of several inputs, from a handful to millions.

Grid of inputs (`grid.py`) → a job of rows (`job.py`) → done here, by several processes (`workers.py`) or on a Dask
cluster (`cluster.py`), always in order (`ordered.py`) → a table in memory (`table.py`) or rows that stream.
"""

from rulesrun.sweep.grid import Grid, grid_of
from rulesrun.sweep.table import OddsTable, odds_rows, odds_table

__all__ = ["Grid", "OddsTable", "grid_of", "odds_rows", "odds_table"]
