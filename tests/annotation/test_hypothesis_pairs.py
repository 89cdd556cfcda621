"""Hypothesis pairs, from the file to the exports: sides differ, answers mean the same."""

import csv
import io
import json
from collections import Counter
from typing import Any

import pytest

from annotation.agreement import recompute_agreement
from annotation.assignments import set_expert_batches
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.imports import import_study
from annotation.kinds.hypothesis_pairs.kind import KIND
from annotation.kinds.hypothesis_pairs.schema import PairItem
from annotation.kinds.items import Presentation
from annotation.models import Assignment, Response
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile
from tests.annotation.pair_study import (
    ARMS,
    MODELS,
    SCORES,
    choose,
    close,
    hypothesis_entry,
    make_pair_cast,
    pair_answer,
    pair_entry,
    pair_file,
    prefer,
)
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_cast_of_kind,
    make_user,
    put_response,
)

AS_LISTED = {"side": "as_listed"}
SWAPPED = {"side": "swapped"}


@pytest.fixture
def pairs(db: None) -> Cast:
    return make_pair_cast()


def read_batch(cast: Cast) -> Any:
    answer = client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/assignments")
    assert answer.status_code == 200
    return answer.json()["assignments"]


def test_each_two_pairs_of_an_expert_have_opposite_sides_and_keep_them(pairs: Cast) -> None:
    shown = read_batch(pairs)
    left = [one["item"]["hypotheses"][0]["hypothesis"].split()[0] for one in shown]
    assert [{*left[:2]}, {*left[2:]}] == [{"First", "Second"}] * 2
    assert [one["id"] for one in shown[0]["item"]["hypotheses"]] == ["a", "b"]
    assert read_batch(pairs) == shown
    assert {one.propensity for one in Assignment.objects.filter(study=pairs.study)} == {0.5}


def test_sides_are_balanced_after_batches_are_exchanged(db: None) -> None:
    cast = make_cast_of_kind("hypothesis_pairs", [batch_of_three(number) for number in range(1, 7)])
    own = Assignment.objects.filter(study=cast.study, expert=cast.expert)
    for first in range(5):
        set_expert_batches(
            actor=cast.coordinator,
            study_id=cast.study.id,
            expert_id=cast.expert.id,
            batch_ids=[one.id for one in cast.study.batches.filter(number__gt=first)[:2]],
        )
        sides = Counter(one.arms["side"] for one in own)
        assert (sides["as_listed"], sides["swapped"]) == (3, 3)


def batch_of_three(number: int) -> SourceFile:
    entries = [pair_entry(3 * number + at) for at in range(3)]
    return SourceFile(f"batch{number}.json", json.dumps(entries).encode())


def test_an_item_holds_the_texts_as_they_are_and_nothing_about_their_origin(pairs: Cast) -> None:
    item = read_batch(pairs)[0]["item"]
    assert item["background"] == "Background of case 1.\n"
    assert {*item["hypotheses"][0]} == {"id", "hypothesis", "sentences"}
    texts = {"".join(one["sentences"]) for one in item["hypotheses"]}
    assert texts == {hypothesis_entry(1, place)["rationale"] for place in range(2)}


def test_an_answer_by_side_is_exported_by_hypothesis(pairs: Cast) -> None:
    assignments = Assignment.objects.filter(study=pairs.study, expert=pairs.expert)
    [swapped] = [one for one in assignments.order_by("question__number")[:2] if one.arms == SWAPPED]
    number = swapped.question.number
    choose(swapped, "a_much", ("b", 1))
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(pairs.study)))))
    [row] = [one for one in rows if one["outcome"] == "a"]
    assert (row["verdict"], row["much"], row["side_arm"]) == ("second", "yes", "swapped")
    assert (row["because"], row["because_sentence"]) == (
        "first",
        "It has 2 sentences, e.g. This one.",
    )
    read = client_of(pairs.coordinator).get(f"/api/v1/studies/{pairs.study.id}/questions")
    answers = [one for row in read.json()["results"] for one in row["answers"]]
    shown = [(one["outcome"], one["payload"]["choice"]) for one in answers]
    assert shown == [("b", "b_much")], "both of the pair as listed, whatever side was seen"
    assert row["second"] == f"Second hypothesis of case {number}."
    assert (row["first_model"], row["second_model"]) == MODELS
    assert (row["first_arm"], row["second_arm"]) == ARMS
    assert (row["first_score"], row["second_score"]) == tuple(map(str, SCORES))
    exported = json.loads("".join(export_json(pairs.study)))
    question = exported["batches"][0]["questions"][number - 1]
    assert question["for_coordinators"]["second_model"] == MODELS[1]
    assert question["hypotheses"][1]["hypothesis"] == row["second"]
    [revision] = [one for it in question["assignments"] for one in it["revisions"]]
    assert revision["payload"]["choice"] == "a_much"
    assert revision["payload_as_listed"] == pair_answer("b_much", ("a", 1))


