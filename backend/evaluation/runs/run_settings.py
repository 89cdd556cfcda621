"""What a run may be set to."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.graphs.snapshots.dated_view import MAX_DATE
from backend.tracks.serenqa_exploration.guided_state import MOST_EDGES_OF_NODE, GuidedSettings
from backend.tracks.serenqa_exploration.track import MOST_AT_LEVEL
from backend.tracks.serenqa_roots import LEVELS

MOST_ITEMS, MOST_SAMPLES = 1_000_000, 20


class RunSettings(BaseModel):
    """max_items: answer so many of the covered items, drawn by the digest of their keys; then the
    result is a sample, which boards do not rank. split: empty for both. cutoff: a PMID, or a year
    by the unit of the graph's dates; later edges and papers, and those without a date, are shown
    to no model. papers: slug of a public collection; when a run is made, the largest if it is
    empty. paper_ranker: papers are found by words, or by words and vectors. ranker: whose first
    entities are reranked. sample: from 1, the number of a repeated answer to the same items,
    which boards do not rank; 0 is an answer on its own.

    relations, edges, width, depth, seed: of a guided exploration, see GuidedSettings;
    without_summaries: no description of an earlier level is in a later prompt; without_weights:
    edges are drawn, and no prompt has a weight or prognosis."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    max_items: Annotated[int, Field(ge=1, le=MOST_ITEMS)] | None = None
    split: Literal["", "dev", "test"] = ""
    cutoff: Annotated[int, Field(ge=1, le=MAX_DATE)] | None = None
    papers: Annotated[str, Field(max_length=100)] = ""
    paper_ranker: Literal["bm25", "hybrid"] = "bm25"
    ranker: Literal["bm25", "vss", "multi-vss", "hybrid"] = "bm25"
    relations: Annotated[int, Field(ge=1, le=100)] = 5
    edges: Annotated[int, Field(ge=1, le=MOST_EDGES_OF_NODE)] = 10
    width: Annotated[int, Field(ge=1, le=MOST_AT_LEVEL)] = MOST_AT_LEVEL
    depth: Annotated[int, Field(ge=1, le=LEVELS)] = LEVELS
    without_summaries: bool = False
    without_weights: bool = False
    sample: Annotated[int, Field(ge=0, le=MOST_SAMPLES)] = 0
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0

    @property
    def guided(self) -> GuidedSettings:
        return GuidedSettings(
            relations=self.relations,
            edges=self.edges,
            width=self.width,
            depth=self.depth,
            summaries=not self.without_summaries,
            seed=self.seed,
        )
