"""A backup restored on an empty host has every score, rank and file, or is refused."""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.common.errors import DomainError
from backend.config.backups import MANIFEST, make_backup, restore_backup
from backend.evaluation.models import Submission
from backend.evaluation.prediction_uploads import Part, append_part, create_upload, upload_path
from backend.graphs.models import Version
from backend.leaderboard.models import Standing
from backend.leaderboard.standings import update_standing
from tests.evaluation.test_canaries import ranked_predictions, write_queries
from tests.evaluation.truthhypo_files import prediction_lines, write_source
from tests.graphs.app.factories import make_graph
from tests.personas import make_person

pytestmark = pytest.mark.django_db(transaction=True)

# Everything that a board says, and what a new scoring of the stored files says.
REPORT = """
import hashlib, json
from pathlib import Path
from django.conf import settings
from backend.evaluation.component_files import components_path
from backend.evaluation.models import Evaluation, Score, Submission
from backend.evaluation.scoring import ScoredSplit, compute_evaluation
from backend.graphs.models import Version
from backend.graphs.graph_access import open_version_snapshot
from backend.leaderboard.models import Standing, StandingRow
from backend.leaderboard.standings import rank_submissions, standing_submissions

def figures(scores):
    return sorted(
        (one.metric, one.slice, one.value, one.low, one.high, one.n, one.coverage)
        for one in scores
    )

def read():
    fields = ("evaluation__key", "metric", "slice", "value", "low", "high", "n", "coverage")
    return {
        "scores": list(Score.objects.order_by("pk").values_list(*fields)),
        "standings": list(Standing.objects.order_by("pk").values_list("digest", "audit")),
        "rows": list(StandingRow.objects.order_by("pk").values_list("position", "content")),
        "components": [
            hashlib.sha256(components_path(key).read_bytes()).hexdigest()
            for key in Evaluation.objects.order_by("key").values_list("key", flat=True)
        ],
        "uploads": {
            str(path.relative_to(settings.UPLOADS)): path.read_text()
            for path in sorted(Path(settings.UPLOADS).rglob("*.part"))
        },
        "edges": [open_version_snapshot(one).edge_count for one in Version.objects.order_by("pk")],
    }

before = read()
for submission in Submission.objects.select_related("release"):
    against = ScoredSplit.load(submission.release, submission.split)
    computed = compute_evaluation(submission, against)
    assert figures(submission.evaluation.scores.all()) == figures(computed.scores)
for standing in Standing.objects.select_related("release"):
    entries = standing_submissions(standing.release, standing.split)
    audit, ranked = rank_submissions(standing.release, standing.split, entries)
    shown = [(str(row.submission_id), row.content["rank"]) for row in standing.rows.all()]
    assert (standing.audit, shown) == (audit, [(str(one.pk), rank) for one, rank in ranked])
assert read() == before
print(json.dumps(before))
"""
UPLOADS_IN_PARTS = """
from backend.evaluation.models import PredictionUpload
print(PredictionUpload.objects.count())
"""


@pytest.fixture
def scored(tmp_path: Path) -> None:
    """A graph, an upload, and the boards of two tracks, one of three models."""
    make_graph(owner=make_person("coordinator").user)
    call_command(
        "make_release",
        "truthhypo",
        str(write_source(tmp_path)),
        "--name",
        "th",
        "--open",
        stdout=StringIO(),
    )
    for name, wrong in (("perfect", 0), ("good", 1), ("poor", 30)):
        file = tmp_path / f"{name}.jsonl"
        file.write_text(prediction_lines(range(60), wrong=range(wrong)))
        call_command("submit", str(file), "--release", "th", "--model", name, stdout=StringIO())
    queries = str(write_queries(tmp_path))
    options = ("--name", "queries", "--open")
    call_command("make_release", "stark-prime", queries, *options, stdout=StringIO())
    file = tmp_path / "ranked.jsonl"
    file.write_text(ranked_predictions())
    call_command("submit", str(file), "--release", "queries", "--model", "good", stdout=StringIO())
    for release in Release.objects.all():
        assert update_standing(release, "test") is not None
    upload = Path(settings.UPLOADS) / "graph" / "edges.part"
    upload.parent.mkdir(parents=True, exist_ok=True)
    upload.write_text("half of a file")


