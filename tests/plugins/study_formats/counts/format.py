"""A format of studies for the tests: the number of assignments."""

from typing import IO

from annotation.formats.base import StudyFormat
from annotation.models import Assignment
from backend.studies.models import Study


def write_counts(study: Study, file: IO[bytes], with_names: bool) -> None:
    file.write(str(Assignment.objects.filter(study=study).count()).encode())


FORMAT = StudyFormat(
    name="counts",
    title="Counts",
    description="A number.",
    media_type="text/plain",
    extension="txt",
    write=write_counts,
)
