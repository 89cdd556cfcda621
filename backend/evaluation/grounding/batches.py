"""A batch of groundings as its page shows it, and as rows of a table."""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.evaluation.grounding.corrected import (
    CorrectedGroundedness,
    IntervalFigure,
    corrected_groundedness,
)
from backend.evaluation.grounding.policies import (
    BATCH_NOT_FOUND,
    RELATED,
    may_manage,
    may_read_sources,
)
from backend.evaluation.models.claim_studies import ClaimStudyBatch
from backend.evaluation.models.grounding import Grounding, GroundingState
from backend.studies.models import ENDED_STATUSES, Member
from backend.studies.policies import coordinated_studies, may_import_studies
from backend.validation.csv_escaping import csv_text

COLUMNS = ("evidence", "figure", "group", "value", "low", "high", "n", "approximate")

PLAIN_FIGURES = (
    *("undefined", "failed", "raw_at_least", "corrected_at_least"),
    *("claims", "chosen", "verified", "simulated", "waiting", "not_sure", "excluded"),
    *("lambda_value", "effective_verdicts", "more_to_halve"),
    *("with_probability", "has_probabilities"),
    *("calibration_error", "error_by_chance", "calibration_p"),
)


@dataclass(frozen=True)
class GroundingBatch:
    """may_make_study: whether the reader may have experts verify its claims now."""

    batch: uuid.UUID
    groundings: int
    ended: int
    failed: int
    graph: str
    graph_name: str
    literature: str
    verifier: str
    verifier_version: str
    model: str
    model_size: str
    may_make_study: bool
    sources: tuple[CorrectedGroundedness, ...]


def read_batch(reader: User, batch: uuid.UUID) -> GroundingBatch:
    """Raises NotFound for who neither manages it nor coordinates a study of its claims."""
    rows = [*Grounding.objects.filter(batch=batch).select_related(*RELATED)]
    is_manager = bool(rows) and all(may_manage(reader, one) for one in rows)
    if not is_manager and not (rows and _coordinates(reader, batch)):
        raise NotFound(BATCH_NOT_FOUND)
    one, states = rows[0], Counter(row.state for row in rows)
    may_make = is_manager and may_import_studies(reader) and may_read_sources(reader, one)
    return GroundingBatch(
        batch=batch,
        groundings=len(rows),
        ended=states[GroundingState.ENDED],
        failed=states[GroundingState.FAILED],
        graph=one.version.graph.slug,
        graph_name=one.version.graph.name,
        literature=one.literature.get("name", ""),
        verifier=one.verifier,
        verifier_version=one.verifier_version,
        model=one.model,
        model_size=one.model_size,
        may_make_study=may_make and not states[GroundingState.QUEUED],
        sources=tuple(corrected_groundedness(batch).values()),
    )


def _coordinates(reader: User, batch: uuid.UUID) -> bool:
    """Not while the reader is an expert of an open one: each answer would show what the verifier
    gave its claim."""
    rows = ClaimStudyBatch.objects.filter(batch=batch)
    of_expert = Member.objects.filter(
        user=reader, role=Member.Role.EXPERT, study__in=rows.values("claim_study__study")
    ).exclude(study__status__in=ENDED_STATUSES)
    coordinated = rows.filter(claim_study__study__in=coordinated_studies(reader))
    return coordinated.exists() and not of_expert.exists()


def export_batch(batch: GroundingBatch) -> str:
    """A row for each figure. n: verified claims behind it; of the raw share, rationales."""
    return csv_text((row for one in batch.sources for row in _rows(one)), COLUMNS)


def _rows(one: CorrectedGroundedness) -> Iterator[Mapping[str, Any]]:
    raw = None if one.raw is None else IntervalFigure(one.raw, None, None, one.rationales)
    figures = {"raw": raw, "corrected": one.corrected, "people": one.people}
    figures |= {"kappa": one.kappa, "agreement": one.agreement}
    for name, figure in figures.items():
        yield _row(one, name, "", figure)
    for name in PLAIN_FIGURES:
        yield {**_row(one, name, "", None), "value": getattr(one, name)}
    for group in one.confusion:
        yield _row(one, "false_support", group.group, group.false_support)
        yield _row(one, "missed_support", group.group, group.missed_support)
        for name in ("both", "people_alone", "verifier_alone", "neither"):
            cell = {"value": getattr(group, name), "n": group.verdicts}
            yield {**_row(one, name, group.group, None), **cell}
    for point in one.reliability:
        part = f"{point.low:.1f} to {point.high:.1f}"
        yield _row(one, "supported_by_people", part, point.observed)
        stated = {"value": point.score, "n": point.verdicts}
        yield {**_row(one, "stated_support", part, None), **stated}


def _row(
    one: CorrectedGroundedness, name: str, group: str, figure: IntervalFigure | None
) -> Mapping[str, Any]:
    return {
        "evidence": one.source,
        "figure": name,
        "group": group,
        "value": None if figure is None else figure.value,
        "low": None if figure is None else figure.low,
        "high": None if figure is None else figure.high,
        "n": None if figure is None else figure.n,
        "approximate": None if figure is None else figure.is_approximate,
    }
