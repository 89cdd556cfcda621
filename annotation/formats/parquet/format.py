"""A study as a Parquet table."""

from annotation.formats.base import StudyFormat
from annotation.formats.parquet.writer import write_parquet

FORMAT = StudyFormat(
    name="parquet",
    title="Parquet",
    description="The table of the CSV file with typed columns, for data frames.",
    media_type="application/vnd.apache.parquet",
    extension="parquet",
    write=write_parquet,
)
