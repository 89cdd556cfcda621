"""An import that is killed: no handler runs, nothing is tidied up, and the old version serves."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from backend.graphs.graph_access import open_graph
from backend.graphs.models import Graph, Version
from backend.graphs.versions import import_jobs
from backend.jobs.models import LEASE_DURATION, Job, JobState
from backend.jobs.services import sweep_jobs
from tests.graphs.app.factories import run_small_import
from tests.graphs.importers.factories import write_files

pytestmark = pytest.mark.django_db(transaction=True)
LONGEST_S = 180


def write_large_graph(folder: Path) -> Path:
    """A graph that takes some seconds to import."""
    entities = "".join(f"LOCAL:{number},Thing {number},Thing\n" for number in range(50_000))
    edges = "".join(f"LOCAL:{number},near,LOCAL:{number // 2}\n" for number in range(1, 50_000))
    files = {"entities.csv": f"id,name,type\n{entities}"}
    return write_files(folder, {**files, "edges.csv": f"source,relation,target\n{edges}"})


def start_import(folder: Path) -> "subprocess.Popen[bytes]":
    name = connection.settings_dict["NAME"]
    where = os.environ["DATABASE_URL"].partition("?")
    base = where[0].rsplit("/", 1)[0]
    environment = {
        **os.environ,
        "DATABASE_URL": f"{base}/{name}{where[1]}{where[2]}",
        "SNAPSHOTS": str(settings.SNAPSHOTS),
    }
    command = [sys.executable, "manage.py", "import_graph", "csv", str(folder), "--name", "Small"]
    return subprocess.Popen(command, cwd=settings.ROOT, env=environment)


def kill_in_phase(phase: str, process: "subprocess.Popen[bytes]") -> bool:
    """Whether it was killed in this phase, and not after it."""
    running = Job.objects.filter(state=JobState.RUNNING, parameters__name="Small")
    ends = time.monotonic() + LONGEST_S
    while time.monotonic() < ends and process.poll() is None:
        if running.filter(phase__startswith=phase).exists():
            process.send_signal(signal.SIGKILL)
            process.wait()
            return running.filter(phase__startswith=phase).exists()
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("phase", ["reading", "indexing"])
def test_a_killed_import_keeps_the_old_version(tmp_path: Path, phase: str) -> None:
    before = run_small_import(tmp_path / "good", metadata={"visibility": Graph.Visibility.PUBLIC})
    process = start_import(write_large_graph(tmp_path / "large"))
    try:
        assert kill_in_phase(phase, process)
    finally:
        process.kill()
        process.wait()
    assert open_graph(None, "small").version.snapshot == before.result["snapshot"]
    running = Job.objects.filter(state=JobState.RUNNING)
    running.update(heartbeat_at=timezone.now() - 2 * LEASE_DURATION)
    assert sweep_jobs() == 1
    assert import_jobs().filter(state=JobState.FAILED).count() == 1
    assert list(Version.objects.values_list("snapshot", flat=True)) == [before.result["snapshot"]]
    again = run_small_import(tmp_path / "large", {})
    assert again.state == JobState.SUCCEEDED
    assert open_graph(None, "small").version.entities == 50_000
    assert not [*Path(settings.SNAPSHOTS).glob(".unfinished-*")]
