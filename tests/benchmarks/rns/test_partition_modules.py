"""A partition job is short to follow: the modules of `benchmarks` and `jobs` that it executes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.conf import settings

from backend.benchmarks.models import Partition
from backend.graphs.models import Version
from backend.jobs.models import JobState
from backend.jobs.runner import run_job
from tests.benchmarks.rns.factories import make_set
from tests.benchmarks.rns.job_scenarios import partition

pytestmark = pytest.mark.django_db
PACKAGES = ("benchmarks", "jobs")
MAX_MODULES = 15


@contextmanager
def executed_modules() -> Iterator[set[str]]:
    """The modules of which a function runs in this thread, without their import."""
    result: set[str] = set()
    roots = {str(Path(settings.ROOT) / "backend" / name) + "/" for name in PACKAGES}

    def profile(frame: FrameType, event: str, _arg: Any) -> None:
        code = frame.f_code
        if (
            event == "call"
            and code.co_name != "<module>"
            and code.co_filename.startswith(tuple(roots))
        ):
            result.add(code.co_filename)

    sys.setprofile(profile)
    try:
        yield result
    finally:
        sys.setprofile(None)


def test_a_partition_job_executes_few_modules(version: Version) -> None:
    questions = make_set(version)
    job = partition(questions, version)
    with executed_modules() as modules:
        run_job(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED
    assert Partition.objects.filter(version=version, method="rns").exists()
    assert len(modules) <= MAX_MODULES, sorted(modules)
