"""Corrections of releases with masked graphs: those taken over, and those that cannot be made."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import HiddenAnswer, Release, ReleaseGraph
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.errors import DomainError
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.models import ToolSession
from backend.evaluation.rescoring import request_missing_rescorings
from backend.jobs.models import Job, JobState
from backend.jobs.runner import run_job
from tests.benchmarks.exported_graph_matcher import match, read_export
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.serenqa_releases import demo_questions
from tests.evaluation.test_partition_releases import EXPLORATION, write_files
from tests.evaluation.test_tool_sessions import open_session, send_call
from tests.personas import Person

NO_PATTERN: dict[str, list[Any]] = {"nodes": [], "edges": []}


@pytest.fixture
def exploration(masked: MaskedRelease, tmp_path: Path) -> Release:
    """An open release of the experts' partition, with its masked graph."""
    request = ReleaseRequest(
        track=EXPLORATION, name="walks", slug="walks", graph_version=masked.base, test_share=0.5
    )
    release = make_release(actor=None, request=request, files=write_files(tmp_path))
    call_command("release_graph", release.slug, "--json")
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


@pytest.fixture
def correct(
    administrator: Person, django_capture_on_commit_callbacks: Any, sent_at_once: None
) -> Callable[..., Job]:
    def run(release: Release, slug: str, rows: list[dict[str, Any]]) -> Job:
        request = CorrectionRequest(slug, rows, slug)
        with django_capture_on_commit_callbacks(execute=True):
            _, job = correct_release(actor=administrator.user, release=release, request=request)
            run_job(job.pk)
        job.refresh_from_db()
        return job

    return run


def withdraw_one(release: Release) -> list[dict[str, Any]]:
    item = release.items.filter(split="test").order_by("position")[0]
    return [{"key": json.loads(item.key), "action": "withdraw"}]


def without_patterns(release: Release) -> list[dict[str, Any]]:
    answers = HiddenAnswer.objects.filter(item__release=release)
    return [
        {
            "key": json.loads(key),
            "action": "answer",
            "answer": {**content, "graph_query": NO_PATTERN},
        }
        for key, content in answers.values_list("item__key", "content")
    ]


def test_tools_walk_the_masked_graph_that_a_correction_takes_over(
    exploration: Release, researcher: Person, correct: Callable[..., Job]
) -> None:
    graph = ReleaseGraph.objects.get(release=exploration)
    assert correct(exploration, "shorter", withdraw_one(exploration)).state == JobState.SUCCEEDED
    shorter = Release.objects.get(slug="shorter")
    assert not shorter.graphs.exists()
    listed = researcher.browser.get("/api/v1/releases/shorter/tools").json()
    assert listed["methods"] == ["expert"]
    answer = researcher.browser.post("/api/v1/releases/shorter/tool-sessions")
    assert answer.json()["snapshot"] == graph.version.snapshot


def test_queries_are_tried_on_the_masked_graph_that_a_correction_takes_over(
    masked: MaskedRelease, researcher: Person, correct: Callable[..., Job]
) -> None:
    assert correct(masked.release, "shorter", withdraw_one(masked.release)).state == "succeeded"
    answer = researcher.browser.post(
        "/api/v1/releases/shorter/graphs/expert/cypher",
        {"query": "RETURN 1 AS one"},
        format="json",
    )
    assert (answer.status_code, answer.json().get("snapshot")) == (200, masked.masked.snapshot)


def test_a_correction_whose_mask_cannot_be_made_ends_and_lets_another_be_made(
    masked: MaskedRelease,
    administrator: Person,
    correct: Callable[..., Job],
    mailoutbox: list[Any],
) -> None:
    job = correct(masked.release, "impossible", without_patterns(masked.release))
    assert (job.state, (job.error or {})["code"]) == (JobState.FAILED, "USER_MASK_IMPOSSIBLE")
    detail = (job.error or {})["detail"]
    assert "No question of this release holds" in detail
    assert "The correction 'impossible' was deleted. Correct 'retrieval' otherwise." in detail
    assert not Release.objects.filter(slug="impossible").exists()
    (message,) = mailoutbox
    assert message.to == [administrator.user.email] and detail in message.body
    shown = administrator.browser.get(f"/api/v1/jobs/{job.pk}").json()
    assert shown["error"]["detail"] == detail
    count = Job.objects.count()
    Job.objects.update(created_at="2020-01-01T00:00:00Z")
    request_missing_rescorings()
    assert Job.objects.count() == count
    again = correct(masked.release, "impossible", withdraw_one(masked.release))
    assert again.state == JobState.SUCCEEDED
    assert Release.objects.get(slug="impossible").state == Release.State.OPEN


@pytest.mark.parametrize("graph", ["full", "llm"])
def test_a_correction_leaves_every_item_on_the_graph_of_the_others(
    masked: MaskedRelease, administrator: Person, graph: str
) -> None:
    """Else the release would need a second masked graph, which shows what the first one hides."""
    item = masked.release.items.order_by("position")[0]
    rows = [
        {"key": json.loads(item.key), "action": "item", "item": item.content | {"graph": graph}}
    ]
    request = CorrectionRequest("Other", rows, "other")
    with pytest.raises(DomainError) as raised:
        correct_release(actor=administrator.user, release=masked.release, request=request)
    assert [one.code for one in raised.value.faults] == ["graph_changed"]