def test_coordinators_read_answers_to_the_pair_as_listed(pairs: Cast) -> None:
    for expert in (pairs.expert, pairs.colleague):
        prefer(pairs.assignment(expert), 1)
    path = f"/api/v1/studies/{pairs.study.id}/questions?order=number"
    [first, *_] = client_of(pairs.coordinator).get(path).json()["results"]
    assert [one["payload"]["choice"] for one in first["answers"]] == ["b", "b"]
    assert first["item"]["hypotheses"][1]["hypothesis"].startswith("Second")
    assert first["consensus"] == "second"
    assert [(one["name"], one["value"]) for one in first["measures"]] == [
        ("same_verdict", 1.0),
        ("grade_closeness", 1.0),
        ("first_share", 0.0),
    ]


def test_who_may_adjudicate_blind_is_not_sent_which_hypothesis_is_preferred(pairs: Cast) -> None:
    for expert in (pairs.expert, pairs.colleague):
        prefer(pairs.assignment(expert), 1)
    recompute_agreement(batch_id=pairs.batch.id)
    client, path = client_of(pairs.coordinator), f"/api/v1/studies/{pairs.study.id}"
    [first, *_] = client.get(f"{path}/questions?order=number&with_answers=false").json()["results"]
    assert [one["name"] for one in first["measures"]] == ["same_verdict", "grade_closeness"]
    board = client.get(f"{path}/board")
    assert "first_share" not in board.content.decode(), "of one pair, it is that pair's result"
    for expert in (pairs.expert, pairs.colleague):
        prefer(pairs.assignment(expert, 2), 1)
    recompute_agreement(batch_id=pairs.batch.id)
    board = client.get(f"{path}/board")
    assert "first_share" not in board.content.decode(), "of two alike, it is that of each"
    close(pairs.study)
    assert "first_share" in client.get(f"{path}/board").content.decode()


def test_without_a_choice_nothing_is_submitted_but_a_draft_is_saved(pairs: Cast) -> None:
    client, assignment = client_of(pairs.expert), pairs.assignment()
    body = {
        "version": 0,
        "action": "submit",
        "outcome": "",
        "payload": {**pair_answer(None), "comment": "Later."},
        "active_ms": 0,
    }
    refused = put_response(client, assignment, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_payload")
    assert [one["place"] for one in refused.json()["errors"]] == ["payload.choice"]
    assert not Response.objects.filter(assignment=assignment).exists()
    assert put_response(client, assignment, {**body, "action": "save"}).status_code == 200


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {**pair_answer("a"), "arm": "x"},
        {**pair_answer("a"), "because": {"id": "a", "sentence": 10**30}},
        {**pair_answer("a"), "because": {"id": "a", "sentence": 0, "text": "x"}},
        {**pair_answer("a"), "choice": ["a"]},
        {**pair_answer("a"), "comment": "\0"},
        {**pair_answer("a"), "comment": "x" * 10_001},
    ],
)
def test_hostile_payloads_are_refused(pairs: Cast, payload: object) -> None:
    body = {"version": 0, "action": "submit", "outcome": "a", "payload": payload, "active_ms": 0}
    refused = put_response(client_of(pairs.expert), pairs.assignment(), body)
    assert refused.status_code in (400, 422)
    assert not Response.objects.exists()


def test_a_closed_study_compares_by_the_experts_own_sides(pairs: Cast) -> None:
    prefer(pairs.assignment(), 0)
    prefer(pairs.assignment(pairs.colleague), 0)
    for name in ("X", "Y"):
        expert = join_as_expert(pairs.study, pairs.batches, make_user(name))
        prefer(pairs.assignment(expert), 1, much=True)
    close(pairs.study)
    own = "A" if pairs.assignment().arms == AS_LISTED else "B"
    other = {"A": "B", "B": "A"}[own]
    answer = client_of(pairs.expert).get(f"/api/v1/batches/{pairs.batch.id}/comparison")
    [compared] = answer.json()["compared"]
    assert compared["sentence"] == f"2 of 3 others chose {other}; you chose {own}."


def test_converting_is_its_own_inverse_and_changes_only_sides() -> None:
    payload = {**pair_answer("a_much", ("b", 1)), "comment": "Why."}
    swapped = KIND.convert(payload, SWAPPED, {})
    assert swapped == {**pair_answer("b_much", ("a", 1)), "comment": "Why."}
    assert KIND.convert(swapped, {}, SWAPPED) == payload
    assert KIND.convert(payload, AS_LISTED, {}) == payload
    assert KIND.convert(payload, SWAPPED, SWAPPED) == payload
    for choice in ("tie", "both_bad", "not_sure", None):
        assert KIND.convert(pair_answer(choice), SWAPPED, {}) == pair_answer(choice)


