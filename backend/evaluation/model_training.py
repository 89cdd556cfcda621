"""The job that trains the model of a baseline on the dev split of a release, and stores it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.policies import get_release_or_raise, is_organiser
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.bounds import require_seed
from backend.common.errors import DomainError, NotAllowed, NotFound
from backend.evaluation.baselines import choose, open_baselines
from backend.jobs.context import JobContext
from backend.jobs.registry import JobRequest
from backend.tracks.registry import load_trainings
from backend.validation.faults import Fault

MODEL_TRAINING = "model-training"


class TrainingParameters(BaseModel):
    """Parameters of a request to POST /jobs."""

    model_config = ConfigDict(extra="forbid")
    release: str = Field(max_length=120)
    model: str = Field(max_length=60)
    seed: int = 0


def training_request(release: Release, model: str, seed: int) -> JobRequest:
    """Raises DomainError for a model that the track does not train."""
    require_seed(seed)
    track = get_track_or_raise(release.track)
    choose(load_trainings(track), model, track.slug, "trained baseline")
    parameters = {"release": str(release.pk), "model": model, "seed": seed}
    return JobRequest(MODEL_TRAINING, parameters, subjects=[release.subject])


def create_training(user: User, parameters: Mapping[str, Any]) -> JobRequest:
    """For organisers of the release."""
    try:
        parsed = TrainingParameters.model_validate(parameters)
    except ValidationError as error:
        faults = [
            Fault(".".join(["parameters", *map(str, one["loc"])]), one["msg"])
            for one in error.errors()
        ]
        raise DomainError("The parameters of this job are invalid.", faults=faults) from error
    release = get_release_or_raise(user, parsed.release)
    if not is_organiser(user, release):
        raise NotAllowed("Only organisers of the release can train models on it.")
    return training_request(release, parsed.model, parsed.seed)


def train_model(context: JobContext) -> Mapping[str, Any]:
    """The card of the model: its data, settings and metrics on the dev split."""
    parameters = context.job.parameters
    release = Release.objects.filter(pk=parameters["release"]).first()
    if release is None:
        raise NotFound("The release of this job was deleted.")
    context.report_progress("training on the dev split", 0.1, is_forced=True)
    folder, stop = context.checkpoint_folder, context.cancellation
    with open_baselines(release, checkpoint=folder, stop=stop) as runs:
        return runs.train(parameters["model"], parameters["seed"])
