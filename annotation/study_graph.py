"""The graph that a study pins, so that its experts see evidence beside each question."""

import uuid
from dataclasses import dataclass, field

from django.db import transaction

from annotation.models import ActivityKind, Event
from annotation.work_requests import request_resolution
from backend.accounts.models import User
from backend.benchmarks.entity_linking import is_complete, resolve_question_set
from backend.benchmarks.models import Resolution
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict, NotFound
from backend.graphs.graph_settings import share_with_study
from backend.graphs.models import Version
from backend.graphs.policies import can_be_read_elsewhere
from backend.graphs.study_links import pin_version, pinned_version
from backend.graphs.version_lookup import find_version_or_raise
from backend.studies.models import Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    check_changeable,
    get_coordinated_study_or_raise,
)

MAX_VERSION_NAME_LENGTH = 110
EVIDENCE_EVENTS = (ActivityKind.EVIDENCE_OPENED, ActivityKind.EVIDENCE_VIEWED)
MatchCounts = dict[str, int]


@dataclass(frozen=True)
class PinnedGraph:
    """The pinned version, and how many names of the study were found in it, by how.

    Not complete: a worker still looks names up, or failed with the `error`. Locked: an expert
    has seen evidence, so the study keeps this graph. can_be_looked_up: the study hides evidence,
    and some of its experts may read the graph's own pages all the same.
    """

    version: Version
    is_complete: bool
    is_locked: bool
    can_be_looked_up: bool = False
    error: str = ""
    candidates: MatchCounts = field(default_factory=dict)
    resources: MatchCounts = field(default_factory=dict)
    mentions: MatchCounts = field(default_factory=dict)


@transaction.atomic
def pin_graph(*, actor: User, study_id: uuid.UUID, version_name: str) -> Study:
    """Pin a version that the actor may see: 'slug' for the newest one, or 'slug@number'.

    An empty name unpins. Raises Conflict once an expert has opened evidence.
    """
    study = get_coordinated_study_or_raise(actor, study_id)
    version = find_version_or_raise(actor, version_name)
    return pin_to_study(actor=actor, study=study, version=version)


@transaction.atomic
def pin_to_study(*, actor: User | None, study: Study, version: Version | None) -> Study:
    """The actor None is the command line or the demo, which may pin any graph."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if pinned_version(study) == version:
        request_resolution_on_commit(study)
        return study
    check_changeable(study)
    _check_evidence_unused(study)
    if version is not None:
        _lock_version_or_raise(version)
        share_with_study(actor=actor, graph=version.graph, study=study)
    pin_version(study, version)
    request_resolution_on_commit(study)
    notify_on_commit(study.id, "board")
    return study


def _check_evidence_unused(study: Study) -> None:
    if pinned_version(study) is not None and is_locked(study):
        raise Conflict(
            "Experts have seen evidence from this graph. Create another study to use another "
            "graph.",
            code="evidence_in_use",
        )


def is_locked(study: Study) -> bool:
    """Whether an expert has seen evidence: it must be of the same graph for everybody."""
    events = Event.objects.filter(response__assignment__study=study)
    return events.filter(kind__in=EVIDENCE_EVENTS).exists()


def _lock_version_or_raise(version: Version) -> None:
    """A version that is being removed cannot be pinned, and a pinned one cannot be removed."""
    if not Version.objects.select_for_update().ready().filter(pk=version.pk).exists():
        raise NotFound(NOT_FOUND_MESSAGE)


def request_resolution_on_commit(study: Study) -> None:
    if pinned_version(study) is not None:
        transaction.on_commit(lambda: request_resolution(study.id))


def pinned_graph(study: Study) -> PinnedGraph | None:
    version = pinned_version(study)
    if version is None:
        return None
    resolution = get_resolution(study, version)
    locked = is_locked(study)
    readable = study.hides_evidence and can_be_read_elsewhere(version.graph, study)
    if resolution is None:
        return PinnedGraph(version, False, locked, readable)
    complete = is_complete(resolution)
    return PinnedGraph(
        version, complete, locked, readable, error=resolution.error, **resolution.counts
    )


def get_resolution(study: Study, version: Version) -> Resolution | None:
    """The entity links so far. Reading incomplete ones requests the rest from a worker."""
    result = Resolution.objects.filter(question_set=question_set_of(study), version=version).first()
    if result is None or not is_complete(result):
        request_resolution(study.id)
    return result


def resolve_study(study_id: uuid.UUID) -> None:
    """The worker's part: link the study's questions to its graph, unless that is complete."""
    study = Study.objects.get(pk=study_id)
    version = pinned_version(study)
    if version is None:
        return
    question_set = question_set_of(study)
    result = Resolution.objects.filter(question_set=question_set, version=version).first()
    if result is not None and is_complete(result):
        return
    resolve_question_set(question_set=question_set, version=version)
    notify_on_commit(study.id, "board")
