from http import HTTPStatus

from backend.common.errors import DomainError


class CallsRefused(DomainError):
    """A session may make no further call; those in flight end and are paid for."""

    status = HTTPStatus.CONFLICT
