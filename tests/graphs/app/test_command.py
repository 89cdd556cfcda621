"""manage.py import_graph."""

import gzip
import io
import json
import os
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from backend.common.errors import Conflict
from backend.graphs import demo, import_job
from backend.graphs.graph_access import open_graph
from backend.graphs.import_service import ImportRequest, begin_import
from backend.graphs.models import Graph, Version
from backend.graphs.versions import import_jobs
from backend.jobs.models import JobState
from backend.jobs.runner import claim_job
from tests.graphs.app.factories import EDGES, FILES, make_graph, small_files
from tests.graphs.importers.factories import write_files

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("import_graph", *arguments, stdout=out, stderr=err)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(write_files(tmp_path / "files", FILES))


def test_the_output_ends_with_the_snapshot_and_its_counts(folder: str) -> None:
    code, out, err = run("csv", folder, "--name", "Small", "--public")
    snapshot = Version.objects.get().snapshot
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"Graph 'Small', snapshot {snapshot}.",
        "4 entities, 3 edges; 0 equal edges folded.",
        "Dropped: nothing.",
    ]
    assert open_graph(None, "small").version.snapshot == snapshot
    assert "It was there already." in run("auto", folder, "--name", "Small")[1]


def test_the_json_output_is_one_line(folder: str) -> None:
    code, out, _ = run("auto", folder, "--name", "Small", "--json")
    output = json.loads(out)
    assert code == 0 and out.count("\n") == 1
    assert output["graph"] == {"name": "Small", "slug": "small"}
    assert (output["entities"], output["edges"], output["dropped"]) == (4, 3, {})


def test_a_dry_run_prints_the_first_rows(folder: str) -> None:
    code, out, _ = run("csv", folder, "--name", "Small", "--dry-run")
    assert code == 0 and '"name": "Aspirin"' in out and "Nothing was imported." in out
    assert not Graph.objects.exists()


def test_columns_are_mapped(tmp_path: Path) -> None:
    edges = EDGES.replace("source,relation", "from,kind")
    folder = str(write_files(tmp_path, small_files(edges=edges)))
    mapped = ("--column", "source=from", "--column", "relation=kind")
    assert run("csv", folder, "--name", "Small", *mapped)[0] == 0
    with pytest.raises(CommandError, match="NAME=COLUMN"):
        run("csv", folder, "--name", "Small", "--column", "from")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_refusal_prints_every_fault_and_exits_with_one(tmp_path: Path, as_json: bool) -> None:
    folder = str(write_files(tmp_path, small_files(edges=EDGES + "a,b\n" * 7)))
    code, out, err = run("csv", folder, "--name", "Small", *(["--json"] if as_json else []))
    assert code == 1
    if as_json:
        assert len(json.loads(out)["faults"]) == 7
        assert json.loads(out)["dropped"] == {"columns": 7}
    else:
        assert len(re.findall(r"^edges.csv, line \d+: ", err, re.MULTILINE)) == 7
        assert err.endswith("Nothing was imported.\n")


@pytest.mark.parametrize(
    "arguments", [("nonsense", "FOLDER"), ("csv", "no/such/file"), ("hetionet", "FOLDER")]
)
def test_a_missing_file_is_reported_once(folder: str, arguments: tuple[str, ...]) -> None:
    given = [folder if it == "FOLDER" else it for it in arguments]
    code, _, err = run(*given, "--name", "Small")
    assert code == 1 and len(err.splitlines()) == 1


def test_an_interrupted_command_can_be_run_again_at_once(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:  # Ctrl-C at a moment that no signal hits surely
        patched.setattr(import_job, "index_version", stopped)
        with pytest.raises(KeyboardInterrupt):
            run("csv", folder, "--name", "Small")
    assert import_jobs().get().state == JobState.FAILED
    assert run("csv", folder, "--name", "Small")[0] == 0


def test_the_demo_graph_is_imported_once() -> None:
    version, now = demo.load_demo_graph()
    assert now and version.entities > 400 and version.edges > 1000
    assert Graph.objects.public().get().is_demo
    assert demo.load_demo_graph() == (version, False)
    assert import_jobs().count() == 1


def test_the_demo_graph_is_loaded_after_a_killed_start() -> None:
    expected = ImportRequest(demo.DEMO_NAME, "csv", metadata=demo.DEMO_METADATA)
    row = begin_import(actor=None, import_request=expected, files=["graph"])
    assert claim_job(row.pk)
    _, now = demo.load_demo_graph()
    assert now


def test_another_graph_with_the_name_of_the_demo_is_not_changed() -> None:
    make_graph(name=demo.DEMO_NAME)
    with pytest.raises(Conflict):
        demo.load_demo_graph()


@pytest.mark.skipif("SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder")
def test_the_sample_of_hetionet_is_imported_as_it_is() -> None:
    folder = Path(os.environ["SERENDIB_DATA"]) / "hetionet"
    code, out, _ = run("hetionet", str(folder), "--name", "Hetionet", "--public", "--json")
    rows = [rows_of(folder / name) for name in ("nodes.tsv.gz", "edges-5k.sif.gz")]
    output = json.loads(out)
    assert code == 0 and [output["entities"], output["edges"] + output["folded"]] == rows
    opened = open_graph(None, "hetionet")
    assert opened.snapshot.entity_count == opened.version.entities


def rows_of(path: Path) -> int:
    """Lines below the header, counted by something that knows nothing of graphs."""
    return gzip.decompress(path.read_bytes()).count(b"\n") - 1
