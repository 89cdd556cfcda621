"""TruthHypo from PubTator's relations: hypotheses that the unseen articles made, and what was seen.

Defined in section 2.1 of the paper. Choices of ours: a pair is unordered, and a label needs two
distinct articles. A pair with two such labels has no single answer and is left out. Negatives are
pairs of entities of the file that no article links, seen, unseen or between; their number is the
mean of the other labels of the type, rounded down, as Table 1 has it. Rows are sorted by pair, so
that neither order nor blocks reveal labels.

The seen graph has every relation of the seen articles. The unseen graph has those of the unseen
articles whose pair no seen article links, in either direction, and which two articles or more
state in either direction: the test set's links are among them. Both name all articles of an edge.

Output depends on the set of statements, the cut-offs and the seed alone, not on the order of lines.
"""

import csv
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from backend.benchmarks.hypothesis_sets.entity_names import NodeTable, write_nodes
from backend.benchmarks.hypothesis_sets.linked_pairs import (
    LABELS,
    MIN_ARTICLES,
    Cutoffs,
    DatedEdge,
    EdgeParts,
    Hypothesis,
    PairPass,
    sort_statements,
)
from backend.benchmarks.hypothesis_sets.non_links import draw_non_links
from backend.benchmarks.hypothesis_sets.statements import StatementReader, kind_of
from backend.common.errors import DomainError
from backend.graphs.importers.common.input_files import InputFile, find_input_files
from backend.graphs.importers.pubtator.format import FIRST_SEEN, FIRST_UNSEEN, PMIDS
from backend.graphs.snapshots.column_table import TableSpool
from backend.tracks.truthhypo.track import NO_RELATION, SOURCE_FIELDS

SEEN_UNTIL, UNSEEN_FROM = 36_600_000, 38_200_000
DEFAULT_CUTOFFS = Cutoffs(SEEN_UNTIL, UNSEEN_FROM)
MEMORY = 64 * 2**20  # of the sort, before it goes to the disk
TEST_FILE, SEEN_FILE, NODES_FILE = "edges_test.tsv", "edges_train.tsv", "nodes.tsv"
UNSEEN_FILE = "edges_unseen.tsv"
DESCRIPTION_FILE = "construction.json"
EDGE_COLUMNS = ("x_id", "y_id", "x_type", "y_type", "rel_type", "relation")
Progress = Callable[[int], None]


@dataclass(frozen=True)
class HypothesisSetRequest:
    """nodes: nodes.tsv of PubTator, for the names of entities; identifiers stand without it."""

    statements: Sequence[Path]
    nodes: Sequence[Path] = ()
    cutoffs: Cutoffs = DEFAULT_CUTOFFS
    seed: int = 0


@dataclass
class HypothesisSet:
    """What was written, in numbers."""

    rows: int = 0
    without_concept: int = 0
    entities: int = 0
    seen_edges: int = 0
    unseen_edges: int = 0
    linked_pairs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    labels: dict[str, dict[str, int]] = field(default_factory=dict)
    sha256: dict[str, str] = field(default_factory=dict)


def make_hypothesis_set(
    request: HypothesisSetRequest,
    folder: Path,
    *,
    memory: int = MEMORY,
    progress: Progress = lambda rows: None,
) -> HypothesisSet:
    """Write the test set, both graphs and a description into the folder.

    Raises DomainError with every fault of the files, and where there is nothing to predict.
    """
    require_order(request.cutoffs)
    files, node_files = find_input_files(request.statements), find_input_files(request.nodes)
    if not files:
        raise DomainError("There is no file of statements to read.", code="empty")
    with (
        created_folder(folder),
        tempfile.TemporaryDirectory(prefix=".unfinished-", dir=folder) as scratch,
    ):
        work = Path(scratch)
        reader = StatementReader(TableSpool(work / "statements"))
        nodes = NodeTable(node_files, reader.faults)
        for rows in reader.read(files):
            progress(rows)
        nodes.check()
        reader.require_no_faults()
        result = _write_files(request, reader, nodes, work, memory)
        _describe(request, result, files + node_files, work)
        for name in (NODES_FILE, SEEN_FILE, UNSEEN_FILE, TEST_FILE, DESCRIPTION_FILE):
            (work / name).replace(folder / name)
    return result


