"""Sessions of tool calls: opened for a release's graph, closed, named by a submission."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from http import HTTPStatus

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Model, Release, ReleaseSplit
from backend.benchmarks.policies import (
    get_release_or_raise,
    is_organiser,
    lock_release_or_raise,
    visible_releases,
)
from backend.benchmarks.registered_models import get_own_model_or_raise
from backend.benchmarks.release_graph_lookup import (
    get_release_graph_or_raise,
    needed_methods,
    scored_method,
    used_graphs,
)
from backend.common.errors import Conflict, DomainError, NotFound
from backend.evaluation.models import Submission, SubmissionState, ToolSession, ToolUse
from backend.evaluation.policies import require_researcher
from backend.graphs.graph_access import OpenGraph, open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.policies import get_graph_or_raise, readable_graphs


class ToolLimitReached(DomainError):
    code = "tool_limit"
    status = HTTPStatus.TOO_MANY_REQUESTS


def list_methods(release: Release) -> Sequence[str]:
    """Methods of the masked graphs that the release uses, also of those which it took over.

    A release with any never shows its whole graph; older ones of several partitions use all.
    """
    used = {one.method for one in used_graphs(release)} | needed_methods(release)
    return sorted(used or release.graphs.values_list("method", flat=True))


def get_session_graph(actor: User, release: Release, method: str = "") -> tuple[Version, str]:
    """The graph that the tools walk, and the method that masked it.

    Raises NotFound for a graph that the actor may not see, DomainError for another method.
    """
    methods = list_methods(release)
    if not methods:
        return _get_whole_graph(actor, release, method), ""
    chosen = method or scored_method(release) or (methods[0] if len(methods) == 1 else "")
    if chosen not in methods:
        message = f"Name the method of the masked graph: {', '.join(methods)}."
        raise DomainError(message, code="no_mask_method")
    version = get_release_graph_or_raise(release, chosen).version
    return version, chosen


def _get_whole_graph(actor: User, release: Release, method: str) -> Version:
    version = release.graph_version
    if version is None:
        raise DomainError("This release has no graph to walk.", code="release_without_graph")
    if method:
        raise DomainError("This release has no masked graph.", code="no_mask_method")
    get_graph_or_raise(actor, version.graph.slug)
    return version


@transaction.atomic
def open_session(*, actor: User, slug: str, method: str = "", model: str = "") -> ToolSession:
    """Raises NotFound, NotAllowed, DomainError for a release without a graph, ToolLimitReached."""
    release = get_release_or_raise(actor, slug)
    if not is_organiser(actor, release):
        require_researcher(actor)
    version, masked_by = get_session_graph(actor, release, method)
    own_model: Model | None = get_own_model_or_raise(actor, model) if model else None
    count_use(actor, "sessions", settings.TOOL_SESSIONS_PER_DAY)
    lock_release_or_raise(release.pk, no_key=True)  # a draft may have been deleted meanwhile
    return ToolSession.objects.create(
        owner=actor, release=release, version=version, method=masked_by, model=own_model
    )


def count_use(actor: User, what: str, limit: int) -> None:
    """Raises ToolLimitReached once the limit of this UTC day is reached."""
    today = timezone.now().astimezone(UTC).date()
    use, _ = ToolUse.objects.get_or_create(owner=actor, day=today)
    below = ToolUse.objects.filter(Q(**{f"{what}__lt": limit}), pk=use.pk)
    if not below.update(**{what: F(what) + 1}):
        next_at = datetime.combine(today + timedelta(days=1), time(), UTC)
        noun = "tool calls" if what == "calls" else "sessions"
        raise ToolLimitReached(
            f"You have used all {limit:,} {noun} of this day. Go on after 00:00 UTC.",
            data={"limit": limit, "next_at": next_at},
        )


def list_own_sessions(actor: User) -> QuerySet[ToolSession]:
    rows = ToolSession.objects.filter(owner=actor).select_related("release", "version", "model")
    return rows.prefetch_related("submissions")


def may_audit_session(actor: User | None, session: ToolSession) -> bool:
    """Who reads a session whether it is shared or not: its owner and the release's organisers."""
    if actor is None:
        return False
    return session.owner_id == actor.pk or is_organiser(actor, session.release)


def may_see_session(actor: User | None, session: ToolSession) -> bool:
    return may_audit_session(actor, session) or is_public_for(actor, session)


