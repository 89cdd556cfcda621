"""Import files as a graph, or as the next version of one."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from tqdm import tqdm

from backend.common.errors import DomainError
from backend.graphs.importers.catalogue import BY_NAME
from backend.graphs.imports import Wanted, begin_import, error_of
from backend.graphs.models import Graph, GraphImport, State
from backend.graphs.pipeline import run_import


def column(text: str) -> tuple[str, str]:
    name, mark, hers = text.partition("=")
    if not (name and mark and hers):
        raise ArgumentTypeError(f"{text!r} is not NAME=COLUMN, as in source=subject_id")
    return name, hers


class Command(BaseCommand):
    help = (
        "Import files or folders as a graph; a graph of this name gets a new version, unless "
        "the newest holds the same. All is imported or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        formats = ", ".join(BY_NAME)
        parser.add_argument("format", metavar="FORMAT", help=f"{formats}, or auto")
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--name", required=True, help="the graph's name")
        parser.add_argument("--dry-run", action="store_true", help="only say what would come in")
        parser.add_argument(
            "--column",
            action="append",
            type=column,
            default=[],
            metavar="NAME=COLUMN",
            help="what the files call a column of the format csv; may be repeated",
        )
        parser.add_argument("--public", action="store_true", help="for everybody, without login")
        parser.add_argument("--licence", help="under which it may be used")
        parser.add_argument("--citation", help="how to cite it")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            row = _import(options)
        except DomainError as error:
            self._refuse(error_of(error), {}, as_json=options["json"])
        if row.state != State.DONE:
            self._refuse(row.report.get("error", {}), row.report, as_json=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(row)))
        else:
            self._tell(row)

    def _refuse(self, error: dict[str, Any], report: dict[str, Any], *, as_json: bool) -> NoReturn:
        if as_json:
            faults = {name: report.get(name) for name in ("dropped", "faults") if name in report}
            self.stdout.write(json.dumps({"error": error, **faults}))
            sys.exit(1)
        self._tell_faults(report)
        if not report.get("faults"):
            for fault in error.get("errors", []):
                expected = f" Expected: {fault['expected']}." if fault["expected"] else ""
                self.stderr.write(f"{fault['place']}: {fault['message']}{expected}")
        self.stderr.write(error.get("detail", "The import has ended elsewhere."))
        sys.exit(1)

    def _tell(self, row: GraphImport) -> None:
        self._tell_faults(row.report)
        if row.dry_run:
            self.stdout.write(json.dumps(row.report["first"], ensure_ascii=False, indent=1))
            rows = row.report["rows"]
            self.stdout.write(
                f"Understood as {row.report['format']}: {rows['entities']:,} rows of entities, "
                f"{rows['edges']:,} of edges. Nothing was imported."
            )
        else:
            known = " It was there already." if row.report.get("unchanged") else ""
            self.stdout.write(f"Graph '{row.name}', snapshot {row.report['snapshot']}.{known}")
            counts = f"{row.report['entities']:,} entities, {row.report['edges']:,} edges"
            self.stdout.write(f"{counts}; {row.report['folded']:,} equal edges folded.")
        dropped = row.report["dropped"]
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(dropped.items()))
        self.stdout.write(f"Dropped: {reasons or 'nothing'}.")

    def _tell_faults(self, report: dict[str, Any]) -> None:
        for fault in report.get("faults", []):
            place = f"{fault['file']}, line {fault['line']}"
            self.stderr.write(f"{place}: {fault['message']} {fault['detail']}")


def _import(options: dict[str, Any]) -> GraphImport:
    about = {name: options[name] for name in ("licence", "citation") if options[name]}
    if options["public"]:
        about["visibility"] = Graph.Visibility.PUBLIC
    paths: list[Path] = options["paths"]
    wanted = Wanted(
        name=options["name"],
        format="" if options["format"] == "auto" else options["format"],
        columns=dict(options["column"]),
        about=about,
        dry_run=options["dry_run"],
    )
    row = begin_import(actor=None, wanted=wanted, files=[path.name for path in paths])
    with tqdm(total=100, unit="%", file=sys.stderr, disable=None, leave=False) as bar:

        def heard(doing: str, percent: float) -> None:
            bar.set_description(doing, refresh=False)
            bar.update(round(percent - bar.n, 1))

        run_import(row.pk, paths, heard)
    row.refresh_from_db()
    return row


def _as_json(row: GraphImport) -> dict[str, Any]:
    slug = row.graph.slug if row.graph else None
    return {"graph": {"name": row.name, "slug": slug}, "dry_run": row.dry_run, **row.report}
