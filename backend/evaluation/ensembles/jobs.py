"""The job of an ensemble: models score candidates, and the best fifth become a partition."""

from collections.abc import Callable, Mapping
from typing import Any

from backend.common.errors import NotFound
from backend.evaluation.models.ensembles import CandidateEnsemble
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.paid_requests import ID, end_request, is_claimed_by, request_id
from backend.evaluation.runs.ensemble import VERSION, EnsembleResult, Work, score_with_budget
from backend.jobs.context import JobContext
from backend.jobs.faults import PlatformFault
from backend.llm.models import Budget

Result = Mapping[str, Any]


def work_on_ensemble(context: JobContext) -> Result | Callable[[], Result]:
    """Inputs: `rules`, how often calls are repeated after faults."""
    rows = CandidateEnsemble.objects.select_related("owner", "question_set")
    row = rows.filter(pk=request_id(context.job)).first()
    if row is None:
        raise NotFound("The question set of this job was deleted.")
    if not is_claimed_by(row, context.job):
        return {ID: str(row.pk), "state": row.state}
    if row.prompt_version != VERSION:
        raise PlatformFault("prompt_changed", "The prompt has changed since. Request it again.")

    def report(done: int, count: int) -> None:
        context.report_progress(f"scoring candidates, {done:,} of {count:,}", done / count)

    rules = context.inputs.get("rules")
    work = Work(rules, context.check_cancelled, report, row.owner, since=row.created_at)
    budget = Budget.objects.get(subject=row.subject)
    try:
        score_with_budget(row.question_set, [*row.endpoints.order_by("name")], budget, work)
    finally:  # what was paid for is stated also where the budget is used up
        store_result(row, work.result)
    if work.result.is_partial:
        message = "An endpoint failed for a part of the questions. Resume later."
        raise PlatformFault("endpoint_fails", message)

    def store() -> Result:
        end_request(row, RequestState.ENDED)
        return {ID: str(row.pk), **counts_of(work.result)}

    return store


def store_result(row: CandidateEnsemble, result: EnsembleResult) -> None:
    CandidateEnsemble.objects.filter(pk=row.pk).update(result=counts_of(result))


def counts_of(result: EnsembleResult) -> dict[str, int]:
    return {
        "scored": result.scored,
        "known": result.known,
        "partitions": result.partitions,
        "left_out": result.left_out,
        "failed": len(result.failed),
    }
