"""The evidence beside an expert's own question, over HTTP. The graph is Ada's and not public."""

import uuid
from typing import Any

import pytest

from annotation.exports import export_json
from annotation.models import Assignment
from annotation.study_graph import pin_to_study, resolve_study
from backend.benchmarks.models import Candidate, Resource
from backend.graphs.models import Graph, GraphShare, Version
from backend.studies.models import Study
from tests.annotation.personas import Cast, activity_body, activity_event, client_of, post_activity
from tests.graphs.app.factories import ASPIRIN, COX1, HEADACHE, make_graph

DRUG = "https://go.drugbank.com/drugs/DB00945"


def make_pinned(cast: Cast) -> Version:
    """Of the first question: the resource is Headache, the candidates aspirin, PTGS2 and more."""
    question = cast.assignment().question
    Resource.objects.filter(question=question).update(name="Headache", link="")
    first, second = question.candidates.order_by("position")[:2]
    Candidate.objects.filter(id=first.id).update(name="ASA", link=DRUG)
    Candidate.objects.filter(id=second.id).update(name="PTGS2", link="")
    version = make_graph(cast.coordinator)
    pin_to_study(actor=cast.coordinator, study=cast.study, version=version)
    resolve_study(cast.study.id)
    return version


@pytest.fixture
def pinned(cast: Cast) -> Version:
    return make_pinned(cast)


def evidence_url(assignment: Assignment) -> str:
    return f"/api/v1/assignments/{assignment.id}/evidence"


def read_evidence(cast: Cast) -> dict[str, Any]:
    answer = client_of(cast.expert).get(evidence_url(cast.assignment()))
    assert answer.status_code == 200, answer.content
    shown: dict[str, Any] = answer.json()
    return shown


def paths_to(cast: Cast, place: int, **query: str) -> Any:
    candidate = cast.assignment().question.candidates.order_by("position")[place].id
    return client_of(cast.expert).get(
        f"{evidence_url(cast.assignment())}/paths", {"candidate": str(candidate), **query}
    )


def test_each_candidate_has_its_entity_how_it_was_matched_and_a_summary(
    cast: Cast, pinned: Version
) -> None:
    shown = read_evidence(cast)
    assert shown["graph"]["snapshot"] == pinned.snapshot
    assert shown["is_complete"]
    evidence = {it["name"]: it for it in shown["candidates"]}
    aspirin, gene, others = evidence.pop("ASA"), evidence.pop("PTGS2"), evidence.values()
    assert (aspirin["name"], aspirin["match_method"], aspirin["matched_on"]) == (
        "ASA",
        "identifier",
        ASPIRIN,
    )
    assert aspirin["entity"] == {"id": ASPIRIN, "name": "Aspirin", "type": "Drug", "degree": 3}
    assert aspirin["summary"]["text"] == "An old drug."
    assert {it["phrase"]: it["count"] for it in aspirin["relations"]} == {
        "inhibits": 2,
        "treats": 1,
    }
    assert (gene["match_method"], gene["summary"], gene["sections"]) == ("name", None, 0)
    assert {it["unmatched_reason"] for it in others} == {"not_in_graph"}
    assert [(it["name"], it["entity"]["id"]) for it in shown["named"]] == [("Headache", HEADACHE)]


def test_the_order_of_candidates_is_not_that_of_the_file(cast: Cast, pinned: Version) -> None:
    shown = [it["candidate"] for it in read_evidence(cast)["candidates"]]
    assert len(shown) == 4
    assert shown == sorted(shown)


def test_paths_lead_from_what_the_question_names_to_the_candidate(
    cast: Cast, pinned: Version
) -> None:
    shown = paths_to(cast, 1).json()
    (path,) = shown["paths"]["paths"]
    names = [turn["entity"]["name"] for turn in path["steps"][::2]]
    assert names == ["Headache", "Aspirin", "PTGS2"]
    assert [turn["phrase"] for turn in path["steps"][1::2]] == ["is treated by", "inhibits"]
    evidence = [turn["evidence"] for turn in path["steps"][1::2]]
    assert evidence[0]["source"] == "label"
    assert evidence[1] is None


