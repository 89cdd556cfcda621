"""What a verdict on a claim may rest on: papers and edges, nothing later than the cut-off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest

import numpy as np

from backend.evaluation.grounding.linking import LinkedMention, Linker, open_linker
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.literature.cutoff import Cutoff, cutoff_of_number
from backend.graphs.literature.paper_search import search_papers
from backend.graphs.models import Collection, Paper, Version
from backend.graphs.snapshots.dated_view import DatedView, get_edge_dates
from backend.graphs.snapshots.records import EdgeRecord
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.sentences import split_sentences
from backend.tracks.grounding_verdicts import (
    MOST_CONTEXT_EDGES,
    MOST_CONTEXT_PAPERS,
    ClaimContext,
    ContextEdge,
    ContextPaper,
    EvidenceSource,
    Mention,
    NamedEntity,
)

MOST_ENTITIES = 20  # of a claim whose edges are read
MOST_NAMES = 50  # of an entity that are compared with sentences
MOST_SENTENCES = 60  # of a paper
MOST_PUBLICATIONS = 5  # of an edge


@dataclass(frozen=True, slots=True)
class LinkedContext:
    """mentions: of the claim, as the linker returned them."""

    mentions: Sequence[LinkedMention]
    context: ClaimContext


@dataclass(frozen=True)
class Knowledge:
    """A graph, and papers if there are any, as they were known at the cut-off: a PMID or a year by
    the unit of the graph's dates. Later edges and papers, and those without a date, do not exist
    here."""

    version: Version
    collection: Collection | None = None
    cutoff: int | None = None

    @property
    def sources(self) -> Sequence[EvidenceSource]:
        return [EvidenceSource.GRAPH] if self.collection is None else [*EvidenceSource]

    @cached_property
    def snapshot(self) -> Snapshot:
        return open_version_snapshot(self.version)

    @cached_property
    def view(self) -> Snapshot | DatedView:
        """Raises NoDates."""
        return self.snapshot if self.cutoff is None else DatedView(self.snapshot, self.cutoff)

    @cached_property
    def linker(self) -> Linker:
        return open_linker(self.version)

    @cached_property
    def paper_cutoff(self) -> Cutoff | None:
        return None if self.cutoff is None else cutoff_of_number(self.cutoff, self.date_unit)

    @property
    def date_unit(self) -> str | None:
        dates = get_edge_dates(self.snapshot)
        return None if dates is None else dates.unit

    def find_context(self, claim: str) -> LinkedContext:
        linked = self.linker.link(claim)
        numbers = self._entity_numbers(linked)
        edges = islice(self._edges(numbers), MOST_CONTEXT_EDGES)
        context = ClaimContext(
            [self._mention(one) for one in linked], [*edges], [*self._papers(claim)]
        )
        return LinkedContext(linked, context)

    def read_again(self, papers: Sequence[str], edges: Sequence[int]) -> ClaimContext | None:
        """The context with these papers and edges. None where one of the papers was deleted."""
        stored = Paper.objects.filter(collection=self.collection, key__in=papers)
        by_key = {one.key: one for one in stored}
        if not by_key.keys() >= set(papers):
            return None
        records = map(self.snapshot.edge, edges)
        return ClaimContext(
            edges=[self._describe(one, is_between=False) for one in records],
            papers=[describe_paper(by_key[key]) for key in papers],
        )

    def _entity_numbers(self, linked: Sequence[LinkedMention]) -> list[int]:
        named = dict.fromkeys(name for one in linked for name in entities_of(one))
        numbers = (self.snapshot.find_number(one) for one in named)
        return [one for one in numbers if one is not None][:MOST_ENTITIES]

    def _mention(self, linked: LinkedMention) -> Mention:
        names: tuple[str, ...] = ()
        own = linked.identifier
        number = None if own is None else self.snapshot.find_number(own)
        if number is not None:
            record = self.snapshot.entity(number)
            names = (record.name, *record.synonyms[: MOST_NAMES - 1])
        return Mention(linked.start, linked.end, linked.text, entities_of(linked), names)

    def _edges(self, numbers: Sequence[int]) -> Iterator[ContextEdge]:
        """Those between the entities first, then those around them, each once."""
        known: set[int] = set()
        for is_between, find in ((True, self._between), (False, self._around)):
            for edge in find(numbers):
                if edge not in known:
                    known.add(edge)
                    yield self._describe(self.view.edge(edge), is_between=is_between)

    def _between(self, numbers: Sequence[int]) -> Iterator[int]:
        for number in numbers:
            row = self.view.row(number)
            places = np.flatnonzero(np.isin(row.neighbours, numbers))[:MOST_CONTEXT_EDGES]
            yield from row.edge_ids()[places].tolist()

    def _around(self, numbers: Sequence[int]) -> Iterator[int]:
        """The first of each entity, direction and relation, then the second, and so on."""
        lists = [edges for number in numbers for edges in self._edges_by_relation(number)]
        for several in zip_longest(*lists):
            yield from (one for one in several if one is not None)

    def _edges_by_relation(self, number: int) -> Iterator[list[int]]:
        for outgoing in (True, False):
            row = self.view.row(number, outgoing=outgoing)
            edges = row.edge_ids()
            for relation in np.unique(row.relations):
                places = np.flatnonzero(row.relations == relation)[:MOST_CONTEXT_EDGES]
                yield edges[places].tolist()

    def _describe(self, record: EdgeRecord, *, is_between: bool) -> ContextEdge:
        relation = self.view.relations[record.relation]
        return ContextEdge(
            number=record.edge,
            source=self._named(record.source),
            target=self._named(record.target),
            relation=relation.name,
            forward=relation.forward,
            backward=relation.backward,
            is_symmetric=relation.symmetric,
            is_between=is_between,
            first_seen=record.first_pmid or record.first_year,
            date_source=record.date_source,
            publications=self._publications(record),
        )

    def _publications(self, record: EdgeRecord) -> Sequence[str]:
        """Under a cut-off, none: an early edge may have later publications."""
        return record.publications[:MOST_PUBLICATIONS] if self.cutoff is None else ()

    def _named(self, number: int) -> NamedEntity:
        summary = self.snapshot.entity_summary(number)
        return NamedEntity(summary.id, summary.name, summary.type)

    def _papers(self, claim: str) -> Iterator[ContextPaper]:
        if self.collection is not None:
            results = search_papers(self.collection, claim, MOST_CONTEXT_PAPERS, self.paper_cutoff)
            yield from (describe_paper(one.paper, one.score) for one in results.papers)


def entities_of(linked: LinkedMention) -> tuple[str, ...]:
    """What it was linked to, then what has the same name."""
    own = () if linked.identifier is None else (linked.identifier,)
    return (*own, *linked.alternatives)


def describe_paper(paper: Paper, score: float = 0.0) -> ContextPaper:
    sentences = [one.strip() for one in split_sentences(paper.abstract)]
    return ContextPaper(
        paper.key,
        paper.title,
        paper.date,
        paper.note,
        [paper.title, *sentences[:MOST_SENTENCES]],
        score,
    )
