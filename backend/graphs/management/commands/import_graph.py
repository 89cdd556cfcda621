import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from backend.common.command_utils import NO_CHECKS, error_lines
from backend.common.errors import DomainError
from backend.graphs.import_service import ImportRequest, begin_import
from backend.graphs.importers.registry import graph_formats
from backend.graphs.models import Graph
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.faults import error_payload
from backend.jobs.models import Job, JobState
from backend.validation.faults import Fault


def parse_column(text: str) -> tuple[str, str]:
    name, mark, column = text.partition("=")
    if not (name and mark and column):
        raise ArgumentTypeError(f"{text!r} is not NAME=COLUMN, as in source=subject_id")
    return name, column


class Command(BaseCommand):
    help = (
        "Import files or folders as a graph. An existing graph with this name gets a new version, "
        "unless a version has the same content. An import is complete or has no effect."
    )
    requires_system_checks = NO_CHECKS

    def add_arguments(self, parser: ArgumentParser) -> None:
        formats = ", ".join(graph_formats())
        parser.add_argument("format", metavar="FORMAT", help=f"{formats}, or auto")
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--name", required=True, help="the graph's name")
        parser.add_argument(
            "--dry-run", action="store_true", help="read and report, import nothing"
        )
        parser.add_argument(
            "--column",
            action="append",
            type=parse_column,
            default=[],
            metavar="NAME=COLUMN",
            help="the files' name of a column of the format csv; may be repeated",
        )
        parser.add_argument(
            "--public", action="store_true", help="visible to everyone, without an account"
        )
        parser.add_argument("--licence", help="the licence of the graph")
        parser.add_argument("--citation", help="how to cite it")
        parser.add_argument("--json", action="store_true", help="print one line of JSON at the end")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            job = _run_import(options)
        except DomainError as error:
            self._exit_with_error(error_payload(error), {}, as_json=options["json"])
        if job.state != JobState.SUCCEEDED:
            self._exit_with_error(job.error or {}, job.result, as_json=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(_result_payload(job)))
        else:
            self._print_result(job)

    def _exit_with_error(
        self, error: dict[str, Any], report: dict[str, Any], *, as_json: bool
    ) -> NoReturn:
        if as_json:
            faults = {name: report.get(name) for name in ("dropped", "faults") if name in report}
            self.stdout.write(json.dumps({"error": error, **faults}))
            sys.exit(1)
        self._print_faults(report)
        faults = [] if report.get("faults") else error.get("errors", [])
        detail = error.get("detail", "The import has ended elsewhere.")
        for line in error_lines(detail, [Fault(**fault) for fault in faults]):
            self.stderr.write(line)
        sys.exit(1)

    def _print_result(self, job: Job) -> None:
        self._print_faults(job.result)
        if job.parameters["dry_run"]:
            self.stdout.write(json.dumps(job.result["first"], ensure_ascii=False, indent=1))
            rows = job.result["rows"]
            self.stdout.write(
                f"Understood as {job.result['format']}: {rows['entities']:,} rows of entities, "
                f"{rows['edges']:,} of edges. Nothing was imported."
            )
        else:
            known = " It was there already." if job.result.get("unchanged") else ""
            self.stdout.write(
                f"Graph '{job.parameters['name']}', snapshot {job.result['snapshot']}.{known}"
            )
            counts = f"{job.result['entities']:,} entities, {job.result['edges']:,} edges"
            self.stdout.write(f"{counts}; {job.result['folded']:,} equal edges folded.")
        dropped = job.result["dropped"]
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(dropped.items()))
        self.stdout.write(f"Dropped: {reasons or 'nothing'}.")

    def _print_faults(self, report: dict[str, Any]) -> None:
        for fault in report.get("faults", []):
            place = f"{fault['file']}, line {fault['line']}"
            self.stderr.write(f"{place}: {fault['message']} {fault['detail']}")


def _run_import(options: dict[str, Any]) -> Job:
    about = {name: options[name] for name in ("licence", "citation") if options[name]}
    if options["public"]:
        about["visibility"] = Graph.Visibility.PUBLIC
    paths: list[Path] = options["paths"]
    request = ImportRequest(
        name=options["name"],
        format="" if options["format"] == "auto" else options["format"],
        column_mapping=dict(options["column"]),
        metadata=about,
        dry_run=options["dry_run"],
    )
    job = begin_import(actor=None, import_request=request, files=[path.name for path in paths])
    return run_with_progress_bar(job, inputs={"paths": paths})


def _result_payload(job: Job) -> dict[str, Any]:
    result = dict(job.result)
    graph = {"name": job.parameters["name"], "slug": result.pop("graph", None)}
    return {"graph": graph, "dry_run": job.parameters["dry_run"], **result}
