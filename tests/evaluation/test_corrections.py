"""A corrected release: items withdrawn or changed, and all of history scored again."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import Correction, HiddenAnswer, Item, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.rescoring import request_missing_rescorings
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from backend.jobs.services import enqueue_job
from backend.leaderboard.models import Standing
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.truthhypo_files import key_of, prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
CORRECTIONS = "/api/v1/releases/pairs/corrections"
Work = Callable[[], None]


@pytest.fixture
def entries(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> dict[str, Any]:
    """Of 60 items, 'Lucky' has only the last ten wrong, 'Steady' only the first four."""
    result = {}
    for name, wrong in (("lucky", range(50, 60)), ("steady", range(4))):
        register_model(actor=researcher.user, name=name)
        text = prediction_lines(range(60), wrong=wrong)
        result[name] = submit_and_score(researcher.browser, form(text, model=name))
    return result


def withdraw(*numbers: int) -> list[dict[str, Any]]:
    return [{"key": list(key_of(number)), "action": "withdraw"} for number in numbers]


@pytest.fixture
def correct(
    administrator: Person, work: Work, django_capture_on_commit_callbacks: Any
) -> Callable[..., Any]:
    def send_rows(rows: list[dict[str, Any]], *, of: str = "pairs", **fields: Any) -> Any:
        body = {"name": "Pairs, corrected", "slug": "pairs-2", "corrections": rows, **fields}
        with django_capture_on_commit_callbacks(execute=True):
            answer = administrator.browser.post(CORRECTIONS.replace("pairs", of), body)
        if answer.status_code == 202:
            work()
        return answer

    return send_rows


def scores_on(client: APIClient, slug: str, **query: Any) -> dict[str, Any]:
    board = client.get(f"/api/v1/boards/{slug}", query).json()
    return {
        row["model"]["name"]: row["scores"]["relation_accuracy average"][0]
        for row in board["results"]
    }


def test_every_entry_is_scored_without_the_withdrawn_items(
    visitor: APIClient, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    before = timezone.now()
    Submission.objects.update(created_at=before - timedelta(days=9))
    answer = correct(withdraw(*range(52, 60)))
    assert (answer.status_code, answer.json()["release"]) == (202, "pairs-2")
    assert scores_on(visitor, "pairs-2") == {
        "lucky": pytest.approx(100 * 50 / 52),
        "steady": pytest.approx(100 * 48 / 52),
    }
    carried = Submission.objects.filter(release__slug="pairs-2")
    assert {one.created_at for one in carried} == {before - timedelta(days=9)}
    assert {str(one.rescored_from_id) for one in carried} == {one["id"] for one in entries.values()}
    assert all(one.is_standing and one.evaluation.items == 52 for one in carried if one.evaluation)
    # The earlier board stays, now and by date.
    old = {"lucky": pytest.approx(100 * 50 / 60), "steady": pytest.approx(100 * 56 / 60)}
    assert scores_on(visitor, "pairs") == old
    assert scores_on(visitor, "pairs", at=before.isoformat()) == old
    states = dict(Release.objects.values_list("slug", "state"))
    assert states == {"pairs": "deprecated", "pairs-2": "open"}


def test_each_page_of_the_earlier_release_names_the_later_one(
    visitor: APIClient, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    paths = ("releases/pairs", f"results/{entries['lucky']['id']}")
    for path in paths:
        assert visitor.get(f"/api/v1/{path}").json()["corrected_by"] is None
    correct(withdraw(1))
    for path in paths:
        shown = visitor.get(f"/api/v1/{path}").json()
        named = (shown["corrected_by"], shown["corrected_by_name"])
        assert named == ("pairs-2", "Pairs, corrected")
    later = visitor.get("/api/v1/releases/pairs-2").json()
    assert (later["corrects"], later["corrects_name"]) == ("pairs", "Pairs")


def test_pages_of_a_release_that_was_corrected_twice_name_the_last_one(
    visitor: APIClient, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    correct(withdraw(1))
    correct(withdraw(2), of="pairs-2", slug="pairs-3", name="Pairs, third")
    for path in ("releases/pairs", "releases/pairs-2", f"results/{entries['lucky']['id']}"):
        shown = visitor.get(f"/api/v1/{path}").json()
        assert (shown["corrected_by"], shown["corrected_by_name"]) == ("pairs-3", "Pairs, third")
    # A draft takes no place yet.
    Release.objects.filter(slug="pairs-3").update(state=Release.State.DRAFT)
    assert visitor.get("/api/v1/releases/pairs").json()["corrected_by"] == "pairs-2"


def test_a_changed_dev_item_is_counted_on_the_test_board(
    visitor: APIClient, release: Release, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    release.items.filter(position__in=(1, 2)).update(split="dev")
    correct(withdraw(1))
    (change,) = visitor.get("/api/v1/boards/pairs-2/changes").json()["changes"]
    assert (change["withdrawn"], change["changed"], change["elsewhere"]) == (0, 0, 1)


def test_the_changes_show_ranks_before_and_after_and_never_which_items(
    visitor: APIClient, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    rows = withdraw(*range(52, 60))
    answer = {"key": list(key_of(1)), "action": "answer", "answer": {"label": "positive_correlate"}}
    correct([*rows, answer])
    text = visitor.get("/api/v1/boards/pairs-2/changes").content.decode()
    shown = json.loads(text)
    (change,) = shown["changes"]
    assert (shown["corrects"], change["kind"], change["withdrawn"], change["changed"]) == (
        "pairs",
        "correction",
        8,
        1,
    )
    assert (change["before"]["release"], change["after"]["release"]) == ("pairs", "pairs-2")
    moves = {
        one["model"]["name"]: (one["before"]["place"], one["after"]["place"], one["is_reordered"])
        for one in change["entries"]
    }
    assert moves == {"steady": (1, 2, True), "lucky": (2, 1, True)}
    assert change["reordered"] == 2
    assert "Chemical|C" not in text
    assert "positive_correlate" not in text
    old = visitor.get("/api/v1/boards/pairs/changes").json()
    assert (old["changes"], old["corrected_by"]) == ([], "pairs-2")


@pytest.mark.parametrize("withdrawn_on", ["pairs", "pairs-2"])
def test_a_withdrawal_reaches_the_board_before_and_after_a_correction(
    withdrawn_on: str,
    visitor: APIClient,
    researcher: Person,
    entries: dict[str, Any],
    correct: Callable[..., Any],
    work: Work,
    django_capture_on_commit_callbacks: Any,
) -> None:
    correct(withdraw(1))
    lucky = Submission.objects.filter(model__name="lucky").values_list("release__slug", "pk")
    chosen = dict(lucky)[withdrawn_on]
    with django_capture_on_commit_callbacks(execute=True):
        answer = researcher.browser.post(f"/api/v1/submissions/{chosen}/withdraw")
    assert (answer.status_code, answer.json()["state"]) == (200, "withdrawn")
    work()
    for slug, pk in lucky:
        assert set(scores_on(visitor, slug)) == {"steady"}
        assert visitor.get(f"/api/v1/results/{pk}").json()["withdrawn_at"]


def test_an_anonymous_entry_stays_anonymous_on_the_corrected_board(
    visitor: APIClient, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    until = timezone.now() + timedelta(days=30)
    Submission.objects.filter(model__name="lucky").update(anonymous_until=until)
    correct(withdraw(1))
    for path in ("boards/pairs-2", "boards/pairs-2/changes"):
        shown = visitor.get(f"/api/v1/{path}").json()
        rows = shown["results"] if "results" in shown else shown["changes"][0]["entries"]
        names = [row["model"] and row["model"]["name"] for row in rows]
        assert sorted(names, key=str) == [None, "steady"]
    assert Submission.objects.get(release__slug="pairs-2", model__name="lucky").anonymous_until


def test_a_changed_answer_changes_scores_and_keeps_splits_and_metadata(
    researcher: Person, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    Release.objects.update(terms="Be honest", queries=7)
    row = {"key": list(key_of(59)), "action": "answer", "answer": {"label": "positive_correlate"}}
    correct([row])
    new = Release.objects.get(slug="pairs-2")
    old = Release.objects.get(slug="pairs")
    assert (new.terms, new.queries, new.corrects) == ("Be honest", 7, old)
    splits = [
        list(Item.objects.filter(release=one).values_list("key", "split", "position"))
        for one in (old, new)
    ]
    assert splits[0] == splits[1]
    assert new.digest != old.digest
    assert HiddenAnswer.objects.get(item__release=old, item__position=59).content == {
        "label": "no_relation"
    }
    lucky = Submission.objects.get(release=new, model__name="lucky")
    assert lucky.evaluation is not None
    value = lucky.evaluation.scores.get(metric="relation_accuracy", slice="average").value
    assert value == pytest.approx(100 * 51 / 60)  # its wrong label became right
    use = researcher.browser.get("/api/v1/releases/pairs-2/queries").json()
    assert use["used"] == 2  # the answers are the same but for one
    assert list(Correction.objects.values_list("action", "split")) == [("answer", "test")]


def test_a_prediction_that_a_changed_item_does_not_allow_counts_as_missing(
    entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    old = Item.objects.get(position=1)
    labels = ["negative_correlate", "no_relation"]
    item = {**old.content, "labels": labels}
    correct([{"key": list(key_of(1)), "action": "item", "item": item}])
    new = Item.objects.get(release__slug="pairs-2", position=1)
    assert (new.content["labels"], new.split, old.content["labels"] == labels) == (
        labels,
        "test",
        False,
    )
    carried = Submission.objects.filter(release__slug="pairs-2").select_related("evaluation")
    answered = {one.model.name: one.evaluation and one.evaluation.answered for one in carried}
    assert answered == {"lucky": 60, "steady": 59}  # its wrong label was 'positive_correlate'


def test_every_fault_of_the_corrections_is_listed_and_nothing_is_made(
    entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    key = list(key_of(0))
    rows: list[dict[str, Any]] = [
        {"key": ["nothing", "here"], "action": "withdraw"},
        {"key": key, "action": "remove"},
        {"key": key, "action": "answer"},
        {"key": key, "action": "answer", "answer": {"label": 5}},
        {"key": key, "action": "answer", "answer": {"label": "perhaps"}},
        {"key": key, "action": "answer", "answer": {"label": "positive_correlate"}},
        {"key": key, "action": "item", "item": {"x_id": "a"}},
        *withdraw(1, 1),
    ]
    answer = correct(rows)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_corrections")
    faults = {one["place"]: one["code"] for one in answer.json()["errors"]}
    assert faults["corrections[0].key"] == "unknown_item"
    assert faults["corrections[1].action"] == "invalid"
    assert faults["corrections[2].answer"] == "missing_field"
    assert faults["corrections[3].answer.label"] == "wrong_type"
    assert faults["corrections[4].answer"] == "not_an_answer"
    assert faults["corrections[5]"] == "unchanged"
    assert faults["corrections[6].item.y_id"] == "missing_field"
    assert faults["corrections[8].key"] == "duplicate_item"
    assert Release.objects.count() == 1


def test_a_release_is_corrected_once_and_never_emptied(
    entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    everything = withdraw(*range(60))
    emptied = correct(everything)
    assert emptied.json()["errors"][0]["message"] == "All items of a split would be withdrawn."
    correct(withdraw(1))
    again = correct(withdraw(2), slug="pairs-3")
    assert (again.status_code, again.json()["code"]) == (409, "conflict")


def test_what_was_withdrawn_is_carried_over_for_the_ladder_alone(
    researcher: Person,
    visitor: APIClient,
    entries: dict[str, Any],
    django_capture_on_commit_callbacks: Any,
    correct: Callable[..., Any],
) -> None:
    path = f"{SUBMISSIONS}/{entries['lucky']['id']}/withdraw"
    with django_capture_on_commit_callbacks(execute=True):
        researcher.browser.post(path, {})
    correct(withdraw(1))
    carried = Submission.objects.filter(release__slug="pairs-2")
    states = {one.model.name: (one.state, one.is_standing) for one in carried}
    assert states == {"lucky": ("withdrawn", False), "steady": ("scored", True)}
    assert set(scores_on(visitor, "pairs-2")) == {"steady"}


def test_a_withdrawn_submission_whose_file_is_lost_is_left_out(
    researcher: Person, entries: dict[str, Any], correct: Callable[..., Any]
) -> None:
    researcher.browser.post(f"{SUBMISSIONS}/{entries['lucky']['id']}/withdraw", {})
    prediction_path(entries["lucky"]["file_digest"]).unlink()
    correct(withdraw(1))
    (carried,) = Submission.objects.filter(release__slug="pairs-2")
    assert carried.model.name == "steady"


def test_a_submission_that_ends_after_the_correction_follows(
    researcher: Person,
    visitor: APIClient,
    entries: dict[str, Any],
    work: Work,
    correct: Callable[..., Any],
) -> None:
    register_model(actor=researcher.user, name="late")
    sent = send(researcher.browser, SUBMISSIONS, form(prediction_lines(range(60)), model="late"))
    correct(withdraw(1))
    assert set(scores_on(visitor, "pairs-2")) == {"lucky", "steady"}
    job = Job.objects.about(f"submission:{sent.json()['id']}").get()
    enqueue_job(job)
    work()
    assert scores_on(visitor, "pairs-2")["late"] == 100


def test_not_better_scores_stay_hidden_while_the_correction_is_open(
    researcher: Person,
    entries: dict[str, Any],
    submit_and_score: Callable[..., Any],
    correct: Callable[..., Any],
) -> None:
    worse = form(prediction_lines(range(60), wrong=range(5)), model="steady")
    hidden = submit_and_score(researcher.browser, worse)
    correct(withdraw(1))
    old = researcher.browser.get(f"{SUBMISSIONS}/{hidden['id']}").json()
    new_id = Submission.objects.get(rescored_from=hidden["id"]).pk
    new = researcher.browser.get(f"{SUBMISSIONS}/{new_id}").json()
    assert old["score_visibility"] == new["score_visibility"] == "not_better"
    assert old["scores"] == new["scores"] == []
    Release.objects.filter(slug="pairs-2").update(state=Release.State.CLOSED)
    for pk in (hidden["id"], new_id):
        shown = researcher.browser.get(f"{SUBMISSIONS}/{pk}").json()
        assert shown["score_visibility"] == "shown"


def test_the_corrected_release_is_a_draft_until_its_entries_are_scored(
    visitor: APIClient, entries: dict[str, Any], work: Work, run_queued_tasks: Any
) -> None:
    release = Release.objects.get()
    request = CorrectionRequest("Pairs 2", withdraw(1), "pairs-2")
    new, job = correct_release(actor=None, release=release, request=request)
    assert visitor.get("/api/v1/boards/pairs-2").status_code == 404
    Job.objects.filter(pk=job.pk).delete()  # a lost job
    request_missing_rescorings()
    again = Job.objects.active().get(kind="rescoring")
    run_job(again.pk)
    new.refresh_from_db()
    assert new.state == "open"
    assert new.submissions.count() == 2


def test_the_command_corrects_a_release(
    tmp_path: Path, entries: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "corrections.json"
    path.write_text(json.dumps(withdraw(0, 1)))
    call_command("correct_release", "pairs", str(path), "--name", "pairs-2", "--json")
    result = json.loads(capsys.readouterr().out)
    assert result["corrections"] == {"withdraw": 2, "answer": 0, "item": 0}
    assert (result["state"], result["submissions"]) == ("open", 2)
    assert Evaluation.objects.filter(release__slug="pairs-2").count() == 2
    assert not Standing.objects.filter(release__slug="pairs-2").exists()  # the board's job does it
    with pytest.raises(SystemExit):
        call_command("correct_release", "pairs", str(path), "--name", "pairs-3")
    refusal = "This release is corrected by 'pairs-2'. Correct that one.\n"
    assert capsys.readouterr().err == refusal
