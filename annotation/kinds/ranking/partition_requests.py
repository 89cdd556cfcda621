"""Partitions for the page: at once, their probabilities by a job where these take long."""

import uuid

from django.db import transaction

from annotation.kinds.ranking.consensus_statistics import MAX_REQUEST_FITS
from annotation.kinds.ranking.partitions import ConsensusPartitions, create_consensus_partitions
from backend.accounts.models import User
from backend.jobs.registry import JobRequest
from backend.jobs.services import request_job

CONSENSUS = "consensus-partitions"


@transaction.atomic
def request_consensus_partitions(
    *, actor: User, study_id: uuid.UUID, size: int | None = None, use_adjudicated: bool = False
) -> ConsensusPartitions:
    """See `create_consensus_partitions`. What lacks its probabilities gets them by a job."""
    created = create_consensus_partitions(
        actor=actor,
        study_id=study_id,
        size=size,
        use_adjudicated=use_adjudicated,
        most_fits=MAX_REQUEST_FITS,
    )
    if created.without_membership and not created.is_complete:
        parameters = {
            "study": str(study_id),
            "name": created.study,
            "size": size,
            "use_adjudicated": use_adjudicated,
        }
        request = JobRequest(CONSENSUS, parameters, subjects=[f"study:{study_id}"])
        request_job(owner=actor, request=request)
    return created
