"""Exports of other programs become studies; what has no counterpart here is a fault."""

import io
import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from annotation.archives import ArchiveInvalid
from annotation.formats.argilla.format import read_argilla
from annotation.formats.label_studio.format import read_label_studio
from annotation.models import Revision
from backend.benchmarks.models import Question
from backend.studies.models import Study
from backend.validation.row_files.faults import FileRefused, RowFaultList
from tests.annotation.archive_study import export, import_bytes

pytestmark = pytest.mark.django_db

RANKED = {
    "id": 1,
    "data": {
        "question": "Which page helps most?",
        "items": [
            {"id": "blog", "title": "Ten tips", "body": "There is nothing worse."},
            {"id": "mdn", "title": "Arrow functions", "body": "An alternative."},
        ],
    },
    "annotations": [
        {
            "completed_by": 7,
            "was_cancelled": False,
            "created_at": "2026-03-09T22:16:08.728353Z",
            "lead_time": 4.288,
            "result": [
                {
                    "from_name": "rank",
                    "to_name": "results",
                    "type": "ranker",
                    "value": {"ranker": {"rank": ["mdn", "blog"]}},
                },
                {"from_name": "why", "type": "textarea", "value": {"text": ["Shorter."]}},
            ],
        },
        {"completed_by": {"id": 8, "email": "eve@x.example"}, "was_cancelled": True, "result": []},
    ],
}
COMPARED = {
    "id": 2,
    "data": {"prompt": "Which summary is better?", "text1": "One.", "text2": "Two."},
    "annotations": [
        {
            "completed_by": 7,
            "result": [{"from_name": "pw", "type": "pairwise", "value": {"selected": "right"}}],
        }
    ],
}
RATED = {
    "id": 3,
    "data": {"text": "A passage.", "source": "A journal."},
    "annotations": [
        {
            "completed_by": 7,
            "result": [{"from_name": "clear", "type": "rating", "value": {"rating": 4}}],
        }
    ],
}
ARGILLA_RANKED = {
    "id": "a",
    "fields": {"prompt": "Which answer is better?", "first": "Iron.", "second": "Zinc."},
    "metadata": {},
    "suggestions": {},
    "responses": {
        "preference": [
            {"value": ["second", "first"], "user_id": "u1"},
            {
                "value": [{"value": "first", "rank": 1}, {"value": "second", "rank": 1}],
                "user_id": "u2",
            },
        ],
        "why": [{"value": "Newer.", "user_id": "u1"}],
    },
}
ARGILLA_RATED = {
    "id": None,
    "fields": {"text": "A passage."},
    "responses": {
        "clear": [{"value": 5, "user_id": "u1"}, {"value": 2, "user_id": "u2"}],
        "correct": [{"value": 1, "user_id": "u1"}],
    },
}


def import_tasks(name: str, *tasks: dict[str, Any]) -> Study:
    return import_bytes(json.dumps(tasks).encode(), name).study


def answers_of(study: Study) -> list[tuple[str, dict[str, Any]]]:
    revisions = Revision.objects.filter(response__assignment__study=study)
    return [(one.outcome, one.answer) for one in revisions.order_by("id")]


@pytest.mark.parametrize(
    ("name", "task", "kind", "outcomes", "shown"),
    [
        ("label_studio", RANKED, "ranking", ["ranked", "skipped"], "Arrow functions"),
        ("label_studio", COMPARED, "hypothesis_pairs", ["b"], "Two."),
        ("label_studio", RATED, "ratings", ["rated"], "A journal."),
        ("argilla", ARGILLA_RANKED, "ranking", ["ranked", "ranked"], "Zinc."),
        ("argilla", ARGILLA_RATED, "ratings", ["rated", "rated"], "A passage."),
    ],
)
def test_judgements_become_answers_and_can_be_exported(
    name: str, task: dict[str, Any], kind: str, outcomes: list[str], shown: str
) -> None:
    study = import_tasks(name, task)
    assert (study.kind, study.status) == (kind, "closed")
    assert [outcome for outcome, _ in answers_of(study)] == outcomes
    table = export(study, "csv")
    assert shown in table.decode() and b"eve@x.example" not in table
    for form in ("jsonl", "csv"):
        content = export(study, form)
        assert export(import_bytes(content, form, form).study, form) == content


