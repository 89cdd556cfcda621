"""Groundedness of submissions: by verifier, over the rationales, with intervals over clusters."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.models import Release
from backend.evaluation.grounding.submission_rationales import (
    find_rationale_track,
    positions_by_key,
)
from backend.evaluation.models import Grounding, GroundingState, Submission, SubmissionGrounding
from backend.evaluation.release_items import load_items
from backend.evaluation.scoring import SEED
from backend.runtime.lru_cache import LruCache
from backend.science.judged_scores.share_of_supported import mean_groundedness
from backend.tracks.grounding_verdicts import EvidenceSource

PERCENT = 100.0
BATCHES_AT_ONCE = 500
RELATED = ("version__graph", "collection", "endpoint", "owner")


@dataclass(frozen=True)
class ClaimJudge:
    """Who gave the verdicts, and what they rest on. Scores of different judges are never mixed.

    model, model_size, endpoint: empty for the plain verifier. endpoint: its name, which separates
    models of one name; see `GroundedSubmission.judge_key`. cutoff: a PMID or a year; null where
    everything is read.
    """

    verifier: str
    version: str
    model: str
    model_size: str = field(compare=False)
    endpoint: str = field(compare=False)
    graph: str
    graph_name: str
    snapshot: str
    literature: str
    literature_name: str
    literature_digest: str
    cutoff: int | None

    @classmethod
    def of(cls, grounding: Grounding) -> Self:
        papers = grounding.literature
        return cls(
            verifier=grounding.verifier,
            version=grounding.verifier_version,
            model=grounding.model,
            model_size=grounding.model_size,
            endpoint="" if grounding.endpoint is None else grounding.endpoint.name,
            graph=grounding.version.graph.slug,
            graph_name=grounding.version.graph.name,
            snapshot=grounding.version.snapshot,
            literature=papers.get("slug", ""),
            literature_name=papers.get("name", ""),
            literature_digest=papers.get("digest", ""),
            cutoff=grounding.cutoff,
        )


@dataclass(frozen=True)
class GroundednessCell:
    """value, low, high: in percent, null where no rationale has a claim, or for too few clusters.
    at_least: the value if each of the failed ones had no supported claim.

    n: rationales behind the value. claims: of all of them. undefined: rationales without a claim.
    failed: those that could not be grounded, such as one with too many claims.
    """

    source: str
    value: float | None
    at_least: float | None
    low: float | None
    high: float | None
    n: int
    claims: int
    undefined: int
    failed: int


@dataclass(frozen=True)
class BatchGroundedness:
    """The rationales of a submission that one judge has judged, all of them ended.

    positions: of their items in the split. lines: of their groundings, in the same order. shares:
    by source, NaN without a claim. failed: rationales of these items that could not be grounded.
    left_out: those of items that a correction has withdrawn since; they count nowhere.
    """

    positions: NDArray[np.int64]
    lines: NDArray[np.int64]
    shares: Mapping[EvidenceSource, NDArray[np.float64]]
    claims: Mapping[EvidenceSource, int]
    failed: int
    left_out: int

    @property
    def sources(self) -> Sequence[EvidenceSource]:
        return [*self.shares]

    @property
    def widest(self) -> EvidenceSource:
        """Both where there are papers, else the graph."""
        both = EvidenceSource.BOTH
        return both if both in self.shares else EvidenceSource.GRAPH


@dataclass(frozen=True)
class GroundedSubmission:
    """One grounding of a submission, and by whom it was judged. queued: rationales that wait.

    linked: of the submission, or of the one that it was rescored from: a correction changes items
    and no rationale.
    """

    linked: SubmissionGrounding
    submission: Submission
    first: Grounding
    queued: int

    @cached_property
    def judge(self) -> ClaimJudge:
        return ClaimJudge.of(self.first)

    @property
    def judge_key(self) -> tuple[ClaimJudge, str]:
        """Equal where verdicts may be in one column: two addresses of one server are one judge, two
        servers of one model's name are not."""
        endpoint = self.first.endpoint
        return self.judge, "" if endpoint is None else endpoint.identity

    @property
    def has_ended(self) -> bool:
        return not self.queued

    @cached_property
    def batch(self) -> BatchGroundedness:
        """Groundings that have ended never change."""
        return _cache.get_or_create(self._key, lambda: read_batch(self))

    @cached_property
    def cells(self) -> Sequence[GroundednessCell]:
        return _cells.get_or_create(
            self._key, lambda: [board_cell(self, source) for source in self.batch.sources]
        )

    @property
    def _key(self) -> tuple[uuid.UUID, uuid.UUID]:
        return self.linked.batch, self.submission.pk


_cache: LruCache[BatchGroundedness] = LruCache(BATCHES_AT_ONCE)
_cells: LruCache[list[GroundednessCell]] = LruCache(BATCHES_AT_ONCE)


def mean_with_failed(value: float | None, defined: int, failed: int) -> float | None:
    """The mean if each of the failed rationales had no supported claim: its lower bound."""
    return None if value is None else value * defined / (defined + failed)


