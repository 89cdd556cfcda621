"""The search of every page: what it finds, and that nobody finds what they may not see."""

from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Partition, Question, QuestionSet, Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.graphs.models import Graph
from backend.graphs.search import several_graphs
from tests.evaluation.truthhypo_files import write_source
from tests.graphs.app.factories import ASPIRIN, make_graph
from tests.personas import Person

pytestmark = pytest.mark.django_db


def search(browser: APIClient, q: str, **more: str) -> dict[str, Any]:
    response = browser.get("/api/v1/search", {"q": q, **more})
    assert response.status_code == 200, response.content
    result: dict[str, Any] = response.json()
    return result


def graphs_of(result: dict[str, Any]) -> list[str]:
    return [one["graph"] for one in result["entities"]]


def make_question(owner: Person, text: str, split: str = "") -> Question:
    question_set = QuestionSet.objects.create(name=f"Set of {text}", created_by=owner.user)
    question = Question.objects.create(question_set=question_set, file_id="1", number=1, text=text)
    if split:
        fields = {"number": 1, "split": split, "serendipity": [], "existing": []}
        Partition.objects.create(question=question, method=Partition.Method.LLM, **fields)
    return question


def test_entities_of_all_visible_graphs_are_found_each_with_its_graph(visitor: APIClient) -> None:
    make_graph(visibility=Graph.Visibility.PUBLIC, name="First")
    make_graph(visibility=Graph.Visibility.PUBLIC, name="Second")
    matches = search(visitor, "acetylsalicylic")["entities"]
    assert [(one["graph"], one["graph_name"]) for one in matches] == [
        ("first", "First"),
        ("second", "Second"),
    ]
    assert {one["id"] for one in matches} == {ASPIRIN}
    assert {one["matched"]["text"] for one in matches} == {"Acetylsalicylic acid"}


def test_one_graph_can_be_chosen(visitor: APIClient) -> None:
    make_graph(visibility=Graph.Visibility.PUBLIC, name="First")
    second = make_graph(visibility=Graph.Visibility.PUBLIC, name="Second")
    assert graphs_of(search(visitor, "aspirin", graph="second")) == ["second"]
    pinned = search(visitor, "aspirin", graph="second", snapshot=second.snapshot)
    assert graphs_of(pinned) == ["second"]


def test_a_private_graph_is_found_by_its_owner_and_administrators_alone(
    visitor: APIClient, outsider: Person, researcher: Person, administrator: Person
) -> None:
    make_graph(researcher.user, name="Mine")
    for browser in (researcher.browser, administrator.browser):
        assert graphs_of(search(browser, "aspirin")) == ["mine"]
        assert graphs_of(search(browser, "aspirin", graph="mine")) == ["mine"]
    for browser in (visitor, outsider.browser):
        assert graphs_of(search(browser, "aspirin")) == []
        assert browser.get("/api/v1/search", {"q": "a", "graph": "mine"}).status_code == 404


def test_hidden_questions_are_found_by_who_may_see_them(
    visitor: APIClient, outsider: Person, researcher: Person, administrator: Person
) -> None:
    make_question(researcher, "Which drug treats hidden headache?")
    make_question(researcher, "Which drug treats tested headache?", split="test")
    public = make_question(researcher, "Which drug treats shown headache?", split="dev")
    for browser in (visitor, outsider.browser):
        (match,) = search(browser, "Headache TREATS")["questions"]
        assert match["id"] == str(public.pk)
    for browser in (researcher.browser, administrator.browser):
        assert len(search(browser, "headache treats")["questions"]) == 3


def test_a_draft_release_is_found_by_its_organiser_and_administrators_alone(
    visitor: APIClient, outsider: Person, administrator: Person, tmp_path: Path
) -> None:
    request = ReleaseRequest(track="truthhypo", name="Rare drafts", slug="rare-drafts")
    make_release(actor=administrator.user, request=request, files=[write_source(tmp_path)])
    for browser in (visitor, outsider.browser):
        assert search(browser, "rare")["releases"] == []
    (match,) = search(administrator.browser, "rare")["releases"]
    assert match == {"slug": "rare-drafts", "name": "Rare drafts", "track": "truthhypo"}
    Release.objects.update(state=Release.State.OPEN)
    assert len(search(visitor, "drafts rare")["releases"]) == 1


def test_a_model_without_public_results_is_found_by_its_owner_alone(
    visitor: APIClient, outsider: Person, researcher: Person
) -> None:
    register_model(actor=researcher.user, name="Unlisted model")
    assert search(visitor, "unlisted")["models"] == []
    assert search(outsider.browser, "unlisted")["models"] == []
    assert [one["name"] for one in search(researcher.browser, "unlisted")["models"]] == [
        "Unlisted model"
    ]


def test_characters_of_patterns_match_themselves_alone(
    visitor: APIClient, researcher: Person
) -> None:
    make_question(researcher, "Which drug?", split="dev")
    for q in ("%%", "__", "\\\\", "'; --"):
        assert search(visitor, q)["questions"] == []


@pytest.mark.parametrize("q", ["", " ", "a"])
def test_text_of_one_character_is_not_searched(
    visitor: APIClient, researcher: Person, q: str
) -> None:
    make_question(researcher, "a question", split="dev")
    assert search(visitor, q)["questions"] == []


def test_a_likely_typing_error_is_offered_only_where_no_name_fits(visitor: APIClient) -> None:
    make_graph(visibility=Graph.Visibility.PUBLIC, name="First")
    (match,) = search(visitor, "asprin")["entities"]
    assert (match["id"], match["matched"]["kind"]) == (ASPIRIN, "typo")


def test_a_graph_that_cannot_be_read_hides_no_other(visitor: APIClient) -> None:
    make_graph(visibility=Graph.Visibility.PUBLIC, name="Broken")
    make_graph(visibility=Graph.Visibility.PUBLIC, name="Whole")
    broken = Graph.objects.get(slug="broken").versions.get()
    broken.snapshot = "no-such-snapshot"
    broken.save()
    result = search(visitor, "aspirin")
    assert (graphs_of(result), result["skipped_graphs"]) == (["whole"], 1)


def test_only_so_many_graphs_are_searched_and_the_rest_counted(
    visitor: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(several_graphs, "MAX_GRAPHS", 1)
    for name in ("First", "Second", "Third"):
        make_graph(visibility=Graph.Visibility.PUBLIC, name=name)
    result = search(visitor, "aspirin")
    assert (graphs_of(result), result["skipped_graphs"]) == (["first"], 2)
    assert graphs_of(search(visitor, "aspirin", graph="third")) == ["third"]


def test_who_searches_too_often_waits(visitor: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {"site_search": "1/min"}
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.THROTTLE_RATES", rates)
    search(visitor, "aspirin")
    assert visitor.get("/api/v1/search", {"q": "aspirin"}).status_code == 429
