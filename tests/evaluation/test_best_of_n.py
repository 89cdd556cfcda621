"""The most grounded of five samples: the arithmetic of planted answers, and who may see it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.common.errors import Conflict, NotAllowed
from backend.evaluation.grounding.best_of_n import compare_best_of_n
from backend.evaluation.grounding.submissions import ground_submission, settings_within
from backend.evaluation.models import Submission
from backend.jobs.runner import run_job
from tests.evaluation.grounding_worlds import GroundingWorld, make_world
from tests.evaluation.reasoned_entries import (
    open_release,
    prediction_file,
    rationale_of,
    submit,
)
from tests.personas import make_person

pytestmark = pytest.mark.django_db
PAIRS, SAMPLES = 20, 5


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


@pytest.fixture
def release(world: GroundingWorld, tmp_path: Path) -> Release:
    return open_release(tmp_path, world, pairs=PAIRS)


def is_right(number: int, sample: int) -> bool:
    return (number + sample) % SAMPLES < number % 4


def supported(number: int, sample: int) -> int:
    """Of four claims; the right sample has more of them on even pairs, the wrong one on odd."""
    return 3 if is_right(number, sample) == (number % 2 == 0) else 1


def sample_of(release: Release, sample: int, split: ReleaseSplit) -> Submission:
    rationales = {n: rationale_of(supported(n, sample), 4) for n in range(PAIRS)}
    content = prediction_file(rationales, lambda n: is_right(n, sample))
    model = get_or_create_model(f"Sample {sample}")
    return submit(release, content, model=model, split=split)


def ground(submission: Submission) -> None:
    settings = settings_within(submission.release, version=None, collection=None)
    _, job = ground_submission(actor=None, submission=submission, settings=settings)
    assert job is not None
    run_job(job.pk)


def planted(release: Release, split: ReleaseSplit = ReleaseSplit.DEV) -> list[Submission]:
    samples = [sample_of(release, one, split) for one in range(SAMPLES)]
    for one in samples:
        ground(one)
    return samples


def greedy_of(release: Release, split: ReleaseSplit = ReleaseSplit.DEV) -> Submission:
    content = prediction_file(dict.fromkeys(range(PAIRS), ""), lambda n: n % 3 == 0)
    return submit(release, content, model=get_or_create_model("Greedy"), split=split)


def test_selection_is_the_arithmetic_of_the_planted_samples(release: Release) -> None:
    compared = compare_best_of_n(actor=None, greedy=greedy_of(release), samples=planted(release))
    right = np.array([[is_right(n, s) for s in range(SAMPLES)] for n in range(PAIRS)], float)
    scores = np.array([[supported(n, s) for s in range(SAMPLES)] for n in range(PAIRS)])
    # All wrong samples of an item have one label, as have all right ones.
    votes = np.where(right == 1, right.sum(1, keepdims=True), (1 - right).sum(1, keepdims=True))

    def mean_of_best(values: np.ndarray) -> float:
        return float(
            np.mean([row[it == it.max()].mean() for row, it in zip(right, values, strict=True)])
        )

    accuracy = {one.selection: one.accuracy.value / 100 for one in compared.selections}
    assert accuracy["groundedness"] == pytest.approx(mean_of_best(scores))
    assert accuracy["majority"] == pytest.approx(mean_of_best(votes))
    assert accuracy["greedy"] == pytest.approx(np.mean([n % 3 == 0 for n in range(PAIRS)]))
    assert accuracy["random"] == pytest.approx(right.mean())
    assert accuracy["any"] == pytest.approx(right.max(1).mean())
    by_name = {one.selection: one for one in compared.selections}
    greedy = by_name["greedy"]
    assert greedy.difference is not None
    assert greedy.difference == pytest.approx(100 * (accuracy["groundedness"] - accuracy["greedy"]))
    assert greedy.difference_low is not None
    assert greedy.difference_high is not None
    assert greedy.difference_low < greedy.difference < greedy.difference_high
    assert (compared.items, compared.source) == (PAIRS, "graph")


def test_samples_that_cannot_be_compared_are_refused(release: Release) -> None:
    greedy, first = greedy_of(release), sample_of(release, 0, ReleaseSplit.DEV)
    second = sample_of(release, 1, ReleaseSplit.DEV)
    for samples, code in (
        ([first], "sample_count"),
        ([first, first], "same_sample"),
        ([first, second], "not_grounded"),
    ):
        with pytest.raises(Conflict) as caught:
            compare_best_of_n(actor=None, greedy=greedy, samples=samples)
        assert caught.value.code == code
    other: Any = Submission(release=release, split="test", state=second.state)
    with pytest.raises(Conflict, match="different releases or splits"):
        compare_best_of_n(actor=None, greedy=greedy, samples=[first, other])


def test_of_test_items_organisers_alone_see_it(world: GroundingWorld, tmp_path: Path) -> None:
    release = open_release(tmp_path, world, pairs=PAIRS, test_share=1.0)
    samples, greedy = planted(release, ReleaseSplit.TEST), greedy_of(release, ReleaseSplit.TEST)
    with pytest.raises(NotAllowed):
        compare_best_of_n(actor=make_person("rita").user, greedy=greedy, samples=samples)
    admin = make_person("admin", is_administrator=True)
    assert compare_best_of_n(actor=admin.user, greedy=greedy, samples=samples).items == PAIRS


def test_the_command_prints_every_way_of_selection(
    release: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(one.pk) for one in planted(release)]
    call_command("compare_best_of_n", *words, "--greedy", str(greedy_of(release).pk), "--json")
    payload = json.loads(capsys.readouterr().out)
    assert [one["selection"] for one in payload["selections"]] == [
        "groundedness",
        "greedy",
        "majority",
        "random",
        "any",
    ]
