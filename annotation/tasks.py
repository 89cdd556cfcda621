"""Work of the annotation room that happens in the background."""

import uuid

from celery import shared_task

from annotation import agreement, pins
from annotation.live import take_resolution_request


@shared_task(name="annotation.recompute_agreement")
def recompute_agreement(batch: str) -> None:
    agreement.recompute_agreement(batch_id=uuid.UUID(batch))


@shared_task(name="annotation.resolve_study")
def resolve_study(study: str) -> None:
    """Asked for again while this runs, it finds everything done."""
    study_id = uuid.UUID(study)
    take_resolution_request(study_id)
    pins.resolve_study(study_id)
