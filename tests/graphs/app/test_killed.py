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

from backend.common.leases import LEASE
from backend.graphs.imports import sweep_imports
from backend.graphs.models import Graph, GraphImport, State, Version
from backend.graphs.reading import open_graph
from tests.graphs.app.making import imported
from tests.graphs.importers.making import write

pytestmark = pytest.mark.django_db(transaction=True)
LONGEST_S = 60


def large(folder: Path) -> Path:
    """A graph that takes some seconds to import."""
    entities = "".join(f"LOCAL:{number},Thing {number},Thing\n" for number in range(50_000))
    edges = "".join(f"LOCAL:{number},near,LOCAL:{number // 2}\n" for number in range(1, 50_000))
    files = {"entities.csv": f"id,name,type\n{entities}"}
    return write(folder, {**files, "edges.csv": f"source,relation,target\n{edges}"})


def begin(folder: Path) -> "subprocess.Popen[bytes]":
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


def killed_while(state: State, process: "subprocess.Popen[bytes]") -> bool:
    """Whether it was killed in this state, and not after it."""
    ends = time.monotonic() + LONGEST_S
    while time.monotonic() < ends and process.poll() is None:
        if GraphImport.objects.filter(state=state, name="Small").exists():
            process.send_signal(signal.SIGKILL)
            process.wait()
            return GraphImport.objects.filter(state=state, name="Small").exists()
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("state", [State.READING, State.INDEXING])
def test_a_killed_import_leaves_the_old_version_serving(tmp_path: Path, state: State) -> None:
    before = imported(tmp_path / "good", about={"visibility": Graph.Visibility.PUBLIC})
    process = begin(large(tmp_path / "large"))
    try:
        assert killed_while(state, process)
    finally:
        process.kill()
        process.wait()
    assert open_graph(None, "small").version.snapshot == before.report["snapshot"]
    GraphImport.objects.filter(state=state).update(heartbeat=timezone.now() - 2 * LEASE)
    assert sweep_imports() == 1
    assert GraphImport.objects.filter(state=State.FAILED).count() == 1
    assert list(Version.objects.values_list("snapshot", flat=True)) == [before.report["snapshot"]]
    again = imported(tmp_path / "large", {})
    assert again.state == State.DONE
    assert open_graph(None, "small").version.entities == 50_000
    assert not [*Path(settings.SNAPSHOTS).glob(".unfinished-*")]
