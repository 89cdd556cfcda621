"""The same file by page, by token and by command line: the same faults, digest and scores."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import TestCase
from rest_framework.test import APIClient

from backend.benchmarks.models import Item, Model, Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Submission
from backend.graphs.demo import load_demo_graph
from backend.tracks.registry import load_tracks
from backend.tracks.truthhypo.track import PairItem
from tests.client.server import Program
from tests.evaluation.submission_forms import SUBMISSIONS, VALIDATIONS
from tests.evaluation.truthhypo_files import key_of, label_of
from tests.personas import Person
from tests.tracks.planted_faults import PlantedFile, plant_faults
from tests.tracks.releases import COMPRESSIONS, FORMATS, Row, csv_file, ranks, stark
from tests.tracks.releases import Release as TrackRelease

pytestmark = pytest.mark.django_db
PAIRS = QUERIES = 60
ALL_FORMATS: Mapping[str, Callable[[Sequence[Row]], bytes]] = {
    **FORMATS,
    "tsv": lambda rows: csv_file(rows).replace(b",", b"\t"),
}


def pair_rows(**changes: object) -> list[Row]:
    rows = ((*key_of(number), label_of(number)) for number in range(PAIRS))
    return [{"x_id": x, "y_id": y, "label": label, **changes} for x, y, label in rows]


class Ways:
    """Page, token and command line of one researcher."""

    def __init__(self, person: Person, program: Program, folder: Path, release: Release) -> None:
        self.page = person.browser
        self.by_token = APIClient()
        self.by_token.credentials(HTTP_AUTHORIZATION=f"Bearer {program.token}")
        self.program = program
        self.folder = folder
        self.release, self.track = release.slug, release.track
        assert program.run("fetch", self.release, "--output", folder / "items").status == 0

    def post(self, client: APIClient, path: str, name: str, content: bytes, **more: str) -> Any:
        file = SimpleUploadedFile(name, content)
        return client.post(
            path, {"release": self.release, "file": file, **more}, format="multipart"
        )

    def validations(self, name: str, content: bytes) -> list[Any]:
        """By page, token, command line at the server, and command line without a server."""
        path = self.folder / name
        path.write_bytes(content)
        validate = ["validate", path, "--json"]
        items = ["--track", self.track, "--items", self.folder / "items"]
        return [
            self.post(self.page, VALIDATIONS, name, content).json(),
            self.post(self.by_token, VALIDATIONS, name, content).json(),
            self.program.run(*validate, "--release", self.release).json,
            self.program.run(*validate, *items).json,
        ]

    def refusals(self, name: str, content: bytes) -> list[Any]:
        """Of a submission, by page, token and command line."""
        path = self.folder / name
        path.write_bytes(content)
        words = ["submit", path, "--release", self.release, "--model", "my-model", "--json"]
        answers = [
            self.post(client, SUBMISSIONS, name, content, model="my-model").json()
            for client in (self.page, self.by_token)
        ]
        assert {answer["code"] for answer in answers} == {"invalid_predictions"}
        return [*answers, self.program.run(*words).json]

    def submissions(self, files: Sequence[tuple[str, bytes]], models: Sequence[str]) -> list[str]:
        """Ids of one by each way; each of a file for a model."""
        sent = [
            self.post(client, SUBMISSIONS, name, content, model=model).json()["id"]
            for client, (name, content), model in zip(
                (self.page, self.by_token), files[:2], models[:2], strict=True
            )
        ]
        name, content = files[2]
        path = self.folder / name
        path.write_bytes(content)
        words = ["submit", path, "--release", self.release, "--model", models[2], "--json"]
        return [*sent, self.program.run(*words).json["id"]]


@pytest.fixture
def ways(
    researcher: Person, release: Release, model: Model, program: Program, tmp_path: Path
) -> Ways:
    return Ways(researcher, program, tmp_path, release)


def places(checked: Any) -> set[tuple[int, str, str]]:
    return {(one["line"], one["field"], one["code"]) for one in checked["faults"]}


def require_planted_faults(ways: Ways, planted: PlantedFile, name: str, content: bytes) -> None:
    validations, refusals = ways.validations(name, content), ways.refusals(name, content)
    for checked in (*validations, *refusals):
        assert places(checked) == planted.faults, name
        assert (checked["total"], checked["faults"]) == (50, validations[0]["faults"]), name
    assert all(checked == validations[0] for checked in validations), name
    assert (len(planted.faults), len(planted.kinds) >= 12) == (50, True)
    assert not Submission.objects.exists()


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_fifty_planted_faults_come_back_by_every_way(ways: Ways, suffix: str) -> None:
    items = [PairItem(**content) for content in Item.objects.values_list("content", flat=True)]
    pairs = TrackRelease(load_tracks()["truthhypo"], items, [])
    planted = plant_faults(pairs, pair_rows(), suffix=suffix)
    for compression, compress in COMPRESSIONS.items():
        content = compress(planted.content)
        require_planted_faults(ways, planted, f"p{suffix}{compression}", content)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_planted_faults_of_ranks_come_back_by_every_way(
    researcher: Person, model: Model, program: Program, tmp_path: Path, suffix: str
) -> None:
    """Unknown entities of the release's graph among them."""
    rows = ranks(*[["DRUGBANK:DB00571", "DOID:10763"]] * QUERIES)
    queries = stark([[0]] * QUERIES)
    planted = plant_faults(queries, rows, suffix=suffix)
    ways = Ways(researcher, program, tmp_path, open_queries(tmp_path, rows))
    require_planted_faults(ways, planted, f"p{suffix}", planted.content)


