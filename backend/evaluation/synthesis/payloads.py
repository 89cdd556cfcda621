"""A synthesis of queries as JSON."""

from collections.abc import Mapping
from typing import Any

from backend.benchmarks.stark_queries.statistics import QueryStatistics
from backend.evaluation.models.syntheses import QuerySynthesis, SynthesizedQuery
from backend.evaluation.synthesis.results import describe_statistics, summarize
from backend.evaluation.synthesis.steps import ACCEPTED, hard_of, passes
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.snapshots.graph_view import GraphView
from backend.llm.budgets import read_standing
from backend.llm.models import Budget

STATISTICS = (
    *("queries", "mean_answers", "mean_words", "shannon_entropy", "type_token_ratio"),
    *("relational_share", "relational_to_textual"),
)


def summary_payload(synthesis: QuerySynthesis) -> dict[str, Any]:
    own = ("state", "error", "name", "count", "seed", "most_answers", "hard", "soft")
    return {
        "id": str(synthesis.pk),
        **{name: getattr(synthesis, name) for name in own},
        "graph": synthesis.version.graph.slug,
        "graph_name": synthesis.version.graph.name,
        "snapshot": synthesis.version.snapshot,
        "writer": synthesis.writer.name,
        "rewriter": synthesis.rewriter.name,
        "verifiers": [one.endpoint.name for one in synthesis.verifiers.all()],
        "models": list_models(synthesis),
        "prompt_version": synthesis.prompt_version,
        "question_set": synthesis.question_set_id,
        "created_at": synthesis.created_at,
        "ended_at": synthesis.ended_at,
    }


def list_models(synthesis: QuerySynthesis) -> list[str]:
    """Of the writer, the rewriter and the verifiers, each once, with its size where it is known."""
    verifiers = [one.endpoint for one in synthesis.verifiers.all()]
    used = (synthesis.writer, synthesis.rewriter, *verifiers)
    return [*dict.fromkeys(one.model_and_size for one in used)]


def full_payload(synthesis: QuerySynthesis) -> dict[str, Any]:
    standing = read_standing(Budget.objects.get(subject=synthesis.subject))
    view = open_version_snapshot(synthesis.version)
    verifiers = synthesis.verifiers.count()
    rows = synthesis.queries.prefetch_related("verdicts").order_by("number")
    return {
        **summary_payload(synthesis),
        "job": synthesis.job_id,
        "summary": summarize(synthesis).as_json(),
        "statistics": statistics_payload(describe_statistics(synthesis)),
        "budget": {"amount": f"{standing.amount:.6f}", "spent": f"{standing.spent:.6f}"},
        "results": [query_payload(one, view, verifiers) for one in rows],
    }


def statistics_payload(statistics: QueryStatistics) -> Mapping[str, Any]:
    return {name: getattr(statistics, name) for name in STATISTICS}


def query_payload(row: SynthesizedQuery, view: GraphView, verifiers: int) -> dict[str, Any]:
    own = ("number", "template", "role", "relation", "step", "outcome", "reason")
    gold = view.entity(row.gold)
    return {
        **{name: getattr(row, name) for name in own},
        "gold": {"id": gold.id, "name": gold.name, "type": gold.type},
        "properties": row.properties,
        "first_text": row.first_text,
        "text": row.text,
        "candidates": len(row.candidates),
        "answers": [view.entity_summary(one).name for one in row.answers],
        "gold_passed": gold_passed(row, verifiers) if row.outcome == ACCEPTED else None,
    }


def gold_passed(row: SynthesizedQuery, verifiers: int) -> bool | None:
    """None where no property was checked."""
    return passes(row, row.gold, verifiers) if hard_of(row) else None
