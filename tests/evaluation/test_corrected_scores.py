"""Scores from 1 to 5 by a model, corrected by a study in which experts rate a part of the texts."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotation.imports import import_study
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Action, Assignment
from annotation.pool import lease_questions
from annotation.presentations import build_item_of
from annotation.responses import ResponseWrite, write_response
from annotation.study_creation import Design, set_design
from backend.accounts.models import User
from backend.benchmarks.questionnaire import SourceFile
from backend.common.errors import DomainError
from backend.evaluation.judging import stored_scores
from backend.evaluation.judging.corrected_scores import (
    FULLY_RATED,
    ScoreLine,
    TextRatings,
    correct_mean,
    correct_scores,
    describe_correction,
    plan_ratings,
    read_score_lines,
    require_rated_strata,
)
from backend.evaluation.judging.rated_texts import qid_of, sample_entries
from backend.evaluation.judging.score_files import read_text_file
from backend.evaluation.management.commands.correct_scores import describe
from backend.studies.models import Member, Study
from tests.evaluation.pooled_boards import enrol, join
from tests.evaluation.test_judges import run, text_of, write_rows
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import Person, make_person

TEXTS, RATED = 60, 30
TRUTH, RAW = 3.0, 3.8  # of the levels 1 to 5, and of a judge that adds a step below 5


def level_of(number: int) -> int:
    return 1 + number % 5


def text_file(folder: Path, count: int = TEXTS) -> Path:
    rows = [
        {"id": f"t{n}", "text": f"Text number {n}.", "question": f"Q{n}?", "material": ["A: B."]}
        for n in range(count)
    ]
    return write_rows(folder / "texts.jsonl", rows)


def score_lines(count: int = TEXTS) -> list[ScoreLine]:
    return [
        ScoreLine(id=f"t{n}", qid=n, kind="faithfulness", judge="J", score=min(5, level_of(n) + 1))
        for n in range(count)
    ]


def make_study(path: Path) -> Study:
    source = SourceFile(path.name, path.read_bytes())
    owner = make_person("ada").user
    study = import_study(actor=owner, name="Rated", sources=[source], kind="ratings").study
    set_design(study, Design(overlap=1))
    return study


def rate(study: Study, expert: User, most: int = 1_000) -> int:
    """Let the expert rate every text by its number; the scale of relevance is beyond them."""
    kind, count = get_kind_or_raise(study.kind), 0
    while count < most and (leased := lease_questions(actor=expert, study_id=study.id, count=10)):
        rows = Assignment.objects.filter(pk__in=[one.pk for one in leased]).with_item()
        for one in rows.exclude(response__submitted_number__gt=0)[: most - count]:
            item = build_item_of(one)
            payload: dict[str, Any] = kind.initial_answer(item).model_dump()
            payload["levels"]["faithfulness"] = level_of(int(re.findall(r"\d+", item.text)[0]))
            payload["unsure"]["relevance"] = "outside_my_field"
            write = ResponseWrite(version=0, action=Action.SUBMIT, outcome="rated", payload=payload)
            write_response(actor=expert, assignment_id=one.pk, write=write)
            count += 1
    return count


def test_raw_is_the_arithmetic_of_the_judges_error_and_ratings_bring_the_truth(
    transactional_db: None, server: ScriptedServer, tmp_path: Path
) -> None:
    server.script = lambda body, number: Scripted(
        text=json.dumps({"reason": "Kind.", "score": min(5, level_of(text_of(body)) + 1)})
    )
    make_endpoint(server.url)
    texts, scores, entries = text_file(tmp_path), tmp_path / "scores.jsonl", tmp_path / "batch.json"
    words = ("--kind", "faithfulness", "--endpoint", "scripted", "--budget", "1")
    run("judge", str(texts), *words, "--into", str(scores))
    draw = ("--kind", "faithfulness", "relevance", "--texts", str(RATED), "--seed", "4")
    drawn = run("draw_texts", str(texts), *draw, "--into", str(entries))
    assert (drawn["texts"], drawn["drawn"]) == (TEXTS, RATED)
    study = make_study(entries)
    expert = join(study, "eva")
    assert rate(study, expert, 10) == 10
    (early,) = run("correct_scores", str(scores), "--study", "Rated")["scores"]
    rate(study, expert)
    result = run("correct_scores", str(scores), "--study", "Rated")
    (late,) = result["scores"]
    assert (late["texts"], late["unscored"], late["rated"]) == (TEXTS, 0, RATED)
    assert late["raw"] == pytest.approx(RAW)
    for one in (early, late):
        assert one["corrected"]["low"] <= TRUTH <= one["corrected"]["high"]
    assert late["corrected"]["high"] < RAW
    before, width = (one["corrected"]["high"] - one["corrected"]["low"] for one in (early, late))
    assert width < before and late["effective_ratings"] > RATED
    assert (early["waiting"], late["waiting"], result["is_final"]) == (RATED - 10, 0, False)
    assert 0 < late["kappa"]["value"] < 1
    call_command("correct_scores", str(scores), study="Rated")


def test_strata_of_which_different_parts_were_rated_are_corrected_apart() -> None:
    """The judge is right on the first twenty texts, of which all were rated, and a step too kind on
    the others, of which a quarter was: without strata its error would be taken to be small."""
    plain = [
        one.model_copy(update={"stratum": "A" if n < 20 else "B"})
        for n, one in enumerate(score_lines())
    ]
    lines = [
        one.model_copy(update={"score": float(level_of(n)) if n < 20 else level_of(n) + 1.0})
        for n, one in enumerate(plain)
    ]
    rated = [one for one in lines if one.stratum == "A" or one.qid < 30]
    ratings = TextRatings({one.text_key: {"eva": level_of(one.qid)} for one in rated}, 0, 0)
    stratified = correct_mean(lines, ratings)
    assert stratified.value == pytest.approx(TRUTH)
    assert len(stratified.lambdas) == 2
    pooled = correct_mean([one.model_copy(update={"stratum": ""}) for one in lines], ratings)
    assert pooled.value is not None and pooled.value > TRUTH + 0.1
    require_rated_strata(lines, ratings)
    only_first = TextRatings({one.text_key: {"eva": 1} for one in lines[:20]}, 0, 0)
    with pytest.raises(DomainError, match="stratum 'B'"):
        require_rated_strata(lines, only_first)


def test_as_many_ratings_as_are_planned_halve_the_interval() -> None:
    draws = np.random.default_rng(3)
    levels = draws.integers(1, 6, 3_000)
    scores = np.clip(levels + draws.normal(0.5, 1.0, len(levels)), 1, 5)
    line = score_lines(1)[0]
    lines = [
        line.model_copy(update={"id": f"t{n}", "qid": n, "score": float(score)})
        for n, score in enumerate(scores)
    ]

    def rate_first(count: int) -> TextRatings:
        given = {one.text_key: {"eva": int(levels[one.qid])} for one in lines[:count]}
        return TextRatings(given, 0, 0)

    def width(ratings: TextRatings) -> float:
        mean = correct_mean(lines, ratings)
        assert mean.low is not None and mean.high is not None
        return mean.high - mean.low

    few = rate_first(60)
    more, sentence = plan_ratings(lines, few)
    assert more is not None and sentence == f"{more:,} more rated texts halve this interval."
    assert 0.44 < width(rate_first(60 + more)) / width(few) < 0.56
    assert plan_ratings(lines, rate_first(len(lines))) == (None, FULLY_RATED)


def test_an_interval_by_few_disagreements_has_no_plan_which_would_be_of_a_narrower_one() -> None:
    lines = [one.model_copy(update={"score": 2.0 + one.qid % 4}) for one in score_lines(24)]
    rated = {one.text_key: {"eva": 1 + one.qid % 4} for one in lines[:6]}
    result = describe_correction(lines, TextRatings(rated, 18, 0))
    assert result.corrected is not None and result.corrected.is_approximate
    assert (result.more_to_halve, result.plan) == (None, "")


@pytest.mark.parametrize(("strata", "is_noted"), [(1, False), (2, True)])
def test_the_output_states_that_kappa_is_over_the_texts_of_all_strata(
    strata: int, is_noted: bool
) -> None:
    lines = [
        one.model_copy(update={"stratum": str(number % strata)})
        for number, one in enumerate(score_lines())
    ]
    ratings = TextRatings({one.text_key: {"eva": level_of(one.qid)} for one in lines}, 0, 0)
    result = describe_correction(lines, ratings)
    assert (result.strata, len(result.lambdas)) == (strata, strata)
    assert any("whatever their stratum" in one for one in describe(result)) == is_noted
    without = [*describe(replace(result, corrected=None))]
    assert any("2 of each stratum" in one for one in without) == is_noted
    assert any("at least 5 questions" in one for one in without)


def test_ratings_of_all_texts_are_the_experts_mean_and_texts_of_a_question_are_one() -> None:
    levels = {one.text_key: {"eva": level_of(one.qid)} for one in score_lines()}
    mean = correct_mean(score_lines(), TextRatings(levels, 0, 0))
    assert mean.value == pytest.approx(TRUTH)
    assert mean.raw.value == pytest.approx(RAW)
    assert mean.low is not None
    four = [one.model_copy(update={"question": f"Q{one.qid % 4}"}) for one in score_lines()]
    assert correct_mean(four, TextRatings(levels, 0, 0)).low is None


def test_a_draw_is_random_repeatable_and_of_the_very_text(tmp_path: Path) -> None:
    rows = read_text_file(text_file(tmp_path))
    first, again = (sample_entries(rows, ["relevance"], 20, 7) for _ in range(2))
    assert first == again != sample_entries(rows, ["relevance"], 20, 8)
    known = {qid_of(row): row for row in rows}
    assert len({one["qid"] for one in first}) == 20
    for number, one in enumerate(first, start=1):
        row = known[one["qid"]]
        assert (one["question_number"], one["text"]) == (number, row.item.text)
        assert one["details"] == f"Question: {row.item.question}\nExpected answers:\nA: B."
    changed = read_text_file(
        write_rows(tmp_path / "changed.jsonl", [{"id": "t0", "text": "Another text."}])
    )
    assert qid_of(changed[0]) not in known
    longer = read_text_file(write_rows(tmp_path / "l.jsonl", [{"id": "t0", "text": "x" * 10_001}]))
    with pytest.raises(DomainError, match="read these texts whole"):
        sample_entries(longer, ["relevance"], 1, 0)


@pytest.mark.django_db
def test_other_studies_unknown_texts_and_repeated_lines_are_refused() -> None:
    line = score_lines(1)[0].model_dump_json()
    with pytest.raises(DomainError, match="2 faults"):
        read_score_lines(f"{line}\n{line}\n".encode())
    with pytest.raises(DomainError, match="1 fault"):
        read_score_lines(line.replace('"score":2', '"score":6').encode())
    claims = Study.objects.create(name="Claims", kind="claims")
    with pytest.raises(DomainError, match="Name a study of ratings"):
        [*correct_scores(score_lines(), claims)]
    unrated = Study.objects.create(name="Empty", kind="ratings")
    with pytest.raises(DomainError, match="Nobody has rated"):
        [*correct_scores(score_lines(), unrated)]


def scores_file(count: int = TEXTS) -> bytes:
    return "".join(f"{one.model_dump_json()}\n" for one in score_lines(count)).encode()


def test_coordinators_store_scores_and_read_them_corrected_by_the_ratings_of_now(
    transactional_db: None, tmp_path: Path
) -> None:
    study, lines = rated_study(tmp_path)
    ada, eva = coordinator_of(study), make_person("eva")
    enrol(study, eva.user)
    address = f"/api/v1/studies/{study.pk}/judged-scores"
    content = "".join(f"{one.model_dump_json()}\n" for one in lines).encode()
    answer = upload(ada, address, content)
    assert answer.status_code == 201, answer.json()
    assert upload(ada, address, content).json() == answer.json()
    assert [one["name"] for one in ada.browser.get(address).json()] == ["scores.jsonl"]
    own = f"{address}/{answer.json()['id']}"
    early = ada.browser.get(own).json()
    assert "Nobody has rated" in early["problem"] and early["results"] == []
    rate(study, eva.user)
    late = ada.browser.get(own).json()
    (result,) = late["results"]
    (expected,) = correct_scores(lines, study)
    assert (late["problem"], late["is_final"]) == ("", False)
    corrected, mean = result["corrected"], expected.corrected
    assert mean is not None and expected.kappa is not None
    assert (result["raw"], corrected["value"]) == (expected.raw, mean.value)
    assert (corrected["low"], corrected["high"]) == (mean.low, mean.high)
    assert result["kappa"]["value"] == expected.kappa.value
    assert (result["rated"], result["waiting"]) == (RATED, 0)
    assert corrected["low"] <= TRUTH <= corrected["high"]
    (tmp_path / "scores.jsonl").write_bytes(content)
    printed = run("correct_scores", str(tmp_path / "scores.jsonl"), "--study", "Rated")
    assert printed["scores"] == late["results"]
    assert eva.browser.get(own).status_code == eva.browser.delete(own).status_code == 403
    assert make_person("bob").browser.get(own).status_code == 404
    assert ada.browser.delete(own).status_code == 204
    assert ada.browser.get(own).status_code == 404 and ada.browser.get(address).json() == []


def rated_study(folder: Path) -> tuple[Study, list[ScoreLine]]:
    """A study of RATED texts drawn from all, and a judge's scores of all of them."""
    rows = read_text_file(text_file(folder))
    entries = sample_entries(rows, ["faithfulness", "relevance"], RATED, 4)
    path = folder / "batch.json"
    path.write_text(json.dumps(entries))
    lines = [
        one.model_copy(update={"qid": qid_of(row)})
        for one, row in zip(score_lines(), rows, strict=True)
    ]
    return make_study(path), lines