def board_cell(one: GroundedSubmission, source: EvidenceSource) -> GroundednessCell:
    """The value of a board's cell, and its interval, as the judge alone has it."""
    batch = one.batch
    shares = batch.shares[source]
    clusters = cluster_numbers(one.submission.release, one.submission.split)[batch.positions]
    estimate = mean_groundedness(shares, seed=SEED, clusters=clusters) if shares.size else None
    undefined = int(np.isnan(shares).sum())
    defined = int(shares.size) - undefined
    value = None if estimate is None else PERCENT * estimate.value
    return GroundednessCell(
        source=source,
        value=value,
        at_least=mean_with_failed(value, defined, batch.failed),
        low=None if estimate is None or estimate.low is None else PERCENT * estimate.low,
        high=None if estimate is None or estimate.high is None else PERCENT * estimate.high,
        n=defined,
        claims=batch.claims[source],
        undefined=undefined,
        failed=batch.failed,
    )


def cluster_numbers(release: Release, split: str) -> NDArray[np.int64]:
    """Of the items, as the intervals of scores have them."""
    loaded = load_items(release, split)
    numbers: NDArray[np.int64] = loaded.track.cluster_ids(loaded.table.items)
    return numbers


def list_groundings(submissions: Sequence[Submission]) -> list[GroundedSubmission]:
    """All of the submissions and of those that they were rescored from, the earliest first."""
    grounded = [one for one in submissions if find_rationale_track(one.release) is not None]
    by_id = descendants_by_id(grounded)
    links = [*SubmissionGrounding.objects.filter(submission__in=by_id).order_by("created_at")]
    batches = [one.batch for one in links]
    rows = Grounding.objects.filter(batch__in=batches).order_by("batch", "line").distinct("batch")
    first = {one.batch: one for one in rows.select_related(*RELATED)}
    waiting = Grounding.objects.filter(batch__in=batches, state=GroundingState.QUEUED)
    queued: dict[uuid.UUID, int] = {}
    for batch in waiting.values_list("batch", flat=True):
        queued[batch] = queued.get(batch, 0) + 1
    return [
        GroundedSubmission(one, submission, first[one.batch], queued.get(one.batch, 0))
        for one in links
        if one.batch in first
        for submission in by_id[one.submission_id]
    ]


def descendants_by_id(submissions: Sequence[Submission]) -> dict[uuid.UUID, list[Submission]]:
    """By the id of each and of all that it was rescored from: which of `submissions` it became."""
    result: dict[uuid.UUID, list[Submission]] = {}
    waiting = [(one.pk, one.rescored_from_id, one) for one in submissions]
    while waiting:
        for pk, _, submission in waiting:
            result.setdefault(pk, []).append(submission)
        origins = [origin for _, origin, _ in waiting if origin is not None]
        rows = Submission.objects.filter(pk__in=origins)
        earlier = dict(rows.values_list("pk", "rescored_from_id"))
        waiting = [
            (origin, earlier[origin], submission)
            for _, origin, submission in waiting
            if origin is not None
        ]
    return result


def read_batch(one: GroundedSubmission) -> BatchGroundedness:
    """Rationales of items that the split has; each counts once."""
    rows = Grounding.objects.filter(batch=one.linked.batch)
    ended = [
        *rows.filter(state=GroundingState.ENDED, item__isnull=False)
        .order_by("line")
        .values_list("line", "item", "groundedness")
    ]
    places = positions_by_key(one.submission)
    values = [
        (place, line, counts)
        for line, item, counts in ended
        if (place := places.get(tuple(item or ()))) is not None
    ]
    failed = rows.filter(state=GroundingState.FAILED, item__isnull=False)
    failed_items = failed.values_list("item", flat=True)
    counted = [counts for _, _, counts in values]
    sources = [source for source in EvidenceSource if counted and source.value in counted[0]]
    return BatchGroundedness(
        positions=np.array([position for position, _, _ in values], dtype=np.int64),
        lines=np.array([line for _, line, _ in values], dtype=np.int64),
        shares={source: _shares(counted, source) for source in sources},
        claims={
            source: sum(counts[source.value]["claims"] for counts in counted) for source in sources
        },
        failed=sum(tuple(item or ()) in places for item in failed_items),
        left_out=len(ended) - len(values),
    )


def _shares(counted: Sequence[Mapping[str, Any]], source: EvidenceSource) -> NDArray[np.float64]:
    given = [counts[source.value]["share"] for counts in counted]
    return np.array([np.nan if one is None else one for one in given], dtype=np.float64)


def latest_by_judge(groundings: Sequence[GroundedSubmission]) -> list[GroundedSubmission]:
    """Of each submission and judge the latest that has ended with a result."""
    ended = [one for one in groundings if one.has_ended and one.batch.positions.size]
    latest = {(one.submission.pk, one.judge_key): one for one in ended}
    return [*latest.values()]
