"""Permissions: who may see question sets and their scores, and who may start computations."""

import uuid
from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import (
    Model,
    Partition,
    Question,
    QuestionSet,
    Release,
    ReleaseSplit,
)
from backend.benchmarks.printed_models import printed_slugs
from backend.benchmarks.study_links import (
    sets_of_coordinated_studies,
    sets_of_hidden_tests,
    sets_of_open_studies,
)
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.graphs.models import Version
from backend.graphs.policies import visible_graphs
from backend.studies.policies import is_any_coordinator

NOT_FOUND_MESSAGE = "This does not exist, or you may not see it."
LINK_TRACK = "dyport"
DEV_SPLITS = ("dev", "development", "valid", "validation", "train", "training")


def comparable_questions() -> QuerySet[Question]:
    """Those whose experts may read, after their study, how the others answered.

    A question in a split other than dev is hidden, because that may be a test split; so is one
    about answers to a test split, until these are retired.
    """
    other = Partition.objects.filter(question=OuterRef("pk")).exclude(split__in=("", *DEV_SPLITS))
    shown = Question.objects.exclude(Exists(other)).exclude(question_set__in=sets_of_open_studies())
    return shown.exclude(question_set__in=sets_of_hidden_tests())


def public_questions() -> QuerySet[Question]:
    """Questions of dev splits and of the demo that are no hidden test and in no open study."""
    dev = Partition.objects.filter(question=OuterRef("pk"), split__in=DEV_SPLITS)
    return comparable_questions().filter(Exists(dev) | Q(question_set__is_demo=True))


def visible_questions(user: User | None) -> QuerySet[Question]:
    """Public questions, and those of the user's own sets and coordinated studies."""
    if user is None or not user.is_active:
        return public_questions()
    if user.is_administrator:
        return Question.objects.all()
    own = Q(question_set__in=manageable_sets(user))
    return Question.objects.filter(Q(pk__in=public_questions().order_by().values("pk")) | own)


def manageable_sets(user: User) -> QuerySet[QuestionSet]:
    coordinated = Q(pk__in=sets_of_coordinated_studies(user).values("pk"))
    return QuestionSet.objects.filter(Q(created_by=user) | coordinated)


def visible_sets(user: User | None) -> QuerySet[QuestionSet]:
    """Sets with at least one visible question."""
    known = visible_questions(user).order_by().filter(question_set=OuterRef("pk"))
    return QuestionSet.objects.filter(Exists(known))


def get_set_or_raise(user: User | None, set_id: uuid.UUID) -> QuestionSet:
    result = visible_sets(user).filter(pk=set_id).first()
    if result is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    return result


def get_question_or_raise(user: User | None, question_id: uuid.UUID) -> Question:
    result = visible_questions(user).filter(pk=question_id).select_related("question_set").first()
    if result is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    return result


def visible_partitions(user: User | None) -> QuerySet[Partition]:
    """Partitions over visible graphs, for questions that the user may see."""
    known = Q(version=None) | Q(version__graph__in=visible_graphs(user))
    return Partition.objects.filter(known)


def may_see_calibration(user: User | None, question_set: QuestionSet) -> bool:
    """Whether the user may see weights learned from partitions that may be hidden."""
    if user is not None and _is_manager(user, question_set):
        return True
    experts = Partition.objects.filter(
        question__question_set=question_set, method=Partition.Method.EXPERT
    )
    learnt_from = experts.filter(split__in=("", *DEV_SPLITS))
    public = public_questions().order_by().values("pk")
    return not learnt_from.exclude(question__in=public).exists()


def is_public(question: Question) -> bool:
    return public_questions().filter(pk=question.pk).exists()


def may_compute(user: User) -> bool:
    """Administrators and coordinators of a study."""
    if not user.is_active:
        return False
    return user.is_administrator or is_any_coordinator(user)


def require_compute_permission(user: User) -> None:
    if not may_compute(user):
        raise NotAllowed("Only administrators and coordinators can start this computation.")


def require_scoring_permission(user: User) -> None:
    if not (user.is_researcher and user.is_active) and not may_compute(user):
        raise NotAllowed(
            "Only researchers, coordinators and administrators can upload files of sets."
        )


def can_have_computed(user: User, version: Version, question_set: QuestionSet | None) -> bool:
    """Whether the user may start computations of this version and, if given, of this set."""
    if not may_compute(user) or not (question_set is None or _is_manager(user, question_set)):
        return False
    return visible_graphs(user).filter(pk=version.graph_id).exists()