def coordinator_of(study: Study) -> Person:
    return Person(Member.objects.get(study=study, role=Member.Role.COORDINATOR).user)


def upload(person: Person, address: str, content: bytes) -> Any:
    file = SimpleUploadedFile("scores.jsonl", content)
    return person.browser.post(address, {"file": file}, format="multipart")


@pytest.mark.django_db
def test_files_with_faults_and_those_beyond_the_limit_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, _ = rated_study(tmp_path)
    ada, address = coordinator_of(study), f"/api/v1/studies/{study.pk}/judged-scores"
    line = score_lines(1)[0].model_dump_json().encode()
    faulty = upload(
        ada, address, line + b"\n" + line.replace(b'"score":2.0', b'"score":6.0') + b"\n"
    )
    assert (faulty.status_code, faulty.json()["errors"][0]["place"]) == (422, "line 2.score")
    for content in (b"", b"\xff\xfe", b"{", b"[]"):
        assert upload(ada, address, content).status_code == 422
    monkeypatch.setattr(stored_scores, "MOST_LINES", 59)
    many = upload(ada, address, scores_file())
    assert (many.status_code, many.json()["code"]) == (422, "too_many_scores")
    monkeypatch.setattr(stored_scores, "MOST_FILES", 1)
    assert upload(ada, address, scores_file(3)).status_code == 201
    assert upload(ada, address, scores_file(4)).json()["code"] == "too_many_files"
    assert upload(ada, address, scores_file(3)).status_code == 201
