"""The first entities of a search by words or vectors, which a model puts in order."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.entity_texts import TextUnit, entity_text
from backend.evaluation.runs.context_request import ContextRequest, ContextSource, missing_graph
from backend.evaluation.text_vectors import load_vectors_or_none
from backend.tracks.baseline_tasks import BaselineTask
from backend.tracks.model_tasks import CandidateText, TaskContext
from backend.tracks.stark_baselines import RANKERS, Ranking
from backend.tracks.stark_rerank import MOST_RANKED
from backend.tracks.text_vectors import installed_embedder

BY_WORDS, BY_PIECES = "bm25", "multi-vss"
MOST_IN_A_RUN = 20_000  # entities whose vectors are computed when they are read first


def find_missing_vectors(request: ContextRequest) -> str:
    """Why texts have no vectors, and would not get them within a run; empty if they do."""
    embedder = installed_embedder()
    if not embedder:
        return "The optional encoder for vectors of texts is not installed. Choose bm25."
    unit: TextUnit = "chunk" if request.settings.ranker == BY_PIECES else "document"
    is_small = request.snapshot.entity_count <= MOST_IN_A_RUN
    if is_small or load_vectors_or_none(request.snapshot, embedder, unit) is not None:
        return ""
    return "This graph has no vectors of its texts yet. An administrator can run 'embed_texts'."


class RerankCandidates(ContextSource):
    """Those after the twentieth have no text: models do not see them. Texts, and the search by
    words, have the links that were known at the cut-off."""

    def __init__(self, request: ContextRequest) -> None:
        super().__init__(request)
        self._positions = {one.query_id: at for at, one in enumerate(request.all_items)}

    @classmethod
    def find_missing(cls, request: ContextRequest) -> str:
        if reason := missing_graph(request):
            return reason
        is_dated = request.view is not request.snapshot
        if is_dated and request.settings.ranker != BY_WORDS:
            return "Vectors of texts have later links, too. Under a cut-off, rank by bm25."
        return "" if request.settings.ranker == BY_WORDS else find_missing_vectors(request)

    def add_to(self, context: TaskContext, item: Any) -> TaskContext:
        numbers = self.rankings[self._positions[item.query_id]].tolist()
        keys = self.graph.keys
        known = [(number, key) for number in numbers if (key := keys[number]) is not None]
        candidates = tuple(
            self._candidate(number, str(key), place < MOST_RANKED)
            for place, (number, key) in enumerate(known)
        )
        return replace(context, candidates=candidates)

    def _candidate(self, number: int, key: str, has_text: bool) -> CandidateText:
        entity = self.graph.snapshot.entity(number)
        text = entity_text(self.request.view, entity) if has_text else ""
        return CandidateText(key, entity.name, entity.type, text)

    @cached_property
    def graph(self) -> SnapshotGraph:
        assert self.request.version is not None
        return SnapshotGraph(self.request.version, self.request.view)

    @cached_property
    def rankings(self) -> Mapping[int, Ranking]:
        """Of all items, so that a sample has the candidates of the whole run."""
        task: BaselineTask[Any, Any] = BaselineTask(
            items=self.request.all_items,
            all_items=self.request.all_items,
            dev_items=[],
            dev_answers=[],
            graph=self.graph,
            seed=0,
        )
        return dict(enumerate(RANKERS[self.request.settings.ranker](task)))
