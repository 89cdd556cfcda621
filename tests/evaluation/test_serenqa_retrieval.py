"""Retrieval on the demo's questions: queries are run, scored, and reported to who sent them."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Evaluation, QueryOutcome, Submission
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Version
from tests.evaluation.serenqa_releases import demo_questions, make_serenqa_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> Version:
    return load_demo_graph()[0]


@pytest.fixture
def full(tmp_path: Path, version: Version) -> Release:
    return make_serenqa_release(tmp_path, version, test_share=0.0)


def submit(release: Release, rows: list[dict[str, Any]], folder: Path) -> Evaluation:
    file = folder / "predictions.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    if not Model.objects.filter(name="M").exists():
        register_model(actor=None, name="M")
    out = io.StringIO()
    split = "dev" if release.test_share == 0 else "test"
    call_command(
        "submit", str(file), "--release", release.slug, "--model", "M", "--split", split, "--json",
        stdout=out,
    )  # fmt: skip
    submission = Submission.objects.get(pk=json.loads(out.getvalue())["submission"])
    assert submission.evaluation is not None
    return submission.evaluation


def values(evaluation: Evaluation, slice_: str = "all") -> dict[str, float]:
    return {one.metric: one.value for one in evaluation.scores.filter(slice=slice_)}


PERFECT = {"hit": 100.0, "f1": 100.0, "executability": 100.0}


def test_the_queries_of_all_demo_questions_score_100(full: Release, tmp_path: Path) -> None:
    rows = [{"question_id": one["qid"], "cypher": one["cypher"]} for one in demo_questions()]
    evaluation = submit(full, rows, tmp_path)
    outcome = QueryOutcome.objects.get(evaluation=evaluation)
    assert (outcome.queries, outcome.failures) == (72, [])
    for name in ("all", "one-hop", "two-hop", "multi-hop", "intersection", "pattern-4.3"):
        assert values(evaluation, name) == PERFECT
