"""Components whose file is lost are computed again from the stored predictions."""

from backend.evaluation.component_files import load_components, store_components
from backend.evaluation.damaged_files import DamagedFile, damaged_file
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.scoring import ScoredSplit, evaluation_key, score_predictions
from backend.jobs.faults import PlatformFault
from backend.tracks.metrics import Floats
from backend.tracks.registry import load_tracks


def load_or_compute(submission: Submission, evaluation: Evaluation) -> Floats:
    """Shape (items, k); `evaluation` is of the submission. The same key gives the same bytes.

    Raises DamagedFile if the stored predictions are lost too, and PlatformFault while the
    evaluation is of an earlier evaluator or mask: the release is about to be scored again.
    """
    try:
        return load_components(evaluation.key)
    except PlatformFault:
        if not is_repeatable(evaluation, submission.split):
            raise
    compute_again(submission, evaluation)
    return load_components(evaluation.key)


def is_repeatable(evaluation: Evaluation, split: str) -> bool:
    """Whether scoring the same predictions now gives the same key."""
    release = evaluation.release
    version = load_tracks()[release.track].version
    return evaluation.key == evaluation_key(release, split, evaluation.predictions_digest, version)


def compute_again(submission: Submission, evaluation: Evaluation) -> None:
    """From the first intact file: equal predictions may have come in several."""
    against = ScoredSplit.load(evaluation.release, submission.split)
    equal = Submission.objects.filter(evaluation=evaluation).exclude(pk=submission.pk)
    by_file = {one.file_digest: one for one in [*equal, submission]}
    for one in by_file.values():
        try:
            scored = score_predictions(one, against, is_rescored=True)
        except DamagedFile:
            continue
        return store_components(scored.key, scored.components)
    raise damaged_file(submission)
