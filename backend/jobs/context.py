"""What the function of a job gets: progress, cancellation, and a folder for checkpoints."""

import time
import uuid
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from backend.jobs.models import Job
from backend.jobs.transitions import update_running
from backend.runtime.cancellation import CancellationToken

ProgressCallback = Callable[[str, float], None]  # phase, share of the whole from 0 to 1

PROGRESS_INTERVAL_S = 0.5
MIN_ESTIMATE_S, MIN_ESTIMATE_PERCENT = 3.0, 5.0
FURTHER_PERCENT = 1.0


class ProgressThrottle:
    """When progress is worth writing, and when the job is expected to end."""

    def __init__(self) -> None:
        self.started = self.last_written = time.monotonic()

    def is_due(self) -> bool:
        now = time.monotonic()
        if now - self.last_written < PROGRESS_INTERVAL_S:
            return False
        self.last_written = now
        return True

    def estimate_seconds_left(self, percent: float) -> float | None:
        """None until enough time and work have passed."""
        seconds = time.monotonic() - self.started
        if seconds < MIN_ESTIMATE_S or percent < MIN_ESTIMATE_PERCENT:
            return None
        return seconds * (100 - percent) / percent


class JobContext:
    """One attempt at a job, by the process that holds its lease.

    inputs: what a command hands to the function without storing it, such as paths.
    partial_result: stored as the job's result even if the job fails.
    """

    def __init__(
        self,
        job: Job,
        *,
        resumes: bool = False,
        on_progress: ProgressCallback | None = None,
        inputs: Mapping[str, Any] | None = None,
    ) -> None:
        self.job = job
        self.inputs: Mapping[str, Any] = inputs or {}
        self.partial_result: dict[str, Any] = {}
        self.cancellation = CancellationToken()
        self._on_progress = on_progress
        self._throttle = ProgressThrottle()
        self._resumes = resumes
        self._percent_before = job.percent

    @property
    def checkpoint_folder(self) -> Path:
        """Outlives a killed worker, and is removed when the job ends."""
        folder = checkpoint_path(self.job.pk)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def check_cancelled(self) -> None:
        """Raises Cancelled when the job was cancelled, taken over, or is out of time."""
        self.cancellation.raise_if_cancelled()

    def report_progress(self, phase: str, share: float, *, is_forced: bool = False) -> None:
        """Written twice a second at most, and at the end. Raises Cancelled or LeaseLost."""
        self.check_cancelled()
        share = min(max(share, 0.0), 1.0)
        if is_forced or share >= 1 or self._throttle.is_due():
            self._write_progress(phase, share)
        if self._on_progress is not None:
            self._on_progress(phase, share)

    def subprogress(self, first: float, last: float) -> ProgressCallback:
        """A callback for one part of the work, from share `first` to `last` of the whole."""
        return lambda phase, share: self.report_progress(phase, first + (last - first) * share)

    def set_subjects(self, subjects: list[str]) -> None:
        """Store what the job has turned out to be about. Raises LeaseLost."""
        if subjects != self.job.subjects:
            update_running(self.job, subjects=subjects)

    def _write_progress(self, phase: str, share: float) -> None:
        percent = max(100 * share, self.job.percent)
        seconds = self._throttle.estimate_seconds_left(percent)
        end = None if seconds is None else timezone.now() + timedelta(seconds=seconds)
        further: dict[str, Any] = {}
        if self._resumes and percent >= self._percent_before + FURTHER_PERCENT:
            further["attempts"] = 1  # this job makes progress: it is not what kills its workers
        update_running(
            self.job, phase=phase[:200], percent=percent, estimated_end_at=end, **further
        )


def checkpoint_path(job_id: uuid.UUID) -> Path:
    return Path(settings.JOB_CHECKPOINTS) / str(job_id)
