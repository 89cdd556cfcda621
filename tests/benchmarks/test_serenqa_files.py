"""SerenQA's own files, where they are at hand: the counts are taken by plain JSON reading."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from backend.benchmarks.file_discovery import read_source_files
from backend.benchmarks.questionnaire import Questionnaire, parse_questionnaire
from tests.benchmarks.test_questionnaire import as_written

pytestmark = pytest.mark.skipif(
    "SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder"
)


def folder() -> Path:
    return Path(os.environ["SERENDIB_DATA"]) / "serenqa"


def written() -> dict[int, list[dict[str, Any]]]:
    files = sorted(folder().glob("batch[0-9]*.json"))
    return {int(file.stem.removeprefix("batch")): json.loads(file.read_bytes()) for file in files}


@pytest.fixture(scope="module")
def read() -> Questionnaire:
    sources, faults = read_source_files([folder()])
    assert faults == []
    return parse_questionnaire(sources)


def test_every_question_and_candidate_is_read_as_it_is_written(read: Questionnaire) -> None:
    plain = written()
    assert as_written(read) == [question for number in sorted(plain) for question in plain[number]]
    assert len(read.questions) == 1_220
    assert sum(len(question.candidates) for question in read.questions) == 5_045


def test_the_known_traps_are_in_the_files_and_kept(read: Questionnaire) -> None:
    first = read.batches[0]
    assert (first.number, len(first.questions)) == (1, 349)
    assert 0 in {question.qid for question in first.questions}
    sizes = {len(question.candidates) for question in read.questions}
    assert (min(sizes), max(sizes)) == (2, 8)
    assert {len(question.resources) for question in read.questions} == {0, 1, 2, 3}
    names = {it.name for question in read.questions for it in question.candidates}
    assert "Platelet degranulation " in names


def test_five_totals_disagree_and_each_is_a_notice(read: Questionnaire) -> None:
    plain = written()
    message = {
        entry["batch_id"]: entry["total"]
        for entry in json.loads((folder() / "batches.json").read_bytes())
    }
    differing = [number for number in sorted(plain) if message[number] != len(plain[number])]
    assert len(differing) == 5
    assert [notice.split()[4] for notice in read.notices] == [str(number) for number in differing]
