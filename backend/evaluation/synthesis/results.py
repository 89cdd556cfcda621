"""What a synthesis ends in: a question set, a file of queries, and their statistics."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.kinds.written_queries.rated_queries import RatedQuery, store_rated_queries
from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.stark_queries.conditions import split_words
from backend.benchmarks.stark_queries.query_files import QueryLine, write_queries
from backend.benchmarks.stark_queries.statistics import (
    QueryRecord,
    QueryStatistics,
    compute_query_statistics,
)
from backend.common.errors import Conflict
from backend.evaluation.models.paid_requests import RequestState
from backend.evaluation.models.syntheses import QuerySynthesis, SynthesizedQuery
from backend.evaluation.synthesis.services import find_free_name
from backend.evaluation.synthesis.steps import ACCEPTED, hard_of, passes
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.snapshots.graph_view import GraphView


@dataclass
class SynthesisSummary:
    """drawn: relations. outcomes: of the queries that were dropped, by reason. gold_checked:
    accepted queries with hard properties; gold_passed: those whose own gold answer every verifier
    passed (the paper: 86.6, 98.9 and 92.3 %). removed: candidates that a verifier refused."""

    drawn: int = 0
    accepted: int = 0
    open: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    gold_checked: int = 0
    gold_passed: int = 0
    removed: int = 0

    @property
    def gold_share(self) -> float | None:
        return self.gold_passed / self.gold_checked if self.gold_checked else None

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "outcomes": dict(self.outcomes), "gold_share": self.gold_share}


def summarize(synthesis: QuerySynthesis) -> SynthesisSummary:
    result, verifiers = SynthesisSummary(), synthesis.verifiers.count()
    for row in synthesis.queries.prefetch_related("verdicts"):
        result.drawn += 1
        if row.outcome != ACCEPTED:
            result.open += not row.outcome
            result.outcomes.update([row.outcome] if row.outcome else [])
            continue
        result.accepted += 1
        result.removed += len({one.candidate for one in row.verdicts.all() if not one.is_met})
        if hard_of(row):
            result.gold_checked += 1
            result.gold_passed += passes(row, row.gold, verifiers)
    return result


def accepted_queries(synthesis: QuerySynthesis) -> QuerySet[SynthesizedQuery]:
    return synthesis.queries.filter(outcome=ACCEPTED).order_by("number")


def describe_statistics(synthesis: QuerySynthesis) -> QueryStatistics:
    return compute_query_statistics(
        QueryRecord(one.text, len(one.answers), len(split_words(one.relation)), len(textual(one)))
        for one in accepted_queries(synthesis)
    )


def textual(row: SynthesizedQuery) -> list[str]:
    """Words of the properties, as Figure 5 counts them."""
    return [word for one in row.properties for word in split_words(one["text"])]


def write_file(synthesis: QuerySynthesis) -> bytes:
    """STaRK's CSV of the accepted queries, which `make_release stark-prime` reads."""
    keys = get_entity_keys(synthesis.version).keys
    return write_queries(map(line_of, accepted_queries(synthesis)), keys)


def line_of(row: SynthesizedQuery) -> QueryLine:
    words = len(split_words(row.relation))
    return QueryLine(row.text, row.answers, row.template, words, textual(row), row.pattern)


def store_question_set(synthesis: QuerySynthesis, view: GraphView) -> None:
    """With a number after its name if another set has taken the name since."""
    owner, name = synthesis.set_owner, find_free_name(synthesis.name)
    question_set = QuestionSet.objects.create(name=name, created_by=owner)
    keys = get_entity_keys(synthesis.version).keys
    # Numbered as in the file.
    accepted = enumerate(accepted_queries(synthesis))
    queries = [rated_query(number, one, view, keys) for number, one in accepted]
    store_rated_queries(actor=owner, question_set=question_set, queries=queries)
    synthesis.question_set = question_set
    synthesis.save(update_fields=["question_set"])


@transaction.atomic
def restore_question_set(synthesis: QuerySynthesis) -> None:
    """The set once more, after it was deleted: nothing is paid for.

    Raises Conflict unless the synthesis has ended, has accepted queries and lacks its set.
    """
    locked = QuerySynthesis.objects.select_for_update(of=("self",)).get(pk=synthesis.pk)
    if locked.state != RequestState.ENDED or not accepted_queries(locked).exists():
        message = "This synthesis has no accepted queries. Wait for its end, or request another."
        raise Conflict(message, code="no_accepted_queries")
    if locked.question_set_id is not None:
        raise Conflict("This synthesis has its question set. Reload the page.", code="set_exists")
    store_question_set(locked, open_version_snapshot(locked.version))


def rated_query(
    number: int, row: SynthesizedQuery, view: GraphView, keys: Sequence[int | str | None]
) -> RatedQuery:
    gold = view.entity(row.gold)
    return RatedQuery(
        qid=number,
        text=row.text,
        category=gold.type,
        evidence=[
            f"Answer: {gold.name} ({gold.id})",
            row.relation,
            *(f"{one.title}\n{one.text}".strip() for one in view.document(row.gold)),
        ],
        answers=[
            (entity.name, entity.id if key is None else str(key))
            for entity, key in ((view.entity(one), keys[one]) for one in row.answers)
        ],
    )
