"""Model judges: their answers come from a file, stand apart, and are compared with experts."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.agreement import recompute_agreement
from annotation.exports import export_json
from annotation.judge_answers import JudgeFileInvalid
from annotation.models import Judge, JudgeAnswer
from annotation.progress import revision_count
from annotation.statistics import compute_statistics
from annotation.statistics_cache import read_statistics, recompute_statistics
from backend.common.errors import Conflict
from backend.studies.models import Study
from tests.annotation.claim_study import make_claim_cast
from tests.annotation.pair_study import (
    JUDGE,
    RATIONALE,
    close,
    judged,
    lines,
    load_judge,
    make_pair_cast,
    prefer,
)
from tests.annotation.personas import Cast, client_of, join_as_expert, make_user
from tests.annotation.test_study_creation import run

pytestmark = pytest.mark.django_db


def make_judged_cast() -> Cast:
    """Three experts prefer the first hypothesis of each pair, but all the second of the last.

    The judge agrees on pairs 0 to 3; on 4 it chooses what is on the left, on 5 the first.
    """
    cast = make_pair_cast(6)
    experts = [
        cast.expert,
        cast.colleague,
        join_as_expert(cast.study, cast.batches, make_user("X")),
    ]
    for expert in experts:
        for number in range(1, 7):
            prefer(cast.assignment(expert, number), int(number == 6))
    consistent = [row for qid in (0, 1, 2, 3, 5) for row in judged(qid, "a", "b_much")]
    load_judge(cast, *consistent, *judged(4, "a", "a"))
    return cast


def figures(cast: Cast) -> dict[str, Any]:
    sections = compute_statistics(cast.study)
    return {one.name: one for it in sections if it.name == "judge_1" for one in it.figures}


def test_a_judge_is_compared_with_the_experts_and_with_itself() -> None:
    cast = make_judged_cast()
    close(cast.study)
    cast.study.refresh_from_db()
    named = figures(cast)
    assert named["judge_majority"].value == pytest.approx(4 / 6)  # 4 is a tie, 5 differs
    assert named["judge_same_choice"].value == pytest.approx(4 / 6)
    assert (named["experts_same_choice"].value, named["experts_kappa"].value) == (1, 1)
    # Observed 4/6, by chance 5/6 of the experts times 5/6 of the judge.
    assert named["judge_kappa"].value == pytest.approx((4 / 6 - 25 / 36) / (1 - 25 / 36))
    assert named["judge_flips"].value == pytest.approx(1 / 6)
    assert named["judge_flips"].n == 6
    assert named["judge_first_share"].value == pytest.approx(7 / 12)
    for name in ("judge_majority", "judge_weighted_kappa", "judge_flips", "judge_first_share"):
        one = named[name]
        assert one.low is not None and one.low <= one.value <= one.high


def test_nothing_of_it_counts_and_a_new_file_replaces_the_old() -> None:
    cast = make_pair_cast()
    prefer(cast.assignment(), 0)
    recompute_agreement(batch_id=cast.batch.id)
    recompute_statistics(cast.study.id)
    board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board")
    count = cast.study.assignments.aggregate(count=revision_count())
    before = board.json(), count
    imported = load_judge(cast, *judged(0, "a", "b"), *judged(1, "tie", "not_sure"))
    assert (imported.answers, imported.questions, imported.replaced) == (4, 2, 0)
    recompute_agreement(batch_id=cast.batch.id)
    board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board")
    assert board.json()["batches"] == before[0]["batches"]
    assert cast.study.assignments.aggregate(count=revision_count()) == before[1]
    assert read_statistics(cast.study).stale
    assert load_judge(cast, *judged(0, "b", "a")).replaced == 4
    assert JudgeAnswer.objects.count() == 2
    close(cast.study)
    load_judge(cast, *judged(0, "a", "b"), name="Another")
    Study.objects.update(status=Study.Status.FROZEN)
    with pytest.raises(Conflict):
        load_judge(cast, *judged(1, "a", "b"))


def test_coordinators_export_it_in_a_member_of_its_own() -> None:
    cast = make_pair_cast()
    assert "judges" not in json.loads("".join(export_json(cast.study)))
    load_judge(cast, *judged(0, "a", "b"))
    (judge,) = json.loads("".join(export_json(cast.study)))["judges"]
    assert (judge["name"], len(judge["answers"])) == (JUDGE, 2)
    question = cast.study.batches.get().questions.get(file_id="0")
    assert judge["answers"][1] == {
        "question": str(question.id),
        "order": "swapped",
        "outcome": "b",
        "payload": {"choice": "b", "because": None, "comment": ""},
        "rationale": RATIONALE,
    }


def test_every_fault_of_a_file_is_named_with_its_line() -> None:
    cast = make_pair_cast()
    good, again = judged(0, "a", "b")[0], judged(0, "b", "b")[0]
    bad = [
        {**good, "qid": 99},
        {**good, "order": "sideways", "qid": 1},
        again,
        {**good, "qid": 2, "choice": "left"},
        {**good, "qid": 3, "score": 0.5},
        {**good, "qid": 1, "choice": None},
        {"order": "swapped", "choice": "a"},
    ]
    content = lines(good, *bad) + b'{"qid": 1, "rationale": "\\u0000"}\n[1]\nno JSON\n'
    sent = {"name": JUDGE, "file": SimpleUploadedFile("judge.jsonl", content)}
    url = f"/api/v1/studies/{cast.study.id}/judges"
    answered = client_of(cast.coordinator).post(url, sent)
    assert (answered.status_code, answered.json()["code"]) == (422, "judge_file_invalid")
    assert [one["place"] for one in answered.json()["errors"]] == [
        *("line 2, qid", "line 3, order", "line 4, qid", "line 5, choice", "line 6, score"),
        *("line 7, choice", "line 8, qid", "line 9", "line 10", "line 11"),
    ]
    assert not Judge.objects.exists()
    with pytest.raises(JudgeFileInvalid, match="1 error"):
        load_judge(cast)


def test_the_command_and_the_page_import_the_same_file(tmp_path: Path) -> None:
    cast = make_claim_cast()
    file = tmp_path / "judge.jsonl"
    verdicts = {"qid": 0, "verdict": "supported"}, {"qid": "1", "verdict": "not_enough"}
    file.write_bytes(lines(*verdicts))
    words = (str(cast.study.name), str(file), "--judge", JUDGE, "--json")
    status, shown = run("import_judge", *words)
    assert (status, shown["answers"], shown["replaced"]) == (0, 2, 0)
    url = f"/api/v1/studies/{cast.study.id}/judges"
    sent = {"name": JUDGE, "file": SimpleUploadedFile("judge.jsonl", file.read_bytes())}
    assert client_of(cast.coordinator).post(url, sent).json()["replaced"] == 2
    (listed,) = client_of(cast.coordinator).get(url).json()["results"]
    assert (listed["name"], listed["answers"], listed["questions"]) == (JUDGE, 2, 2)