def is_public_for(actor: User | None, session: ToolSession) -> bool:
    """Whether it is shared, for those who may read its release and its graph."""
    if not (session.is_shared and is_shareable(session)):
        return False
    is_visible = visible_releases(actor).filter(pk=session.release_id).exists()
    return is_visible and readable_graphs(actor).filter(pk=session.version.graph_id).exists()


def is_shareable(session: ToolSession) -> bool:
    """As prompts and answers of runs: of dev items alone, and of no anonymous entry."""
    named = [*session.submissions.all()]
    is_dev = all(one.split == ReleaseSplit.DEV and not one.is_anonymous for one in named)
    return is_dev and any(one.state == SubmissionState.SCORED for one in named)


def readable_session(user: User | None, submission: Submission) -> uuid.UUID | None:
    """The session that a submission names, for those who may read its calls."""
    session = submission.session
    is_readable = session is not None and may_see_session(user, session)
    return submission.session_id if is_readable else None


def get_session_or_raise(actor: User | None, session_id: uuid.UUID) -> ToolSession:
    """To read it. Raises NotFound."""
    rows = ToolSession.objects.select_related("owner", "release", "version__graph", "model")
    session = rows.prefetch_related("submissions").filter(pk=session_id).first()
    if session is None or not may_see_session(actor, session):
        raise NotFound("This session does not exist, or you may not see it.")
    return session


def get_own_session_or_raise(actor: User, session_id: uuid.UUID) -> ToolSession:
    """To call tools in it and to close it. Raises NotFound."""
    session = get_session_or_raise(actor, session_id)
    if session.owner_id != actor.pk:
        raise NotFound("This session belongs to someone else. Open one of your own.")
    return session


def open_session_graph(session: ToolSession, *, actor: User | None = None) -> OpenGraph:
    """Under the cut-off of the release. Raises NotFound for a graph that the actor may no longer
    see."""
    version = session.version
    if actor is not None:
        get_graph_or_raise(actor, version.graph.slug)
    snapshot = open_version_snapshot(version)
    until = session.release.cutoff
    return OpenGraph(version.graph, version, snapshot, is_pinned=True, until=until)


def require_masked(session: ToolSession) -> None:
    """Raises Conflict for a session on another graph than those which the release is walked on:
    it was opened before that was so."""
    methods = list_methods(session.release) or [""]
    if session.method not in methods:
        message = "This release is walked on its masked graph. Open another session to use it."
        raise Conflict(message, code="session_before_mask")


@transaction.atomic
def close_session(*, actor: User, session_id: uuid.UUID) -> ToolSession:
    """Closing twice changes nothing."""
    session = get_own_session_or_raise(actor, session_id)
    _close(session)
    return session


@transaction.atomic
def share_session(*, actor: User, session_id: uuid.UUID, is_shared: bool) -> ToolSession:
    """Let everybody read it, or take that back. Raises NotFound, or Conflict where it may not be
    shared."""
    session = get_own_session_or_raise(actor, session_id)
    if is_shared and not is_shareable(session):
        message = (
            "Only calls that scored submissions of dev items name can be shared, and none of an "
            "anonymous entry."
        )
        raise Conflict(message, code="session_not_shareable")
    session.is_shared = is_shared
    session.save(update_fields=["is_shared"])
    return session


def _close(session: ToolSession) -> None:
    ToolSession.objects.filter(pk=session.pk, closed_at=None).update(closed_at=timezone.now())
    session.refresh_from_db(fields=["closed_at", "calls"])


def name_session(*, actor: User | None, submission: Submission, session_id: uuid.UUID) -> None:
    """Set the session of a submission, which the caller saves. It is closed: its log is complete.

    Raises NotFound, or Conflict for a session of another release or model, and where the
    submission names another session: what its predictions were made with does not change.
    """
    session = ToolSession.objects.select_for_update(of=("self",)).filter(pk=session_id).first()
    if session is None or (actor is not None and session.owner_id != actor.pk):
        raise NotFound("You have no session of this id.", code="no_session")
    if session.release_id != submission.release_id:
        raise Conflict("The session belongs to another release.", code="session_of_other_release")
    if session.model_id is not None and session.model_id != submission.model_id:
        raise Conflict("The session was opened for another model.", code="session_of_other_model")
    if submission.session_id not in (None, session.pk):
        message = "These predictions name another session already. Leave the session out."
        raise Conflict(message, code="session_named")
    _close(session)
    submission.session = session
