"""Scores of the items that were answered at once, beside those of items with retries.

Retries select: an item with a retry has another chance. Both parts are scored by the
track's own metrics, from the stored components of the evaluation.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.accounts.models import User
from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run
from backend.evaluation.runs.explorations import STEP_MARK
from backend.evaluation.shown_slices import MIN_TEST_ITEMS
from backend.evaluation.visibility import ScoreVisibility, score_visibility
from backend.llm.models import Exchange

Mask = NDArray[np.bool_]


def read_attempt_scores(actor: User | None, run: Run) -> list[dict[str, Any]]:
    """For each submission whose scores the actor may read, and each part that may be shown."""
    scored = run.submissions.select_related("evaluation", "release").exclude(evaluation=None)
    return [
        part
        for one in scored.order_by("split")
        if score_visibility(actor, one) == ScoreVisibility.SHOWN
        for part in _parts(run, one)
    ]


def _parts(run: Run, submission: Submission) -> list[dict[str, Any]]:
    evaluation = submission.evaluation
    track = get_track_or_raise(submission.release.track)
    if evaluation is None or evaluation.evaluator_version != track.version:
        return []
    components = load_components(evaluation.key)
    masks = find_attempts(run, submission.split, len(components))
    if not is_rest_shown(masks, submission.split):
        return []
    return [
        {"split": submission.split, "attempts": name, "items": int(mask.sum())}
        | {"scores": track.metric_values(components, mask)}
        for name, mask in masks.items()
        if is_shown(mask, submission.split)
    ]


def find_attempts(run: Run, split: str, items: int) -> Mapping[str, Mask]:
    """Of the items whose requests have ended; those without an answer count as they are scored."""
    masks = {"first": np.zeros(items, np.bool_), "retried": np.zeros(items, np.bool_)}
    rows = Exchange.objects.filter(budget__subject=run.subject, item_key__startswith=f"{split}:")
    rows = rows.last_ends()
    for key, is_retried in rows.values_list("item_key", "is_retried"):
        masks["retried" if is_retried else "first"][position_of(key)] = True
    masks["first"] &= ~masks["retried"]  # of several requests for one item
    return masks


def position_of(item_key: str) -> int:
    return int(item_key.partition(STEP_MARK)[0].rpartition(":")[2])


def is_rest_shown(masks: Mapping[str, Mask], split: str) -> bool:
    """The score of items in neither part is the difference between theirs and the overall one."""
    rest = int((~np.logical_or.reduce([*masks.values()])).sum())
    return split == ReleaseSplit.DEV or rest == 0 or rest >= MIN_TEST_ITEMS


def is_shown(mask: Mask, split: str) -> bool:
    """A score of few test items, or of all but a few, would reveal that of single ones."""
    inside, outside = int(mask.sum()), int((~mask).sum())
    if split == ReleaseSplit.DEV:
        return inside > 0
    return inside >= MIN_TEST_ITEMS and (outside == 0 or outside >= MIN_TEST_ITEMS)
