"""What a model of triples predicts of held-out links: AUCs by kind of negatives, and exact ranks.

Held-out pairs and their replacements are those of `evaluation`, so that models compare with
embeddings. A pair has the relation and the direction of its first edge; its replacement is scored
in the same place.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.science.adjacency import Adjacency
from backend.science.embeddings.evaluation import (
    NEGATIVES,
    LinkTrial,
    Negatives,
    NegativesResult,
    Scores,
    compute_auc,
    draw_trial,
)
from backend.science.embeddings.exact_ranks import RankSummary
from backend.science.embeddings.holdout import DEFAULT_SHARE, hold_out_edges
from backend.science.embeddings.triple_models import (
    TripleModel,
    Triples,
    TripleSettings,
    TripleVectors,
)
from backend.science.embeddings.triple_ranks import rank_triples
from backend.science.embeddings.triple_training import train_triples
from backend.science.embeddings.undirected_graph import (
    Longs,
    Pairs,
    UndirectedGraph,
    undirected_graph,
)

Types = NDArray[np.uint8] | NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class TripleQuality:
    """ranks: of both ends of all held-out triples, without those that the graph has."""

    aucs: list[NegativesResult]
    ranks: RankSummary


@dataclass(frozen=True)
class TripleTrial:
    """Triples of a graph without loops: those to train on, and the held-out ones.

    graph: links without the held-out pairs, for models that know no relations.
    """

    trial: LinkTrial
    graph: UndirectedGraph
    types: Types
    relation_count: int
    training: Triples
    tested: Triples

    @classmethod
    def draw(
        cls,
        forward: Adjacency,
        reverse: Adjacency,
        types: Types,
        *,
        seed: int,
        share: float = DEFAULT_SHARE,
    ) -> "TripleTrial":
        """Raises ValueError for a share outside 0 to 1."""
        held_out = hold_out_edges(forward, reverse, seed=seed, share=share)
        graph = undirected_graph(forward, reverse, without=held_out)
        trial = draw_trial(forward, reverse, types, graph, held_out, seed=seed)
        count = forward.entity_count
        heads = np.repeat(np.arange(count), np.diff(forward.offsets))
        every = Triples(
            heads, forward.relations.astype(np.int64), forward.neighbours.astype(np.int64)
        )
        every = every.at(np.flatnonzero(every.heads != every.tails))
        keys = unordered_keys(np.stack([every.heads, every.tails], axis=1), count)
        is_hidden = np.isin(keys, unordered_keys(held_out, count))
        relations = int(every.relations.max(initial=0)) + 1
        training, tested = (every.at(np.flatnonzero(one)) for one in (~is_hidden, is_hidden))
        return cls(trial, graph, types, relations, training, tested)

    def measure(
        self,
        model: TripleModel,
        settings: TripleSettings,
        *,
        uses_types: bool = True,
        stop: CancellationToken | None = None,
    ) -> TripleQuality:
        """uses_types: replaced ends in the training are of the type of what they replace."""
        types = self.types if uses_types else np.zeros_like(self.types)
        vectors = train_triples(
            model, self.training, types, self.relation_count, settings, stop=stop
        )
        both = zip(self.training, self.tested, strict=True)
        every = Triples(*(np.concatenate(pair) for pair in both))
        ranks = RankSummary.of(rank_triples(vectors, self.tested, every, stop=stop))
        return TripleQuality([self.compare(vectors, name) for name in NEGATIVES], ranks)

    def compare(self, vectors: TripleVectors, name: Negatives) -> NegativesResult:
        replaced = self.trial.replacements[name]
        places = np.flatnonzero(replaced >= 0)
        fixed, true = self.trial.pairs[places].T
        first, is_forward = self.first_edges()
        relations, is_head = self.tested.relations[first[places]], is_forward[places]

        def score(ends: Longs) -> Scores:
            heads, tails = np.where(is_head, fixed, ends), np.where(is_head, ends, fixed)
            scores: Scores = vectors.scores(Triples(heads, relations, tails)).astype(np.float64)
            return scores

        def product(ends: Longs) -> Scores:
            scores: Scores = self.trial.degrees[fixed] * self.trial.degrees[ends].astype(np.float64)
            return scores

        aucs = (compute_auc(by(true), by(replaced[places])) for by in (score, product))
        return NegativesResult(name, len(places), len(replaced) - len(places), *aucs)

    def first_edges(self) -> tuple[Longs, NDArray[np.bool_]]:
        """The place in `tested` of an edge of each pair, and whether it starts at the fixed end."""
        count = len(self.trial.degrees)
        keys = unordered_keys(np.stack([self.tested.heads, self.tested.tails], axis=1), count)
        known, first = np.unique(keys, return_index=True)
        places = first[np.searchsorted(known, unordered_keys(self.trial.pairs, count))]
        return places, self.tested.heads[places] == self.trial.pairs[:, 0]


def unordered_keys(pairs: Pairs, count: int) -> Longs:
    """Of each pair in either order, one number."""
    keys: Longs = pairs.min(axis=1) * count + pairs.max(axis=1)
    return keys
