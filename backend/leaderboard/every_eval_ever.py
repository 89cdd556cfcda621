"""A result in the exchange format of Every Eval Ever, schema 0.3.0: its aggregates."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.utils.text import slugify

from backend.evaluation.models import Provenance
from backend.leaderboard.coverage import cell_coverage
from backend.leaderboard.results import ANONYMOUS, PublicResult
from backend.tracks.metrics import EvaluatedMetric

SCHEMA_VERSION = "0.3.0"
CONFIDENCE = 0.95


def describe_result(result: PublicResult) -> dict[str, Any]:
    """The record of a result that is not withdrawn; the same standing gives the same record."""
    created = str(int(result.standing.created_at.timestamp()))
    model = _describe_model(result)
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{result.release.slug}/{model['id']}/{created}",
        "evaluation_timestamp": result.submission.created_at.isoformat(),
        "retrieved_timestamp": created,
        "source_metadata": {
            "source_name": result.release.name,
            "source_type": "evaluation_run",
            "source_organization_name": "Serendib",
            "source_organization_url": settings.SITE_URL,
            "evaluator_relationship": _relationship(result),
            "additional_details": {
                "result": result.url,
                "result_key": result.key,
                "provenance": result.submission.provenance,
            },
        },
        "eval_library": {"name": "serendib", "version": result.standing.evaluator_version},
        "model_info": model,
        "evaluation_results": list(_describe_scores(result)),
    }


def _relationship(result: PublicResult) -> str:
    is_ours = result.submission.provenance == Provenance.BASELINE
    return "first_party" if is_ours else "third_party"


def _describe_model(result: PublicResult) -> dict[str, Any]:
    model = result.content["model"] if result.content else None
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    if model is None:
        # Each its own: two anonymous entries may be of different models.
        id_ = f"anonymous/{result.key}"
        return {"name": ANONYMOUS, "id": id_, "additional_details": unknown}
    organisation = slugify(model["organisation"]) or "unknown"
    size = result.content.get("run_parameters") if result.content else None
    size = size or model["parameters"]
    parameters = {"parameters": str(size)} if size else {}
    return {
        "name": model["name"],
        "id": f"{organisation}/{model['slug']}",
        "developer": model["organisation"] or "unknown",
        "additional_details": {**unknown, **parameters},
    }


def _describe_scores(result: PublicResult) -> Iterator[dict[str, Any]]:
    items = f"{settings.SITE_URL}/api/v1/releases/{result.release.slug}/items"
    source = {
        "dataset_name": result.release.name,
        "source_type": "url",
        "url": [f"{items}?split={result.submission.split}"],
        "additional_details": {"release_digest": result.release.digest},
    }
    content = result.content or {"scores": {}}
    for key, score in content["scores"].items():
        metric_id, slice_ = key.split(" ", 1)
        yield {
            "evaluation_result_id": f"{result.submission.pk}/{metric_id}/{slice_}",
            "evaluation_name": f"{result.release.track}/{slice_}",
            "source_data": source,
            "metric_config": _describe_metric(result.track.get_metric(metric_id)),
            "score_details": {**_describe_score(*score), **_describe_coverage(content, key)},
        }


def _describe_metric(metric: EvaluatedMetric) -> dict[str, Any]:
    return {
        "evaluation_description": metric.description,
        "metric_id": metric.id,
        "metric_name": metric.label,
        "metric_unit": metric.unit.id,
        "lower_is_better": metric.direction == "lower",
        "score_type": "continuous",
        "min_score": metric.unit.low,
        "max_score": metric.unit.high if metric.unit.high < float("inf") else "Infinity",
    }


def _describe_coverage(content: Mapping[str, Any], key: str) -> dict[str, Any]:
    share = cell_coverage(content, key)
    return {} if share is None else {"details": {"coverage": str(share)}}


def _describe_score(value: float, low: float | None, high: float | None, n: int) -> dict[str, Any]:
    uncertainty: dict[str, Any] = {"num_samples": n}
    if low is not None and high is not None:
        uncertainty["confidence_interval"] = {
            "lower": low,
            "upper": high,
            "confidence_level": CONFIDENCE,
        }
    return {"score": value, "uncertainty": uncertainty}
