from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError
from backend.graphs.literature.collections import PaperImport
from backend.graphs.literature.formats.registry import paper_formats
from backend.graphs.literature.import_service import begin_paper_import
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.models import JobState
from backend.validation.faults import Fault


class Command(JsonCommand):
    help = (
        "Import files of papers as a collection. The format is recognised by the content of each "
        "file, which may be compressed. An import is complete or has no effect."
    )
    lists_faults_of = "papers"
    has_files_last = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        titles = ", ".join(it.title for it in paper_formats().values())
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=titles)
        parser.add_argument("--name", required=True, help="the collection's name")
        parser.add_argument("--licence", required=True, help="the licence of the texts")
        parser.add_argument("--source", default="", help="where the papers come from")
        parser.add_argument("--public", action="store_true", help="visible without an account")

    def run(self, options: dict[str, Any]) -> Output:
        paths: list[Path] = options["files"]
        request = PaperImport(
            options["name"], options["licence"], options["source"], options["public"]
        )
        names = [path.name for path in paths]
        job = begin_paper_import(actor=None, request=request, files=names)
        job = run_with_progress_bar(job, inputs={"paths": paths})
        if job.state != JobState.SUCCEEDED:
            error = job.error or {}
            detail = error.get("detail", "The import has ended elsewhere.")
            faults = [Fault(**fault) for fault in error.get("errors", [])]
            raise DomainError(detail, code=error.get("code"), faults=faults)
        result = dict(job.result)
        known = " It was there already." if result["unchanged"] else ""
        counts = f"{result['undated']:,} without a date, {result['synthetic']:,} synthetic"
        line = f"Collection '{request.name}': {result['papers']:,} papers, {counts}.{known}"
        return {"name": request.name, **result}, [line]
