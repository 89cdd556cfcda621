"""A study as a CSV table, which can be imported again."""

from typing import IO

from annotation.exports_csv import export_csv
from annotation.formats.base import StudyFormat
from annotation.formats.csv.reader import read_cells, read_csv
from backend.studies.models import Study


def write_csv(study: Study, file: IO[bytes], with_names: bool) -> None:
    for part in export_csv(study, with_names=with_names):
        file.write(part.encode())


FORMAT = StudyFormat(
    name="csv",
    title="CSV",
    description="A table for spreadsheets: a row for each part of an answer. It can be imported.",
    media_type="text/csv; charset=utf-8",
    extension="csv",
    write=write_csv,
    read=read_csv,
    parts=read_cells,
)
