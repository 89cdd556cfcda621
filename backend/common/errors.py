"""Domain errors: what a service raises. backend.common.problems turns them into answers.

A DomainError has a stable code, a sentence for the reader, the places that are wrong, and
whatever data the page needs to help.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One wrong place: where, what is wrong there, and what was expected instead."""

    place: str
    message: str
    code: str = "invalid"
    expected: str = ""


class DomainError(Exception):
    """Something the caller can understand and act upon."""

    code = "invalid"
    status = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        status: HTTPStatus | None = None,
        faults: Sequence[Fault] = (),
        data: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or self.code
        self.status = status or self.status
        self.faults = tuple(faults)
        self.data = data or {}


class Conflict(DomainError):
    """The write was made against a state that is no longer there."""

    code = "conflict"
    status = HTTPStatus.CONFLICT


class NotAllowed(DomainError):
    code = "not_allowed"
    status = HTTPStatus.FORBIDDEN


class Missing(DomainError):
    """Not there, or not for this person: the two look the same from outside."""

    code = "not_found"
    status = HTTPStatus.NOT_FOUND
