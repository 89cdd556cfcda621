"""Who may read and publish groundings."""

import uuid
from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from backend.accounts.models import User
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.evaluation.models.claim_studies import ClaimStudyBatch
from backend.evaluation.models.grounding import Grounding, GroundingState
from backend.graphs.literature.policies import readable_collections
from backend.graphs.models import OPEN_BY_ADDRESS
from backend.graphs.policies import get_graph_or_raise
from backend.studies.models import ENDED_STATUSES
from backend.studies.policies import may_import_studies

BATCH_NOT_FOUND = "This batch does not exist, or you may not see it."
GROUNDING_NOT_FOUND = "This grounding does not exist, or you may not see it."
RELATED = ("owner", "version__graph", "collection", "endpoint", "job")


class SourcesNotReadable(NotAllowed):
    code = "sources_not_readable"

    def __init__(self) -> None:
        super().__init__("You may no longer read the graph or the papers of this grounding.")


def own_groundings(actor: User) -> QuerySet[Grounding]:
    """Without those of submissions, which the pages of the submissions count."""
    return Grounding.objects.select_related(*RELATED).filter(owner=actor, item__isnull=True)


def get_grounding_or_raise(user: User | None, grounding_id: uuid.UUID) -> Grounding:
    """One of the user's own, or a public one whose graph and papers the user may read.

    The claims and evidence of an own one may be withheld: see `may_read_evidence`.
    """
    grounding = Grounding.objects.select_related(*RELATED).filter(pk=grounding_id).first()
    if grounding is None or not may_read(user, grounding):
        raise NotFound(GROUNDING_NOT_FOUND)
    return grounding


def is_own(user: User | None, grounding: Grounding) -> bool:
    """Administrators own nothing of others: a rationale may be unpublished work."""
    return user is not None and user.is_active and grounding.owner_id == user.pk


def may_read(user: User | None, grounding: Grounding) -> bool:
    if is_own(user, grounding):
        return True
    if grounding.endpoint is not None and not grounding.endpoint.may_publish:
        return False
    if not grounding.is_public or is_under_judgement(grounding):
        return False
    return may_read_sources(user, grounding)


def is_under_judgement(grounding: Grounding) -> bool:
    """Whether a study of its claims is open: also one that was reopened after it became public."""
    studies = ClaimStudyBatch.objects.filter(batch=grounding.batch)
    return studies.exclude(claim_study__study__status__in=ENDED_STATUSES).exists()


def may_read_evidence(user: User | None, grounding: Grounding) -> bool:
    """Of a grounding that the user may read. Its owner may have lost the right to the sources."""
    return grounding.state != GroundingState.ENDED or may_read_sources(user, grounding)


def require_evidence(user: User | None, grounding: Grounding) -> None:
    if not may_read_evidence(user, grounding):
        raise SourcesNotReadable()


def may_read_sources(user: User | None, grounding: Grounding) -> bool:
    """Evidence quotes the graph and the papers, so it is for their readers alone."""
    if grounding.literature and not has_readable_papers(user, grounding):
        return False
    try:
        get_graph_or_raise(user, grounding.version.graph.slug)
    except NotFound:
        return False
    return True


def has_readable_papers(user: User | None, grounding: Grounding) -> bool:
    collection = grounding.collection_id
    return collection is not None and readable_collections(user).filter(pk=collection).exists()


def may_read_summary(user: User | None, grounding: Grounding) -> bool:
    """How much of a submission's rationales is supported; numbers alone, no text and no evidence.
    They name the graph and the papers, so that both must be the reader's to read."""
    endpoint = grounding.endpoint
    is_published = endpoint is None or endpoint.may_publish or is_own(user, grounding)
    return is_published and may_read_sources(user, grounding)


def require_owner(actor: User, grounding: Grounding) -> None:
    if not is_own(actor, grounding):
        raise NotAllowed("Only the owner of this grounding can change it.")


def require_publishable(grounding: Grounding) -> None:
    """Raises Conflict with the reason."""
    if grounding.version.graph.visibility not in OPEN_BY_ADDRESS:
        raise Conflict("The graph is not public, so this stays private.", code="graph_is_private")
    if grounding.literature and not has_readable_papers(None, grounding):
        message = "The papers are not public, so this stays private."
        raise Conflict(message, code="papers_are_private")
    if grounding.endpoint is not None and not grounding.endpoint.may_publish:
        message = "Answers of this endpoint may not be published, so this stays private."
        raise Conflict(message, code="endpoint_is_private")
    if is_under_judgement(grounding):
        message = "Experts verify these claims, so this stays private until their study has ended."
        raise Conflict(message, code="under_judgement")


def may_manage(user: User | None, grounding: Grounding) -> bool:
    """Its owner; administrators if it has none, as one of the command, or is public."""
    if is_own(user, grounding):
        return True
    is_shared = grounding.owner_id is None or grounding.is_public
    return user is not None and user.is_active and user.is_administrator and is_shared


def require_may_verify(
    actor: User | None, batches: Sequence[uuid.UUID], rows: Iterable[Grounding]
) -> None:
    """Whether the actor may have people verify these batches; None is the command line.

    Raises NotFound for a batch without a row or of others, SourcesNotReadable, and NotAllowed.
    """
    listed = list(rows)
    if {one.batch for one in listed} != set(batches):
        raise NotFound(BATCH_NOT_FOUND)
    if actor is None:
        return
    if not all(may_manage(actor, one) for one in listed):
        raise NotFound(BATCH_NOT_FOUND)
    if not may_import_studies(actor):
        raise NotAllowed("Only administrators and coordinators can make a study.")
    if not all(may_read_sources(actor, one) for one in one_of_each_source(listed)):
        raise SourcesNotReadable()


def one_of_each_source(rows: Iterable[Grounding]) -> list[Grounding]:
    """All of a batch have the same graph and papers."""
    return [*{one.batch: one for one in rows}.values()]
