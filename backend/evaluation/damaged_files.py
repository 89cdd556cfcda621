"""Faults of stored files of predictions."""

from backend.evaluation.models import Submission
from backend.jobs.faults import PlatformFault


class DamagedFile(PlatformFault):
    """A stored file of predictions is lost, or is not what was submitted."""


def unread_file(submission: Submission) -> PlatformFault:
    """Of an intact file, so it is a fault of the evaluator, and perhaps of every entry."""
    message = (
        f"The evaluator does not read the stored file of submission {submission.pk}. Nothing was "
        "changed; report it to the administrator."
    )
    return PlatformFault("file_not_read", message)


def damaged_file(submission: Submission) -> DamagedFile:
    return DamagedFile(
        "file_changed",
        f"The stored file of submission {submission.pk} is lost or damaged. "
        "Submit it again, or withdraw it.",
    )
