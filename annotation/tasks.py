import uuid

from celery import shared_task

from annotation import agreement, statistics_cache, study_graph
from annotation.batch_completion import record_completion
from annotation.work_requests import clear_resolution_request


@shared_task(name="annotation.recompute_agreement")
def recompute_agreement(batch: str) -> None:
    batch_id = uuid.UUID(batch)
    agreement.recompute_agreement(batch_id=batch_id)
    record_completion(batch_id)


@shared_task(name="annotation.resolve_study")
def resolve_study(study: str) -> None:
    """The request is cleared first, so that a change while this runs is requested again."""
    study_id = uuid.UUID(study)
    clear_resolution_request(study_id)
    study_graph.resolve_study(study_id)


@shared_task(name="annotation.recompute_statistics")
def recompute_statistics(study: str) -> None:
    statistics_cache.recompute_statistics(uuid.UUID(study))
