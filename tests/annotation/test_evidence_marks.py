"""What decided a ranking: marks of paths, steps, papers and links, checked against the evidence."""

import csv
import io
import json
from typing import Any

import pytest

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.models import Response
from backend.graphs.models import GraphShare, Version
from tests.annotation.personas import Cast, client_of, prior_of, put_response
from tests.annotation.test_evidence import make_pinned, paths_to

LINK = {"type": "resource", "number": 0}
FIRST_STEP = "Headache is treated by Aspirin"
WHOLE_PATH = f"{FIRST_STEP}; Aspirin inhibits PTGS2"


@pytest.fixture
def pinned(cast: Cast) -> Version:
    return make_pinned(cast)


def path_mark(cast: Cast, **changes: Any) -> dict[str, Any]:
    """The only path to the second candidate, as the evidence shows it."""
    shown = paths_to(cast, 1).json()
    (path,) = shown["paths"]["paths"]
    edges = [one["edge"] for one in path["steps"][1::2]]
    mark = {"type": "path", "candidate": shown["candidate"], "edges": edges, "step": None}
    return {**mark, "paper": "", "text": "", **changes}


def send(cast: Cast, because: object, *, version: int = 0) -> Any:
    payload = {
        "ranking": prior_of(cast.assignment()),
        "confidence": None,
        "reasons": [],
        "comment": "",
        "unsure_reason": "",
        "because": because,
    }
    body = {"version": version, "action": "submit", "outcome": "confirmed", "payload": payload}
    return put_response(client_of(cast.expert), cast.assignment(), {**body, "active_ms": 0})


def test_a_path_a_step_and_a_link_are_stored_with_the_words_of_the_graph(
    cast: Cast, pinned: Version
) -> None:
    path = path_mark(cast, text="Words of the page")
    sent = send(cast, [path, {**path, "step": 0}, LINK])
    assert sent.status_code == 200, sent.content
    [whole, step, link] = sent.json()["payload"]["because"]
    assert (whole["text"], step["text"], link) == (WHOLE_PATH, FIRST_STEP, LINK)


def test_exports_and_the_coordinators_list_have_the_marks(cast: Cast, pinned: Version) -> None:
    send(cast, [path_mark(cast), LINK])
    rows = csv.DictReader(io.StringIO("".join(export_csv(cast.study)), newline=""))
    answered = [one for one in rows if one["outcome"] == "confirmed"]
    assert {one["because_text"] for one in answered} == {f"{WHOLE_PATH}\nHeadache"}
    marks = json.loads(answered[0]["because"])
    assert [one["type"] for one in marks] == ["path", "resource"]
    exported = json.loads("".join(export_json(cast.study)))["batches"][0]["questions"][0]
    revisions = [one for it in exported["assignments"] for one in it["revisions"]]
    assert [one["payload"]["because"] for one in revisions] == [marks]
    path = f"/api/v1/studies/{cast.study.id}/questions?order=number"
    [first, *_] = client_of(cast.coordinator).get(path).json()["results"]
    assert first["answers"][0]["payload"]["because"] == marks


@pytest.mark.parametrize(
    "changes",
    [
        {"edges": [10**9]},
        {"edges": [2**70]},
        {"edges": [0, 0, 0]},
        {"step": 2},
        {"paper": "PMID:1"},
        {"step": 0, "paper": "PMID:none"},
        {"candidate": "no candidate"},
    ],
    ids=str,
)
def test_evidence_that_the_question_does_not_have_is_refused(
    cast: Cast, pinned: Version, changes: dict[str, Any]
) -> None:
    refused = send(cast, [LINK, path_mark(cast, **changes)])
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_payload")
    assert [one["place"] for one in refused.json()["errors"]] == ["payload.because[1]"]
    assert not Response.objects.exists()


def test_a_path_to_another_candidate_or_in_the_other_direction_is_refused(
    cast: Cast, pinned: Version
) -> None:
    mark = path_mark(cast)
    other = cast.assignment().question.candidates.order_by("position")[0]
    for wrong in ({"candidate": str(other.id)}, {"edges": mark["edges"][::-1]}):
        assert send(cast, [{**mark, **wrong}]).status_code == 422


@pytest.mark.parametrize(
    "because",
    [
        None,
        {},
        "all",
        [None],
        [[]],
        [{}],
        [{"type": "edge", "number": 0}],
        [{**LINK, "number": 1}],
        [{**LINK, "number": "0"}],
        [{**LINK, "text": "x"}],
        [LINK, LINK],
        [LINK] * 21,
        [{"type": "path"}],
        [{"type": "path", "candidate": "x", "edges": [0], "step": None, "text": "\0"}],
    ],
    ids=str,
)
def test_hostile_marks_are_refused(cast: Cast, because: object) -> None:
    refused = send(cast, because)
    assert refused.status_code in (400, 422)
    assert all(one["place"].startswith("payload.because") for one in refused.json()["errors"])
    assert not Response.objects.exists()


def test_marks_stay_when_the_graph_is_no_longer_shared_and_new_ones_are_refused(
    cast: Cast, pinned: Version
) -> None:
    mark = path_mark(cast)
    assert send(cast, [mark]).status_code == 200
    GraphShare.objects.all().delete()
    stored = send(cast, [{**mark, "text": "Other words"}], version=1)
    assert stored.status_code == 200
    assert stored.json()["payload"]["because"][0]["text"] == WHOLE_PATH
    assert send(cast, [mark, {**mark, "step": 0}], version=2).status_code == 422
