"""Claims, from the file to the exports: what decides is marked, verdicts are measured."""

import csv
import io
import json
from itertools import product
from typing import Any
from uuid import UUID

import pytest

from annotation.agreement import recompute_agreement
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.imports import import_study
from annotation.kinds.claims.kind import KIND
from annotation.kinds.items import Presentation
from annotation.models import Response
from backend.benchmarks.questionnaire import QuestionnaireInvalid
from tests.annotation.claim_study import (
    SECRETS,
    claim_answer,
    claim_entry,
    claim_file,
    decide,
    document_entry,
    edge,
    make_claim_cast,
    sentence,
)
from tests.annotation.personas import Cast, client_of, make_user, put_response


@pytest.fixture
def claims(db: None) -> Cast:
    return make_claim_cast()


def submit(cast: Cast, payload: object, outcome: str) -> Any:
    body = {
        "version": 0,
        "action": "submit",
        "outcome": outcome,
        "payload": payload,
        "active_ms": 0,
    }
    return put_response(client_of(cast.expert), cast.assignment(), body)


def test_an_item_holds_the_evidence_by_sentences_and_nothing_of_the_judge(claims: Cast) -> None:
    path = f"/api/v1/batches/{claims.batch.id}/assignments"
    item = client_of(claims.expert).get(path).json()["assignments"][0]["item"]
    assert [one["sentences"] for one in item["documents"]] == [
        ["It does, cf. Fig. 1. ", "By 0.5 mg. ", "It ends."],
        ["Nothing, e.g. Here.\n"],
    ]
    assert {*item["documents"][0]} == {"id", "title", "source", "sentences"}
    assert [one["target"] for one in item["edges"]] == ["PTGS2"]
    assert item["is_because_required"] is True
    assert {"model", "arm", "verdict"}.isdisjoint(item)


@pytest.mark.parametrize("verdict", ["supported", "contradicted"])
def test_a_decided_claim_needs_a_mark(claims: Cast, verdict: str) -> None:
    refused = submit(claims, claim_answer(verdict), verdict)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_payload")
    message = f"Mark the sentence or edge by which the claim is {verdict}."
    assert refused.json()["detail"] == message
    assert [one["place"] for one in refused.json()["errors"]] == ["payload.because"]
    assert not Response.objects.exists()
    assert submit(claims, claim_answer(verdict, edge(0)), verdict).status_code == 200


def test_other_verdicts_need_none(claims: Cast) -> None:
    assert submit(claims, claim_answer("not_enough"), "not_enough").status_code == 200


@pytest.mark.parametrize(
    "changes", [{"because": "optional"}, {"documents": [], "edges": []}], ids=["policy", "empty"]
)
def test_no_mark_is_needed_where_the_entry_says_so_or_has_no_evidence(
    db: None, changes: dict[str, Any]
) -> None:
    cast = make_claim_cast(claim_entry(1, **changes))
    assert submit(cast, claim_answer("supported"), "supported").status_code == 200


def test_without_a_verdict_nothing_is_submitted_but_a_draft_is_saved(claims: Cast) -> None:
    draft = claim_answer(None, sentence("d1", 2))
    refused = submit(claims, draft, "")
    assert [one["place"] for one in refused.json()["errors"]] == ["payload.verdict"]
    body = {"version": 0, "action": "save", "outcome": "", "payload": draft, "active_ms": 0}
    assert put_response(client_of(claims.expert), claims.assignment(), body).status_code == 200


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {**claim_answer("not_sure"), "arm": "x"},
        claim_answer("supported", {"document": "d1", "number": 10**30}),
        claim_answer("supported", {"document": "d1", "number": 0, "text": "x"}),
        {**claim_answer("supported"), "because": [{"document": ["d1"], "number": 0}]},
        claim_answer("supported", {"number": 0}),
        claim_answer("supported", *[edge(0)] * 21),
        {**claim_answer("supported"), "because": {"document": "d1", "number": 0}},
        {**claim_answer("not_sure"), "verdict": ["not_sure"]},
        {**claim_answer("not_sure"), "comment": "\0"},
        {**claim_answer("not_sure"), "comment": "x" * 10_001},
    ],
)
def test_hostile_payloads_are_refused(claims: Cast, payload: object) -> None:
    assert submit(claims, payload, "supported").status_code in (400, 422)
    assert not Response.objects.exists()