def test_a_candidate_that_is_not_in_the_graph_has_no_paths(cast: Cast, pinned: Version) -> None:
    assert paths_to(cast, 2).json()["paths"] is None


def test_what_is_no_candidate_of_the_question_is_not_searched(cast: Cast, pinned: Version) -> None:
    client, foreign = client_of(cast.expert), cast.assignment(number=2).question.candidates
    for candidate, status in ((foreign.all()[0].id, 404), (uuid.uuid4(), 404), (COX1, 422)):
        answer = client.get(
            f"{evidence_url(cast.assignment())}/paths", {"candidate": str(candidate)}
        )
        assert answer.status_code == status


def test_nobody_reads_the_evidence_of_a_question_of_another_expert(
    cast: Cast, pinned: Version
) -> None:
    for stranger in (cast.colleague, cast.coordinator, cast.outsider, cast.other_expert):
        for where in (evidence_url(cast.assignment()), f"{evidence_url(cast.assignment())}/paths"):
            assert client_of(stranger).get(where).status_code == 404
    assert client_of(None).get(evidence_url(cast.assignment())).status_code == 401


def test_nothing_is_shown_without_consent(cast: Cast, pinned: Version) -> None:
    cast.study.members.filter(user=cast.expert).update(consent_version="", consented_at=None)
    answer = client_of(cast.expert).get(evidence_url(cast.assignment()))
    assert (answer.status_code, answer.json()["code"]) == (403, "consent_needed")


def test_a_study_without_a_graph_has_no_evidence_and_says_so_before(cast: Cast) -> None:
    client = client_of(cast.expert)
    assignments = client.get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    assert assignments["batch"]["study"]["graph"] is None
    answer = client.get(evidence_url(cast.assignment()))
    assert (answer.status_code, answer.json()["code"]) == (404, "no_graph")


def test_the_batch_names_the_graph(cast: Cast, pinned: Version) -> None:
    assignments = client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    assert assignments["batch"]["study"]["graph"] == {
        "slug": pinned.graph.slug,
        "name": pinned.graph.name,
        "snapshot": pinned.snapshot,
        "number": 1,
    }


def test_a_colleague_may_open_the_explorer_and_an_outsider_may_not(
    cast: Cast, pinned: Version
) -> None:
    where = f"/api/v1/graphs/{pinned.graph.slug}/entities/{ASPIRIN}?snapshot={pinned.snapshot}"
    assert client_of(cast.colleague).get(where).status_code == 200
    assert client_of(cast.outsider).get(where).status_code == 404


def test_a_graph_that_its_owner_takes_back_is_not_shown(cast: Cast, pinned: Version) -> None:
    GraphShare.objects.all().delete()
    assert client_of(cast.expert).get(evidence_url(cast.assignment())).status_code == 404
    assert Graph.objects.get().pk == pinned.graph_id


def test_evidence_that_is_not_there_yet_is_said_to_be_coming(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    pin_to_study(actor=cast.coordinator, study=cast.study, version=version)
    shown = read_evidence(cast)
    assert not shown["is_complete"]
    assert [it["entity"] for it in shown["candidates"]] == [None] * 4
    assert paths_to(cast, 0).json()["paths"] is None


def test_looking_at_evidence_is_in_the_export_with_the_graph(cast: Cast, pinned: Version) -> None:
    observed = {
        "candidate": "c",
        "snapshot": pinned.snapshot,
        "entity": ASPIRIN,
        "match_method": "identifier",
    }
    events = [
        activity_event("evidence_opened", new=observed),
        activity_event("evidence_viewed", new=observed),
    ]
    post_activity(client_of(cast.expert), cast.assignment(), activity_body(*events))
    text = "".join(export_json(Study.objects.get(pk=cast.study.pk)))
    assert f'"snapshot": "{pinned.snapshot}"' in text
    assert text.index("evidence_opened") < text.index("evidence_viewed")
