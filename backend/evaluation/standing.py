"""Which submission of a model stands on the board: the Ladder."""

from django.db.models import F

from backend.benchmarks.models import Release
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.damaged_files import DamagedFile
from backend.evaluation.models import Evaluation, Submission, SubmissionQuerySet
from backend.evaluation.recovered_components import load_or_compute
from backend.evaluation.release_items import load_items
from backend.evaluation.visibility import are_answers_retired
from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.ladder import ladder_step


def of_same_model(submission: Submission) -> SubmissionQuerySet:
    return Submission.objects.filter(
        release=submission.release_id, split=submission.split, model=submission.model_id
    )


def is_improvement(submission: Submission, evaluation: Evaluation) -> bool:
    """Whether the submission replaces the standing one: exact for an operator, else the Ladder.

    A model's first submission always stands, and so does one that is free: it was not made to
    learn about the hidden answers. Others are compared with the best one that stood before, also
    if it is withdrawn: else withdrawing would show the exact scores of what comes next.
    Predictions that stood before show nothing new, so they are compared with the standing ones.
    Samples are compared with all, and nothing else is compared with a sample.
    """
    if submission.is_free:
        return True
    earlier = of_same_model(submission).ladder().exclude(pk=submission.pk)
    if not submission.is_sample:
        earlier = earlier.without_samples()
    same = earlier.filter(predictions_digest=evaluation.predictions_digest)
    if submission.is_improvement or same.exists():
        earlier = earlier.standing()
    comparable = earlier.filter(
        evaluation__evaluator_version=evaluation.evaluator_version, error__isnull=True
    )
    for best in best_first(comparable, submission.release).select_related("evaluation"):
        try:
            if best.evaluation is not None:
                return is_better(submission, evaluation, than=(best, best.evaluation))
        except DamagedFile:
            continue  # what it scored on each item is lost for good
    return True


def best_first(submissions: SubmissionQuerySet, release: Release) -> SubmissionQuerySet:
    """By the main metric over all items, of equal ones the latest first."""
    track = get_track_or_raise(release.track)
    is_higher = track.get_metric(track.main_metric).direction == "higher"
    value = F("evaluation__scores__value")
    main = submissions.filter(
        evaluation__scores__metric=track.main_metric, evaluation__scores__slice=track.overall
    )
    return main.order_by(value.desc() if is_higher else value.asc(), "-created_at")


def is_better(
    submission: Submission, evaluation: Evaluation, *, than: tuple[Submission, Evaluation]
) -> bool:
    """Raises DamagedFile if the components of the other one and its predictions are lost."""
    loaded = load_items(submission.release, submission.split)
    clusters = loaded.track.cluster_ids(loaded.table.items)
    count = int(clusters.max()) + 1
    old, new = (
        sum_by_cluster(components, clusters, count)
        for components in (load_or_compute(*than), load_or_compute(submission, evaluation))
    )
    metric = loaded.track.get_metric(loaded.track.main_metric)
    step = ladder_step(old, new, metric.formula, higher_is_better=metric.direction == "higher")
    return step.better


def has_final_entry(submission: Submission) -> bool:
    """Whether the release has closed with a final entry of this model, which then stays."""
    final = of_same_model(submission).filter(is_final=True)
    return final.exists() and are_answers_retired(submission.release)


def make_standing(submission: Submission) -> None:
    """Replace the standing submission of the model. The release's row must be locked."""
    of_same_model(submission).filter(is_standing=True).update(is_standing=False)
    Submission.objects.filter(pk=submission.pk).update(is_standing=True)
    submission.is_standing = True


def may_stand(submission: Submission) -> bool:
    """A sample never takes the place of an entry that is ranked."""
    return not (
        submission.is_sample and of_same_model(submission).standing().without_samples().exists()
    )


def replace_withdrawn(withdrawn: Submission) -> None:
    """Let one that stood before stand again: the last of free ones, else the best.

    A sample only where there is no other. The release's row must be locked.
    """
    scored = of_same_model(withdrawn).ladder().scored()
    others = scored.without_samples()
    earlier = others if others.exists() else scored
    if withdrawn.is_free:
        ordered = earlier.order_by("-created_at")
    else:
        ordered = best_first(earlier, withdrawn.release)
    if best := ordered.first():
        make_standing(best)
