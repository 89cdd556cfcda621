"""Ground the rationales of a file: claims, evidence, verdicts."""

from argparse import ArgumentParser
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import DomainError, NotFound
from backend.evaluation.grounding.limits import MOST_ROWS
from backend.evaluation.grounding.payloads import full_payload
from backend.evaluation.grounding.rationale_files import FileRow, read_rationales
from backend.evaluation.grounding.services import GroundingSettings, request_groundings
from backend.evaluation.models.grounding import Grounding
from backend.graphs.graph_access import get_version_or_raise
from backend.graphs.models import Collection, Graph, Version
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.models import JobState
from backend.llm.endpoints import get_endpoint_by_name_or_raise
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.llm.models import Endpoint

MOST_NAMES = 20


class Command(JsonCommand):
    help = (
        "Find which claims of rationales a graph and papers support. Without an endpoint, the "
        "plain verifier compares English words and edges. All faults of the file are listed at "
        "once."
    )
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="lines with hypothesis and rationale"
        )
        parser.add_argument("--graph", required=True, metavar="G", help="its slug")
        parser.add_argument("--literature", metavar="L", help="slug of a collection of papers")
        parser.add_argument("--endpoint", metavar="E", help="of the model that verifies; its name")
        parser.add_argument("--cutoff", type=int, metavar="PMID|YEAR", help="read nothing later")
        parser.add_argument("--budget", type=parse_budget, metavar="DOLLARS", default=Decimal(0))
        parser.add_argument("--public", action="store_true", help="readable at its address")

    def run(self, options: dict[str, Any]) -> Output:
        settings = GroundingSettings(
            version=find_version(options["graph"]),
            collection=find_collection(options["literature"]),
            cutoff=options["cutoff"],
            endpoint=find_endpoint(options["endpoint"]),
            budget=options["budget"],
            is_public=options["public"],
        )
        rows = read_file(options["file"])
        groundings, job = request_groundings(
            actor=None, rows=rows, settings=settings, is_local=True
        )
        job = run_with_progress_bar(job)
        if job.state != JobState.SUCCEEDED:
            error = job.error or {}
            raise DomainError(str(error.get("detail", "The job failed.")), code="job_failed")
        ended = Grounding.objects.filter(pk__in=[one.pk for one in groundings]).order_by("line")
        payloads = [full_payload(one) for one in ended.select_related("version__graph")]
        batch = f"batch {groundings[0].batch}" if groundings else "no rationale"
        return {"groundings": payloads}, [*map(describe, ended), batch]


def find_version(slug: str) -> Version:
    graph = Graph.objects.filter(slug=slug).first()
    if graph is None:
        raise NotFound(f"There is no graph '{slug}'. {list_names(Graph.objects.all())}")
    return get_version_or_raise(graph)


def find_collection(slug: str | None) -> Collection | None:
    if not slug:
        return None
    collection = Collection.objects.ready().filter(slug=slug).first()
    if collection is None:
        names = list_names(Collection.objects.ready())
        raise NotFound(f"There is no collection of papers '{slug}'. {names}")
    return collection


def list_names(rows: QuerySet[Any]) -> str:
    slugs = [*rows.order_by("slug").values_list("slug", flat=True)[: MOST_NAMES + 1]]
    others = ", …" if len(slugs) > MOST_NAMES else ""
    return f"There are: {', '.join(slugs[:MOST_NAMES])}{others}." if slugs else "There is none yet."


def find_endpoint(name: str | None) -> Endpoint | None:
    """None without a name: the plain verifier needs none."""
    return get_endpoint_by_name_or_raise(name) if name else None


def read_file(path: Path) -> list[FileRow]:
    try:
        with path.open("rb") as stream:
            return [*read_rationales(stream, path.name, most_rows=MOST_ROWS)]
    except OSError as error:
        raise DomainError(f"{path} cannot be read: {error.strerror}.") from error


def describe(grounding: Grounding) -> str:
    if grounding.error:
        return f"line {grounding.line}: {grounding.error.get('detail', grounding.state)}"
    parts = [
        f"{source} {describe_share(counts)}" for source, counts in grounding.groundedness.items()
    ]
    return f"line {grounding.line}: {', '.join(parts)}  {grounding.pk}"


def describe_share(counts: dict[str, Any]) -> str:
    if counts["share"] is None:
        return "undefined (0 claims)"
    return f"{counts['share']:.0%} ({counts['supported']} of {counts['claims']})"
