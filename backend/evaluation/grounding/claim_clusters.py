"""Which rationales stand or fall together in the intervals of groundedness and of agreement."""

import uuid
from collections.abc import Collection, Mapping

from backend.evaluation.grounding.groundedness import cluster_numbers
from backend.evaluation.grounding.submission_rationales import positions_by_key
from backend.evaluation.models import Grounding, Submission, SubmissionGrounding


def read_clusters(batches: Collection[uuid.UUID]) -> Mapping[uuid.UUID, str]:
    """Of each grounding: the cluster of its item, where the batch is a submission's, else itself.

    A pair and its reverse are one. Labels differ between releases and splits, not between models:
    two entries' rationales about one item are one cluster.
    """
    rows = Grounding.objects.filter(batch__in=batches).values_list("pk", flat=True)
    clusters = {pk: str(pk) for pk in rows}
    linked = SubmissionGrounding.objects.filter(batch__in=batches)
    for one in linked.select_related("submission__release"):
        clusters |= item_clusters(one.submission, one.batch)
    return clusters


def item_clusters(submission: Submission, batch: uuid.UUID) -> Mapping[uuid.UUID, str]:
    """Of each grounding whose item the submission's split has."""
    places = positions_by_key(submission)
    numbers = cluster_numbers(submission.release, submission.split).tolist()
    split = f"{submission.release_id} {submission.split}"
    rows = Grounding.objects.filter(batch=batch, item__isnull=False).values_list("pk", "item")
    return {
        pk: f"{split} {numbers[place]}"
        for pk, item in rows
        if (place := places.get(tuple(item or ()))) is not None
    }
