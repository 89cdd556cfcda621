"""Work of the annotation room that happens in the background."""

import uuid

from celery import shared_task

from annotation import agreement


@shared_task(name="annotation.recompute_agreement")
def recompute_agreement(batch: str) -> None:
    agreement.recompute_agreement(batch_id=uuid.UUID(batch))