def test_a_draft_that_is_in_use_is_parted_from_the_release_instead(
    masked: MaskedRelease, administrator: Person
) -> None:
    request = CorrectionRequest("Used", without_patterns(masked.release), "used")
    draft, job = correct_release(actor=administrator.user, release=masked.release, request=request)
    open_session(administrator.browser, draft)
    run_job(job.pk)
    before = draft.version
    draft.refresh_from_db()
    assert (draft.corrects, draft.state) == (None, Release.State.DRAFT)
    assert draft.version == before + 1
    job.refresh_from_db()
    assert "stays as a draft that corrects nothing" in (job.error or {})["detail"]


def test_a_correction_that_needs_no_mask_for_its_scores_opens_without(
    exploration: Release, correct: Callable[..., Job]
) -> None:
    job = correct(exploration, "unmasked", without_patterns(exploration))
    assert job.state == JobState.SUCCEEDED, job.error
    corrected = Release.objects.get(slug="unmasked")
    assert (corrected.state, corrected.graphs.count()) == (Release.State.OPEN, 0)


def newly_hidden(release: Release, included: list[str], graph_query: dict[str, Any] | None) -> Any:
    """Rows that withdraw a root of a question and have another root find it, and both names.

    graph_query: what the corrected answer states; None for nothing.
    """
    roots: dict[str, list[Any]] = {}
    for item in release.items.order_by("position"):
        roots.setdefault(item.content["qid"], []).append(item)
    qid, items = next(one for one in roots.items() if one[0] in included and len(one[1]) > 2)
    moved = items[0].content["root"]
    answer = HiddenAnswer.objects.get(item=items[1]).content
    answer = {**answer, "entities": [*answer["entities"], [moved]]}
    del answer["graph_query"]
    if graph_query is not None:
        answer["graph_query"] = graph_query
    rows = [
        {"key": json.loads(items[0].key), "action": "withdraw"},
        {"key": json.loads(items[1].key), "action": "answer", "answer": answer},
    ]
    return rows, qid, moved


def found_on(graph: ReleaseGraph, browser: Any, qid: str) -> set[str]:
    export = browser.get(f"/api/v1/graphs/{graph.version.graph.slug}/export?format=csv")
    question = next(one for one in demo_questions() if str(one["qid"]) == qid)
    return set(match(read_export(export.getvalue()), question))


def test_a_correction_hides_what_it_newly_wants_hidden_also_if_it_states_no_pattern(
    exploration: Release, administrator: Person, correct: Callable[..., Job]
) -> None:
    before = ReleaseGraph.objects.get(release=exploration)
    rows, qid, moved = newly_hidden(exploration, before.included, None)
    assert moved in found_on(before, administrator.browser, qid)
    job = correct(exploration, "more-hidden", rows)
    assert job.state == JobState.SUCCEEDED, job.error
    after = ReleaseGraph.objects.get(release__slug="more-hidden")
    assert qid in after.included
    assert moved not in found_on(after, administrator.browser, qid)


def test_a_correction_whose_newly_hidden_answers_no_mask_hides_ends(
    exploration: Release, correct: Callable[..., Job]
) -> None:
    before = ReleaseGraph.objects.get(release=exploration)
    rows, qid, _ = newly_hidden(exploration, before.included, NO_PATTERN)
    job = correct(exploration, "exposed", rows)
    assert (job.state, (job.error or {})["code"]) == (JobState.FAILED, "USER_MASK_IMPOSSIBLE")
    assert (
        f"No masked graph hides the new answers to the question {qid}."
        in (job.error or {})["detail"]
    )
    assert not Release.objects.filter(slug="exposed").exists()


def test_a_mask_that_lacks_new_answers_is_not_taken_over_where_none_can_be_made(
    exploration: Release, correct: Callable[..., Job]
) -> None:
    before = ReleaseGraph.objects.get(release=exploration)
    new, _, _ = newly_hidden(exploration, before.included, NO_PATTERN)
    changed = {json.dumps(one["key"]) for one in new}
    others = without_patterns(exploration)
    job = correct(
        exploration, "none", [*new, *(o for o in others if json.dumps(o["key"]) not in changed)]
    )
    assert (job.state, (job.error or {})["code"]) == (JobState.FAILED, "USER_MASK_IMPOSSIBLE")
    assert not Release.objects.filter(slug="none").exists()


def test_a_session_from_before_the_mask_takes_no_more_calls(
    exploration: Release, researcher: Person
) -> None:
    graph = ReleaseGraph.objects.get(release=exploration)
    session = open_session(researcher.browser, exploration)
    ToolSession.objects.update(version=exploration.graph_version, method="")
    for is_missing in (False, True):  # as in a release that an earlier version opened
        ReleaseGraph.objects.update(method="none" if is_missing else "expert")
        answer = send_call(researcher.browser, session, "graph_schema")
        assert (answer.status_code, answer.json()["code"]) == (409, "session_before_mask")
    ReleaseGraph.objects.update(method="expert")
    later = open_session(researcher.browser, exploration)
    schema = send_call(researcher.browser, later, "graph_schema").json()["result"]
    assert schema["edges"] == graph.version.edges
