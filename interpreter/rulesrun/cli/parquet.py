"""Rows of CSV as a Parquet file, a block at a time: `pip install 'rulesrun[parquet]'`.

In: a file of CSV with a heading, and what its columns hold. Out: a file with the same columns: chances and means as
doubles, everything exact as text, inputs as what they are.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rulesrun.diagnostics import RulesError

_WHOLE = re.compile(r"-?\d{1,18}", re.ASCII)

BLOCK = 50_000
"""Rows of a row group."""


def needs_pyarrow() -> None:
    """Raises `RulesError` if there is no pyarrow; better before the sweep than after it."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise RulesError.of(
            "a Parquet file needs the package pyarrow", code="no-pyarrow", hint="pip install 'rulesrun[parquet]'"
        ) from None


def write_parquet(
    rows: Path, goal: Path, headings: Sequence[str], inputs: Sequence[Sequence[object]], kinds: Sequence[str]
) -> None:
    """Writes the rows of one file to the other; `inputs` are the values of each input that varies, `kinds` what stands
    in the columns after them.
    """
    import pyarrow as pa
    from pyarrow import parquet

    all_kinds = [*map(_kind, inputs), *kinds]
    fields = [
        (name, {"int": pa.int64(), "bool": pa.bool_(), "double": pa.float64(), "string": pa.string()}[kind])
        for name, kind in zip(headings, all_kinds, strict=True)
    ]
    schema = pa.schema(fields)
    with rows.open(encoding="utf-8", newline="") as stream, parquet.ParquetWriter(goal, schema) as writer:
        lines = csv.reader(stream)
        next(lines)
        while block := list(islice(lines, BLOCK)):
            values = zip(*block, strict=True)
            arrays = [
                pa.array([_read(text, kind) for text in column], field[1])
                for column, kind, field in zip(values, all_kinds, fields, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _kind(values: Sequence[object]) -> str:
    given = values if isinstance(values, range) else [each for each in values if each is not None]
    if isinstance(given, range) or all(map(_is_whole, given)):
        return "int"
    return "bool" if all(type(each) is bool for each in given) else "string"


def _is_whole(value: object) -> bool:
    """Whether a value is a whole number that fits; settings come as they are written."""
    if isinstance(value, str):
        return bool(_WHOLE.fullmatch(value))
    return type(value) is int and -(2**63) <= value < 2**63


def _read(text: str, kind: str) -> Any:
    if kind == "string":
        return text
    if text in ("", "none"):
        return None
    return text == "yes" if kind == "bool" else int(text) if kind == "int" else float(text)
