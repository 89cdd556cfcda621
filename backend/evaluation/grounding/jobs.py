"""The job that grounds the rationales of a batch, each once."""

import uuid
from collections import Counter
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

from backend.common.errors import DomainError
from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.grounding.model_verifier import RationaleFault, open_model_verifier
from backend.evaluation.grounding.pipeline import ground_rationale
from backend.evaluation.grounding.policies import SourcesNotReadable, may_read_sources
from backend.evaluation.grounding.services import budget_subject, fail_grounding
from backend.evaluation.grounding.storage import store_grounding
from backend.evaluation.grounding.verifiers import ClaimVerifier, PlainVerifier
from backend.evaluation.models.grounding import Grounding, GroundingState
from backend.jobs.context import JobContext
from backend.jobs.faults import PlatformFault, error_payload
from backend.jobs.models import UNSUCCESSFUL_STATES, Job
from backend.llm.models import Budget
from backend.llm.refusals import CallsRefused

MOST_REASONS = 5
RELATED = ("owner", "version__graph", "collection", "endpoint")


def ground_batch(context: JobContext) -> Mapping[str, Any]:
    """A rationale that cannot be grounded fails alone. An empty budget, an endpoint that has
    changed and one that fails again and again end the job."""
    batch = uuid.UUID(context.job.parameters["batch"])
    rows = Grounding.objects.filter(batch=batch)
    count = rows.count()
    queued = rows.filter(state=GroundingState.QUEUED).order_by("line", "pk")
    numbers = [*queued.values_list("pk", flat=True)]
    with ExitStack() as stack:
        opened: Knowledge | None = None
        verifier: ClaimVerifier | None = None
        for number, pk in enumerate(numbers, start=count - len(numbers)):
            grounding = Grounding.objects.select_related(*RELATED).get(pk=pk)
            if opened is None or verifier is None:  # all of a batch have the same settings
                opened = open_knowledge(grounding)
                verifier = stack.enter_context(open_verifier(grounding, context))
            phase = f"grounding rationales, {number} of {count}"
            context.report_progress(phase, number / count, is_forced=number == 0)
            ground_one(grounding, opened, verifier, context)
    states = [*rows.values_list("state", flat=True)]
    return {
        "groundings": count,
        "ended": states.count(GroundingState.ENDED),
        "failed": states.count(GroundingState.FAILED),
        "reasons": list_reasons(batch),
    }


def list_reasons(batch: uuid.UUID) -> list[dict[str, Any]]:
    """Why rationales failed, the most frequent first."""
    failed = Grounding.objects.filter(batch=batch, state=GroundingState.FAILED)
    counts = Counter(failed.values_list("error__detail", flat=True))
    return [
        {"detail": detail, "count": count} for detail, count in counts.most_common(MOST_REASONS)
    ]


def ground_one(
    grounding: Grounding, opened: Knowledge, verifier: ClaimVerifier, context: JobContext
) -> None:
    try:
        require_sources(grounding)
        grounded = ground_rationale(
            grounding.hypothesis, grounding.rationale, opened, verifier, context.check_cancelled
        )
    except CallsRefused:
        raise
    except (DomainError, RationaleFault) as error:
        fail_grounding(grounding.pk, error_payload(error))
    else:
        store_grounding(grounding, grounded)


def open_knowledge(grounding: Grounding) -> Knowledge:
    """Raises DomainError where the collection was deleted: fewer sources are another question."""
    if grounding.literature and grounding.collection is None:
        raise DomainError("The papers were deleted. Choose others.", code="papers_deleted")
    return Knowledge(grounding.version, grounding.collection, grounding.cutoff)


def require_sources(grounding: Grounding) -> None:
    """The owner's right may have ended since the request. A command has no owner."""
    if grounding.owner is not None and not may_read_sources(grounding.owner, grounding):
        raise SourcesNotReadable()


def open_verifier(
    grounding: Grounding, context: JobContext
) -> AbstractContextManager[ClaimVerifier]:
    if grounding.endpoint is None:
        return nullcontext(PlainVerifier())
    budget = Budget.objects.get(subject=budget_subject(grounding.batch))
    return open_model_verifier(
        grounding.endpoint, budget, context.check_cancelled, context.inputs.get("rules")
    )


def end_batch(job: Job) -> None:
    """After a job without success: what was not grounded has failed, with its reason."""
    if job.state not in UNSUCCESSFUL_STATES:
        return
    batch = uuid.UUID(job.parameters["batch"])
    rows = Grounding.objects.filter(batch=batch, state=GroundingState.QUEUED)
    for pk in rows.values_list("pk", flat=True):
        fail_grounding(pk, job.error or {})


def end_lost_batches() -> None:
    """Rationales whose job has ended without the clean-up that follows, or is gone."""
    queued = Grounding.objects.filter(state=GroundingState.QUEUED)
    lost = PlatformFault("job_lost", "The job of this rationale was lost. Request it again.")
    for row in queued.filter(job__state__in=UNSUCCESSFUL_STATES).select_related("job"):
        error = row.job.error if row.job is not None else None
        fail_grounding(row.pk, error or {})
    for row in queued.filter(job=None):
        fail_grounding(row.pk, error_payload(lost))
