"""The event of a batch that has all of its answers."""

import uuid

from annotation.models import Assignment, Batch, StudyDesign
from annotation.progress import count_progress_by, with_requested
from backend.studies.webhooks.events import record_event, subscribed_webhooks


def record_completion(batch_id: uuid.UUID) -> None:
    """Once for each number of answers: a batch that gets more experts later is completed again."""
    batch = Batch.objects.filter(id=batch_id).first()
    if batch is None or not subscribed_webhooks(batch.study_id, "batch.completed"):
        return
    counted = Assignment.objects.counted().filter(batch=batch)
    assigned = count_progress_by(counted, "batch").get((batch.id,))
    if assigned is None:
        return
    overlap = StudyDesign.objects.filter(study=batch.study_id).values_list("overlap", flat=True)
    questions = batch.entries.filter(known_answer=None).count()
    progress = with_requested(assigned, overlap.first(), questions)
    if progress.remaining <= 0:
        record_event(
            batch.study_id,
            "batch.completed",
            {"batch": batch.id, "questions": questions, "answers": progress.answered},
            key=f"batch.completed:{batch.id}:{progress.answered}",
        )
