"""The arms of order and evidence: what is shown, what stays hidden, and their effects."""

import json

import pytest

from annotation.models import Assignment, BatchQuestion
from annotation.statistics import compute_statistics
from annotation.study_creation import Design, set_design
from tests.annotation.claim_study import decide, edge, make_claim_cast
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_study,
    make_user,
    write_answer,
)
from tests.annotation.test_evidence import evidence_url, make_pinned, paths_to
from tests.annotation.test_evidence_marks import FIRST_STEP, path_mark, send
from tests.annotation.test_presentations import read_item


def test_hidden_evidence_is_like_none_and_its_paths_cannot_be_marked(cast: Cast) -> None:
    make_pinned(cast)
    mark = path_mark(cast)
    assignment = cast.assignment()
    Assignment.objects.filter(pk=assignment.pk).update(arms={"evidence": "hidden"})
    for answer in (client_of(cast.expert).get(evidence_url(assignment)), paths_to(cast, 1)):
        assert (answer.status_code, answer.json()["code"]) == (404, "no_graph")
    refused = send(cast, [mark])
    assert refused.status_code == 422
    assert FIRST_STEP not in refused.content.decode()
    shown = read_item(assignment)
    assert shown["has_evidence"] is False and "hidden" not in json.dumps(shown)
    other = read_item(cast.assignment(number=2))
    assert other["has_evidence"] is True
    assert client_of(cast.expert).get(evidence_url(cast.assignment(number=2))).status_code == 200


def test_tied_candidates_stand_the_other_way_round_and_the_answer_is_the_same(cast: Cast) -> None:
    BatchQuestion.objects.filter(batch=cast.batch).update(payload={"prior": [[3], [0, 1, 2]]})
    assignment = cast.assignment()
    listed = read_item(assignment)["item"]
    Assignment.objects.filter(pk=assignment.pk).update(arms={"order": "reversed"})
    shown = read_item(assignment)
    first, tied = listed["prior"]
    assert shown["item"]["prior"] == [first, tied[::-1]]
    assert shown["item"]["candidates"] == listed["candidates"][::-1]
    assert shown["response"]["payload"]["ranking"] == [first, tied[::-1]]
    write_answer(assignment, "submit", outcome="confirmed", ranking=listed["prior"])


def test_the_effect_of_the_order_is_a_difference_in_how_close_answers_are_to_the_file(
    db: None,
) -> None:
    study, batches = make_study("Order", make_user("Ada"), questions=(6,), prior_ranks=(1, 1, 1))
    set_design(study, Design(seed=3, arm_shares={"order": {"reversed": 0.4}}))
    for name in ("Eve", "Cleo", "Fay", "Gil"):
        join_as_expert(study, batches, make_user(name))
    rows = Assignment.objects.filter(study=study).select_related("expert", "study")
    drawn = {row.arms["order"]: row.propensity for row in rows}
    assert drawn == {"listed": 0.6, "reversed": 0.4}
    for row in rows:
        # Every expert keeps the candidates as they are shown.
        item = read_item(row)["item"]
        order = [[one["id"]] for one in item["candidates"]]
        write_answer(row, "submit", outcome="changed", ranking=order)
    figures = {
        one.name: one
        for section in compute_statistics(study)
        if section.name == "arm_order"
        for one in section.figures
    }
    assert figures["file_tau_b_reversed"].value == pytest.approx(-2)
    assert figures["file_tau_b_reversed"].n == 24


def test_the_effect_of_the_order_on_verdicts_is_a_difference_of_shares(db: None) -> None:
    cast = make_claim_cast()
    first = cast.assignment()
    listed = [one["id"] for one in read_item(first)["item"]["documents"]]
    Assignment.objects.filter(pk=first.pk).update(arms={"order": "reversed"})
    assert [one["id"] for one in read_item(first)["item"]["documents"]] == listed[::-1]
    for number, row in enumerate(Assignment.objects.filter(study=cast.study).order_by("id")):
        is_reversed = number % 2 == 1
        Assignment.objects.filter(pk=row.pk).update(
            arms={"order": "reversed" if is_reversed else "listed"}, propensity=0.5
        )
        decide(row, "supported" if is_reversed else "not_enough", [edge(0)])
    sections = {one.name: one for one in compute_statistics(cast.study)}
    values = {one.name: one.value for one in sections["arm_order"].figures}
    assert values == {
        "share_supported_reversed": 1,
        "share_contradicted_reversed": 0,
        "share_not_enough_reversed": -1,
    }
