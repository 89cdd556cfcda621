import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.formats.registry import get_export_format_or_raise, study_formats
from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError
from backend.studies.lookup import get_study_by_name_or_raise


class Command(JsonCommand):
    help = "Write a study with all its answers to a file, or to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        known = ", ".join(one.name for one in study_formats().values() if one.write)
        parser.add_argument("study", metavar="NAME", help="the study's name")
        parser.add_argument("--format", required=True, metavar="F", help=f"one of {known}")
        parser.add_argument("--output", type=Path, metavar="FILE", help="replaced if it exists")
        parser.add_argument("--names", action="store_true", help="with the experts' names")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        """The file is complete before anything is written."""
        one, write = get_export_format_or_raise(options["format"])
        study = get_study_by_name_or_raise(options["study"])
        with tempfile.TemporaryFile() as file:
            write(study, file, options["names"])
            size = file.seek(0, 2)
            file.seek(0)
            if options["output"] is None:
                shutil.copyfileobj(file, sys.stdout.buffer)
                return {}, []
            try:
                with options["output"].open("wb") as output:
                    shutil.copyfileobj(file, output)
            except OSError as error:
                sentence = f"The file cannot be written: {error.strerror}."
                raise DomainError(sentence, code="not_written") from error
        line = f"Study '{study.name}' as {one.title}: {size:,} bytes."
        return {"study": study.name, "format": one.name, "bytes": size}, [line]