def test_orders_ties_levels_times_and_comments_are_those_of_the_file() -> None:
    (_, ranked), (_, skipped) = answers_of(import_tasks("label_studio", RANKED))
    revision = Revision.objects.earliest("id")
    assert (revision.active_ms, ranked["comment"]) == (4288, "Shorter.")
    assert revision.submitted_at.isoformat() == "2026-03-09T22:16:08.728353+00:00"
    assert ranked["ranking"] == skipped["ranking"][::-1]
    (_, first), (_, tied) = answers_of(import_bytes(as_list(ARGILLA_RANKED), "argilla", "B").study)
    assert (len(first["ranking"]), len(tied["ranking"])) == (2, 1)
    assert first["comment"] == "Newer."
    (_, both), (_, one) = answers_of(import_bytes(as_list(ARGILLA_RATED), "argilla", "C").study)
    assert both["levels"] == {"clear": 5, "correct": 1}
    assert (one["levels"], one["unsure"]) == ({"clear": 2, "correct": None}, {"correct": "other"})


UNJUDGED = {**RANKED, "id": 9, "annotations": []}
SKIPPED_TASK = {
    **RATED,
    "id": 9,
    "annotations": [{"completed_by": 7, "was_cancelled": True, "result": []}],
}


@pytest.mark.parametrize(
    ("name", "judged", "unjudged", "answers"),
    [
        ("label_studio", RANKED, UNJUDGED, 2),
        ("label_studio", COMPARED, {**COMPARED, "id": 9, "annotations": []}, 1),
        ("label_studio", RATED, SKIPPED_TASK, 3),
        ("argilla", ARGILLA_RANKED, {**ARGILLA_RANKED, "id": "b", "responses": {}}, 2),
        (
            "argilla",
            {**ARGILLA_RATED, "id": "a"},
            {**ARGILLA_RATED, "id": "b", "responses": {"clear": []}},
            2,
        ),
    ],
)
def test_a_task_that_nobody_has_judged_is_a_question_without_an_answer(
    name: str, judged: dict[str, Any], unjudged: dict[str, Any], answers: int
) -> None:
    """Before the judged one and behind it, as an export of a project that is under way."""
    study = import_tasks(name, unjudged, judged, {**unjudged, "id": "10"})
    questions = Question.objects.filter(entries__batch__study=study).order_by("number")
    assert questions.count() == 3
    assert len(answers_of(study)) == answers
    first, second, third = questions
    assert (
        first.payload.get("scales") == second.payload.get("scales") == third.payload.get("scales")
    )
    assert first.candidates.count() == second.candidates.count() == third.candidates.count()


def test_a_file_in_which_nobody_has_judged_anything_is_refused_with_its_lines() -> None:
    with pytest.raises(ArchiveInvalid) as refused:
        import_tasks("label_studio", UNJUDGED)
    assert [one.code for one in refused.value.faults] == ["unjudged"]


def as_list(*tasks: object) -> bytes:
    return json.dumps(tasks, indent=1).encode()


def result(task: dict[str, Any]) -> dict[str, Any]:
    first: dict[str, Any] = task["annotations"][0]["result"][0]
    return first


Change = Callable[[dict[str, Any]], object]
RESULT, SECOND = "annotations[0].result[0]", "annotations[0].result[1]"


def add_result(task: dict[str, Any], added: dict[str, Any]) -> None:
    task["annotations"][0]["result"].insert(1, added)


@pytest.mark.parametrize(
    ("task", "place", "change"),
    [
        (RANKED, f"{RESULT}.type", lambda it: result(it).update(type="rectanglelabels")),
        (RANKED, f"{RESULT}.type", lambda it: result(it).pop("type")),
        (RANKED, f"{RESULT}.value.ranker", lambda it: result(it)["value"]["ranker"].update(b=[])),
        (
            RANKED,
            f"{RESULT}.value.ranker",
            lambda it: result(it)["value"]["ranker"].update(rank=["mdn", "mdn"]),
        ),
        (RANKED, "data", lambda it: it["data"].pop("items")),
        (
            RANKED,
            "annotations[0].completed_by",
            lambda it: it["annotations"][0].pop("completed_by"),
        ),
        (RANKED, "annotations", lambda it: it.pop("annotations")),
        (RANKED, "annotations[0].result", lambda it: it.update(annotations=["x"])),
        (RANKED, "revisions[0].submitted_at", lambda it: it["annotations"][0].update(created_at=3)),
        (COMPARED, "data", lambda it: it["data"].update(text3="Three.")),
        (COMPARED, f"{RESULT}.value.selected", lambda it: result(it).update(value={})),
        (RATED, f"{RESULT}.value.rating", lambda it: result(it).update(value={"rating": 6})),
        # Several controls in one template.
        (RANKED, f"{SECOND}.type", lambda it: add_result(it, result(RATED))),
        (RANKED, f"{SECOND}.type", lambda it: add_result(it, result(COMPARED))),
        (RATED, f"{SECOND}.type", lambda it: add_result(it, result(RANKED))),
        (COMPARED, f"{SECOND}.type", lambda it: add_result(it, result(RATED))),
        (COMPARED, SECOND, lambda it: add_result(it, result(COMPARED))),
        (RATED, SECOND, lambda it: add_result(it, result(RATED))),
        (RANKED, "data.items", lambda it: it["data"]["items"].append(it["data"]["items"][0])),
    ],
)
def test_what_has_no_counterpart_is_a_fault_with_its_line_and_place(
    task: dict[str, Any], place: str, change: Change
) -> None:
    broken = json.loads(json.dumps(task))
    change(broken)
    assert f"line 2, {place}" in refuse("label_studio", b"[\n" + json.dumps(broken).encode() + b"]")


