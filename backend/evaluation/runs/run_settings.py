"""What a run may be set to."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.graphs.snapshots.dated_view import MAX_DATE

MOST_ITEMS = 1_000_000


class RunSettings(BaseModel):
    """max_items: answer so many of the covered items, drawn by the digest of their keys; then the
    result is a sample, which boards do not rank. split: empty for both. cutoff: a PMID, or a year
    by the unit of the graph's dates; later edges and papers, and those without a date, are shown
    to no model. papers: slug of a public collection; when a run is made, the largest if it is
    empty. paper_ranker: papers are found by words, or by words and vectors. ranker: whose first
    entities are reranked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    max_items: Annotated[int, Field(ge=1, le=MOST_ITEMS)] | None = None
    split: Literal["", "dev", "test"] = ""
    cutoff: Annotated[int, Field(ge=1, le=MAX_DATE)] | None = None
    papers: Annotated[str, Field(max_length=100)] = ""
    paper_ranker: Literal["bm25", "hybrid"] = "bm25"
    ranker: Literal["bm25", "vss", "multi-vss", "hybrid"] = "bm25"
