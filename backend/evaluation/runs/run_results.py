"""The predictions of a run as a file, submitted like an upload."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.models import ReleaseSplit
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.runs.answer_flags import AnswerFlags, read_answer_flags
from backend.evaluation.runs.commands import repeat_command
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.item_pass import ItemAnswer
from backend.evaluation.runs.rerank_candidates import BY_WORDS
from backend.evaluation.runs.run_costs import read_cost
from backend.evaluation.runs.run_items import RunItem, SelectedItems
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.task_settings import OF_ALL_TASKS, list_settings
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.jobs.models import Job
from backend.tracks.base import AnyTrack
from backend.tracks.model_tasks import AnyTrackTask
from backend.tracks.text_vectors import installed_embedder

Answers = Mapping[str, ItemAnswer]


def submit_run(
    run: Run, task: AnyTrackTask, selected: SelectedItems, answers: Answers, *, is_local: bool
) -> list[tuple[Submission, Job]]:
    """A submission for each split with an answer. An item without one has no prediction.

    Raises DomainError without any, and what a submission of an upload raises.
    """
    submitted = []
    for split in selected.loaded:
        items = [one for one in selected.of(split) if is_answered(answers, one)]
        if items:
            content = prediction_lines(selected.loaded[split].track, items, answers)
            file = store_predictions(content, f"{run.model.slug}-{task.name}-{split}.jsonl")
            new = NewSubmission(
                release=run.release,
                model=run.model,
                split=split,
                declared=declare(run, task, selected, split, answers),
            )
            submitted.append(
                submit_predictions(actor=run.owner, new=new, file=file, is_local=is_local)
            )
    if not submitted:
        message = "No item was answered, so there is nothing to submit. Look at the failures."
        raise DomainError(message, code="no_predictions")
    return submitted


def is_answered(answers: Answers, one: RunItem) -> bool:
    answer = answers.get(one.key)
    return answer is not None and answer.prediction is not None


def prediction_lines(track: AnyTrack, items: Sequence[RunItem], answers: Answers) -> bytes:
    """In the order of the release, so that equal answers make equal bytes."""
    adapter = TypeAdapter(track.prediction_schema)
    rows = (answers[one.key].prediction for one in items)
    return b"".join(adapter.dump_json(row) + b"\n" for row in rows)


def declare(
    run: Run,
    task: AnyTrackTask,
    selected: SelectedItems,
    split: ReleaseSplit,
    answers: Answers,
) -> dict[str, Any]:
    """What the entry states about how its predictions were made; tokens and dollars as on the
    page of the run."""
    chosen = selected.of(split)
    given = [answers[one.key] for one in chosen if one.key in answers]
    latencies = [one.latency_ms for one in given if one.latency_ms]
    endpoint = run.endpoint
    cost = read_cost(run, split)
    flags = read_answer_flags([run.subject]).get(run.subject, AnswerFlags())
    declared: dict[str, Any] = {
        "cost_usd": float(cost.cost),
        "method": describe(run, task),
        "run": {
            "id": str(run.pk),
            "task": task.name,
            "prompt": {"name": task.prompt.name, "version": task.prompt_version},
            "endpoint": endpoint.name,
            "endpoint_model": endpoint.model,
            "parameters": endpoint.parameters,
            "context_tokens": endpoint.context_tokens,
            "settings": whole_settings(run, task),
            "capabilities": endpoint.capabilities,
            "flags": dict(flags.counts),
            "models_returned": [*flags.models],
            "command": repeat_command(run),
            "cost": format_money(cost.cost),
            "tokens_in": cost.tokens_in,
            "tokens_out": cost.tokens_out,
            "items": len(chosen),
            "answered": sum(one.prediction is not None for one in given),
            "retried": sum(one.is_retried for one in given),
        },
    }
    if papers := (run.estimate or {}).get("papers"):
        declared["run"]["papers"] = papers
    if latencies:
        declared["latency_s"] = float(f"{fmean(latencies) / 1000:.3g}")
    if parts := list_sample_parts(run, selected, split):
        declared["sample"] = ", ".join(parts)
    return declared


def whole_settings(run: Run, task: AnyTrackTask) -> dict[str, Any]:
    """All that the task uses, those that were left as they are by default among them."""
    settings = RunSettings.model_validate(run.settings)
    used = {*list_settings(task), *OF_ALL_TASKS}
    whole = settings.model_dump(mode="json", include=used)
    with_vectors = settings.ranker != BY_WORDS or settings.paper_ranker != BY_WORDS
    return whole | ({"embedder": installed_embedder()} if with_vectors else {})


def list_sample_parts(run: Run, selected: SelectedItems, split: ReleaseSplit) -> list[str]:
    """Why boards do not rank it: a part of the items, or one of several answers to them."""
    parts = []
    if selected.is_part_of(split):
        total = selected.count(split)
        parts.append(f"{len(selected.of(split)):,} of {pluralize(total, 'item')}")
    if number := run.settings.get("sample"):
        parts.append(f"repeated answers, sample {number}")
    return parts


def describe(run: Run, task: AnyTrackTask) -> str:
    temperature = run.settings.get("temperature", 0)
    return (
        f"Run here: {task.name}, prompt {task.prompt.name} version {task.prompt_version}, "
        f"with {run.endpoint.model_and_size}, at temperature {temperature:g}."
    )
