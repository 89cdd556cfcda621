"""Runs that answered the items of a split several times, and the most grounded of their answers.

Runs with the same task, prompt, model and settings but the sample's number are samples of one
setting; greedy decoding is the run at temperature 0 with the same settings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.common.cached_results import get_or_compute
from backend.common.errors import Conflict
from backend.evaluation.grounding.accuracy_bins import may_see_bins
from backend.evaluation.grounding.best_of_n import (
    HIDDEN_ACCURACY,
    BestOfN,
    judged_alike,
    require_comparable,
    select_best,
)
from backend.evaluation.grounding.groundedness import GroundedSubmission, list_groundings
from backend.evaluation.grounding.policies import may_read_summary
from backend.evaluation.grounding.submission_rationales import find_rationale_track
from backend.evaluation.models import Submission, SubmissionState
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.policies import public_runs, steerable_runs
from backend.evaluation.runs.run_settings import RunSettings
from backend.llm.call_keys import digest_of, json_text, to_bytes

CACHED_S = 24 * 3_600  # the key names all that it is computed from
NO_GREEDY = "No run at temperature 0 has these settings. Run the model once without a temperature."
OF_ONE_RUN = {"sample", "temperature", "split"}


@dataclass
class SampleSet:
    """samples: by their number, each the latest. greedy: None without such a run."""

    first: Run
    temperature: float
    samples: dict[int, Submission] = field(default_factory=dict)
    greedy: Submission | None = None


@dataclass(frozen=True)
class SampledSetting:
    """One task with one model. reason: why nothing is compared; empty where there is a
    comparison."""

    task: str
    prompt_version: str
    model: str
    model_size: str
    endpoint: str
    temperature: float
    samples: int
    reason: str
    comparison: BestOfN | None


def compare_settings(reader: User | None, release: Release, split: str) -> list[SampledSetting]:
    """Of the runs that the reader sees, in the order of their first samples."""
    if find_rationale_track(release) is None:
        return []
    return [describe_set(reader, one) for one in find_sample_sets(reader, release, split)]


def find_sample_sets(reader: User | None, release: Release, split: str) -> list[SampleSet]:
    """Of runs that answered all items of the split."""
    sets: dict[str, SampleSet] = {}
    greedy: dict[str, Submission] = {}
    for run, submission in read_answered(reader, release, split):
        settings = RunSettings.model_validate(run.settings)
        same = alike_key(run, settings)
        if settings.sample:
            key = f"{same} {settings.temperature}"
            one = sets.setdefault(key, SampleSet(run, settings.temperature))
            one.samples[settings.sample] = submission
        elif not settings.temperature:
            greedy[same] = submission
    for key, one in sets.items():
        one.greedy = greedy.get(key.rpartition(" ")[0])
    return [*sets.values()]


def read_answered(
    reader: User | None, release: Release, split: str
) -> Iterable[tuple[Run, Submission]]:
    """The earliest first, so that later ones replace them."""
    visible = Q(pk__in=public_runs(reader).values("pk"))
    own = Run.objects.none() if reader is None else steerable_runs(reader)
    ended = Run.objects.filter(release=release, state=RunState.ENDED)
    ended = ended.filter(settings__max_items__isnull=True)
    runs = ended.filter(visible | Q(pk__in=own.values("pk"))).select_related("endpoint")
    by_id = {one.pk: one for one in runs.order_by("created_at")}
    own_ids = {*runs.filter(pk__in=own.values("pk")).values_list("pk", flat=True)}
    links = Run.submissions.through.objects.filter(
        run__in=by_id, submission__split=split, submission__state=SubmissionState.SCORED
    )
    rows = links.select_related("submission__release", "submission__evaluation")
    by_run = {one.run_id: one.submission for one in rows}
    for key, run in by_id.items():
        submission = by_run.get(key)
        if submission is not None and (key in own_ids or not submission.is_anonymous):
            yield run, submission


def alike_key(run: Run, settings: RunSettings) -> str:
    rest: dict[str, Any] = settings.model_dump(exclude=OF_ONE_RUN, exclude_defaults=True)
    return json_text([run.task, run.prompt_version, run.endpoint.identity, rest])


def describe_set(reader: User | None, one: SampleSet) -> SampledSetting:
    reason, comparison = "", None
    try:
        comparison = compare_set(reader, one)
    except Conflict as error:
        reason = error.detail
    return SampledSetting(
        task=one.first.task,
        prompt_version=one.first.prompt_version,
        model=one.first.endpoint.model,
        model_size=one.first.endpoint.size_label,
        endpoint=one.first.endpoint.name,
        temperature=one.temperature,
        samples=len(one.samples),
        reason=reason,
        comparison=comparison,
    )


def compare_set(reader: User | None, one: SampleSet) -> BestOfN:
    """Raises Conflict with the reason why the reader gets no comparison."""
    if one.greedy is None:
        raise Conflict(NO_GREEDY, code="no_greedy_run")
    greedy, samples = one.greedy, [one.samples[number] for number in sorted(one.samples)]
    require_comparable(greedy, samples)
    if not all(may_see_bins(reader, submission) for submission in (greedy, *samples)):
        raise Conflict(HIDDEN_ACCURACY, code="accuracy_hidden")
    readable = [it for it in list_groundings(samples) if may_read_summary(reader, it.first)]
    grounded = judged_alike(samples, readable)
    return get_or_compute(
        comparison_key(greedy, grounded),
        lambda: select_best(greedy, grounded),
        form=BestOfN,
        timeout_s=CACHED_S,
    )


def comparison_key(greedy: Submission, grounded: Sequence[GroundedSubmission]) -> str:
    rows = [[str(greedy.pk), str(greedy.evaluation_id)]]
    rows += [
        [str(one.submission.pk), str(one.submission.evaluation_id), str(one.linked.batch)]
        for one in grounded
    ]
    return f"best-of-n-{digest_of(to_bytes(json_text(rows)))}"
