"""Submissions that name the session of tool calls which their predictions were made with."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Submission, ToolSession
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.releases import open_pairs
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.test_tool_sessions import open_session, result_of, send_call
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person, make_person


@pytest.fixture
def model(researcher: Person) -> Model:
    return register_model(actor=researcher.user, name="Walker")


def dev_form(masked: MaskedRelease, **fields: str) -> dict[str, Any]:
    items = masked.release.items.filter(split="dev").values_list("content", flat=True)
    rows = [{"question_id": one["question_id"], "answers": [masked.cut[0][0]]} for one in items]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    file = SimpleUploadedFile("predictions.jsonl", text.encode())
    named = {"release": masked.release.slug, "model": "walker", "split": "dev"}
    return {**named, "file": file, **fields}


def test_a_submission_names_its_session_which_takes_no_more_calls(
    masked: MaskedRelease,
    researcher: Person,
    administrator: Person,
    model: Model,
    submit_and_score: Callable[..., Any],
) -> None:
    session = open_session(researcher.browser, masked.release, model="walker")
    for _ in range(3):
        result_of(researcher.browser, session, "graph_schema")
    scored = submit_and_score(researcher.browser, dev_form(masked, session=session))
    assert (scored["state"], scored["session"], scored["tool_calls"]) == ("scored", session, 3)
    assert send_call(researcher.browser, session, "graph_schema").status_code == 409
    shown = researcher.browser.get(f"/api/v1/tool-sessions/{session}").json()
    assert shown["submissions"] == [scored["id"]]
    assert shown["model"] == {"slug": "walker", "name": "Walker"}
    by_organiser = administrator.browser.get(f"{SUBMISSIONS}/{scored['id']}").json()
    assert by_organiser["session"] == session
    assert administrator.browser.get(f"/api/v1/tool-sessions/{session}/calls").status_code == 200


def test_the_public_result_has_the_number_of_calls_and_no_link_for_others(
    masked: MaskedRelease,
    researcher: Person,
    visitor: Any,
    outsider: Person,
    model: Model,
    submit_and_score: Callable[..., Any],
) -> None:
    session = open_session(researcher.browser, masked.release)
    result_of(researcher.browser, session, "graph_schema")
    scored = submit_and_score(researcher.browser, dev_form(masked, session=session))
    address = f"/api/v1/results/{scored['id']}"
    for browser, link in (
        (visitor, None),
        (outsider.browser, None),
        (researcher.browser, session),
    ):
        result = browser.get(address).json()
        assert (result["tool_calls"], result["session"]) == (1, link)


def test_equal_predictions_name_the_session_later(
    masked: MaskedRelease,
    researcher: Person,
    model: Model,
    submit_and_score: Callable[..., Any],
) -> None:
    first = submit_and_score(researcher.browser, dev_form(masked))
    assert (first["session"], first["tool_calls"]) == (None, None)
    session = open_session(researcher.browser, masked.release)
    again = send(researcher.browser, SUBMISSIONS, dev_form(masked, session=session)).json()
    assert (again["id"], again["session"], again["tool_calls"]) == (first["id"], session, 0)
    later = send(researcher.browser, SUBMISSIONS, dev_form(masked)).json()
    assert later["session"] == session
    same = send(researcher.browser, SUBMISSIONS, dev_form(masked, session=session))
    assert same.json()["session"] == session


def test_the_session_of_a_submission_is_never_exchanged(
    masked: MaskedRelease,
    researcher: Person,
    model: Model,
    submit_and_score: Callable[..., Any],
) -> None:
    first, second = (open_session(researcher.browser, masked.release) for _ in range(2))
    scored = submit_and_score(researcher.browser, dev_form(masked, session=first))
    answer = send(researcher.browser, SUBMISSIONS, dev_form(masked, session=second))
    assert (answer.status_code, answer.json()["code"]) == (409, "session_named")
    shown = researcher.browser.get(f"{SUBMISSIONS}/{scored['id']}").json()
    assert shown["session"] == first
    assert ToolSession.objects.get(pk=second).closed_at is None


def test_the_session_of_another_person_model_or_release_is_refused(
    masked: MaskedRelease,
    researcher: Person,
    model: Model,
    tmp_path: Any,
) -> None:
    register_model(actor=researcher.user, name="Other")
    register_model(actor=researcher.user, name="My model")
    open_pairs(tmp_path)
    colleague = make_person("rita", is_researcher=True)
    theirs = open_session(colleague.browser, masked.release)
    of_other_model = open_session(researcher.browser, masked.release, model="other")
    own = open_session(researcher.browser, masked.release)
    refused = [
        (dev_form(masked, session=theirs), 404, "no_session"),
        (dev_form(masked, session="00000000-0000-0000-0000-000000000000"), 404, "no_session"),
        (dev_form(masked, session="one"), 422, "invalid"),
        (dev_form(masked, session=of_other_model), 409, "session_of_other_model"),
        (form(prediction_lines(range(60)), session=own), 409, "session_of_other_release"),
    ]
    for body, status, code in refused:
        answer = send(researcher.browser, SUBMISSIONS, body)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Submission.objects.exists()
    assert not ToolSession.objects.exclude(closed_at=None).exists()


def share(person: Person, session: str, *, is_shared: bool = True) -> Any:
    address = f"/api/v1/tool-sessions/{session}/sharing"
    return person.browser.post(address, {"is_shared": is_shared}, format="json")


def statuses(browser: Any, session: str) -> set[int]:
    """Of everything that is read of a session."""
    address = f"/api/v1/tool-sessions/{session}"
    return {
        browser.get(f"{address}{one}").status_code for one in ("", "/calls", "/calls/1", "/walk")
    }


def test_everybody_reads_a_session_of_dev_items_while_its_owner_shares_it(
    masked: MaskedRelease,
    researcher: Person,
    administrator: Person,
    visitor: Any,
    outsider: Person,
    model: Model,
    submit_and_score: Callable[..., Any],
) -> None:
    session = open_session(researcher.browser, masked.release)
    result_of(researcher.browser, session, "graph_schema")
    early = share(researcher, session)
    assert (early.status_code, early.json()["code"]) == (409, "session_not_shareable")
    scored = submit_and_score(researcher.browser, dev_form(masked, session=session))
    for other, status in ((outsider, 404), (administrator, 404)):
        assert share(other, session).status_code == status
    assert statuses(visitor, session) == statuses(outsider.browser, session) == {404}

    shared = share(researcher, session).json()
    assert (shared["is_shared"], shared["may_share"]) == (True, True)
    for browser in (visitor, outsider.browser):
        assert statuses(browser, session) == {200}
        read = browser.get(f"/api/v1/tool-sessions/{session}").json()
        assert (read["owner"], read["is_own"], read["may_share"]) == (None, False, False)
        assert read["submissions"] == [scored["id"]]
        assert browser.get(f"/api/v1/results/{scored['id']}").json()["session"] == session
    assert send_call(outsider.browser, session, "graph_schema").status_code == 404
    assert send_call(visitor, session, "graph_schema").status_code == 401

    assert share(researcher, session, is_shared=False).json()["is_shared"] is False
    assert statuses(visitor, session) == {404}


@pytest.mark.parametrize(
    "hidden",
    [{"split": "test"}, {"anonymous_until": timezone.now() + timedelta(days=1)}],
    ids=["of test items", "anonymous"],
)
def test_a_shared_session_is_hidden_while_an_entry_of_it_is(
    masked: MaskedRelease,
    researcher: Person,
    visitor: Any,
    model: Model,
    submit_and_score: Callable[..., Any],
    hidden: dict[str, Any],
) -> None:
    session = open_session(researcher.browser, masked.release)
    result_of(researcher.browser, session, "graph_schema")
    scored = submit_and_score(researcher.browser, dev_form(masked, session=session))
    assert share(researcher, session).status_code == 200
    Submission.objects.filter(pk=scored["id"]).update(**hidden)
    assert statuses(visitor, session) == {404}
    assert statuses(researcher.browser, session) == {200}
    assert share(researcher, session).status_code == 409


def test_a_shared_session_is_read_by_those_who_see_its_release_and_graph(
    masked: MaskedRelease,
    researcher: Person,
    visitor: Any,
    model: Model,
    submit_and_score: Callable[..., Any],
) -> None:
    session = open_session(researcher.browser, masked.release)
    result_of(researcher.browser, session, "graph_schema")
    submit_and_score(researcher.browser, dev_form(masked, session=session))
    share(researcher, session)
    assert statuses(visitor, session) == {200}
    Release.objects.filter(pk=masked.release.pk).update(state=Release.State.DRAFT)
    assert statuses(visitor, session) == {404}
