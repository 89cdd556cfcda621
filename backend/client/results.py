"""What the client returns: the members of the API that programs use, as immutable values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from backend.validation.row_files.faults import RowFault


class Result(BaseModel):
    """Members that a newer server adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Page(Result):
    """A part of a list, and the address of the next one."""

    results: tuple[Mapping[str, Any], ...]
    next: str | None = None


class ReleaseGraph(Result):
    slug: str
    name: str
    version: int


class ReleaseGraphs(Result):
    """takes_queries: whether predictions may be queries."""

    takes_queries: bool = False


class Release(Result):
    """A frozen set of items. `items` counts them by split. graph: of its questions, if it has one.
    cutoff: a PMID, or a year by the unit of the graph's dates."""

    slug: str
    name: str
    track: str
    state: str
    digest: str
    evaluator_version: str
    items: Mapping[str, int]
    queries: int
    queries_per_day: int
    licence: str = ""
    citation: str = ""
    data_card: str = ""
    terms: str = ""
    graph: ReleaseGraph | None = None
    cutoff: int | None = None
    opens_at: datetime | None = None
    closes_at: datetime | None = None


class Model(Result):
    slug: str
    name: str
    organisation: str = ""
    parameters: int | None = None
    is_own: bool = False


class ModelReference(Result):
    slug: str
    name: str


class Score(Result):
    """One metric over one slice, with its 95 % interval where it has one.

    interval_reason: why it is approximate (`few_clusters`) or missing.
    """

    metric: str
    slice: str
    value: float
    low: float | None
    high: float | None
    n: int
    coverage: float
    interval_reason: str = ""


class Submission(Result):
    """`state` is queued, scored, failed or withdrawn. `scores` are those that you may see."""

    id: str
    release: str
    track: str
    split: str
    model: ModelReference
    state: str
    file_name: str
    file_digest: str
    predictions_digest: str
    declared: Mapping[str, Any] = Field(default_factory=dict)
    error: Mapping[str, Any] | None = None
    is_standing: bool = False
    is_final: bool = False
    is_free: bool = False
    withdrawn_at: datetime | None = None
    created_at: datetime
    key: str | None = None
    tool_calls: int | None = None
    failed_queries: int | None = None
    score_visibility: str
    scores: tuple[Score, ...] = ()

    @property
    def has_ended(self) -> bool:
        return self.state != "queued"


class Validation(Result):
    """Every fault of a file is counted, the first 200 are listed.

    items: of the split; None if the file was checked without them. answered: items with a
    prediction, or valid rows without the items. digest: of the predictions, as the server has it;
    empty without the items or with a fault.
    """

    is_valid: bool
    digest: str = ""
    items: int | None = None
    answered: int = 0
    total: int = 0
    faults: tuple[RowFault, ...] = ()
    notices: tuple[RowFault, ...] = ()


@dataclass(frozen=True)
class Fetched:
    """What `fetch` wrote: the release, its folder, and its files of items by split."""

    release: Release
    folder: Path
    items: Mapping[str, Path]
    entities: Path | None
    example: Path | None
