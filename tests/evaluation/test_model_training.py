"""The job that trains a search on a release: who may start it, its card, and its predictions."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.errors import DomainError, NotAllowed
from backend.evaluation import baseline_graph
from backend.evaluation.baselines import models_folder
from backend.evaluation.model_training import create_training
from backend.evaluation.models import Submission
from backend.tracks.stark import StarkTrack
from tests.benchmarks.rns.factories import drug, make_version
from tests.evaluation.hashed_words import HashedWords
from tests.personas import Person

pytestmark = pytest.mark.django_db
QUERIES = 20


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> HashedWords:
    """The store takes any: that of the product is an optional package."""
    embedder = HashedWords()
    monkeypatch.setattr(StarkTrack, "further_baselines", ("retriever", "reasoner"))
    monkeypatch.setattr(baseline_graph, "load_embedder", lambda name: embedder)
    return embedder


def make_stark(folder: Path, test_share: float = 0.5) -> Release:
    path = folder / "queries.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "query", "answer_ids"])
        for number in range(QUERIES):
            rows.writerow([number, f"Which one is Drug {number}?", f"['{drug(number)}']"])
    version = make_version()
    request = ReleaseRequest(
        track="stark-mag", name="S", slug="s", graph_version=version, test_share=test_share
    )
    return make_release(actor=None, request=request, files=[path])


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.parametrize("model", ["retriever", "reasoner"])
def test_a_trained_search_is_stored_with_its_card_and_its_predictions_are_scored(
    model: str, encoder: HashedWords, tmp_path: Path
) -> None:
    release = make_stark(tmp_path)
    card = run("train_retriever", release.slug, "--model", model)
    assert (card["model"], card["questions"], card["left_out"]) == (model, QUERIES // 2, 0)
    assert model in card["dev"] and len(card["dev"][model]["mrr"]) == 3
    assert release.graph_version is not None
    folder = models_folder(release.graph_version)
    assert [*folder.glob(f"stark-{model}-*/manifest.json")]
    result = run("run_baseline", model, "--release", release.slug)
    assert [one["split"] for one in result["splits"]] == ["dev", "test"]
    dev = {
        one["metric"]: one["value"]
        for one in result["splits"][0]["scores"]
        if one["slice"] == "all"
    }
    assert dev["mrr"] == pytest.approx(card["dev"][model]["mrr"][0])
    assert Submission.objects.filter(release=release, split=ReleaseSplit.TEST).count() == 1


def test_organisers_alone_train_models_on_a_release(
    encoder: HashedWords, tmp_path: Path, administrator: Person, researcher: Person
) -> None:
    release = make_stark(tmp_path)
    release.state = Release.State.OPEN
    release.save(update_fields=["state"])
    parameters = {"release": release.slug, "model": "retriever"}
    with pytest.raises(NotAllowed):
        create_training(researcher.user, parameters)
    request = create_training(administrator.user, parameters)
    assert request.parameters == {"release": str(release.pk), "model": "retriever", "seed": 0}
    for wrong in ({"model": "bm25"}, {"seed": -1}):
        with pytest.raises(DomainError):
            create_training(administrator.user, {**parameters, **wrong})
    with pytest.raises(DomainError) as fault:
        create_training(administrator.user, {**parameters, "split": "test"})
    assert [one.place for one in fault.value.faults] == ["parameters.split"]


def test_a_release_without_a_dev_split_trains_nothing(encoder: HashedWords, tmp_path: Path) -> None:
    release = make_stark(tmp_path, test_share=1.0)
    out = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("run_baseline", "retriever", "--release", release.slug, "--json", stdout=out)
    assert json.loads(out.getvalue())["error"]["code"] == "too_few_questions"
