"""How the others answered is shown once a study is closed, as counts, and never before."""

from typing import Any

from annotation.kinds.ranking.comparison import compare_first_choices
from annotation.kinds.ranking.schema import RankingCandidate, RankingItem
from annotation.models import Assignment
from backend.accounts.models import User
from backend.benchmarks.models import Partition
from backend.studies.models import Study
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_user,
    write_answer,
)


def close(cast: Cast) -> None:
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.CLOSED)


def answer_as_others(cast: Cast, intents: tuple[str, ...]) -> list[User]:
    """Each of these experts answers the first question of the first batch."""
    experts = [cast.colleague]
    experts += [join_as_expert(cast.study, cast.batches, make_user(f"X{n}")) for n in range(3)]
    for expert, intent in zip(experts, intents, strict=False):
        write_answer(cast.assignment(expert), intent)
    return experts


def read(cast: Cast, user: User | None = None) -> Any:
    return client_of(user or cast.expert).get(f"/api/v1/batches/{cast.batch.id}/comparison")


def sentences(cast: Cast) -> list[str]:
    return [one["sentence"] for one in read(cast).json()["compared"]]


def first_name(assignment: Assignment, rank: int) -> str:
    return assignment.question.candidates.get(prior_rank=rank).name


def test_nothing_is_shown_while_the_study_is_open(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    answer_as_others(cast, ("agree", "agree", "submit"))
    answer = read(cast)
    assert (answer.status_code, answer.json()["code"]) == (409, "study_open")
    assert first_name(cast.assignment(), 1) not in answer.content.decode()


def test_it_is_hidden_again_when_the_study_is_opened_again(cast: Cast) -> None:
    answer_as_others(cast, ("agree", "agree", "submit"))
    close(cast)
    assert read(cast).status_code == 200
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.OPEN)
    assert read(cast).status_code == 409


def reopen(cast: Cast) -> Any:
    url = f"/api/v1/studies/{cast.study.id}"
    return client_of(cast.coordinator).patch(url, {"status": "open"}, "application/json")


def test_a_study_whose_comparison_was_shown_stays_closed(cast: Cast) -> None:
    answer_as_others(cast, ("agree", "agree", "submit"))
    close(cast)
    assert len(sentences(cast)) == 1
    refused = reopen(cast)
    assert (refused.status_code, refused.json()["code"]) == (409, "comparison_shown")
    assert len(sentences(cast)) == 1


def test_a_study_that_showed_no_count_can_be_opened_again(cast: Cast) -> None:
    answer_as_others(cast, ("agree", "agree", "not_sure"))
    close(cast)
    assert sentences(cast) == []
    assert reopen(cast).json()["status"] == "open"


def test_a_closed_study_shows_how_many_put_the_same_first(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    answer_as_others(cast, ("agree", "agree", "submit"))
    close(cast)
    name = first_name(cast.assignment(), 1)
    assert read(cast).json()["total"] == 3
    assert sentences(cast) == [f"2 of 3 others put {name} first, as you did."]


def test_too_few_others_are_not_counted(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    answer_as_others(cast, ("agree", "agree", "not_sure"))
    close(cast)
    assert sentences(cast) == []


def test_an_expert_who_was_not_sure_reads_what_most_put_first(cast: Cast) -> None:
    write_answer(cast.assignment(), "not_sure")
    answer_as_others(cast, ("agree", "agree", "submit"))
    close(cast)
    name = first_name(cast.assignment(), 1)
    assert sentences(cast) == [f"2 of 3 others put {name} first."]


def test_a_question_of_a_hidden_test_is_left_out(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    answer_as_others(cast, ("agree", "agree", "submit"))
    close(cast)
    Partition.objects.create(
        question=cast.assignment().question,
        method=Partition.Method.EXPERT,
        number=1,
        serendipity=[0],
        existing=[1, 2],
        split="test",
    )
    assert sentences(cast) == []


def test_the_sentence_names_the_most_common_and_the_own_choice() -> None:
    item = RankingItem.model_construct(
        candidates=[
            RankingCandidate(id=name, name=name.title(), link="", prior_rank=1)
            for name in ("zinc", "iron", "lead")
        ]
    )
    answers = [{"ranking": [[top], ["rest"]]} for top in ("zinc", "zinc", "iron")]
    own = {"ranking": [["iron"], ["zinc"]]}
    tied = {"ranking": [["lead", "zinc"]]}
    assert compare_first_choices(item, own, answers) == (
        "2 of 3 others put Zinc first; 1 put Iron first, as you did."
    )
    assert compare_first_choices(item, tied, answers) == (
        "2 of 3 others put Zinc first; you put Zinc and Lead first."
    )