def test_measures_are_means_over_the_pairs_that_have_them() -> None:
    pairs = [
        [pair_answer("a"), pair_answer("a_much"), pair_answer("b")],
        [pair_answer("tie"), pair_answer("both_bad")],
        [pair_answer("b")],
    ]
    measures = {one["name"]: one for one in KIND.agreement(pairs, seed=1)}
    same, closeness, first = (
        measures[name] for name in ("same_verdict", "grade_closeness", "first_share")
    )
    assert same["value"] == pytest.approx((1 / 3 + 0) / 2)
    assert same["n"] == 2
    # 1 and 2 are 1 apart, 1 and -1 are 2, 2 and -1 are 3.
    assert closeness["value"] == pytest.approx(1 - 6 / 3 / 4)
    assert closeness["n"] == 1
    assert first["value"] == pytest.approx((2 / 3 + 0) / 2)
    assert first["n"] == 2
    assert same["interval_reason"] == "too_few_questions"
    many = {one["name"]: one for one in KIND.agreement(pairs[:1] * 5, seed=1)}
    assert (many["same_verdict"]["low"], many["same_verdict"]["high"]) == pytest.approx([1 / 3] * 2)
    assert [one["reason"] for one in KIND.agreement([], seed=1)] == ["too_few_questions"] * 3


def test_shares_are_of_sides_and_of_all_answers() -> None:
    counts = {"a": 6, "b": 2, "tie": 1, "both_bad": 0, "not_sure": 1, "skipped": 5}
    shares = {one["name"]: one["value"] for one in KIND.shares(counts)}
    assert shares == {
        "left_share": 0.75,
        "not_sure_share": 0.1,
        "tie_share": 0.1,
        "both_bad_share": 0.0,
    }
    assert KIND.shares(dict.fromkeys(counts, 0))[0]["value"] is None


def test_the_consensus_is_what_most_chose_and_none_if_two_are_level() -> None:
    assert KIND.consensus([pair_answer(one) for one in ("a", "a_much", "b")]) == "first"
    assert KIND.consensus([pair_answer(one) for one in ("a", "b")]) is None
    assert KIND.consensus([]) is None


def test_faults_of_a_file_have_their_places(db: None) -> None:
    first = hypothesis_entry(1, 0)
    faulty = [
        pair_entry(1, hypotheses=[first]),
        pair_entry(2, hypotheses=[first, {**first, "hypothesis": " ", "score": True}]),
        pair_entry(3, hypotheses=[first, {**first, "rationale": None, "model": 7}]),
        pair_entry(4, background=None),
        {name: value for name, value in pair_entry(5).items() if name != "hypotheses"},
    ]
    with pytest.raises(QuestionnaireInvalid) as raised:
        import_study(actor=None, name="Faulty", sources=pair_file(*faulty), kind="hypothesis_pairs")
    assert raised.value.faults[0].expected == "a list of 2 hypotheses"
    places = [one.place.split(", ", 1)[1] for one in raised.value.faults]
    assert places == [
        "question 1 (qid 0), hypotheses",
        "question 2 (qid 1), hypotheses[1].hypothesis",
        "question 2 (qid 1), hypotheses[1].score",
        "question 3 (qid 2), hypotheses[1].rationale",
        "question 3 (qid 2), hypotheses[1].model",
        "question 4 (qid 3), background",
        "question 5 (qid 4), hypotheses",
    ]


def test_origin_is_optional_and_a_score_is_finite(db: None) -> None:
    plain = {"hypothesis": "It does.", "rationale": ""}
    files = pair_file(pair_entry(1, hypotheses=[plain, {**plain, "score": 3}]))
    study = import_study(actor=None, name="Plain", sources=files, kind="hypothesis_pairs").study
    question = study.batches.get().entries.get().question
    cells = KIND.coordinator_cells(question)
    assert (cells["first_model"], cells["first_score"], cells["second_score"]) == ("", None, 3.0)
    item = KIND.build_item(question, Presentation())
    assert [one.sentences for one in item.hypotheses] == [[], []]
    endless = pair_file(pair_entry(1, hypotheses=[plain, plain]))
    endless[0] = type(endless[0])("batch1.json", endless[0].content[:-3] + b', "score": 1e999}]}]')
    with pytest.raises(QuestionnaireInvalid):
        import_study(actor=None, name="Endless", sources=endless, kind="hypothesis_pairs")


def test_a_simulated_expert_prefers_the_same_hypothesis_on_either_side(pairs: Cast) -> None:
    question = pairs.assignment().question
    shown = [KIND.build_item(question, Presentation(arms)) for arms in (AS_LISTED, SWAPPED)]
    firsts = [
        _count_first(item, arms) for item, arms in zip(shown, (AS_LISTED, SWAPPED), strict=True)
    ]
    assert abs(firsts[0] - firsts[1]) < 40
    assert firsts[0] + firsts[1] not in range(150, 250)


def _count_first(item: PairItem, arms: dict[str, str]) -> int:
    """Of 200 simulated experts, those who prefer the first hypothesis of the file."""
    answers = [KIND.simulate(item, expert).payload for expert in range(1, 201)]
    listed = [KIND.convert(one, arms, {})["choice"] for one in answers]
    return sum(one in ("a", "a_much") for one in listed)