@pytest.fixture
def empty_host(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a Serendib with a new database and no files."""
    address, mark, options = os.environ["DATABASE_URL"].partition("?")
    name = f"restored_{uuid.uuid4().hex}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
        yield {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "backend.config.settings",
            "DATABASE_URL": f"{address.rsplit('/', 1)[0]}/{name}{mark}{options}",
            "DATA": str(tmp_path / "host"),
        }
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def manage(environment: dict[str, str], *arguments: str) -> Any:
    command = [sys.executable, "manage.py", *arguments]
    ended = subprocess.run(
        command, cwd=settings.ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr + ended.stdout
    return json.loads(ended.stdout.splitlines()[-1])


def own_environment() -> dict[str, str]:
    address, mark, options = os.environ["DATABASE_URL"].partition("?")
    database = connection.settings_dict["NAME"]
    folders = ("SNAPSHOTS", "UPLOADS", "PREDICTIONS", "EVALUATIONS")
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backend.config.settings",
        "DATABASE_URL": f"{address.rsplit('/', 1)[0]}/{database}{mark}{options}",
        **{name: str(getattr(settings, name)) for name in folders},
    }


@pytest.mark.usefixtures("scored")
def test_an_empty_host_has_the_same_scores_ranks_and_files(
    empty_host: dict[str, str], tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    # Tables without rows are those of a host that was just installed.
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0"],
        cwd=settings.ROOT,
        env=empty_host,
        check=True,
    )
    before = manage(own_environment(), "shell", "-v0", "-c", REPORT)
    assert len(before["components"]) == len(before["rows"]) == 4
    assert len(before["standings"]) == 2
    assert before["uploads"] == {"graph/edges.part": "half of a file"}
    stored = manage(own_environment(), "backup", str(backup), "--json")
    assert stored["missing"] == []
    restored = manage(empty_host, "restore", str(backup), "--json")
    assert (restored["files"], restored["missing"]) == (stored["files"], [])
    assert manage(empty_host, "shell", "-v0", "-c", REPORT) == before


@pytest.mark.usefixtures("scored")
def test_a_damaged_backup_or_a_database_in_use_is_refused_and_nothing_changes(
    tmp_path: Path,
) -> None:
    backup = tmp_path / "backup"
    manifest = make_backup(backup)
    counts = (Submission.objects.count(), Standing.objects.count(), Version.objects.count())
    with pytest.raises(DomainError, match="is in use"):
        restore_backup(backup)
    one = next(name for name in manifest.files if name.startswith("EVALUATIONS/"))
    with (backup / one).open("ab") as file:
        file.write(b"x")
    with pytest.raises(DomainError, match=f"1 files? .*{one}"):
        restore_backup(backup)
    (backup / MANIFEST).unlink()
    with pytest.raises(DomainError, match="not a complete backup"):
        restore_backup(backup)
    assert counts == (Submission.objects.count(), Standing.objects.count(), Version.objects.count())


def test_a_file_that_is_sent_in_parts_is_left_out_whole(
    empty_host: dict[str, str], tmp_path: Path
) -> None:
    researcher = make_person("rohan", is_researcher=True).user
    upload = create_upload(actor=researcher, name="predictions.jsonl", size=10)
    append_part(actor=researcher, upload_id=upload.pk, part=Part(0, BytesIO(b"half ")))
    stored = manage(own_environment(), "backup", str(tmp_path / "backup"), "--json")
    restored = manage(empty_host, "restore", str(tmp_path / "backup"), "--json")
    assert (restored["files"], restored["missing"]) == (stored["files"], [])
    assert manage(empty_host, "shell", "-v0", "-c", UPLOADS_IN_PARTS) == 0
    assert list(Path(empty_host["DATA"]).rglob(f"*{upload.pk}*")) == []
    # Here it goes on.
    assert upload_path(upload).read_bytes() == b"half "
    append_part(actor=researcher, upload_id=upload.pk, part=Part(5, BytesIO(b"there")))


@pytest.mark.parametrize("name", ["../outside", "PREDICTIONS/../../outside", "/etc/passwd", "x/y"])
def test_a_manifest_that_names_a_place_outside_is_refused(tmp_path: Path, name: str) -> None:
    backup = tmp_path / "backup"
    make_backup(backup)
    manifest = json.loads((backup / MANIFEST).read_text())
    manifest["files"][name] = "0" * 64
    (backup / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(DomainError, match="another format"):
        restore_backup(backup)


def test_a_backup_replaces_no_folder(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="exists"):
        make_backup(tmp_path)


def test_data_without_accounts_are_not_replaced(tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    make_backup(backup)
    register_model(actor=None, name="Somebody's")
    with pytest.raises(DomainError, match="is in use"):
        restore_backup(backup)


def test_an_unfinished_backup_is_not_removed(tmp_path: Path) -> None:
    unfinished = tmp_path / "backup.unfinished"
    unfinished.mkdir()
    with pytest.raises(DomainError, match="Remove it"):
        make_backup(tmp_path / "backup")
    assert unfinished.exists()
