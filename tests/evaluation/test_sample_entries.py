"""Samples (a part of the items, or one of several answers to them) beside a model's other entry."""

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run
from backend.evaluation.services import withdraw_submission
from tests.evaluation.grounding_worlds import make_world
from tests.evaluation.model_runs import PARAMETRIC, skilled
from tests.evaluation.reasoned_entries import open_release
from tests.evaluation.submission_forms import SUBMISSIONS, form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)
PAIRS = 12
OPTIONS = ("reasons", "--endpoint", "scripted", "--task", PARAMETRIC, "--model", "Tiny")
SAMPLED = ("--sample", 1, "--temperature", "0.8")


@pytest.fixture
def reasons(transactional_db: None, tmp_path: Path, server: ScriptedServer) -> Release:
    release = open_release(tmp_path, make_world(tmp_path), pairs=PAIRS)
    server.script = skilled(release, 0.5)
    make_endpoint(server.url, may_publish=True)
    return release


def run_command(*arguments: object) -> Any:
    out = io.StringIO()
    call_command("run_model", *map(str, [*OPTIONS, *arguments]), "--json", stdout=out)
    return json.loads(out.getvalue())


def submission_of(result: Any) -> Submission:
    return Submission.objects.get(pk=result["submissions"][0]["submission"])


@pytest.mark.parametrize("sampled", [SAMPLED, ("--max-items", 5)], ids=["repeated", "part"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_sampled_run_never_stands_over_the_ordinary_one(
    reasons: Release, is_first: bool, sampled: tuple[object, ...]
) -> None:
    order = [sampled, ()] if is_first else [(), sampled]
    results = {one: run_command("--budget", 1, *one) for one in order}
    ordinary, sample = submission_of(results[()]), submission_of(results[sampled])
    assert ordinary != sample
    assert (ordinary.is_standing, sample.is_standing) == (True, False)


def test_equal_answers_of_both_stay_two_submissions(reasons: Release) -> None:
    ordinary = submission_of(run_command("--budget", 1))
    samples = [
        submission_of(run_command("--budget", 1, "--temperature", "0.8", "--sample", number))
        for number in (1, 2)
    ]
    digests = {one.predictions_digest for one in [ordinary, *samples]}
    assert len(digests) == 1
    assert len({one.pk for one in [ordinary, *samples]}) == 3
    ordinary.refresh_from_db()
    assert "sample" not in ordinary.declared
    assert [one.declared["sample"][-1] for one in samples] == ["1", "2"]
    assert submission_of(run_command("--budget", 1)) == ordinary


def test_a_run_is_resumed_without_a_sample_though_a_later_sample_stopped(
    reasons: Release,
) -> None:
    ordinary = Run.objects.get(pk=run_command()["run"])
    sampled = Run.objects.get(pk=run_command(*SAMPLED)["run"])
    assert (ordinary.state, sampled.state) == ("estimated", "estimated")
    assert run_command("--resume", "--budget", 1)["run"] == str(ordinary.pk)
    with pytest.raises((CommandError, SystemExit)):
        run_command("--resume", "--budget", 1)
    assert run_command("--resume", "--budget", 1, "--sample", 1)["run"] == str(sampled.pk)


def test_only_without_another_entry_a_sample_stands(
    reasons: Release, administrator: Person
) -> None:
    sample = submission_of(run_command("--budget", 1, *SAMPLED))
    assert sample.is_standing
    ordinary = submission_of(run_command("--budget", 1))
    later = submission_of(run_command("--budget", 1, "--max-items", 5))
    first = withdraw_submission(actor=administrator.user, submission=ordinary)
    assert not first.is_standing
    later.refresh_from_db()
    assert later.is_standing


def make_model(owner: User) -> None:
    register_model(actor=owner, name="My model")


def test_on_hidden_items_a_better_sample_does_not_replace_a_ranked_entry(
    release: Release, researcher: Person, submit_and_score: Callable[..., Any]
) -> None:
    make_model(researcher.user)
    Release.objects.update(queries_per_day=10)

    def send(wrong: Iterable[int], **fields: str) -> Any:
        text = prediction_lines(range(60), wrong=[*wrong])
        return submit_and_score(researcher.browser, form(text, **fields))

    worst = send(range(30), sample="half of the items")
    assert worst["is_standing"]
    ranked = send(range(40))
    assert (ranked["is_standing"], ranked["score_visibility"]) == (True, "shown")
    best = send([], sample="all, twice")
    assert not best["is_standing"]
    refused = researcher.browser.post(
        f"{SUBMISSIONS}/{best['id']}/final", {"is_final": True}, format="json"
    )
    assert (refused.status_code, best["may_be_final"]) == (409, False)
    assert str(Submission.objects.get(is_standing=True).pk) == ranked["id"]
