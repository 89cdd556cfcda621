"""The graph that a study pins, so that its experts see evidence beside the ranking."""

import uuid
from dataclasses import dataclass, field

from django.db import transaction

from annotation.live import ask_for_resolution, tell_on_commit
from annotation.models import Event, EventKind, Study
from annotation.policies import NOTHING_HERE, check_open, get_coordinated_study_or_raise
from backend.accounts.models import User
from backend.benchmarks.models import Resolution
from backend.benchmarks.resolution import is_complete, resolve_question_set
from backend.common.errors import Conflict, Missing
from backend.graphs.models import Version
from backend.graphs.naming import version_named
from backend.graphs.sharing import share_with_study

LONGEST_NAMED = 110
LOOKED = (EventKind.EVIDENCE_OPENED, EventKind.EVIDENCE_VIEWED)
Counts = dict[str, int]


class EvidenceInUse(Conflict):
    code = "evidence_in_use"


@dataclass(frozen=True)
class Pinned:
    """What a coordinator sees of it. Not complete: names are still looked up, or that failed."""

    version: Version
    is_complete: bool
    is_locked: bool
    fault: str = ""
    candidates: Counts = field(default_factory=dict)
    resources: Counts = field(default_factory=dict)
    mentions: Counts = field(default_factory=dict)


@transaction.atomic
def pin_graph(*, actor: User, study_id: uuid.UUID, named: str) -> Study:
    """Pin a version of a graph that she may see: 'slug', its newest, or 'slug@number'.

    An empty text takes the pin back. Neither is possible once an expert has looked at evidence.
    """
    study = get_coordinated_study_or_raise(actor, study_id)
    return pin_to_study(actor=actor, study=study, version=version_named(actor, named))


@transaction.atomic
def pin_to_study(*, actor: User | None, study: Study, version: Version | None) -> Study:
    """The actor None is the command line or the demo, which may pin any graph."""
    study = Study.objects.select_for_update().get(pk=study.pk)
    if study.graph_version_id == (version.pk if version else None):
        ask_for_resolution_on_commit(study)
        return study
    check_open(study)
    _check_unused(study)
    if version is not None:
        _hold(version)
        share_with_study(actor=actor, graph=version.graph, study=study.id)
    study.graph_version = version
    study.save(update_fields=["graph_version"])
    ask_for_resolution_on_commit(study)
    tell_on_commit(study.id, "board")
    return study


def _check_unused(study: Study) -> None:
    if study.graph_version_id and is_locked(study):
        raise EvidenceInUse(
            "Experts have looked at the evidence of this graph, so the study keeps it. "
            "Make another study for another graph."
        )


def is_locked(study: Study) -> bool:
    """What experts saw beside one study must not be another graph from one day to the next."""
    return Event.objects.filter(response__assignment__study=study, kind__in=LOOKED).exists()


def _hold(version: Version) -> None:
    """A version that is being removed is not pinned, and one that is pinned is not removed."""
    if not Version.objects.select_for_update().ready().filter(pk=version.pk).exists():
        raise Missing(NOTHING_HERE)


def ask_for_resolution_on_commit(study: Study) -> None:
    if study.graph_version_id:
        transaction.on_commit(lambda: ask_for_resolution(study.id))


def pinned_of(study: Study) -> Pinned | None:
    """Whatever was lost on the way to the worker is asked for again by whoever looks."""
    version = study.graph_version
    if version is None:
        return None
    found = resolution_of(study)
    locked = is_locked(study)
    if found is None:
        return Pinned(version, is_complete=False, is_locked=locked)
    complete = is_complete(found)
    return Pinned(version, complete, locked, fault=found.fault, **found.counts)


def resolution_of(study: Study) -> Resolution | None:
    """As far as it has come. Where it is not complete, a worker is asked."""
    found = Resolution.objects.filter(
        question_set=study.question_set_id, version=study.graph_version_id
    ).first()
    if found is None or not is_complete(found):
        ask_for_resolution(study.id)
    return found


def resolve_study(study_id: uuid.UUID) -> None:
    """The worker's part. Nothing to do for a study that pins none, or that has all of it."""
    study = Study.objects.select_related("graph_version", "question_set").get(pk=study_id)
    version = study.graph_version
    if version is None:
        return
    found = Resolution.objects.filter(question_set=study.question_set, version=version).first()
    if found is not None and is_complete(found):
        return
    resolve_question_set(question_set=study.question_set, version=version)
    tell_on_commit(study.id, "board")


def studies_citing(version: Version) -> list[str]:
    return [f"the study '{name}'" for name in version.studies.values_list("name", flat=True)]
