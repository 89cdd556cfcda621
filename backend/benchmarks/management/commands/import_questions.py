from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks.dataset_statistics import (
    DatasetStatistics,
    QuestionSummary,
    compute_statistics,
)
from backend.benchmarks.entity_linking import resolve_question_set
from backend.benchmarks.file_discovery import question_files, read_source_files
from backend.benchmarks.formats.registry import get_format_or_raise, question_formats
from backend.benchmarks.pattern_validation import PatternCheck, check_patterns
from backend.benchmarks.question_format import ParsedFiles
from backend.benchmarks.question_import import ImportedSet, import_questions
from backend.benchmarks.question_sets import get_or_create_question_set
from backend.common.command_utils import JsonCommand, Output, progress_bar
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.version_lookup import find_version_or_raise
from backend.validation.faults import printable


@dataclass(frozen=True)
class ImportOutcome:
    """Summary for the user. `stored` is None in a dry run."""

    version: Version
    parsed: ParsedFiles
    graph: PatternCheck
    statistics: DatasetStatistics
    stored: ImportedSet | None


class Command(JsonCommand):
    lists_faults_of = "questions"
    help = (
        "Import questions with their graph patterns, and partitions of their answers, into the "
        "question set of this name, which is created if necessary. Their patterns are run on "
        "the graph, and differences are reported. Either everything is imported or nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        known = "; ".join(f"{name}: {one.description}" for name, one in question_formats().items())
        parser.add_argument("format", metavar="FORMAT", choices=[*question_formats()], help=known)
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--name", required=True, help="the question set's name")
        parser.add_argument(
            "--graph", required=True, metavar="SLUG[@VERSION]", help="what the questions are about"
        )
        parser.add_argument(
            "--owner",
            default="",
            metavar="EMAIL",
            help="who may see a new set besides administrators",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="check the files without importing them"
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        outcome = _import(options)
        return _outcome_json(outcome), [*_check_lines(outcome), *_stored_lines(outcome.stored)]


def _check_lines(outcome: ImportOutcome) -> Iterator[str]:
    graph, version = outcome.graph, outcome.version
    for notice in outcome.stored.notices if outcome.stored else outcome.parsed.notices:
        yield f"Notice: {notice}"
    for fault in graph.not_runnable:
        yield f"Not in the graph: {fault.place}: {fault.message}"
    for one in graph.differences:
        yield (
            f"Question {one.qid}: {pluralize(one.in_file, 'answer')} in the file, "
            f"{one.in_graph:,} in the graph, {one.in_both:,} in both."
        )
    yield (
        f"Of {pluralize(graph.questions, 'pattern')}, {graph.runnable:,} could be run on "
        f"{version.graph.slug}@{version.number}; {graph.identical:,} have exactly the "
        "answers of the file."
    )
    types = ", ".join(f"{name} {count:,}" for name, count in outcome.statistics.types.items())
    yield f"Pattern types: {types}."


def _stored_lines(stored: ImportedSet | None) -> Iterator[str]:
    if stored is None:
        yield "Nothing was imported."
        return
    questions = pluralize(stored.questions, "question")
    partitions = pluralize(stored.partitions, "partition")
    yield (
        f"Question set '{stored.question_set.name}': {questions} ({stored.added:,} new), "
        f"{partitions} ({stored.partitions_added:,} new)."
    )
    owner = stored.question_set.created_by
    whom = "administrators" if owner is None else f"{owner.email} and administrators"
    yield f"Questions that are not public are under Benchmarks for {whom}."


def _import(options: dict[str, Any]) -> ImportOutcome:
    version = find_version_or_raise(None, options["graph"])
    if version is None:
        raise DomainError("Name a graph.", code="unknown_graph")
    owner = User.objects.by_email_or_raise(options["owner"]) if options["owner"] else None
    format_ = get_format_or_raise(options["format"])
    files, faults = read_source_files(options["paths"], question_files(format_.suffixes))
    parsed = format_.parse(files, faults)
    snapshot = open_version_snapshot(version)
    with progress_bar("questions", len(parsed.questions)) as progress:
        graph = check_patterns(snapshot, parsed.questions, progress=progress)
    counts = compute_statistics(_summaries(parsed), entities=version.entities, edges=version.edges)
    stored = None
    if not options["dry_run"]:
        stored = _store(owner, options["name"], parsed, options["paths"])
    if stored is not None:
        resolve_question_set(question_set=stored.question_set, version=version)
    return ImportOutcome(version, parsed, graph, counts, stored)


def _summaries(parsed: ParsedFiles) -> list[QuestionSummary]:
    return [
        QuestionSummary(one.pattern, len(one.answers), one.type_label)
        for one in parsed.questions
        if one.pattern is not None
    ]


@transaction.atomic
def _store(owner: User | None, name: str, parsed: ParsedFiles, paths: list[Path]) -> ImportedSet:
    source = ", ".join(printable(path.name, 120) for path in paths)
    question_set = get_or_create_question_set(actor=owner, name=name)
    return import_questions(actor=None, question_set=question_set, parsed=parsed, source=source)


def _outcome_json(outcome: ImportOutcome) -> dict[str, Any]:
    stored = outcome.stored
    instance = stored.question_set if stored else None
    return {
        "question_set": {"id": str(instance.pk), "name": instance.name} if instance else None,
        "dry_run": stored is None,
        "graph": {"slug": outcome.version.graph.slug, "number": outcome.version.number},
        "on_graph": asdict(outcome.graph),
        "statistics": asdict(outcome.statistics),
        "questions": len(outcome.parsed.questions),
        "added": stored.added if stored else 0,
        "partitions": sum(len(record.splits) for record in outcome.parsed.partitions),
        "partitions_added": stored.partitions_added if stored else 0,
        "notices": list(stored.notices if stored else outcome.parsed.notices),
    }