def open_queries(folder: Path, rows: Sequence[Row]) -> Release:
    """On the demo graph, with the predictions of these rows as answers."""
    version, _ = load_demo_graph()
    source = folder / "queries.jsonl"
    lines = ({"query": "Which?", **row} for row in rows)
    source.write_text(
        "".join(json.dumps(line).replace("pred_rank", "answer_ids") + "\n" for line in lines)
    )
    request = ReleaseRequest(track="stark-prime", name="Queries", graph_version=version)
    release = make_release(actor=None, request=request, files=[source])
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


@pytest.mark.parametrize("form", ["json", "tsv", "parquet"])
def test_faults_in_other_formats_are_the_same_by_every_way(ways: Ways, form: str) -> None:
    rows = [*pair_rows()[:50], *pair_rows(label="cures")[50:], *pair_rows(x_id="none")[:5]]
    rows += pair_rows()[:3]
    for compression, compress in COMPRESSIONS.items():
        name, content = f"p.{form}{compression}", compress(ALL_FORMATS[form](rows))
        validations, refusals = ways.validations(name, content), ways.refusals(name, content)
        assert validations[0]["total"] == 18, name
        assert {one["code"] for one in validations[0]["faults"]} == {
            "not_a_label", "unknown_item", "duplicate_item",
        }, name  # fmt: skip
        assert all(checked == validations[0] for checked in validations), name
        assert all(checked["faults"] == validations[0]["faults"] for checked in refusals), name


def test_files_that_cannot_be_read_are_refused_alike(ways: Ways) -> None:
    for name, content in (
        ("p.exe", b"{}"), ("p.jsonl", b""), ("p.jsonl.gz", b"no gzip"), ("p.parquet", b"PAR1"),
        ("p.csv", b"a,b\n"), ("p.json", b'[{"x_id": '), ("p.jsonl", b"\xff\xfe{}"),
        ("a\u202e.jsonl", b"{}"),
    ):  # fmt: skip
        validations = ways.validations(name, content)
        assert validations[0]["total"] >= 1, name
        assert all(checked == validations[0] for checked in validations), name


def test_a_good_file_has_one_digest_in_every_format_by_every_way(ways: Ways) -> None:
    expected = ways.validations("p.jsonl", FORMATS["jsonl"](pair_rows()))[0]
    assert expected["is_valid"] and len(expected["digest"]) == 64
    for form, (compression, compress) in product(ALL_FORMATS, COMPRESSIONS.items()):
        name, content = f"p.{form}{compression}", compress(ALL_FORMATS[form](pair_rows()))
        assert all(checked == expected for checked in ways.validations(name, content)), name


@pytest.fixture
def score(
    ways: Ways, researcher: Person, run_queued_tasks: Callable[[], list[str]]
) -> Callable[..., list[Any]]:
    """Three files by page, token and command line, for a model each: equal entries are one."""

    def submit(*files: tuple[str, bytes]) -> list[Any]:
        models = [register_model(actor=researcher.user, name=name).slug for name in "abc"]
        with TestCase.captureOnCommitCallbacks(execute=True):
            ids = ways.submissions(files, models)
        with TestCase.captureOnCommitCallbacks(execute=True):
            run_queued_tasks()
        assert len(set(ids)) == 3
        return [ways.program.run("follow", one, "--json").json for one in ids]

    return submit


def require_equal(results: list[Any], *members: str) -> None:
    assert results[0]["scores"] and results[0]["state"] == "scored"
    for result in results:
        for member in ("predictions_digest", "scores", "is_standing", *members):
            assert result[member] == results[0][member]


def test_scores_are_the_same_by_every_way(score: Callable[..., list[Any]]) -> None:
    rows = [*pair_rows()[:40], *pair_rows(label="no_relation")[40:]]
    results = score(
        ("p.jsonl", FORMATS["jsonl"](rows)),
        ("p.csv.gz", COMPRESSIONS[".gz"](FORMATS["csv"](rows))),
        ("p.parquet.zst", COMPRESSIONS[".zst"](FORMATS["parquet"](rows))),
    )
    require_equal(results)
    assert len({one["file_digest"] for one in results}) == len(results)


@pytest.mark.parametrize("form", ["jsonl", "csv.gz"])
def test_the_same_bytes_have_the_same_digest_and_scores_by_every_way(
    score: Callable[..., list[Any]], form: str
) -> None:
    rows = [*pair_rows()[:40], *pair_rows(label="no_relation")[40:]]
    format_, _, compression = form.partition(".")
    content = FORMATS[format_](rows)
    if compression:
        content = COMPRESSIONS[f".{compression}"](content)
    results = score(*[(f"p.{form}", content)] * 3)
    require_equal(results, "file_digest", "file_name")
    assert results[0]["file_digest"] == hashlib.sha256(content).hexdigest()
