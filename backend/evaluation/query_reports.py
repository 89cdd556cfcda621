"""Which queries of a submission failed and why: stored with the evaluation, read by its owner."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from backend.accounts.models import User
from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.release_graph_lookup import find_whole_queried
from backend.evaluation.models import Evaluation, QueryOutcome, Submission
from backend.evaluation.query_execution import HINTS, FailureKind, QueryReport
from backend.graphs.policies import may_read_graph
from backend.validation.faults import printable

MOST_CHARACTERS = 2_000


@dataclass(frozen=True)
class FailedQuery:
    """line: of the submitted file, if it is known. question: the item's, in words."""

    item: str
    kind: str
    message: str
    line: int | None = None
    question: str = ""


@dataclass(frozen=True)
class QueryReportView:
    """failures: by item, of the dev split alone: on the test split they would score single items.

    kinds: how many queries failed, by kind. without_entity: how many returned something, but named
    no entity. without_result: how many returned nothing. Both are among the failures with their
    kind (`no_entity`, `nothing`), and not counted as failed.
    """

    queries: int
    failed: int
    kinds: Mapping[str, int]
    failures: Sequence[FailedQuery] | None
    without_entity: int = 0
    without_result: int = 0


def describe_failure(stored: Mapping[str, str]) -> FailedQuery:
    """Characters that turn or hide text, which a query may contain, are escaped."""
    message = printable(stored["message"], MOST_CHARACTERS)
    return FailedQuery(stored["item"], stored["kind"], message)


def read_query_report(actor: User, submission: Submission) -> QueryReportView | None:
    """Without the hints for who may not read the graph: whether a query finds anything is one bit
    of what the graph holds."""
    report = get_query_report(submission)
    whole = find_whole_queried(submission.release)
    if report is None or whole is None or may_read_graph(actor, whole.graph):
        return report
    failures = report.failures
    shown = None if failures is None else [one for one in failures if one.kind not in HINTS]
    return replace(report, failures=shown, without_entity=0, without_result=0)


def store_query_report(evaluation: Evaluation, report: QueryReport) -> None:
    if report.queries:
        failures = [one.as_json() for one in report.failures]
        QueryOutcome.objects.create(
            evaluation=evaluation, queries=report.queries, failures=failures
        )


def get_query_report(submission: Submission) -> QueryReportView | None:
    """None before it is scored, and where no prediction is a query."""
    outcome = QueryOutcome.objects.filter(evaluation=submission.evaluation_id).first()
    if outcome is None:
        return None
    kinds = Counter(one["kind"] for one in outcome.failures)
    hints = [kinds.pop(kind.value, 0) for kind in (FailureKind.NO_ENTITY, FailureKind.NOTHING)]
    is_shown = submission.split == ReleaseSplit.DEV
    failures = [describe_failure(one) for one in outcome.failures] if is_shown else None
    return QueryReportView(
        outcome.queries, kinds.total(), dict(sorted(kinds.items())), failures, *hints
    )
