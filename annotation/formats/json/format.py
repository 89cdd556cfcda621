"""A study as one JSON document."""

from typing import IO

from annotation.exports import export_json
from annotation.formats.base import StudyFormat
from backend.studies.models import Study


def write_json(study: Study, file: IO[bytes], with_names: bool) -> None:
    for part in export_json(study, with_names=with_names):
        file.write(part.encode())


FORMAT = StudyFormat(
    name="json",
    title="JSON",
    description="One document: questions as experts saw them, with all answers and activity.",
    media_type="application/json",
    extension="json",
    write=write_json,
)