def refuse(name: str, content: bytes) -> list[str]:
    with pytest.raises(ArchiveInvalid) as refused:
        import_bytes(content, name)
    assert not Study.objects.exists()
    return [one.place for one in refused.value.faults]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("label_studio", b"[]", "line 1"),
        ("label_studio", b"", "file"),
        ("label_studio", b"{}", "line 1"),
        ("label_studio", b"[1]", "line 1"),
        ("argilla", b"[" * 50_000, "line 1"),
        ("label_studio", as_list(RANKED, RATED), "line 60"),
        ("argilla", as_list({**ARGILLA_RATED, "responses": {"x": [{"value": "a"}]}}), "line 2"),
        ("argilla", as_list({**ARGILLA_RATED, "responses": {}}), "line 2"),
        ("argilla", as_list({**ARGILLA_RATED, "responses": {"x": [4]}}), "line 2"),
    ],
)
def test_a_file_of_another_shape_is_refused(name: str, content: bytes, place: str) -> None:
    assert refuse(name, content)[0].startswith(place)


def test_a_skipped_annotation_is_a_skip_whatever_was_begun() -> None:
    begun = json.loads(json.dumps(RANKED))
    result(begun)["value"]["ranker"]["rank"] = ["mdn"]
    begun["annotations"][0]["was_cancelled"] = True
    assert [one for one, _ in answers_of(import_tasks("label_studio", begun))] == ["skipped"] * 2


def test_two_answers_of_one_user_to_one_question_are_a_fault() -> None:
    twice = json.loads(json.dumps(ARGILLA_RATED))
    twice["responses"]["clear"].append({"value": 1, "user_id": "u1"})
    assert refuse("argilla", json.dumps([twice]).encode()) == ["line 1, responses.clear[2]"]


VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    5,
    4.0,
    -1,
    10**30,
    "",
    "x",
    "mdn",
    "\0",
    "\ud800",
    [],
    {},
    [[]],
    ["a"],
)


def places_in(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = list(value.items() if isinstance(value, dict) else [])
    if isinstance(value, list):
        inner = list(enumerate(value))
    return [at] * bool(at) + [place for key, one in inner for place in places_in(one, (*at, key))]


def mutate(task: dict[str, Any], chance: random.Random) -> None:
    """Another value, one value less, or an element twice."""
    at = chance.choice(places_in(task))
    holder: Any = task
    for key in at[:-1]:
        holder = holder[key]
    kind = chance.random()
    if kind < 0.5:
        holder[at[-1]] = json.loads(json.dumps(chance.choice(VALUES)))
    elif kind < 0.8 or isinstance(holder, dict):
        holder.pop(at[-1])
    else:
        holder.append(json.loads(json.dumps(holder[at[-1]])))


@pytest.mark.parametrize(
    ("read", "tasks"),
    [
        (read_label_studio, [RANKED, COMPARED, RATED]),
        (read_argilla, [ARGILLA_RANKED, ARGILLA_RATED]),
    ],
)
def test_whatever_is_wrong_with_a_file_is_a_fault(read: Any, tasks: list[Any]) -> None:
    for seed in range(500):
        chance = random.Random(seed)  # noqa: S311  the same files each time
        broken = json.loads(json.dumps(chance.choice(tasks)))
        for _ in range(chance.randint(1, 3)):
            mutate(broken, chance)
        with suppress(FileRefused):
            list(read(io.BytesIO(json.dumps([broken]).encode()), RowFaultList()))
