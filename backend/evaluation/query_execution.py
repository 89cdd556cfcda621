"""Runs the Cypher queries of a submission on the release's graph, before its track scores them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, Self

from django.conf import settings

from backend.benchmarks.models import Release
from backend.benchmarks.release_graph_lookup import queried_version
from backend.benchmarks.release_questions import read_pattern
from backend.common.errors import DomainError
from backend.evaluation.named_graph import name_finder
from backend.evaluation.query_answers import answers_of_result, returns_nothing
from backend.graphs.cypher.dialect import Dialect, NamesByType
from backend.graphs.cypher.errors import (
    DatabaseNotBuilt,
    DatabaseNotOpened,
    InvalidQuery,
    QueryLimitExceeded,
    ResultTooLarge,
)
from backend.graphs.cypher.query_runner import QueryLimits
from backend.graphs.cypher.query_session import QuerySession
from backend.graphs.cypher_service import build_scoring_database
from backend.graphs.entity_lookup import (
    find_entity,
    find_identifiers,
    is_any_known,
)
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.snapshot import Snapshot
from backend.jobs.faults import PlatformFault
from backend.runtime.normal_form import normalize_name
from backend.runtime.stopwatch import Stopwatch
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import IdentifierFinder, NameFinder

MOST_ROWS = 20_000  # and identifiers, as of a list of answers
MOST_RESULT_BYTES = 5_000_000


class FailureKind(StrEnum):
    """Why a query was not executed, or what it lacks."""

    REFUSED = "refused"  # it does more than read the graph
    INVALID = "invalid"
    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    CRASHED = "crashed"
    OUT_OF_TIME = "out_of_time"  # the queries before it took all the time of the file
    NO_ENTITY = "no_entity"  # it was executed: a hint, and no failure
    NOTHING = "nothing"  # likewise


HINTS: Mapping[FailureKind, str] = {
    FailureKind.NO_ENTITY: (
        "The query ran and counts as executed, but it returns no identifier of an entity. "
        "Return identifiers, such as n.id; names are no answers."
    ),
    FailureKind.NOTHING: (
        "The query ran and counts as executed, but it returned nothing: no match was found."
    ),
}

KINDS: Mapping[str, FailureKind] = {
    "cypher_refused": FailureKind.REFUSED,
    "cypher_wrong": FailureKind.INVALID,
    "cypher_time": FailureKind.TIME,
    "cypher_memory": FailureKind.MEMORY,
    "cypher_answer_too_large": FailureKind.OUTPUT,
    "cypher_failed": FailureKind.CRASHED,
}


@dataclass(frozen=True)
class QueryFailure:
    """key: of the item, as the release has it."""

    key: str
    kind: FailureKind
    message: str

    def as_json(self) -> dict[str, str]:
        return {"item": self.key, "kind": self.kind.value, "message": self.message}


@dataclass
class QueryReport:
    """What became of the queries of a file; also those that ran without naming an entity."""

    queries: int = 0
    failures: list[QueryFailure] = field(default_factory=list)


def query_limits() -> QueryLimits:
    return QueryLimits(
        seconds=settings.CYPHER_SECONDS,
        memory_bytes=settings.CYPHER_MEMORY_MIB << 20,
        max_rows=MOST_ROWS,
        max_result_bytes=MOST_RESULT_BYTES,
    )


class QueryExecution:
    """A context manager that runs the queries of one file, with one process for each graph.

    The time limit of a file is of its queries and of finding the entities that they name; loading
    graphs into the engine counts nothing.
    """

    def __init__(self, release: Release, track: AnyTrack, answers: Mapping[Hashable, Any]) -> None:
        """answers: of the items by key; of them only what names in questions stand for is read."""
        self._release, self._track, self._answers = release, track, answers
        self._graphs: dict[str, _QueriedGraph] = {}
        self._stack = ExitStack()
        self._watch = Stopwatch()
        self.report = QueryReport()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def execute(self, items: Sequence[Any], predictions: Sequence[Any]) -> Sequence[Any]:
        """The predictions, with the output in place of each query, and each entity once."""
        return list(self._execute(items, predictions))

    def _execute(self, items: Sequence[Any], predictions: Sequence[Any]) -> Iterator[Any]:
        for item, prediction in zip(items, predictions, strict=True):
            query = self._track.query_of(prediction)
            if query is None:
                yield self._merge_spellings(item, prediction)
            else:
                self.report.queries += 1
                output = self._track.with_output(prediction, self._run(item, query))
                with self._watch.count():
                    merged = self._merge_spellings(item, output)
                yield merged

    @cached_property
    def _find_names(self) -> NameFinder:
        return name_finder(self._graph_version)

    @cached_property
    def _find_identifiers(self) -> IdentifierFinder:
        """Opened once for a file: each opening looks at every file of the graph."""
        return partial(find_identifiers, open_version_snapshot(self._graph_version))

    @property
    def _graph_version(self) -> Version:
        if self._release.graph_version is None:
            raise DomainError("This release has no graph.", code="release_without_graph")
        return self._release.graph_version

    def _merge_spellings(self, item: Any, prediction: Any) -> Any:
        if self._release.graph_version is None:
            return prediction
        if self._track.merges_names:
            return self._track.resolve_names(prediction, self._find_names)
        answer = self._answers[self._track.key(item)]
        return self._track.merge_spellings(prediction, answer, self._find_identifiers)

    def _run(self, item: Any, query: str) -> tuple[str, ...] | None:
        key = self._track.key_text(item)
        if self._seconds > settings.CYPHER_FILE_SECONDS:
            minutes = settings.CYPHER_FILE_SECONDS // 60
            message = f"The queries before it took the {minutes} minutes that a file may take."
            self.report.failures.append(QueryFailure(key, FailureKind.OUT_OF_TIME, message))
            return None
        try:
            graph = self._graph_of(item)
            output = graph.run(query, self._answers[self._track.key(item)])
            if (hint := graph.find_hint(output)) is not None:
                self.report.failures.append(QueryFailure(key, hint, HINTS[hint]))
            return output.answers
        except (InvalidQuery, QueryLimitExceeded, ResultTooLarge) as error:
            kind = KINDS.get(error.code, FailureKind.CRASHED)
            self.report.failures.append(QueryFailure(key, kind, error.detail))
            return None
        except (DatabaseNotBuilt, DatabaseNotOpened) as error:
            raise PlatformFault("query_engine", error.detail, is_retried=True) from error

    @property
    def _seconds(self) -> float:
        return self._watch.seconds + sum(graph.seconds for graph in self._graphs.values())

    def _graph_of(self, item: Any) -> "_QueriedGraph":
        method = self._track.masked_by(item)
        if method not in self._graphs:
            graph = _QueriedGraph(self._track, self._version(method), self._release.cutoff)
            self._graphs[method] = graph
            self._stack.callback(graph.close)
        return self._graphs[method]

    def _version(self, method: str) -> Version:
        version = queried_version(self._release, method)
        if version is None:
            raise DomainError("This release has no graph.", code="release_without_graph")
        return version


@dataclass(frozen=True)
class _Output:
    answers: tuple[str, ...]
    is_empty: bool


class _QueriedGraph:
    def __init__(self, track: AnyTrack, version: Version, until: int | None) -> None:
        self._track, self._until = track, until
        self._snapshot = open_version_snapshot(version)
        self._dialect = Dialect(self._snapshot)
        self._limits = query_limits()
        self._watch = Stopwatch()

    @property
    def seconds(self) -> float:
        queries = self._session.watch.seconds if "_session" in self.__dict__ else 0.0
        return queries + self._watch.seconds

    @cached_property
    def _session(self) -> QuerySession:
        return QuerySession(build_scoring_database(self._snapshot, self._until), self._limits)

    def run(self, query: str, answer: Any) -> _Output:
        names = names_in_question(self._snapshot, self._track.graph_query(answer))
        try:
            result = self._session.run(query, lambda text: self._dialect.translate(text, names))
        except InvalidQuery as error:
            raise self._dialect.explain(query, error) from error
        with self._watch.count():
            answers = None if result.capped else answers_of_result(result, MOST_ROWS)
        if answers is None:
            message = (
                f"The query returns more than {MOST_ROWS:,} rows or identifiers, or more than "
                f"{MOST_RESULT_BYTES:,} bytes."
            )
            raise ResultTooLarge(message)
        return _Output(answers, returns_nothing(result))

    def find_hint(self, output: _Output) -> FailureKind | None:
        if output.is_empty:
            return FailureKind.NOTHING
        with self._watch.count():
            is_known = is_any_known(self._snapshot, output.answers)
        return None if is_known else FailureKind.NO_ENTITY

    def close(self) -> None:
        if "_session" in self.__dict__:
            self._session.close()


def names_in_question(snapshot: Snapshot, graph_query: Mapping[str, Any] | None) -> NamesByType:
    """What the named entities of a question are in the graph, by type and name."""
    pattern = None if graph_query is None else read_pattern(graph_query)
    if pattern is None:
        return {}
    named = {
        (normalize_name(node.type), node.name): number
        for node in pattern.nodes
        if not node.is_variable
        and node.name
        and (number := find_entity(snapshot, node.id, [node.type])) is not None
    }
    return {key: snapshot.entity_summary(number).id for key, number in named.items()}
