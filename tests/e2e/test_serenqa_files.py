"""SerenQA's own first batch, answered whole over HTTP; its files stay where a reader has them."""

import csv
import io
import json
import os
import uuid
from pathlib import Path

import pytest

from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR
from tests.load.virtual_users import expect_status

FOLDER = Path(os.environ.get("SERENDIB_DATA", "/nonexistent")) / "serenqa"


@pytest.mark.skipif(
    not FOLDER.is_dir(), reason="SERENDIB_DATA names no folder with SerenQA's files"
)
def test_all_349_questions_of_batch_1_are_submitted_one_by_one(served: Stack) -> None:
    play(_batch_1(served))


async def _batch_1(served: Stack) -> None:
    content = (FOLDER / "batch1.json").read_bytes()
    coordinator = await virtual_users.sign_in(served.url, COORDINATOR)
    name = f"SerenQA {uuid.uuid4().hex[:8]}"
    study = await virtual_users.import_study(coordinator, name, {"batch1.json": content})
    [expert] = await virtual_users.experts_of(coordinator, study, 1)
    works = await virtual_users.work_of(expert)
    assert len(works) == 349
    assert "0" in {work.assignment["item"]["file_id"] for work in works}
    for work in works:
        expect_status(200, await work.put(work.write("agree")))
    [batch] = expect_status(200, await expert.get("/api/v1/batches"))["results"]
    assert (batch["outcomes"]["confirmed"], batch["answered"], batch["total"]) == (349, 349, 349)
    named = {
        (str(question["qid"]), one["entity_name"], one["entity_link"])
        for question in json.loads(content)
        for one in question["llm_ranking"]
    }
    assert await candidates_in_csv(coordinator, study) == named
    assert await candidates_in_json(coordinator, study) == named


async def candidates_in_csv(coordinator: Browser, study: str) -> set[tuple[str, ...]]:
    answered = await coordinator.get(f"/api/v1/studies/{study}/export.csv")
    rows = csv.DictReader(io.StringIO(answered.body.decode(), newline=""))
    columns = ("qid", "candidate", "candidate_link")
    # As docs/reference/formats.md tells a reader to undo the escape.
    return {tuple(row[column].removeprefix("'") for column in columns) for row in rows}


async def candidates_in_json(coordinator: Browser, study: str) -> set[tuple[str, ...]]:
    answered = await coordinator.get(f"/api/v1/studies/{study}/export.json")
    return {
        (question["file_id"], one["name"], one["link"])
        for batch in expect_status(200, answered)["batches"]
        for question in batch["questions"]
        for one in question["candidates"]
    }