def test_exports_have_the_marks_and_what_the_judge_found(claims: Cast) -> None:
    marks = [sentence("d1", 1), edge(0)]
    decide(claims.assignment(), "supported", marks)
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(claims.study)))))
    [row] = [one for one in rows if one["outcome"] == "supported"]
    assert json.loads(row["because"]) == marks
    assert row["because_text"] == "By 0.5 mg.\nAspirin | inhibits | PTGS2"
    assert (row["documents"], row["edges"]) == ("2", "1")
    assert (row["model"], row["arm"], row["model_verdict"]) == SECRETS
    question = json.loads("".join(export_json(claims.study)))["batches"][0]["questions"][0]
    assert [*question["for_coordinators"].values()] == list(SECRETS)
    assert question["documents"][0]["sentences"][1] == "By 0.5 mg. "


def test_the_dashboard_has_the_measures_and_the_consensus(claims: Cast) -> None:
    for expert in (claims.expert, claims.colleague):
        decide(claims.assignment(expert), "contradicted", [edge(0)])
    recompute_agreement(batch_id=claims.batch.id)
    client = client_of(claims.coordinator)
    [first, *_] = client.get(f"/api/v1/studies/{claims.study.id}/questions?order=number").json()[
        "results"
    ]
    assert first["consensus"] == "contradicted"
    assert [(one["name"], one["value"]) for one in first["measures"]] == [("same_verdict", 1.0)]
    board = client.get(f"/api/v1/studies/{claims.study.id}/board").json()
    measures = {one["name"]: one for one in board["batches"][0]["agreement"]["measures"]}
    assert measures["same_verdict"]["value"] == measures["ac1"]["value"] == 1.0
    assert (measures["alpha"]["value"], measures["alpha"]["reason"]) == (None, "one_category")
    rows = [board["totals"], board["batches"][0], *board["experts"]]
    assert all("contradicted" not in json.dumps(row) for row in rows), "of one claim: its verdict"


RATERS = [UUID(int=number) for number in range(3)]
# Twelve units of three raters with gaps.
TABLE = ["sss", "sc-", "ccc", "nn-", "s-s", "cnc", "sss", "-nn", "ccs", "nnn", "ss-", "s--"]
NAMES = {"s": "supported", "c": "contradicted", "n": "not_enough"}


def by_rater(row: str) -> dict[UUID, dict[str, Any]]:
    pairs = zip(RATERS, row, strict=True)
    return {rater: claim_answer(NAMES[one]) for rater, one in pairs if one != "-"}


def nominal_alpha(rows: list[str]) -> float:
    """1 - (n - 1) Σ o_kl / Σ n_k n_l over k ≠ l, from all ordered pairs one by one."""
    units = [one for one in (row.replace("-", "") for row in rows) if len(one) > 1]
    observed = sum(
        sum(unit[i] != unit[j] for i, j in product(range(len(unit)), repeat=2)) / (len(unit) - 1)
        for unit in units
    )
    values = "".join(units)
    expected = sum(one != other for one, other in product(values, repeat=2))
    return 1 - (len(values) - 1) * observed / expected


def test_measures_are_those_of_the_table_with_intervals() -> None:
    measures = KIND.agreement_of_raters([by_rater(row) for row in TABLE], seed=1)
    percent, alpha, ac1 = measures
    assert alpha["value"] == pytest.approx(nominal_alpha(TABLE))
    pairs = [1, 0, 1, 1, 1, 1 / 3, 1, 1, 1 / 3, 1, 1]
    assert percent["value"] == pytest.approx(sum(pairs) / len(pairs))
    assert percent["n"] == len(pairs)
    assert ac1["value"] is not None
    for one in measures:
        low, value, high = one["low"], one["value"], one["high"]
        assert None not in (low, value, high)
        assert sorted([low or 0, value or 0, high or 0]) == [low, value, high]
    assert measures == KIND.agreement_of_raters([by_rater(row) for row in TABLE], seed=1)


