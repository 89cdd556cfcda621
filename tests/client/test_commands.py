"""The commands of the client against a server: fetch, validate, submit, follow, withdraw."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import TestCase

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.client import RequestRefused
from backend.evaluation.models import Submission
from backend.jobs.models import Job
from backend.jobs.services import cancel_job
from backend.tracks.registry import load_tracks
from tests.client.server import Program
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.jsonl"
    path.write_text(prediction_lines(range(60), wrong=[0]))
    return path


def test_what_is_fetched_checks_files_as_the_server_does(
    program: Program, release: Release, good: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "pairs"
    ran = program.run("fetch", "pairs", "--output", folder, token="")
    assert (ran.status, ran.err) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == [
        "example_predictions.jsonl", "items-test.jsonl", "release.json",
    ]  # fmt: skip
    card = json.loads((folder / "release.json").read_text())
    assert (card["digest"], card["items"]["test"]) == (release.digest, 60)
    here = program.run("validate", good, "--track", "truthhypo", "--items", folder, "--json")
    there = program.run("validate", good, "--release", "pairs", "--json")
    assert (here.status, there.status) == (0, 0)
    assert here.json == there.json
    assert (here.json["answered"], here.json["items"]) == (60, 60)
    example = folder / "example_predictions.jsonl"
    for where in (("--track", "truthhypo", "--items", folder), ("--release", "pairs")):
        checked = program.run("validate", example, *where, "--json")
        assert (checked.status, checked.json["answered"]) == (0, 3)


def test_a_file_is_submitted_followed_and_withdrawn(
    program: Program,
    release: Release,
    model: Model,
    good: Path,
    run_queued_tasks: Callable[[], list[str]],
) -> None:
    words = ["submit", good, "--release", "pairs", "--model", "my-model", "--cost-usd", "1.5"]
    words += ["--method", "Five examples, greedy decoding"]
    with TestCase.captureOnCommitCallbacks(execute=True):
        sent = program.run(*words, "--json")
    assert (sent.status, sent.json["state"]) == (0, "queued")
    with TestCase.captureOnCommitCallbacks(execute=True):
        run_queued_tasks()
    scored = program.run("follow", sent.json["id"], "--json")
    assert (scored.status, scored.json["state"], scored.json["is_standing"]) == (0, "scored", True)
    method = "Five examples, greedy decoding"
    assert scored.json["declared"] == {"cost_usd": 1.5, "method": method}
    again = program.run(*words, "--follow")
    assert again.status == 0
    assert "It is on the board." in again.out and "relation_accuracy" in again.out
    assert Submission.objects.count() == 1
    final = program.run("choose-final", sent.json["id"])
    assert (final.status, "final entry of its model" in final.out) == (0, True)
    undone = program.run("choose-final", sent.json["id"], "--undo", "--json")
    assert (undone.status, undone.json["is_final"]) == (0, False)
    gone = program.run("withdraw", sent.json["id"], "--reason", "A wrong file", "--json")
    assert (gone.status, gone.json["state"], gone.json["scores"]) == (0, "withdrawn", [])


def test_a_failed_submission_states_the_reference_of_its_job(
    program: Program, researcher: Person, release: Release, model: Model, good: Path
) -> None:
    words = ["submit", good, "--release", "pairs", "--model", "my-model"]
    with TestCase.captureOnCommitCallbacks(execute=True):
        sent = program.run(*words, "--json")
    job = Job.objects.about(f"submission:{sent.json['id']}").get()
    with TestCase.captureOnCommitCallbacks(execute=True):
        cancel_job(actor=researcher.user, job=job)
    ended = program.run("follow", sent.json["id"])
    assert (ended.status, f"Reference: {job.pk}." in ended.out) == (1, True)
    assert program.run("follow", sent.json["id"], "--json").json["error"]["job"] == str(job.pk)


def test_every_fault_is_a_line_with_its_place(
    program: Program, release: Release, model: Model, good: Path
) -> None:
    good.write_text(good.read_text().replace("no_relation", "none"))
    ran = program.run("submit", good, "--release", "pairs", "--model", "my-model")
    assert ran.status == 1
    lines = ran.out.splitlines()
    assert len(lines) == 31  # the faults and how many there are
    assert lines[0].startswith(f"{good}:2: label: This is not a label of the item's relation type.")
    assert "(expected " in lines[0] and lines[0].endswith("given none) [not_a_label]")
    assert lines[-1] == "30 faults. Correct the file before you submit it."
    assert not Submission.objects.exists()


def test_what_the_server_refuses_is_a_sentence_and_a_status(
    program: Program, release: Release, model: Model, good: Path
) -> None:
    submit = ["submit", good, "--release", "pairs", "--model"]
    for words, token, status, code in (
        ([*submit, "another"], None, 2, "not_found"),
        ([*submit, "my-model"], "srd_wrong", 2, "invalid_token"),
        ([*submit, "my-model", "--cost-usd", "-1"], None, 1, "invalid"),
        (["fetch", "none"], None, 2, "not_found"),
        (["register", "My model"], None, 1, "name_taken"),
    ):
        ran = program.run(*words, "--json", token=token)
        assert (ran.status, ran.json["error"]["code"], ran.err) == (status, code, "")
        ran = program.run(*words, token=token)
        assert (ran.status, ran.out) == (status, "")
        assert ran.err.strip()


def test_releases_and_models_are_listed_and_registered(program: Program, release: Release) -> None:
    assert [one["slug"] for one in program.run("releases", "--json").json] == ["pairs"]
    facts = {
        "family": "Small",
        "licence": "MIT",
        "organisation": "Home",
        "training_cutoff": "2025-06-30",
        "training_data": "Abstracts of 2024. No benchmark is in them.",
        "link": "https://example.org/model",
        "code": "https://example.org/code",
        "paper": "https://example.org/paper",
    }
    words = [f"--{name.replace('_', '-')}={value}" for name, value in facts.items()]
    registered = program.run("register", "Other", "--parameters", "7000000", *words, "--json")
    assert (registered.status, registered.json["slug"]) == (0, "other")
    stored = Model.objects.values(*facts, "parameters").get(slug="other")
    shown = {name: str(value) for name, value in stored.items()}
    assert shown == {**facts, "parameters": "7000000"}
    listed = program.run("models", "--json").json
    assert [(one["slug"], one["is_own"]) for one in listed] == [("other", True)]
    assert program.run("models").out.split()[:2] == ["other", "yours"]


def test_lists_of_several_pages_are_complete(program: Program, researcher: Person) -> None:
    for number in range(205):
        register_model(actor=researcher.user, name=f"Model {number}")
    assert len({model.slug for model in program.client.models()}) == 205


def test_a_plugin_that_is_not_installed_is_one_sentence(
    program: Program, good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_tracks.cache_clear()
    monkeypatch.setenv("SERENDIB_PLUGINS", "no_such_package")
    ran = program.run("validate", good, "--track", "truthhypo")
    load_tracks.cache_clear()
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("A package of SERENDIB_PLUGINS cannot be imported: No module named")


def test_names_cannot_leave_their_place_in_an_address(program: Program, release: Release) -> None:
    for name in ("../models", "pairs/queries", "pairs?x=1", ""):
        assert program.run("fetch", name).status == 2
    with pytest.raises(RequestRefused, match="does not exist"):
        program.client.release("none")


def test_a_reader_that_has_enough_is_no_error() -> None:
    program = (
        "import sys; from backend.client.command_line import Outcome, write;"
        "lines = (str(number) for number in range(1_000_000));"
        "sys.exit(write(Outcome({}, lines), as_json=False))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as ran:
        assert ran.stdout and ran.stderr
        assert ran.stdout.readline() == b"0\n"
        ran.stdout.close()
        assert (ran.stderr.read(), ran.wait()) == (b"", 0)
