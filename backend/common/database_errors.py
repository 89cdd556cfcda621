"""What a failure of the database means, by its SQLSTATE: for requests, jobs and commands alike."""

from dataclasses import dataclass
from http import HTTPStatus

from django.db import InterfaceError, OperationalError
from psycopg import errors
from psycopg_pool import PoolTimeout

from backend.common.errors import DomainError

DATABASE_ERRORS = (OperationalError, InterfaceError)
BUSY = (
    errors.DeadlockDetected,
    errors.LockNotAvailable,
    errors.QueryCanceled,
    errors.SerializationFailure,
    errors.TooManyConnections,
)


@dataclass(frozen=True)
class DatabaseFault:
    """is_undone: false where the connection was lost, perhaps after its COMMIT took effect."""

    code: str
    cause: str
    is_undone: bool = True

    def to_domain_error(self) -> DomainError:
        outcome = "Nothing was saved" if self.is_undone else "Your last change may not be saved"
        detail = f"{self.cause} {outcome}; try again in a few seconds."
        return DomainError(detail, code=self.code, status=HTTPStatus.SERVICE_UNAVAILABLE)


DISK_FULL = DatabaseFault("disk_full", "The server's disk is full.")


def classify_database_error(error: OperationalError | InterfaceError) -> DatabaseFault:
    if isinstance(error.__cause__, errors.DiskFull):
        return DISK_FULL
    if isinstance(error.__cause__, BUSY):
        return DatabaseFault("busy", "The database is busy.")
    if isinstance(error.__cause__, PoolTimeout):
        return DatabaseFault("unavailable", "The database is busy or unavailable.")
    return DatabaseFault("unavailable", "The database is unavailable.", is_undone=False)
