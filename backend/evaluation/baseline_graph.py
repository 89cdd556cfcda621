"""A release's graph as baselines read it."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.scoring_context import ScoringContext, open_scoring_context
from backend.evaluation.embedders import load_embedder
from backend.evaluation.entity_texts import TextUnit, entity_text
from backend.evaluation.graph_walks import GraphWalks
from backend.evaluation.named_graph import SnapshotNames
from backend.evaluation.text_vectors import compute_vectors, compute_view_vectors
from backend.graphs.entity_lookup import find_entity
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.importers.pubtator.format import make_identifier
from backend.graphs.models import Version
from backend.graphs.search.normalization import normalize
from backend.graphs.search.text_embedding import SAMPLE_SIZE, LocalEmbedder
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.science.bidirectional_csr import BidirectionalCsr, bidirectional_csr
from backend.science.embeddings.undirected_graph import UndirectedGraph, undirected_graph
from backend.science.embeddings.vector_models import propagated_vectors
from backend.science.retrieval.text_pieces import TextPieces
from backend.science.rns.candidates import Candidates
from backend.science.transition.added_entities import AddedTransitions
from backend.science.transition.transition_model import TransitionModel
from backend.tracks.baseline_tasks import Links, Numbers, Vectors
from backend.tracks.metrics import Floats
from backend.tracks.text_vectors import MINILM, installed_embedder

SAMPLE_SEED = 0


class SnapshotGraph(GraphWalks):
    """Implements BaselineGraph. What is expensive is computed when it is read first.

    view: texts have the links and documents of this view. snapshot: what is left of the version,
    in its numbers; walks, links, degrees and vectors are of this alone.
    """

    def __init__(
        self, version: Version, view: GraphView | None = None, snapshot: Snapshot | None = None
    ) -> None:
        super().__init__(snapshot or open_version_snapshot(version))
        self._view = view or self.snapshot
        self.keys = get_entity_keys(version).keys
        self._transitions: AddedTransitions | None = None  # of the last existing set

    @cached_property
    def named(self) -> SnapshotNames:
        return SnapshotNames(self.snapshot)

    def find_number(self, identifier: str) -> int:
        """Also by PubTator's form of an identifier, `Gene|207`, which TruthHypo uses."""
        kind, bar, raw = identifier.partition("|")
        names = [identifier, make_identifier(kind, raw) if bar else None]
        numbers = (find_entity(self.snapshot, name) for name in names if name)
        return next((number for number in numbers if number is not None), -1)

    def links_without(self, pairs: Numbers) -> Links:
        graph = self._undirected(pairs)
        count = graph.entity_count
        values = np.ones(len(graph.neighbours))
        links = csr_array((values, graph.neighbours, graph.offsets), shape=(count, count))
        links.sum_duplicates()
        links.data[:] = 1
        links.setdiag(0)
        links.eliminate_zeros()
        return links

    def relation_degrees(self, relation: str, pairs: Numbers) -> tuple[Numbers, Numbers]:
        side, count = self.snapshot.forward, self.snapshot.entity_count
        number = next((one.number for one in self.snapshot.relations if one.name == relation), None)
        if number is None:
            return np.zeros(count, np.int64), np.zeros(count, np.int64)
        edges = np.flatnonzero(side.relations == number)
        sources = np.searchsorted(side.offsets, edges, "right") - 1
        targets = side.neighbours[edges].astype(np.int64)
        hidden = np.concatenate([pairs @ [count, 1], pairs @ [1, count]])
        is_public = ~np.isin(sources * count + targets, hidden)
        outgoing = np.bincount(sources[is_public], minlength=count)
        return outgoing, np.bincount(targets[is_public], minlength=count)

    def propagation_vectors(
        self,
        pairs: Numbers,
        seed: int,
        stop: CancellationToken | None = None,
        checkpoint: Path | None = None,
    ) -> Vectors:
        return propagated_vectors(self._undirected(pairs), None, seed, stop, checkpoint)

    def _undirected(self, pairs: Numbers) -> UndirectedGraph:
        return undirected_graph(self.snapshot.forward, self.snapshot.reverse, without=pairs)

    @cached_property
    def steps(self) -> BidirectionalCsr:
        return bidirectional_csr(self.snapshot.forward, self.snapshot.reverse)

    @cached_property
    def relation_names(self) -> Sequence[str]:
        return [one.name for one in self.snapshot.relations]

    @property
    def types(self) -> NDArray[np.integer[Any]]:
        return self.snapshot.type_of

    def type_name(self, number: int) -> str:
        return self.snapshot.types[int(self.snapshot.type_of[number])]

    def identifier(self, number: int) -> str:
        return self.snapshot.entity_summary(number).id

    @cached_property
    def transition_model(self) -> TransitionModel:
        return TransitionModel.of(self.snapshot.forward, self.snapshot.reverse)

    def rns_candidates(self, existing: Sequence[int], added: Sequence[int]) -> Candidates:
        context = self._scoring_context
        if self._transitions is None or self._transitions.existing != tuple(existing):
            self._transitions = AddedTransitions(context.model, existing)
        return context.candidates([*existing, *added], self._transitions.among(added))

    @cached_property
    def _scoring_context(self) -> ScoringContext:
        return open_scoring_context(self.snapshot, RnsOptions())

    def texts(self) -> Sequence[str]:
        return self._texts

    @cached_property
    def _texts(self) -> Sequence[str]:
        return [entity_text(self._view, entity) for entity in self._view.entities()]

    def meaning_scores(self, queries: Sequence[str], *, is_chunked: bool) -> Iterator[Floats]:
        """Raises PlatformFault if no embedder is installed."""
        pieces = self.meaning_pieces(is_chunked=is_chunked)
        for query in queries:
            yield pieces.best_products(self.meaning_vectors([query])[0])

    def meaning_pieces(self, *, is_chunked: bool) -> TextPieces:
        """Raises PlatformFault if no embedder is installed."""
        embedder = load_embedder(installed_embedder() or MINILM)
        unit: TextUnit = "chunk" if is_chunked else "document"
        if self._view is self.snapshot:
            return compute_vectors(self.snapshot, embedder, unit)
        # Those that are stored have all documents.
        return compute_view_vectors(self._view, embedder, unit)

    def meaning_vectors(self, queries: Sequence[str]) -> Vectors:
        return load_embedder(installed_embedder() or MINILM).embed(queries)

    def text_vectors(self, queries: Sequence[str]) -> tuple[Vectors, Vectors]:
        """By latent semantic analysis of a sample of the texts."""
        embedder, vectors = self._text_embedding
        return vectors, embedder.embed([normalize(query, None) for query in queries])

    @cached_property
    def _text_embedding(self) -> tuple[LocalEmbedder, Vectors]:
        texts = [normalize(text, None) for text in self._texts]
        size = min(SAMPLE_SIZE, len(texts))
        sample = np.random.default_rng(SAMPLE_SEED).choice(len(texts), size=size, replace=False)
        embedder = LocalEmbedder.fit([texts[at] for at in np.sort(sample).tolist()])
        return embedder, embedder.embed(texts)
