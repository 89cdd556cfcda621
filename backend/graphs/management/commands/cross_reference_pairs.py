"""Curated pairs of databases, cross-referenced with papers, as a graph with years."""

from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output, dropped_lines, progress_bar
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.graphs.curated_pairs.concept_map import ConceptMap
from backend.graphs.curated_pairs.cross_reference import CuratedPairs, PairCollector
from backend.graphs.curated_pairs.dated_pairs import PairDates
from backend.graphs.curated_pairs.dynamic_graph import GRAPH, DynamicGraph
from backend.graphs.curated_pairs.pair_tables import COLUMNS, PairTable
from backend.graphs.importers.common.drop_report import DropReport
from backend.graphs.importers.common.input_files import InputFile, find_input_files
from backend.graphs.importers.paper_concepts.paper_table import (
    PaperConcepts,
    PaperNumbers,
    PaperTable,
)
from backend.graphs.management.commands.import_graph import parse_column
from backend.graphs.source_records import MalformedRow


class Command(JsonCommand):
    help = (
        "Merge curated pairs of databases, map them to concepts, and date each by the papers that "
        "mention both ends: a graph to import, mentions by year, and pairs that no paper mentions. "
        "Tables of CTD, DisGeNET, STRING and KEGG are known; of others name the columns."
    )
    lists_faults_of = "files"
    has_files_last = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pairs", type=Path, nargs="+", metavar="PAIRS")
        parser.add_argument(
            "--concepts",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="id, cui and optionally name, type; without it, identifiers are concepts",
        )
        parser.add_argument(
            "--papers",
            type=Path,
            action="append",
            required=True,
            metavar="FILE",
            help="pmid, date, cuis: the concepts of each paper",
        )
        parser.add_argument(
            "--column",
            type=parse_pair_column,
            action="append",
            default=[],
            metavar="NAME=COLUMN",
            help="of tables of no known form: their column of subject, object or database",
        )
        parser.add_argument("--into", type=Path, required=True, metavar="FOLDER")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        report = DropReport()
        concepts = read_concepts(find_input_files(options["concepts"]), report)
        collector = PairCollector(concepts)
        files = find_input_files(options["pairs"])
        collect_pairs(collector, files, dict(options["column"]), report)
        pairs = collector.pairs()
        if not len(pairs.keys):
            message = "No pair has concepts at both ends. Check the identifiers of the concept map."
            raise DomainError(message, code="no_pairs", data={"dropped": dict(collector.dropped)})
        graph = DynamicGraph(pairs, date_pairs(pairs, options["papers"], report))
        if not len(graph.mentioned):
            message = "No paper has both concepts of a pair. Check the identifiers of the papers."
            raise DomainError(message, code="no_mentions")
        graph.write(options["into"])
        return describe(collector, graph, report), summary_lines(collector, graph, report, options)


def parse_pair_column(text: str) -> tuple[str, str]:
    name, column = parse_column(text)
    if name not in COLUMNS:
        raise ArgumentTypeError(f"{name} is none of {', '.join(COLUMNS)}")
    return name, column


def read_concepts(files: Iterable[InputFile], report: DropReport) -> ConceptMap:
    """Raises TooManyDropped."""
    concepts = ConceptMap()
    for file in files:
        concepts.read(file)
    for fault in concepts.faults:
        report.record_drop("concepts", fault)
    report.valid["concepts"] = concepts.rows - len(concepts.faults)
    report.check_share("concepts")
    return concepts


def collect_pairs(
    collector: PairCollector,
    files: Iterable[InputFile],
    mapping: dict[str, str],
    report: DropReport,
) -> None:
    """Raises TooManyDropped and FileRefused."""
    for file in files:
        for row in PairTable(file, mapping, collector.dropped):
            if isinstance(row, MalformedRow):
                report.record_drop("pairs", row)
            else:
                collector.add(row)
    report.valid["pairs"] = collector.read
    report.check_share("pairs")


def date_pairs(pairs: CuratedPairs, paths: Iterable[Path], report: DropReport) -> PairDates:
    """Raises TooManyDropped and FileRefused."""
    dates = PairDates(pairs)
    for mentions in pairs.find_mentions(read_papers(find_input_files([*paths]), report)):
        dates.add(mentions)
    report.check_share("papers")
    return dates


def read_papers(files: Iterable[InputFile], report: DropReport) -> Iterator[PaperConcepts]:
    known = PaperNumbers()
    with progress_bar("papers") as progress:
        for file in files:
            for row in PaperTable(file, known):
                if isinstance(row, MalformedRow):
                    report.record_drop("papers", row)
                    continue
                report.valid["papers"] += 1
                progress(report.valid["papers"])
                yield row


def describe(collector: PairCollector, graph: DynamicGraph, report: DropReport) -> dict[str, Any]:
    years = graph.dates.first_years[graph.mentioned].tolist()
    databases = Counter(
        name for number in graph.mentioned.tolist() for name in graph.pairs.databases_of(number)
    )
    return {
        "rows": collector.read,
        "pairs": len(graph.pairs.keys),
        "mentioned": len(years),
        "unmentioned": len(graph.pairs.keys) - len(years),
        "papers": report.valid["papers"],
        "databases": dict(sorted(databases.items())),
        "years": {str(year): count for year, count in sorted(Counter(years).items())},
        "left_out": dict(sorted(collector.dropped.items())),
        "dropped": dict(sorted(report.reasons.items())),
    }


def summary_lines(
    collector: PairCollector, graph: DynamicGraph, report: DropReport, options: dict[str, Any]
) -> list[str]:
    mentioned, total = len(graph.mentioned), len(graph.pairs.keys)
    faults = [f"{it.file}, line {it.line}: {it.detail}" for it in report.first_dropped]
    return [
        *faults,
        f"{pluralize(total, 'pair')} of concepts from {collector.read:,} rows; "
        f"{pluralize(report.valid['papers'], 'paper')} mention {mentioned:,} of them.",
        *dropped_lines(collector.dropped),
        f"Import the graph: manage.py import_graph csv {options['into'] / GRAPH} --name NAME",
    ]
