"""What a baseline gets: the items, the public answers of the dev split, and the graph.

A folder of a track with baselines has a module `baselines` with a mapping BASELINES from their
names to functions, which need more packages than the track itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from backend.runtime.cancellation import CancellationToken
from backend.tracks.named_graphs import NamedGraph

if TYPE_CHECKING:  # whoever only checks files of predictions has no scipy
    from scipy.sparse import csr_array

    from backend.science.bidirectional_csr import BidirectionalCsr
    from backend.science.retrieval.text_pieces import TextPieces
    from backend.science.rns.candidates import Candidates
    from backend.science.transition.transition_model import TransitionModel

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Prediction = TypeVar("Prediction")
Vectors = NDArray[np.float32]
Numbers = NDArray[np.int64]
Scores = NDArray[np.float64]
Links: TypeAlias = "csr_array[np.float64, tuple[int, int]]"


class BaselineGraph(Protocol):
    """The release's graph, whose V entities have numbers from 0. Pairs are numbers [n, 2]."""

    @property
    def keys(self) -> Sequence[int | str | None]:
        """How predictions name each entity; None if they cannot."""

    @property
    def named(self) -> NamedGraph:
        """Its entities and relations by name."""

    def find_number(self, identifier: str) -> int:
        """-1 for an entity that the graph does not have."""

    def reach(self, start: int, metapath: str, *, by_relation: bool) -> Numbers:
        """Entities at the end of a metapath without its start, over most paths first.

        metapath: a key of types and relations. by_relation: over its relations alone; else over
        any, between its types. Empty if the graph lacks a part of it.
        """

    def names_of(self, numbers: Numbers) -> Sequence[str]:
        """The name of each entity."""

    def links_without(self, pairs: Numbers) -> Links:
        """[V, V]: 1 where an edge joins two entities, in either direction. None joins a pair."""

    def relation_degrees(self, relation: str, pairs: Numbers) -> tuple[Numbers, Numbers]:
        """[V] each: edges of a relation from and to each entity, without those of the pairs."""

    def propagation_vectors(
        self,
        pairs: Numbers,
        seed: int,
        stop: CancellationToken | None = None,
        checkpoint: Path | None = None,
    ) -> Vectors:
        """[V, d], of length 1 or 0, from the links without those of the pairs.

        checkpoint: a folder, from which an interrupted computation goes on. Raises Cancelled.
        """

    @property
    def steps(self) -> "BidirectionalCsr":
        """The edges as they are, walked both ways."""

    @property
    def relation_names(self) -> Sequence[str]:
        """By the relation numbers of the steps."""

    @property
    def types(self) -> NDArray[np.integer[Any]]:
        """The number of each entity's type, [V]."""

    def type_name(self, number: int) -> str: ...

    def identifier(self, number: int) -> str:
        """The graph's own."""

    @property
    def transition_model(self) -> "TransitionModel":
        """Of walks over all edges in both directions."""

    def rns_candidates(self, existing: Sequence[int], added: Sequence[int]) -> "Candidates":
        """What RNS of each added entity is computed from (`score_added`), with the default
        options. Transitions between two added entities may be 0.
        """

    def texts(self) -> Sequence[str]:
        """Of each entity: its names, its document, and a line for each relation."""

    def text_vectors(self, queries: Sequence[str]) -> tuple[Vectors, Vectors]:
        """Of the texts [V, d] and of queries [n, d], of length 1 or 0."""

    def meaning_scores(self, queries: Sequence[str], *, is_chunked: bool) -> Iterator[Scores]:
        """[V] for each query: the cosine of its vector with that of each text, by the installed
        sentence encoder. is_chunked: with the most similar piece of the text.
        """

    def meaning_pieces(self, *, is_chunked: bool) -> "TextPieces":
        """What `meaning_scores` compares with: vectors of each text, or of its pieces."""

    def meaning_vectors(self, queries: Sequence[str]) -> Vectors:
        """[n, d], of length 1, by the installed sentence encoder."""


@dataclass(frozen=True)
class BaselineTask(Generic[Item, Answer]):
    """Items to predict. The dev split, whose answers are public, is empty if there is none.

    all_items: of all splits, which have no answers. graph: None if the release has none.
    checkpoint: a folder, from which an interrupted training goes on. models: a folder in which
    trained models are stored, to be used again for the same input. scores: of all items by id, of
    each function that computed them for a split; tasks of the same graph and seed share them.
    """

    items: Sequence[Item]
    all_items: Sequence[Item]
    dev_items: Sequence[Item]
    dev_answers: Sequence[Answer]
    graph: BaselineGraph | None
    seed: int
    checkpoint: Path | None = None
    models: Path | None = None
    stop: CancellationToken | None = None
    scores: dict[object, dict[str, float]] = field(default_factory=dict)

    def graph_or_raise(self) -> BaselineGraph:
        if self.graph is None:
            raise NoGraph
        return self.graph


class NoGraph(Exception):
    """The baseline needs a graph, and the release has none."""


class TooFewQuestions(Exception):
    """The dev split has too few questions, with an answer in the graph, to train a model on."""


Baseline = Callable[[BaselineTask[Item, Answer]], Iterable[Prediction]]
Card = Mapping[str, Any]
# Trains a model on the dev split and stores it: its data, settings and metrics on the dev split.
Training = Callable[[BaselineTask[Item, Answer]], Card]