def test_measures_without_answers_have_their_reasons() -> None:
    assert [one["reason"] for one in KIND.agreement_of_raters([], seed=1)] == ["too_few_raters"] * 3
    alone = [by_rater("s--"), by_rater("-c-")]
    assert [one["reason"] for one in KIND.agreement_of_raters(alone, seed=1)] == ["no_overlap"] * 3
    assert [one["reason"] for one in KIND.item_agreement([claim_answer("supported")])] == [
        "no_overlap"
    ]


def test_the_consensus_is_what_most_chose_and_none_if_two_are_level() -> None:
    answers = [claim_answer(one) for one in ("supported", "supported", "contradicted")]
    assert KIND.consensus(answers) == "supported"
    assert KIND.consensus(answers[1:]) is None
    assert KIND.consensus([]) is None


def test_others_are_compared_in_one_sentence(claims: Cast) -> None:
    question = claims.assignment().question
    item = KIND.build_item(question, Presentation())
    others = [claim_answer(one) for one in ("not_enough", "not_enough", "supported")]
    common = "2 of 3 others chose not enough evidence"
    assert KIND.compare(item, None, others) == f"{common}."
    assert KIND.compare(item, others[0], others) == f"{common}, as you did."
    assert KIND.compare(item, others[2], others) == f"{common}; you chose supported."


def test_shares_are_of_all_answers_and_marks_have_no_order() -> None:
    counts = {"supported": 2, "contradicted": 1, "not_enough": 0, "not_sure": 1, "skipped": 3}
    shares = {one["name"]: one["value"] for one in KIND.shares(counts)}
    assert [*shares.values()] == [0.5, 0.25, 0, 0.25]
    one, other = edge(0), sentence("d1", 0)
    left, right = claim_answer("supported", one, other), claim_answer("supported", other, one)
    assert KIND.is_same(left, right)
    assert not KIND.is_same(left, claim_answer("supported", one))


def test_faults_of_a_file_have_their_places(db: None) -> None:
    faulty = [
        claim_entry(1, documents=[document_entry("d"), document_entry("d", text=" ")]),
        claim_entry(2, edges=[{"source": "a", "relation": 7}]),
        claim_entry(3, because="always", model=7, documents=None),
    ]
    with pytest.raises(QuestionnaireInvalid) as raised:
        import_study(actor=None, name="Faulty", sources=claim_file(*faulty), kind="claims")
    places = [one.place.split(", ", 1)[1] for one in raised.value.faults]
    assert places == [
        "question 1 (qid 0), documents[1].id",
        "question 1 (qid 0), documents[1].text",
        "question 2 (qid 1), edges[0].relation",
        "question 2 (qid 1), edges[0].target",
        "question 3 (qid 2), documents",
        "question 3 (qid 2), because",
        "question 3 (qid 2), model",
    ]


def test_what_is_optional_may_be_missing(db: None) -> None:
    entry = claim_entry(1, documents=[{"id": "d", "text": "One."}])
    plain = {key: one for key, one in entry.items() if key not in ("model", "arm", "verdict")}
    files = claim_file(plain)
    study = import_study(actor=make_user("Ada"), name="P", sources=files, kind="claims").study
    question = study.batches.get().entries.get().question
    assert [*KIND.coordinator_cells(question).values()] == ["", "", ""]
    [document] = KIND.build_item(question, Presentation()).documents
    assert (document.title, document.source) == ("", "")


def test_a_set_without_evidence_cannot_be_used(cast: Cast) -> None:
    assert not KIND.can_use(cast.assignment().question)
