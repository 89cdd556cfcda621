"""Scores from 1 to 5 by a model, corrected by a study in which experts rate a part of the texts."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
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
from backend.evaluation.judging.corrected_scores import (
    ScoreLine,
    TextRatings,
    correct_mean,
    correct_scores,
    read_score_lines,
)
from backend.evaluation.judging.rated_texts import qid_of, sample_entries
from backend.evaluation.judging.score_files import read_text_file
from backend.studies.models import Study
from tests.evaluation.pooled_boards import join
from tests.evaluation.test_judges import run, text_of, write_rows
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import make_person

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
