"""Errors of the client. Each has a sentence that can be shown to a user."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from pydantic import TypeAdapter, ValidationError

from backend.client.results import Validation
from backend.validation.row_files.faults import RowFault


class ClientError(Exception):
    def __init__(self, detail: str, *, code: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code


class UsageError(ClientError):
    """A file, a folder, a track or an address that cannot be used."""

    def __init__(self, detail: str, *, code: str = "usage") -> None:
        super().__init__(detail, code=code)


class ConnectionFailed(ClientError):
    """No complete answer, after all repetitions."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, code="connection_failed")


class RequestRefused(ClientError):
    """An answer that is a problem: its status, its stable code and all of its members."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        detail = str(problem.get("detail") or f"The server answered with status {status}.")
        if status == HTTPStatus.UNAUTHORIZED:
            detail = f"{detail} Set SERENDIB_TOKEN to a token of your account page."
        super().__init__(detail, code=str(problem.get("code") or f"status_{status}"))
        self.status = status
        self.problem = problem


FAULTS = TypeAdapter(tuple[RowFault, ...])


class InvalidPredictions(RequestRefused):
    """The file has faults; nothing was submitted and no query was used."""

    @property
    def validation(self) -> Validation:
        try:
            faults = FAULTS.validate_python(self.problem.get("faults", ()))
        except ValidationError:
            faults = ()
        total = self.problem.get("total")
        return Validation(
            is_valid=False, total=total if isinstance(total, int) else len(faults), faults=faults
        )
