"""Unjudged answers as questions of a study: the query, the candidate, its documents and edges.

Nothing here names an entry or a model: the experts judge answers, not who gave them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

from pydantic import TypeAdapter

from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.models import Item, Release
from backend.benchmarks.release_graph_lookup import get_release_graph_or_raise
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise
from backend.common.errors import Conflict
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.graph_view import GraphView

CLAIMS, RATINGS = "claims", "ratings"
STUDY_KINDS = (CLAIMS, RATINGS)
SCALE = "correctness"
MAX_TEXT, MAX_SECTION, MAX_DETAILS, MAX_NAME = 9_000, 20_000, 9_000, 1_000
MAX_SECTIONS, MAX_EDGES, MAX_READ = 20, 60, 3_000


class UnjudgedAnswer(Protocol):
    """item: its primary key."""

    @property
    def item_id(self) -> int: ...
    @property
    def answer(self) -> int | str: ...


@dataclass(frozen=True)
class Candidate:
    """An answer with what the release's graph contains about it; only a name without an entity."""

    answer: int | str
    name: str
    type: str = ""
    documents: Sequence[Mapping[str, str]] = ()
    edges: Sequence[Mapping[str, str]] = ()

    @property
    def title(self) -> str:
        return f"{self.name} ({self.type})" if self.type else self.name


@dataclass
class AnswerCatalogue:
    """Finds the entities of answers in the graph that each item is scored on."""

    release: Release
    _numbers: dict[int, dict[int | str, int]] = field(default_factory=dict)

    def describe(self, answer: int | str, method: str, question: str) -> Candidate:
        """method: of the masked graph that the item is about; empty for the full graph."""
        version = self._version(method)
        number = None if version is None else self.find_number(version, answer)
        if version is None or number is None:
            return Candidate(answer, str(answer)[:MAX_NAME])
        view = open_version_snapshot(version)
        entity = view.entity_summary(number)
        return Candidate(
            answer,
            entity.name[:MAX_NAME] or str(answer),
            entity.type,
            list(list_documents(view, number)),
            list_edges(view, number, question),
        )

    def name(self, answer: int | str) -> str:
        """Without its evidence; the answer itself where the graph lacks it."""
        version = self.release.graph_version
        number = None if version is None else self.find_number(version, answer)
        if version is None or number is None:
            return str(answer)
        return open_version_snapshot(version).entity_summary(number).name or str(answer)

    def find_number(self, version: Version, answer: int | str) -> int | None:
        if version.pk not in self._numbers:
            keys = enumerate(get_entity_keys(version).keys)
            self._numbers[version.pk] = {key: at for at, key in keys if key is not None}
        number = self._numbers[version.pk].get(answer)
        if number is not None:
            return number
        return open_version_snapshot(version).find_number(str(answer))

    def _version(self, method: str) -> Version | None:
        if method:
            return get_release_graph_or_raise(self.release, method).version
        return self.release.graph_version


def list_documents(view: GraphView, number: int) -> Iterator[Mapping[str, str]]:
    name = view.entity_summary(number).name
    for at, section in enumerate(view.document(number)[:MAX_SECTIONS]):
        if section.text.strip():
            yield {
                "id": f"document-{at + 1}",
                "title": (f"{name}: {section.title}" if section.title else name)[:MAX_NAME],
                "text": section.text[:MAX_SECTION],
                "source": section.source[:MAX_NAME],
            }


def list_edges(view: GraphView, number: int, question: str) -> list[Mapping[str, str]]:
    """Those whose other entity the question names come first."""
    pages = [view.neighbours(number, outgoing=side, limit=MAX_READ) for side in (True, False)]
    edges = dict.fromkeys(chain.from_iterable(page.edges.tolist() for page in pages))
    words = question.casefold()
    rows = [describe_edge(view, edge) for edge in edges]
    own = view.entity_summary(number).name

    def is_named(row: Mapping[str, str]) -> bool:
        other = row["target"] if row["source"] == own else row["source"]
        return other.casefold() in words

    return sorted(rows, key=lambda row: not is_named(row))[:MAX_EDGES]


def describe_edge(view: GraphView, edge: int) -> Mapping[str, str]:
    record = view.edge(edge)
    ends = (view.entity_summary(end) for end in (record.source, record.target))
    source, target = (end.name[:MAX_NAME] or end.id for end in ends)
    return {
        "source": source,
        "relation": view.relations[record.relation].forward or "is linked to",
        "target": target,
        "origin": record.evidence[:MAX_NAME],
    }


def build_questions(
    release: Release, rows: Sequence[UnjudgedAnswer], kind: str
) -> list[dict[str, Any]]:
    """Entries of a questionnaire of the study kind, numbered from 1 in this order."""
    track, catalogue = get_pooled_track_or_raise(release.track), AnswerCatalogue(release)
    items = Item.objects.in_bulk([row.item_id for row in rows])
    schema: TypeAdapter[Any] = TypeAdapter(track.item_schema)
    entries = []
    for number, row in enumerate(rows, start=1):
        item = schema.validate_python(items[row.item_id].content)
        question = track.question_text(item)
        candidate = catalogue.describe(row.answer, track.masked_by(item), question)
        entries.append(
            {
                "question_number": number,
                "qid": number,
                "category": candidate.type,
                "text": f"{candidate.title} is a correct answer to: {question}"[:MAX_TEXT],
                **(claim_fields(candidate) if kind == CLAIMS else rating_fields(candidate)),
            }
        )
    return entries


def claim_fields(candidate: Candidate) -> dict[str, Any]:
    return {
        "documents": list(candidate.documents),
        "edges": list(candidate.edges),
        "because": "optional",
    }


def rating_fields(candidate: Candidate) -> dict[str, Any]:
    texts = [f"{one['title']}\n{one['text']}" for one in candidate.documents]
    edges = (f"{one['source']} {one['relation']} {one['target']}." for one in candidate.edges)
    return {
        "details": "\n\n".join([*texts, "\n".join(edges)]).strip()[:MAX_DETAILS],
        "scales": [
            {
                "name": SCALE,
                "question": "How well does the candidate satisfy every part of the question?",
                "low": "It is not an answer.",
                "high": "It is an answer.",
            }
        ],
    }


def require_study_kind(name: str) -> None:
    if name not in STUDY_KINDS:
        known = " or ".join(STUDY_KINDS)
        raise Conflict(f"Unjudged answers are judged as {known}.", code="unknown_kind")
