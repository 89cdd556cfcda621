"""BioHopR from the constructor to its cases: baselines, public dev answers, hidden test answers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import call_command
from django.test import TestCase
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Release, ReleaseSplit
from backend.benchmarks.registered_models import register_model
from backend.evaluation.demo import load_demo_releases
from backend.evaluation.demo_sources import BACKGROUND_DEMO
from backend.evaluation.models import Submission
from backend.evaluation.named_graph import name_finder
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.jobs.runner import run_job
from tests.cache import empty_cache

pytestmark = pytest.mark.django_db
PATHS = (
    "Disease/treats/Drug/inhibits/Protein",
    "Disease/has_phenotype/Phenotype/has_phenotype/Disease",
)
WRONG: tuple[dict[str, str | float], ...] = (
    {"limit": 0},
    {"limit": 101},
    {"after": -1},
    {"after": "x"},
    {"text": "a" * 201},
    {"text": "a\0b"},
)


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


@dataclass(frozen=True)
class Scored:
    releases: dict[str, Release]  # by split
    submissions: dict[tuple[str, str], Submission]  # by baseline and split
    scores: dict[tuple[str, str, str], float]  # and by metric, of all items

    def cases(self, name: str, split: str, **query: str | float) -> Any:
        empty_cache()
        address = f"/api/v1/results/{self.submissions[name, split].pk}/cases"
        return APIClient().get(address, query)


@pytest.fixture
def scored(
    demo_graph: Version,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> Scored:
    paths = [part for path in PATHS for part in ("--metapath", path)]
    releases, submissions, scores = {}, {}, {}
    for split, share in (("dev", 0), ("test", 1)):
        options = ("--count", 6, "--seed", share, "--test-share", share, *paths)
        slug = run("make_biohopr", demo_graph.graph.slug, "--name", f"hops-{split}", *options)
        # Some items are of both, so the second would not be opened beside the first.
        Release.objects.filter(slug=slug["release"]).update(state=Release.State.OPEN)
        releases[split] = Release.objects.get(slug=slug["release"])
        for name in ("name-lookup", "name-lookup-relation"):
            with django_capture_on_commit_callbacks(execute=True):
                [one] = run("run_baseline", name, "--release", releases[split].slug)["splits"]
            submissions[name, split] = Submission.objects.get(pk=one["submission"])
            for score in one["scores"]:
                if score["slice"] == "all":
                    scores[name, split, score["metric"]] = score["value"]
    run_queued_tasks()
    return Scored(releases, submissions, scores)


def test_a_release_has_one_split(demo_graph: Version) -> None:
    options = ("--count", 6, "--test-share", 0.5, "--metapath", PATHS[0])
    with pytest.raises(SystemExit):
        run("make_biohopr", demo_graph.graph.slug, "--name", "hops", *options)
    assert not Release.objects.filter(track="biohopr").exists()


def test_who_follows_the_relations_is_right_and_who_does_not_is_less_so(scored: Scored) -> None:
    for split in ("dev", "test"):
        exact, loose = (
            [
                scored.scores[name, split, metric]
                for metric in ("match_hop1", "match_hop2", "match_f1_hop1", "match_f1_hop2")
            ]
            for name in ("name-lookup-relation", "name-lookup")
        )
        assert exact == [100] * 4
        assert all(value <= 100 for value in loose) and sum(loose) < 380
        assert scored.scores["name-lookup", split, "adherence"] == 100


def test_cases_of_the_dev_split_are_listed_by_outcome_group_and_text(scored: Scored) -> None:
    first = scored.cases("name-lookup", "dev", limit=100)
    assert first.status_code == 200
    page = first.json()
    items = scored.releases["dev"].items.count()
    assert sum(page["outcomes"].values()) == sum(page["groups"].values()) == page["count"] == items
    assert page["outcome_names"] == ["right", "plausible", "wrong"]
    wrong = scored.cases("name-lookup", "dev", outcome="wrong", limit=100).json()
    assert wrong["count"] == page["outcomes"].get("wrong", 0)
    for case in [*page["results"], *wrong["results"]]:
        normal = {name.casefold() for name in case["gold"]}
        names = (
            case["prediction"][:1]
            if case["question"].startswith("Name one")
            else case["prediction"]
        )
        if case["prediction_count"] <= 50 and case["gold_count"] <= 50:
            assert (case["outcome"] == "right") == any(one.casefold() in normal for one in names)
    group = next(iter(page["groups"]))
    of_group = scored.cases("name-lookup", "dev", group=group).json()
    assert {case["group"] for case in of_group["results"]} == {group}
    assert of_group["count"] == page["groups"][group]
    assert scored.cases("name-lookup", "dev", text="NAME EVERY").json()["count"] > 0
    assert scored.cases("name-lookup", "dev", text="no such words").json()["results"] == []


def test_the_demo_has_a_release_whose_results_have_cases(
    demo_graph: Version, run_queued_tasks: Callable[[], list[str]]
) -> None:
    demos = [one for one in BACKGROUND_DEMO if one.track == "biohopr"]
    with TestCase.captureOnCommitCallbacks(execute=True):
        by_slug = {one.release.slug: one for one in load_demo_releases(demo_graph, demos)}
    for _ in ("scores", "boards", "the rest"):
        with TestCase.captureOnCommitCallbacks(execute=True):
            run_queued_tasks()
    empty_cache()
    assert by_slug["demo-hops"].entries == 12
    shown = by_slug["demo-hops-dev"].release
    entry = Submission.objects.filter(release=shown, model__name="Simulated answerer A").get()
    assert entry.split == "dev" and entry.state == "scored"
    page = APIClient().get(f"/api/v1/results/{entry.pk}/cases").json()
    assert page["count"] == shown.items.count() > 40
    assert {"right", "wrong"} <= {*page["outcomes"]}


def test_pages_join_wrong_queries_are_refused_and_a_test_split_has_none(scored: Scored) -> None:
    whole = scored.cases("name-lookup", "dev", limit=100).json()
    positions, after = list[int](), None
    while True:
        query: dict[str, int] = {} if after is None else {"after": after}
        page = scored.cases("name-lookup", "dev", limit=7, **query).json()
        positions += [case["position"] for case in page["results"]]
        after = page["next"]
        if after is None or len(positions) >= 100:
            break
    assert (
        positions[:100] == [case["position"] for case in whole["results"]][: len(positions[:100])]
    )
    assert len(set(positions)) == len(positions)
    for wrong in WRONG:
        assert scored.cases("name-lookup", "dev", **wrong).status_code == 422, wrong
    answer = scored.cases("name-lookup-relation", "test")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_cases")


def test_hidden_answers_of_the_test_split_leave_by_no_route(scored: Scored) -> None:
    """Each gold entity of a test item gets a mark of its own as its synonym."""
    hidden = HiddenAnswer.objects.filter(item__release=scored.releases["test"])
    for row in hidden:
        marked = [
            {**one, "synonyms": [f"CANARY{row.pk}x{number}"]}
            for number, one in enumerate(row.content["answers"])
        ]
        row.content = {"answers": marked}
        row.save()
    assert "CANARY" in json.dumps([row.content for row in hidden])
    browser = APIClient()
    pk = scored.submissions["name-lookup", "test"].pk
    dev = scored.submissions["name-lookup", "dev"].pk
    addresses = [
        "/api/v1/releases/hops",
        "/api/v1/releases/hops/items",
        "/api/v1/releases/hops/contents",
        "/api/v1/tracks/biohopr",
        "/api/v1/boards/hops",
        f"/api/v1/results/{pk}",
        f"/api/v1/results/{pk}/cases",
        f"/api/v1/results/{dev}/cases?limit=100",
        f"/api/v1/results/{pk}/every_eval_ever.json",
        f"/api/v1/submissions/{pk}",
    ]
    for address in addresses:
        empty_cache()
        answer = browser.get(address)
        text = answer.getvalue().decode()
        assert "CANARY" not in text, address


def test_two_names_of_one_wrong_entity_of_the_graph_count_once(scored: Scored) -> None:
    release = scored.releases["dev"]
    assert release.graph_version is not None
    answers = dict(
        HiddenAnswer.objects.filter(
            item__release=release, item__content__form="multiple", item__content__hops=1
        ).values_list("item__content__question_id", "content")
    )
    gold = {key: [one["name"] for one in content["answers"]] for key, content in answers.items()}
    true = {one["id"] for content in answers.values() for one in content["answers"]}
    find = name_finder(release.graph_version)
    wrong, names = next(
        (entity.id, [entity.name, other])
        for entity in open_version_snapshot(release.graph_version).entities()
        for other in entity.synonyms
        if entity.id not in true
        and find(entity.name) == find(other) == find(entity.id) == (entity.id,)
        and other.casefold() != entity.name.casefold()
    )
    rows = ({"question_id": key, "answers": [*true, *names, wrong]} for key, true in gold.items())
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    file = store_predictions(text.encode(), "names.jsonl")
    model = register_model(actor=None, name="Repeats")
    new = NewSubmission(release=release, model=model, split=ReleaseSplit.DEV)
    submission, job = submit_predictions(actor=None, new=new, file=file)
    run_job(job.pk)
    submission.refresh_from_db()
    assert submission.evaluation is not None
    score = submission.evaluation.scores.get(metric="match_precision_hop1", slice="all")
    assert score.n == len(gold) > 1
    expected = [100 * len(one) / (len(one) + 1) for one in gold.values()]
    assert score.value == pytest.approx(sum(expected) / len(expected))
