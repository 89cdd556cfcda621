"""Label Studio's JSON export: a list of tasks with their annotations.

    {"id": 1, "data": {…}, "annotations": [{"completed_by": 7, "was_cancelled": false,
      "created_at": "…", "lead_time": 4.2, "result": [{"from_name": "rank", "type": "ranker",
        "value": {"ranker": {"rank": ["b", "a"]}}}]}]}

A Ranker without buckets is a ranking of the items of a list in `data`. A Pairwise compares the two
texts in `data` beside the question. A Rating is a scale of its name. A TextArea is the comment.
"""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from annotation.formats.archive_records import ArchiveRecord
from annotation.formats.base import StudyFormat
from annotation.formats.judgements import (
    FaultyTask,
    ForeignJudgement,
    Task,
    as_records,
    check_level,
    check_order,
    member,
    read_tasks,
    split_text,
)
from annotation.kinds.foreign_answers import LEVELS, ORDER, PREFERENCE, Form
from backend.validation.row_files.faults import RowFaultList

FORMS: Mapping[str, Form] = {"ranker": ORDER, "pairwise": PREFERENCE, "rating": LEVELS}
SIDES = {"left": "a", "right": "b"}


def read_label_studio(file: BinaryIO, faults: RowFaultList) -> Iterator[tuple[int, ArchiveRecord]]:
    yield from as_records("Label Studio", read_tasks(file, faults, _task), faults)


def _task(line: int, value: dict[str, Any]) -> Task:
    data = member(value, "data", dict)
    annotations = member(value, "annotations", list)
    form = _form(annotations)
    text, others = split_text(data)
    items = _items(data) if form == ORDER else {}
    scales = {one["from_name"]: one["from_name"] for one in _results(annotations, "rating")}
    options = {ORDER: items, PREFERENCE: others, LEVELS: scales}[form]
    if form == PREFERENCE and len(others) != 2:
        raise FaultyTask("data", "Which two texts were compared is not clear.", "two texts")
    judgements = [
        _judgement(one, f"annotations[{place}]", options) for place, one in enumerate(annotations)
    ]
    details = "\n\n".join(others.values()) if form == LEVELS else ""
    return Task(
        line, form, str(value.get("id", line)), text or "-", [*options.items()], judgements, details
    )


def _form(annotations: list[Any]) -> Form:
    for place, one in enumerate(annotations):
        for at, result in enumerate(member(one, "result", list, f"annotations[{place}]")):
            where = f"annotations[{place}].result[{at}]"
            named, _ = (member(result, name, str, where) for name in ("type", "from_name"))
            if named in FORMS:
                return FORMS[named]
            if named != "textarea":
                raise _unknown(named, where)
    raise FaultyTask("annotations", "Nobody has judged this task.", ", ".join(FORMS))


def _unknown(name: str, where: str) -> FaultyTask:
    expected = ", ".join((*FORMS, "textarea"))
    return FaultyTask(f"{where}.type", f"'{name[:40]}' has no counterpart here.", expected)


def _results(annotations: list[Any], of_type: str) -> Iterator[dict[str, Any]]:
    for place, one in enumerate(annotations):
        for at, result in enumerate(member(one, "result", list, f"annotations[{place}]")):
            if member(result, "type", str, f"annotations[{place}].result[{at}]") == of_type:
                member(result, "from_name", str, f"annotations[{place}].result[{at}]")
                yield result


def _items(data: dict[str, Any]) -> dict[str, str]:
    """Of the list that was ranked: titles and texts by id."""
    for name, value in data.items():
        if isinstance(value, list) and value:
            where = f"data.{name}"
            items = [(str(member(one, "id", str, where)), one) for one in value]
            return {
                key: ". ".join(str(one[part]) for part in ("title", "body") if one.get(part)) or key
                for key, one in items
            }
    raise FaultyTask("data", "There is no list of items to rank.", "a list of objects with ids")


def _judgement(one: dict[str, Any], where: str, options: dict[str, str]) -> ForeignJudgement:
    who = one.get("completed_by")
    who = who.get("id") if isinstance(who, dict) else who
    if type(who) is not int:
        raise FaultyTask(f"{where}.completed_by", "Who judged is not known.", "a number")
    value, comment = _value(one["result"], where, options)
    if value is None and one.get("was_cancelled") is not True:
        raise FaultyTask(f"{where}.result", "This annotation has no judgement.", ", ".join(FORMS))
    seconds = one.get("lead_time")
    return ForeignJudgement(
        expert=f"annotator-{who}",
        value=None if one.get("was_cancelled") is True else value,
        at=one.get("created_at"),
        seconds=seconds if isinstance(seconds, int | float) and 0 <= seconds < 1e9 else 0,
        comment=comment,
    )


def _value(results: list[Any], where: str, options: dict[str, str]) -> tuple[Any, str]:
    value: Any = None
    comments: list[str] = []
    for at, result in enumerate(results):
        place = f"{where}.result[{at}].value"
        given = member(result, "value", dict, f"{where}.result[{at}]")
        if result["type"] == "textarea":
            comments += [one for one in member(given, "text", list, place) if isinstance(one, str)]
        elif result["type"] == "rating":
            level = check_level(given.get("rating"), f"{place}.rating")
            value = {**(value or {}), result["from_name"]: level}
        elif result["type"] == "pairwise":
            value = SIDES.get(member(given, "selected", str, place))
        elif result["type"] == "ranker":
            value = _ranking(member(given, "ranker", dict, place), f"{place}.ranker", options)
        else:
            raise _unknown(str(result["type"]), f"{where}.result[{at}]")
    return value, "\n".join(comments)


def _ranking(columns: dict[str, Any], place: str, options: dict[str, str]) -> list[list[str]]:
    if len(columns) != 1:
        raise FaultyTask(place, "Buckets have no counterpart here.", "one list of all items")
    [order] = columns.values()
    groups = [[str(one)] for one in order] if isinstance(order, list) else []
    check_order(groups, options, place)
    return groups


FORMAT = StudyFormat(
    name="label_studio",
    title="Label Studio",
    description="The JSON export of Label Studio with rankings, pairs or ratings.",
    media_type="application/json",
    extension="json",
    read=read_label_studio,
)
