"""The table of the CSV export with typed columns, in row groups of bounded size."""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.export_records import ExportRecord
from annotation.exports_csv import csv_columns, iterate_rows
from annotation.kinds.base import AnyKind
from annotation.kinds.registry import get_kind_or_raise
from backend.studies.models import Study

ROWS_OF_GROUP = 5_000
TYPES: Mapping[type, Any] = {int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
OWN_TYPES: Mapping[str, Any] = {
    **dict.fromkeys(
        ("batch_number", "question_number", "revision", "active_ms", "occasion"), pa.int64()
    ),
    **dict.fromkeys(("expert_is_simulated", "latest", "is_adaptive"), pa.bool_()),
    **dict.fromkeys(("propensity", "selection_propensity"), pa.float64()),
    "submitted_at": pa.timestamp("us", tz="UTC"),
}


def schema_of(kind: AnyKind) -> Any:
    types = {**OWN_TYPES, **{name: TYPES[one] for name, one in kind.column_types.items()}}
    return pa.schema([(name, types.get(name, pa.string())) for name in csv_columns(kind)])


def write_parquet(study: Study, file: IO[bytes], with_names: bool) -> None:
    """Through a temporary file, because a file in an archive has no positions."""
    schema = schema_of(get_kind_or_raise(study.kind))
    group: list[ExportRecord] = []
    with tempfile.TemporaryFile() as table:
        with pq.ParquetWriter(table, schema, compression="zstd") as writer:
            for rows in iterate_rows(study, with_names=with_names):
                group += rows
                if len(group) >= ROWS_OF_GROUP:
                    writer.write_table(_table(group, schema))
                    group = []
            writer.write_table(_table(group, schema))
        table.seek(0)
        shutil.copyfileobj(table, file)


def _table(rows: Sequence[ExportRecord], schema: Any) -> Any:
    """An empty cell of the CSV export is null."""
    columns = [[_value(row.get(one.name), one.type) for row in rows] for one in schema]
    arrays = [pa.array(values, one.type) for values, one in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _value(value: object, of_type: Any) -> object:
    if value is None or value == "":
        return None
    return str(value) if pa.types.is_string(of_type) else value
