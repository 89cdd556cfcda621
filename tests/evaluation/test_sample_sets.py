"""Several answers of a model to each item, and the most grounded of them on the board."""

import io
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Release
from backend.common.errors import DomainError
from backend.evaluation.grounding.submissions import ground_submission, settings_within
from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run, RunState
from backend.jobs.runner import run_job
from backend.llm.models import Endpoint
from tests.evaluation.grounding_worlds import make_world
from tests.evaluation.model_runs import PARAMETRIC, new_run
from tests.evaluation.reasoned_entries import FALSE, SUPPORTED, open_release
from tests.evaluation.truthhypo_files import LABELS, pair_of
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Script, Scripted, ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS, SAMPLES = 12, 3
OPTIONS = ("reasons", "--endpoint", "scripted", "--task", PARAMETRIC)


@pytest.fixture
def release(transactional_db: None, tmp_path: Path) -> Release:
    return open_release(tmp_path, make_world(tmp_path), pairs=PAIRS)


def one_right_of_three(release: Release) -> Script:
    """Of three samples of a pair one is right, and supported; the others agree on a wrong label.
    Greedy decoding is right on every second pair."""
    rows = HiddenAnswer.objects.filter(item__release=release).select_related("item")
    truth = {row.item.content["x_id"]: row.content["label"] for row in rows}
    places = {x_id: at for at, x_id in enumerate(sorted(truth))}
    answered: Counter[str] = Counter()

    def script(body: dict[str, Any], number: int) -> Scripted:
        x_id = pair_of(body)
        label, place = truth[x_id], places[x_id]
        is_right = place % 2 == 0
        if body.get("temperature"):
            is_right = (place + answered[x_id]) % SAMPLES == 0
            answered[x_id] += 1
        wrong = LABELS[(LABELS.index(label) + 1) % len(LABELS)]
        rationale = SUPPORTED if is_right else FALSE
        text = json.dumps({"rationale": rationale, "label": label if is_right else wrong})
        return Scripted(text=text)

    return script


def run_command(*arguments: object) -> Any:
    out = io.StringIO()
    call_command("run_model", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def board(**query: str) -> list[dict[str, Any]]:
    answer = APIClient().get("/api/v1/boards/reasons/best-of-n", {"split": "dev", **query})
    assert answer.status_code == 200
    return list(answer.json()["settings"])


def ground_all(release: Release) -> None:
    for submission in Submission.objects.filter(release=release):
        settings = settings_within(release, version=None, collection=None)
        _, job = ground_submission(actor=None, submission=submission, settings=settings)
        assert job is not None
        run_job(job.pk)


def test_samples_are_run_stored_grounded_and_compared_on_the_board(
    release: Release, server: ScriptedServer
) -> None:
    server.script = one_right_of_three(release)
    make_endpoint(server.url, may_publish=True)
    result = run_command(
        *OPTIONS, "--budget", "1", "--samples", SAMPLES, "--temperature", "0.8", "--model", "Tiny"
    )
    assert [one["state"] for one in result["samples"]] == ["ended"] * SAMPLES
    amounts = {Decimal(one["budget"]["amount"]) for one in result["samples"]}
    assert amounts == {Decimal("0.333333")}
    assert "--sample 2" in result["samples"][1]["command"]
    assert len(server.log) == SAMPLES * PAIRS  # an answer of another sample is not reused
    submissions = Submission.objects.order_by("model__name")
    assert [one.declared["sample"] for one in submissions] == [
        f"repeated answers, sample {number}" for number in (1, 2, 3)
    ]
    (setting,) = board()
    assert (setting["samples"], setting["temperature"]) == (SAMPLES, 0.8)
    assert setting["comparison"] is None
    assert "temperature 0" in setting["reason"]
    run_command(*OPTIONS, "--budget", "1", "--model", "Tiny")
    assert "No verifier has grounded all samples" in board()[0]["reason"]
    ground_all(release)
    (setting,) = board()
    assert setting["reason"] == ""
    values = {
        one["selection"]: one["accuracy"]["value"] for one in setting["comparison"]["selections"]
    }
    assert values == pytest.approx(
        {"groundedness": 100, "greedy": 50, "majority": 0, "random": 100 / 3, "any": 100}
    )
    Endpoint.objects.update(may_publish=False)
    assert board() == []


def test_samples_that_were_stopped_go_on_and_no_answer_is_requested_twice(
    release: Release, server: ScriptedServer
) -> None:
    server.script = one_right_of_three(release)
    make_endpoint(server.url)
    words = (*OPTIONS, "--samples", 2, "--temperature", "0.8")
    estimated = run_command(*words)
    assert [one["state"] for one in estimated["samples"]] == ["estimated"] * 2
    assert len(server.log) == 10
    result = run_command(*words, "--resume", "--budget", "1")
    assert [one["state"] for one in result["samples"]] == ["ended"] * 2
    again = run_command(*words, "--resume", "--budget", "1")
    assert [one["run"] for one in again["samples"]] == [one["run"] for one in result["samples"]]
    assert len(server.log) == 2 * PAIRS
    assert Run.objects.filter(state=RunState.ENDED).count() == 2


def test_samples_without_a_temperature_or_of_another_number_are_refused(
    release: Release, server: ScriptedServer
) -> None:
    endpoint = make_endpoint(server.url)
    with pytest.raises(DomainError, match="Samples at temperature 0 are all equal"):
        new_run(release, endpoint, sample=1)
    for count in ("1", "21"):
        with pytest.raises(SystemExit):
            run_command(*OPTIONS, "--samples", count, "--temperature", "1")
    assert not server.log
