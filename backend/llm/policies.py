import uuid

from backend.accounts.models import User
from backend.common.errors import NotAllowed, NotFound
from backend.llm.models import Endpoint
from backend.llm.models.endpoints import EndpointQuerySet

ENDPOINT_NOT_FOUND = "There is no such endpoint, or you may not use it."


def may_administer_endpoints(actor: User) -> bool:
    return actor.is_active and actor.is_administrator


def require_endpoint_administrator(actor: User) -> None:
    if not may_administer_endpoints(actor):
        raise NotAllowed("Only an administrator can add, change and probe endpoints.")


def require_spending_reader(actor: User) -> None:
    if not may_administer_endpoints(actor):
        raise NotAllowed("Only an administrator can see what each person spent.")


def usable_endpoints(user: User) -> EndpointQuerySet:
    rows = EndpointQuerySet(Endpoint)
    return rows.usable_by(user).filter(retired_at=None)


def listed_endpoints(user: User, *, with_retired: bool) -> EndpointQuerySet:
    """with_retired: those that are retired as well, to administrators alone."""
    if with_retired and may_administer_endpoints(user):
        return EndpointQuerySet(Endpoint)
    return usable_endpoints(user)


def get_usable_endpoint_or_raise(user: User, endpoint_id: uuid.UUID) -> Endpoint:
    endpoint = usable_endpoints(user).filter(pk=endpoint_id).first()
    if endpoint is None:
        raise NotFound(ENDPOINT_NOT_FOUND)
    return endpoint


def get_endpoint_or_raise(endpoint_id: uuid.UUID) -> Endpoint:
    """Also one that is retired: its calls stay in the ledger."""
    endpoint = Endpoint.objects.filter(pk=endpoint_id).first()
    if endpoint is None:
        raise NotFound(ENDPOINT_NOT_FOUND)
    return endpoint
