"""Why a job failed: USER_* codes for what its owner can change, PLATFORM_* for this installation.

A USER fault is final. A PLATFORM fault is never blamed on the user, and is retried where another
attempt may help: not on a full disk, and not after a fault of the program itself.
"""

from dataclasses import asdict
from typing import Any

from django.db import DatabaseError

from backend.common.database_errors import DATABASE_ERRORS, DISK_FULL, classify_database_error
from backend.common.errors import DISK_FULL_ERRNOS, DomainError, InstallationFault


class LeaseLost(Exception):
    """Another worker or a cancellation has taken over this job. The current worker must stop."""


class PlatformFault(InstallationFault):
    """A job failed for a reason that its owner did not cause."""

    def __init__(self, code: str, detail: str, *, is_retried: bool = False) -> None:
        super().__init__(code, detail)
        self.is_retried = is_retried


def error_payload(error: DomainError | PlatformFault) -> dict[str, Any]:
    """What a job's `error` holds."""
    if isinstance(error, PlatformFault):
        return {"code": f"PLATFORM_{error.code.upper()}", "detail": error.detail, "errors": []}
    faults = [asdict(fault) for fault in error.faults]
    return {"code": f"USER_{error.code.upper()}", "detail": error.detail, "errors": faults}


def classify_error(error: BaseException) -> DomainError | PlatformFault:
    if isinstance(error, DomainError | PlatformFault):
        return error
    if isinstance(error, OSError) and error.errno in DISK_FULL_ERRNOS:
        return _disk_full()
    if isinstance(error, MemoryError):
        return PlatformFault(
            "out_of_memory",
            "The server ran out of memory. Nothing was changed; try again when it is less busy.",
            is_retried=True,
        )
    if isinstance(error, DATABASE_ERRORS):
        fault = classify_database_error(error)
        if fault == DISK_FULL:
            return _disk_full()
        detail = f"{fault.cause} Nothing was changed; try again later."
        return PlatformFault(f"database_{fault.code}", detail, is_retried=True)
    if isinstance(error, OSError | DatabaseError):
        return PlatformFault(
            "unavailable",
            "The disk or the database failed. Nothing was changed; try again later.",
            is_retried=True,
        )
    if isinstance(error, KeyboardInterrupt):
        return PlatformFault("stopped", "The command was stopped. Run it again.", is_retried=True)
    return PlatformFault(
        "internal",
        "The server failed because of an internal error. Nothing was changed; try again, and "
        "report it to the administrator if it stays.",
    )


def _disk_full() -> PlatformFault:
    then = "Nothing was changed; free space, then start this again."
    return PlatformFault(DISK_FULL.code, f"{DISK_FULL.cause} {then}")
