"""Errors that services raise. backend.common.problems converts them to responses.

A DomainError has a stable code, a sentence for the user, the faulty places, and further data
that a page may need.
"""

import errno
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from backend.validation.faults import Fault

# Of an OSError: no space, over quota, larger than a file may be.
DISK_FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class DomainError(Exception):
    """An error that the caller can understand and correct."""

    code = "invalid"
    status: int = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        status: int | None = None,
        faults: Sequence[Fault] = (),
        data: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or self.code
        self.status = status or self.status
        self.faults = tuple(faults)
        self.data = data or {}


class InstallationFault(Exception):
    """What no caller can correct, such as a lost file. detail: what it is, and what to do."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


class Conflict(DomainError):
    """The write conflicts with the current state."""

    code = "conflict"
    status = HTTPStatus.CONFLICT


class NotAllowed(DomainError):
    code = "not_allowed"
    status = HTTPStatus.FORBIDDEN


class NotFound(DomainError):
    """The resource does not exist, or this user may not see it; clients see no difference."""

    code = "not_found"
    status = HTTPStatus.NOT_FOUND
