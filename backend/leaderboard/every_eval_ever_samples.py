"""The items of a result on a dev split, in the exchange format of Every Eval Ever 0.3.0.

Answers of dev splits are public. Of a test split there are no records, through any route.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.split_rows import load_answers
from backend.common.errors import NotFound
from backend.evaluation.cases import read_predictions
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Evaluation
from backend.evaluation.release_items import load_items
from backend.leaderboard.every_eval_ever import SCHEMA_VERSION, describe_result
from backend.leaderboard.results import PublicResult
from backend.tracks.base import AnyTrack
from backend.tracks.metrics import EvaluatedMetric

NO_SAMPLES = "This result has no records of items. They are there of dev splits."


def list_samples_or_raise(result: PublicResult) -> Iterator[dict[str, Any]]:
    """A record of each item that counts in the metric, with the answer and the prediction.

    Raises NotFound unless it is of a dev split, scored by the track's present version, and has a
    metric that is the mean of its items.
    """
    evaluation, metric = result.submission.evaluation, sampled_metric(result)
    if evaluation is None or metric is None:
        raise NotFound(NO_SAMPLES, code="no_samples")
    return _list_samples(result, evaluation, metric)


def sampled_metric(result: PublicResult) -> EvaluatedMetric | None:
    """The main metric, or the first with a value by item; None where no item may be listed."""
    submission, track = result.submission, result.track
    evaluation = submission.evaluation
    is_listed = (
        result.content is not None
        and submission.split == ReleaseSplit.DEV
        and evaluation is not None
        and evaluation.evaluator_version == track.version
    )
    means = [metric for metric in track.metrics if metric.is_mean] if is_listed else []
    return next((one for one in means if one.id == track.main_metric), means[0] if means else None)


def describe_samples_file(result: PublicResult, record: Mapping[str, Any]) -> dict[str, str]:
    """The reference of the aggregates, `record`, to these, at the path that the format has."""
    submission = result.submission
    developer, model = record["model_info"]["id"].split("/")
    folder = f"data/{result.release.slug}/{developer}/{model}"
    return {"format": "jsonl", "file_path": f"{folder}/{submission.pk}_samples.jsonl"}


def _list_samples(
    result: PublicResult, evaluation: Evaluation, metric: EvaluatedMetric
) -> Iterator[dict[str, Any]]:
    """What can fail is read here, before the first record."""
    submission, track, release = result.submission, result.track, result.release
    record = describe_result(result)
    shared = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": record["evaluation_id"],
        "model_id": record["model_info"]["id"],
        "evaluation_name": f"{release.track}/{track.overall}",
        "evaluation_result_id": f"{submission.pk}/{metric.id}/{track.overall}",
        "interaction_type": "single_turn",
        "messages": None,
    }
    table = load_items(release, submission.split).table
    predictions = read_predictions(submission, track, table)
    values = track.item_values(load_components(evaluation.key))[metric.id]
    answers = load_answers(release, submission.split)
    return (
        {
            **shared,
            **_describe_item(track, item, answer, predictions.get(at)),
            "evaluation": _describe_value(metric, float(values[at])),
        }
        for at, (item, answer) in enumerate(zip(table.items, answers, strict=True))
        if not np.isnan(values[at])
    )


def _describe_item(track: AnyTrack, item: Any, answer: Any, prediction: Any) -> dict[str, Any]:
    raw = _as_json(track.item_schema, item)
    reference = _as_json(track.answer_schema, answer)
    output = [] if prediction is None else [_as_json(track.prediction_schema, prediction)]
    return {
        "sample_id": track.key_text(item),
        "sample_hash": sha256((raw + reference).encode()).hexdigest(),
        "input": {"raw": raw, "reference": [reference]},
        "output": {"raw": output},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": one,
                "extraction_method": "custom",
                "is_terminal": True,
            }
            for one in output
        ],
    }


def _describe_value(metric: EvaluatedMetric, score: float) -> dict[str, Any]:
    is_lower = metric.direction == "lower"
    is_best = score <= metric.unit.low if is_lower else score >= metric.unit.high
    return {"score": score, "is_correct": bool(is_best)}


def _as_json(schema: Any, value: Any) -> str:
    return json.dumps(_adapter(schema).dump_python(value, mode="json"), ensure_ascii=False)


@cache
def _adapter(schema: Any) -> TypeAdapter[Any]:
    return TypeAdapter(schema)
