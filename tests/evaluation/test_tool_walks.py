"""A session of tool calls as a walk: what each call offered, and what later ones chose of it."""

from itertools import pairwise
from typing import Any

import pytest

from backend.evaluation.models import ToolCall
from backend.evaluation.tool_walk import MOST_OFFERED
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.test_tool_sessions import (
    SESSIONS,
    open_session,
    result_of,
    send_call,
    with_token,
)
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


def read_walk(person: Person, session: str) -> Any:
    answer = person.browser.get(f"{SESSIONS}/{session}/walk")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_step_offers_what_its_result_has_and_chooses_what_later_calls_are_about(
    masked: MaskedRelease, researcher: Person
) -> None:
    client = with_token(researcher)
    session = open_session(client, masked.release)
    source = masked.cut[0][0]
    near = result_of(client, session, "neighbours", id=source, limit=100)
    other = near["neighbours"][-1]["entity"]["id"]
    result_of(client, session, "entity", id=other)
    paths = result_of(client, session, "paths", sources=[source], targets=[other], hops=2)
    send_call(client, session, "entity", id="X:unknown")
    walk = read_walk(researcher, session)
    first, second, third, failed = walk["steps"]
    assert walk["calls"] == 4
    assert [one["id"] for one in first["frontier"]] == [source]
    assert [one["id"] for one in first["chosen"]] == [other]
    assert len(first["offered"]) == min(MOST_OFFERED, len(near["neighbours"]))
    assert first["offered"][0]["target"]["id"] == other and first["offered"][0]["is_chosen"]
    assert first["offered_count"] == len({one["entity"]["id"] for one in near["neighbours"]})
    assert second["frontier"][0]["id"] == other and second["offered"] == []
    shown = {(one["source"]["id"], one["target"]["id"]) for one in third["offered"]}
    walked = {(a["id"], b["id"]) for path in paths["paths"] for a, b in pairwise(path["entities"])}
    assert shown and shown <= walked
    assert (failed["error_code"], failed["frontier"], failed["is_stored"]) == (
        "no_entity",
        [],
        False,
    )


def test_a_result_that_is_not_stored_is_stated_and_not_drawn(
    masked: MaskedRelease, researcher: Person
) -> None:
    client = with_token(researcher)
    session = open_session(client, masked.release)
    result_of(client, session, "entity", id=masked.cut[0][0])
    ToolCall.objects.update(result=None)
    (step,) = read_walk(researcher, session)["steps"]
    assert (step["is_stored"], step["error_code"], step["frontier"]) == (False, "", [])


def test_nobody_else_reads_the_walk(masked: MaskedRelease, researcher: Person) -> None:
    session = open_session(with_token(researcher), masked.release)
    outsider = make_person("otto", is_researcher=True)
    assert outsider.browser.get(f"{SESSIONS}/{session}/walk").status_code == 404


def test_the_results_of_a_closed_session_are_read_once(
    masked: MaskedRelease, researcher: Person
) -> None:
    session = open_session(with_token(researcher), masked.release)
    result_of(with_token(researcher), session, "entity", id=masked.cut[0][0])
    opened = read_walk(researcher, session)
    assert researcher.browser.post(f"{SESSIONS}/{session}/close").status_code == 200
    assert read_walk(researcher, session) == opened
    ToolCall.objects.all().delete()
    assert read_walk(researcher, session) == opened