def manageable_set_ids(user: User | None, sets: Collection[QuestionSet]) -> set[uuid.UUID]:
    """The ids of those sets that the user manages; see `require_set_manager`."""
    ids = {one.pk for one in sets}
    if user is None or user.is_administrator:
        return ids if user else set()
    return set(manageable_sets(user).filter(pk__in=ids).values_list("pk", flat=True))


def _is_manager(user: User, question_set: QuestionSet) -> bool:
    return bool(manageable_set_ids(user, [question_set]))


def require_set_manager(user: User, question_set: QuestionSet) -> None:
    """Only managers may score all questions, since that reveals more than the public ones."""
    if not _is_manager(user, question_set):
        raise NotAllowed("Only the owner of this question set can start this computation.")


def is_set_owner(user: User | None, question_set: QuestionSet) -> bool:
    """Whoever coordinates a study manages its set; a new study of it is for the owner to make."""
    if user is None:
        return False
    return user.is_administrator or question_set.created_by_id == user.pk


def require_set_owner(user: User, question_set: QuestionSet) -> None:
    if not is_set_owner(user, question_set):
        raise NotAllowed("Only the owner of this question set can make a study of it.")


def visible_releases(user: User | None) -> QuerySet[Release]:
    return Release.objects.visible_to(user)


def get_release_or_raise(user: User | None, slug: str) -> Release:
    release = visible_releases(user).filter(slug=slug).first()
    if release is None:
        raise NotFound("This release does not exist, or you may not see it.")
    return release


def lock_release_or_raise(release_id: uuid.UUID, *, no_key: bool = False) -> Release:
    """no_key: rows that refer to it may be stored meanwhile. Raises NotFound once it is deleted."""
    rows = Release.objects.select_for_update(of=("self",), no_key=no_key)
    release = rows.filter(pk=release_id).first()
    if release is None:
        raise NotFound("This release was deleted.")
    return release


def require_version(release: Release, version: int | None) -> None:
    """version: that of the release as the actor read it; None where they name none.

    Raises Conflict if it was changed since.
    """
    if version is not None and release.version != version:
        message = "This release was changed since you loaded it. Load it again, then change it."
        raise Conflict(message, code="stale_version", data={"version": release.version})


def split_of_discoveries(release: Release) -> str:
    """The split whose true links everybody may read; empty where all are hidden.

    The answers of a board of a sealed release are in its graph, and it takes no predictions.
    """
    if release.track != LINK_TRACK or release.is_sealed or release.state == Release.State.DRAFT:
        return ""
    if release.unseals_id is not None:
        return ReleaseSplit.TEST
    has_dev = release.items.filter(split=ReleaseSplit.DEV).exists()
    return ReleaseSplit.DEV if has_dev else ""


def may_make_releases(actor: User) -> bool:
    return actor.is_active and (actor.is_administrator or is_any_coordinator(actor))


def is_organiser(actor: User, release: Release) -> bool:
    """Whether the actor made the release, or is an administrator."""
    is_own = actor.is_administrator or release.created_by_id == actor.pk
    return is_own and may_make_releases(actor)


def may_submit(actor: User) -> bool:
    """Whether the actor registers models and submits their predictions."""
    return actor.is_active and (actor.is_researcher or actor.is_administrator)


def is_own_model(actor: User, model: Model) -> bool:
    return Model.objects.owned_by(actor.pk).filter(pk=model.pk).exists()


def may_change_model(actor: User, model: Model) -> bool:
    """What the papers print of a model is for administrators to correct."""
    if actor.is_administrator:
        return actor.is_active
    return may_submit(actor) and is_own_model(actor, model) and not is_printed(model)


def is_printed(model: Model) -> bool:
    """Whether its page is that of a model of the published figures."""
    return model.slug in printed_slugs()


def require_model_change(actor: User, model: Model) -> None:
    if not may_change_model(actor, model):
        raise NotAllowed("You may not change this model. Ask an administrator.")


def require_release_organiser(actor: User, release: Release | None = None) -> None:
    if release is None and not may_make_releases(actor):
        raise NotAllowed("Only coordinators and administrators make releases.")
    if release is not None and not is_organiser(actor, release):
        raise NotAllowed("Only its coordinator or an administrator may do this with a release.")
