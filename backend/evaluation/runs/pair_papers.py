"""The papers about a pair of entities, as they were known at the cut-off."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.embedders import load_embedder
from backend.evaluation.paper_vectors import search_by_meaning
from backend.evaluation.runs.context_request import ContextRequest, ContextSource
from backend.graphs.literature.cutoff import Cutoff, cutoff_of_number
from backend.graphs.literature.paper_index import get_index
from backend.graphs.literature.paper_search import PAIR_PAPERS, papers_about_pair
from backend.graphs.models import Collection
from backend.tracks.model_tasks import Passage, TaskContext
from backend.tracks.text_vectors import installed_embedder


def default_collection() -> Collection | None:
    """The public one with most papers; the first by name of equally large ones."""
    return Collection.objects.ready().filter(is_public=True).order_by("-papers", "name").first()


def count_left_out(request: ContextRequest) -> dict[str, Any]:
    """How many papers of the collection are in no prompt: nobody can place those without a PMID (or
    date, by the unit of the cut-off) before it, and later ones come after it. None without one."""
    source = PairPapers(request)
    dates, cutoff = get_index(source.collection).dates, source.cutoff
    every = np.arange(len(dates.pmids))
    counted = {"collection": source.collection.name, "papers": len(every)}
    if cutoff is None:
        return {**counted, "undated": None, "later": None}
    undated = int(dates.undated(cutoff, every).sum())
    admitted = int(dates.admitted(cutoff, every).sum())
    return {**counted, "undated": undated, "later": len(every) - undated - admitted}


class PairPapers(ContextSource):
    """Pairs are searched by the names of their entities in the release's graph, else by what
    follows the bar of their identifiers."""

    @classmethod
    def find_missing(cls, request: ContextRequest) -> str:
        if request.settings.paper_ranker == "hybrid" and not installed_embedder():
            return "The optional encoder for hybrid search is not installed. Choose bm25."
        if cls.find_collection(request) is not None:
            return ""
        return "There is no public collection of papers. Import one first."

    @staticmethod
    def find_collection(request: ContextRequest) -> Collection | None:
        slug = request.settings.papers
        if not slug:
            return default_collection()
        return Collection.objects.ready().filter(slug=slug, is_public=True).first()

    def add_to(self, context: TaskContext, item: Any) -> TaskContext:
        return replace(context, papers=self._papers(item.x_id, item.y_id))

    def _papers(self, first: str, second: str) -> Sequence[Passage]:
        names = [self._name(one) for one in (first, second)]
        if self.request.settings.paper_ranker == "bm25":
            return tuple(papers_about_pair(self.collection, names[0], names[1], self.cutoff))
        query, embedder = " ".join(names), load_embedder(installed_embedder())
        papers = search_by_meaning(self.collection, query, PAIR_PAPERS, embedder, self.cutoff)
        return tuple(Passage(one.key, one.title, one.abstract) for one in papers)

    def _name(self, identifier: str) -> str:
        number = -1 if self.graph is None else self.graph.find_number(identifier)
        if self.graph is None or number < 0:
            return identifier.rpartition("|")[2]
        return self.graph.snapshot.entity_summary(number).name

    @cached_property
    def collection(self) -> Collection:
        collection = self.find_collection(self.request)
        assert collection is not None
        return collection

    @cached_property
    def graph(self) -> SnapshotGraph | None:
        version = self.request.version
        return None if version is None else SnapshotGraph(version)

    @cached_property
    def cutoff(self) -> Cutoff | None:
        cutoff = self.request.cutoff
        return None if cutoff is None else cutoff_of_number(cutoff, self.request.date_unit)