@contextmanager
def created_folder(folder: Path) -> Iterator[None]:
    """After an error, the folders that were made for it and are still empty are removed."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    with ExitStack() as removals:
        for one in reversed(missing):
            one.mkdir(exist_ok=True)
            removals.callback(_remove_if_empty, one)
        yield
        removals.pop_all()


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def require_order(cutoffs: Cutoffs) -> None:
    if not 0 < cutoffs.seen_until < cutoffs.unseen_from:
        message = "The last seen PMID must be below the first unseen one."
        raise DomainError(message, code="cutoffs")


def _write_files(
    request: HypothesisSetRequest,
    reader: StatementReader,
    nodes: NodeTable,
    work: Path,
    memory: int,
) -> HypothesisSet:
    names, places = reader.entities.ranks()
    reader.entities.numbers.clear()
    linked = work / "linked"
    with linked.open("wb") as file:
        pairs = PairPass(names, request.cutoffs, file)
        parts = pairs.run(sort_statements(reader.spool, places, work, memory))
        seen_entities = write_graphs(work, parts)
    if not pairs.hypotheses:
        raise DomainError(
            "No pair of a gene with a chemical, disease or gene is new and in two unseen articles. "
            "Check the cut-offs and relations.",
            code="no_hypotheses",
        )
    hypotheses = pairs.hypotheses + list(_negatives(pairs, linked, request.seed))
    labels = nodes.names_of({end for one in hypotheses for end in (one.x, one.y)})
    write_hypotheses(work / TEST_FILE, hypotheses, labels)
    write_nodes(work / NODES_FILE, nodes, seen_entities)
    return HypothesisSet(
        rows=reader.rows,
        without_concept=reader.without_concept,
        entities=len(names),
        seen_edges=pairs.counts.seen_edges,
        unseen_edges=pairs.counts.unseen_edges,
        linked_pairs=pairs.counts.linked_pairs,
        outcomes=pairs.counts.outcomes,
        labels=count_labels(hypotheses),
    )


def _negatives(pairs: PairPass, linked: Path, seed: int) -> Iterator[Hypothesis]:
    keys = np.memmap(linked, np.uint64, "r")
    counts = count_labels(pairs.hypotheses)
    for kinds in LABELS:
        if labels := counts.get(relation_type(*kinds)):
            count = sum(labels.values()) // len(labels)
            yield from draw_non_links(pairs.names, kinds, keys, count, seed)


def relation_type(x_kind: str, y_kind: str) -> str:
    return f"{x_kind} & {y_kind}"


def count_labels(hypotheses: Iterable[Hypothesis]) -> dict[str, dict[str, int]]:
    """By relation type and label, both sorted."""
    counts: dict[str, Counter[str]] = {}
    for one in hypotheses:
        type_ = relation_type(kind_of(one.x), kind_of(one.y))
        counts.setdefault(type_, Counter())[one.label] += 1
    return {type_: dict(sorted(counts[type_].items())) for type_ in sorted(counts)}


def write_graphs(folder: Path, parts: Iterator[EdgeParts]) -> set[str]:
    """Both graphs as the importer reads them; returns the entities of the seen one.

    The unseen graph has its date in another column, by which the importer leaves it out beside
    the seen one.
    """
    entities: set[str] = set()
    with (
        (folder / SEEN_FILE).open("w", newline="") as seen_file,
        (folder / UNSEEN_FILE).open("w", newline="") as unseen_file,
    ):
        seen_rows, unseen_rows = (
            csv.writer(file, delimiter="\t", lineterminator="\n")
            for file in (seen_file, unseen_file)
        )
        seen_rows.writerow((*EDGE_COLUMNS, FIRST_SEEN, "articles", PMIDS))
        unseen_rows.writerow((*EDGE_COLUMNS, FIRST_UNSEEN, "articles", PMIDS))
        for part in parts:
            for edge in part.seen_edges:
                seen_rows.writerow(edge_cells(edge))
                entities.update((edge.x, edge.y))
            unseen_rows.writerows(map(edge_cells, part.unseen_edges))
    return entities


def edge_cells(edge: DatedEdge) -> tuple[str | int, ...]:
    kinds = kind_of(edge.x), kind_of(edge.y)
    pmids: list[int] = edge.pmids.tolist()
    listed = "|".join(map(str, pmids))
    ends = (edge.x, edge.y, *kinds, relation_type(*kinds))
    return (*ends, edge.relation, pmids[0], len(pmids), listed)


def write_hypotheses(
    path: Path, hypotheses: Sequence[Hypothesis], names: Mapping[str, str]
) -> None:
    labels = count_labels(hypotheses)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("\t".join(SOURCE_FIELDS) + "\n")
        for one in sorted(hypotheses, key=lambda one: (one.x, one.y)):
            kinds = kind_of(one.x), kind_of(one.y)
            type_ = relation_type(*kinds)
            question = phrase_question(one, names, sorted({*labels[type_], NO_RELATION}))
            file.write("\t".join((one.x, one.y, *kinds, type_, one.label, question)) + "\n")


def phrase_question(one: Hypothesis, names: Mapping[str, str], labels: Sequence[str]) -> str:
    x, y = (_mention(end, names.get(end, "")) for end in (one.x, one.y))
    return f"Which relation between {x} and {y} may be found? Choose one of {', '.join(labels)}."


def _mention(entity: str, name: str) -> str:
    kind, _, identifier = entity.partition("|")
    return f"{kind} {name} ({identifier})" if name else f"{kind} {identifier}"


def _describe(
    request: HypothesisSetRequest, result: HypothesisSet, files: Sequence[InputFile], work: Path
) -> None:
    """Everything that the other files follow from, without paths or times."""
    result.sha256 = {
        name: digest(work / name) for name in (NODES_FILE, SEEN_FILE, UNSEEN_FILE, TEST_FILE)
    }
    source = {file.name: digest(file.path) for file in files}
    body = {
        "cutoffs": asdict(request.cutoffs),
        "min_articles": MIN_ARTICLES,
        "seed": request.seed,
        "source_sha256": source,
        **vars(result),
    }
    text = json.dumps(body, indent=1, sort_keys=True) + "\n"
    (work / DESCRIPTION_FILE).write_text(text, encoding="utf-8")


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
