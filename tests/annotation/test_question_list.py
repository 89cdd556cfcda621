"""The questions of a study with the experts' answers, as coordinators see them."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.kinds.ranking.schema import Ranking
from annotation.question_list import PAGE_SIZE
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_study,
    make_user,
    prior_of,
    reversed_order,
    write_answer,
)


def read_page(cast: Cast, **query: str | int) -> Any:
    path = f"/api/v1/studies/{cast.study.id}/questions"
    answer = client_of(cast.coordinator).get(path, query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def numbers(cast: Cast, **query: str | int) -> list[int]:
    return [row["number"] for row in read_page(cast, **query)["results"]]


def measure(row: Any, name: str) -> Any:
    return next(one for one in row["measures"] if one["name"] == name)


@pytest.fixture
def answered(cast: Cast) -> Cast:
    """Question 1: agreed by both; 2: opposite orders; 3: one is not sure, the other comments."""
    for expert in (cast.expert, cast.colleague):
        write_answer(cast.assignment(expert, 1), "agree")
    write_answer(cast.assignment(cast.expert, 2), "agree", active_ms=9_000)
    write_answer(cast.assignment(cast.colleague, 2), "submit", comment=" Zinc is well known. ")
    write_answer(cast.assignment(cast.expert, 3), "not_sure")
    write_answer(cast.assignment(cast.colleague, 3), "skip")
    return cast


def test_before_any_answer_every_question_is_listed_as_experts_will_see_it(cast: Cast) -> None:
    page = read_page(cast)
    assert (page["questions"], page["total"], page["study"]["kind"]) == (5, 5, "ranking")
    assert [(row["batch"]["number"], row["number"]) for row in page["results"]] == [
        *((1, 1), (1, 2), (1, 3)),
        *((2, 4), (2, 5)),
    ]
    first = page["results"][0]
    assert (first["assigned"], first["answered"], first["answers"]) == (2, 0, [])
    assert first["initial"]["ranking"] == first["item"]["prior"]
    assert (first["consensus"], measure(first, "kendall_w")["reason"]) == (None, "too_few_rankings")


def test_the_question_that_divides_the_experts_comes_first(answered: Cast) -> None:
    page = read_page(answered)
    assert [row["number"] for row in page["results"]] == [2, 1, 3, 4, 5]
    divided, agreed = page["results"][:2]
    assert measure(divided, "kendall_w")["value"] == 0
    assert measure(agreed, "kendall_w")["value"] == 1
    assert agreed["consensus"] == prior_of(answered.assignment(number=1))
    tied = sorted(one for (one,) in prior_of(answered.assignment(number=2)))
    assert divided["consensus"] == [tied]
    assert divided["shares"][0] == {**divided["shares"][0], "name": "changed_share", "value": 0.5}


def test_answers_have_their_expert_outcome_time_and_comment(answered: Cast) -> None:
    row = read_page(answered)["results"][0]
    cleo, eve = row["answers"]
    assert [one["expert"]["name"] for one in (cleo, eve)] == ["Cleo", "Eve"]
    assert (cleo["outcome"], cleo["comment"]) == ("changed", "Zinc is well known.")
    assert cleo["payload"]["ranking"] == reversed_order(answered.assignment(answered.colleague, 2))
    assert (eve["outcome"], eve["active_ms"], row["comments"]) == ("confirmed", 9_000, 1)


def test_not_sure_and_skipped_are_counted_but_take_no_part_in_the_measures(answered: Cast) -> None:
    row = read_page(answered, outcome="not_sure")["results"][0]
    assert row["outcomes"] == {
        "confirmed": 0,
        "changed": 0,
        "ranked": 0,
        "not_sure": 1,
        "skipped": 1,
    }
    assert (row["answered"], row["consensus"]) == (1, None)
    assert measure(row, "kendall_w")["value"] is None
    assert row["answers"][1]["payload"]["unsure_reason"] == "too_close"


def test_a_revised_answer_replaces_the_one_before(answered: Cast) -> None:
    write_answer(answered.assignment(answered.colleague, 2), "agree", comment="")
    row = read_page(answered, batch=1, order="number")["results"][1]
    assert (measure(row, "kendall_w")["value"], row["comments"], len(row["answers"])) == (1, 0, 2)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"order": "number"}, [1, 2, 3, 4, 5]),
        ({"order": "share"}, [2, 1, 3, 4, 5]),
        ({"order": "comments"}, [2, 1, 3, 4, 5]),
        ({"order": "unanswered"}, [4, 5, 3, 1, 2]),
        ({"batch": 2}, [4, 5]),
        ({"outcome": "changed"}, [2]),
        ({"outcome": "skipped"}, [3]),
        ({"outcome": "unheard_of"}, []),
        ({"has_comment": "true"}, [2]),
        ({"search": "NUMBER 3"}, [3]),
        ({"search": "well known"}, [2]),
        ({"search": "uridine-5'"}, [2, 1, 3, 4, 5]),
        ({"search": "100%"}, []),
        ({"offset": 4}, [5]),
        ({"offset": 5}, []),
    ],
)
def test_orders_and_filters(
    answered: Cast, query: dict[str, str | int], expected: list[int]
) -> None:
    assert numbers(answered, **query) == expected


@pytest.mark.parametrize(
    "query", [{"order": "random"}, {"offset": -1}, {"batch": 0}, {"search": "a\0b"}]
)
def test_a_query_that_is_not_valid_is_refused(cast: Cast, query: dict[str, str | int]) -> None:
    path = f"/api/v1/studies/{cast.study.id}/questions"
    assert client_of(cast.coordinator).get(path, query).status_code == 422


def test_a_page_holds_a_part_and_the_number_of_queries_is_fixed(cast: Cast) -> None:
    def query_count(size: int) -> int:
        study, batches = make_study("Long", cast.coordinator, questions=(size,))
        join_as_expert(study, batches, make_user("Lena"))
        with CaptureQueriesContext(
            connection,
        ) as captured:
            path = f"/api/v1/studies/{study.id}/questions"
            page = client_of(cast.coordinator).get(path).json()
        assert (page["total"], len(page["results"])) == (size, min(size, PAGE_SIZE))
        return len(captured)

    assert query_count(2) == query_count(PAGE_SIZE + 3)


def test_answers_of_another_study_do_not_appear(answered: Cast) -> None:
    assert (
        client_of(answered.other_coordinator)
        .get(f"/api/v1/studies/{answered.other_study.id}/questions")
        .json()["results"][0]["answers"]
        == []
    )


def test_the_common_order_is_that_of_the_measured_answers(answered: Cast) -> None:
    third = join_as_expert(answered.study, answered.batches, make_user("Theo"))
    write_answer(answered.assignment(third, 2), "agree")
    prior: Ranking = prior_of(answered.assignment(number=2))
    row = next(one for one in read_page(answered)["results"] if one["number"] == 2)
    assert row["consensus"] == prior
