"""The partitions of a ranking study whose models take longer than a request can wait."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from annotation.kinds.ranking.partition_requests import CONSENSUS
from annotation.kinds.ranking.partitions import create_consensus_partitions, prepare_memberships
from backend.common.errors import NotAllowed
from backend.jobs.context import JobContext
from backend.jobs.registry import job_kind


@job_kind(CONSENSUS, queue="long", time_limit=timedelta(hours=2))
def create_partitions(context: JobContext) -> Mapping[str, Any]:
    owner, parameters = context.job.owner, context.job.parameters
    if owner is None:  # their account was deleted
        raise NotAllowed("Whoever requested the partitions has no account any more.")
    study_id, size = uuid.UUID(parameters["study"]), parameters["size"]

    def progress(done: int, total: int) -> None:
        context.report_progress(f"fitting models, question {done:,} of {total:,}", done / total)

    prepare_memberships(actor=owner, study_id=study_id, size=size, progress=progress)
    created = create_consensus_partitions(
        actor=owner,
        study_id=study_id,
        size=size,
        use_adjudicated=parameters["use_adjudicated"],
    )
    return {
        "partitions": created.expert.partitions,
        "new": created.expert.new,
        "other_top": [asdict(one) for one in created.other_top],
    }
