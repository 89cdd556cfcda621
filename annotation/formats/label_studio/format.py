"""Label Studio's JSON export: a list of tasks with their annotations.

    {"id": 1, "data": {…}, "annotations": [{"completed_by": 7, "was_cancelled": false,
      "created_at": "…", "lead_time": 4.2, "result": [{"from_name": "rank", "type": "ranker",
        "value": {"ranker": {"rank": ["b", "a"]}}}]}]}

A Ranker without buckets is a ranking of the items of a list in `data`. A Pairwise compares the two
texts in `data` beside the question. A Rating is a scale of its name. A TextArea is the comment.
A task that nobody has judged is a question of the kind that the judged ones have.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from annotation.formats.base import StudyFormat
from annotation.formats.judgements import (
    FaultyTask,
    ForeignJudgement,
    Task,
    check_level,
    check_order,
    form_of,
    member,
    split_text,
    task_reader,
)
from annotation.kinds.foreign_answers import LEVELS, ORDER, PREFERENCE, Form

FORMS: Mapping[str, Form] = {"ranker": ORDER, "pairwise": PREFERENCE, "rating": LEVELS}
TEXT = "textarea"
SIDES = {"left": "a", "right": "b"}


def _task(line: int, value: dict[str, Any], first: Task | None) -> Task:
    data = member(value, "data", dict)
    annotations = member(value, "annotations", list)
    form = _form(annotations) or form_of(first)
    text, others = split_text(data)
    items = _items(data) if form == ORDER else {}
    rated = [one["from_name"] for one in _results(annotations, "rating")]
    scales = {one: one for one in rated} if rated or first is None else dict(first.options)
    options = {ORDER: items, PREFERENCE: others, LEVELS: scales}[form]
    if form == PREFERENCE and len(others) != 2:
        raise FaultyTask("data", "Which two texts were compared is not clear.", "two texts")
    judgements = [
        _judgement(one, f"annotations[{place}]", form, options)
        for place, one in enumerate(annotations)
    ]
    details = "\n\n".join(others.values()) if form == LEVELS else ""
    return Task(
        line, form, str(value.get("id", line)), text or "-", [*options.items()], judgements, details
    )


def _form(annotations: list[Any]) -> Form | None:
    """None where nobody has judged."""
    for place, one in enumerate(annotations):
        for at, result in enumerate(member(one, "result", list, f"annotations[{place}]")):
            where = f"annotations[{place}].result[{at}]"
            named, _ = (member(result, name, str, where) for name in ("type", "from_name"))
            if named in FORMS:
                return FORMS[named]
            if named != TEXT:
                raise _unknown(named, where)
    return None


def _unknown(name: str, where: str) -> FaultyTask:
    expected = ", ".join((*FORMS, TEXT))
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
            if len({key for key, _ in items}) < len(items):
                raise FaultyTask(where, "Two items have the same id.", "each id once")
            return {
                key: ". ".join(str(one[part]) for part in ("title", "body") if one.get(part)) or key
                for key, one in items
            }
    raise FaultyTask("data", "There is no list of items to rank.", "a list of objects with ids")


def _judgement(
    one: dict[str, Any], where: str, form: Form, options: dict[str, str]
) -> ForeignJudgement:
    who = one.get("completed_by")
    who = who.get("id") if isinstance(who, dict) else who
    if type(who) is not int:
        raise FaultyTask(f"{where}.completed_by", "Who judged is not known.", "a number")
    is_skipped = one.get("was_cancelled") is True
    judged = [] if is_skipped else one["result"]
    value = _value(judged, where, form, options)
    if value is None and not is_skipped:
        raise FaultyTask(f"{where}.result", "This annotation has no judgement.", ", ".join(FORMS))
    comment = _comment(one["result"], where)
    seconds = one.get("lead_time")
    return ForeignJudgement(
        expert=f"annotator-{who}",
        value=value,
        at=one.get("created_at"),
        seconds=seconds if isinstance(seconds, int | float) and 0 <= seconds < 1e9 else 0,
        comment=comment,
    )


def _value(results: list[Any], where: str, form: Form, options: dict[str, str]) -> Any:
    """Of the one control of its form, or of the ratings; None where there is none."""
    value: Any = None
    for at, result in enumerate(results):
        place = f"{where}.result[{at}]"
        if result["type"] == TEXT:
            continue
        if FORMS.get(result["type"]) != form:
            _refuse_type(result["type"], place)
        one = _read_control(result, form, f"{place}.value", options)
        if value is not None and (form != LEVELS or one.keys() & value.keys()):
            raise FaultyTask(place, "This control is repeated.", "each control once")
        value = one if value is None else {**value, **one}
    return value


def _read_control(result: Any, form: Form, place: str, options: dict[str, str]) -> Any:
    given = member(result, "value", dict, place.removesuffix(".value"))
    if form == LEVELS:
        return {result["from_name"]: check_level(given.get("rating"), f"{place}.rating")}
    if form == PREFERENCE:
        return SIDES.get(member(given, "selected", str, place))
    return _ranking(member(given, "ranker", dict, place), f"{place}.ranker", options)


def _refuse_type(name: str, place: str) -> NoReturn:
    if name not in FORMS:
        raise _unknown(name, place)
    message = "This task is judged in two ways."
    raise FaultyTask(f"{place}.type", message, "rankings, pairs or ratings alone")


def _comment(results: list[Any], where: str) -> str:
    texts: list[str] = []
    for at, result in enumerate(results):
        if result["type"] == TEXT:
            place = f"{where}.result[{at}]"
            given = member(result, "value", dict, place)
            listed = member(given, "text", list, f"{place}.value")
            texts += [one for one in listed if isinstance(one, str)]
    return "\n".join(texts)


def _ranking(columns: dict[str, Any], place: str, options: dict[str, str]) -> list[list[str]]:
    if len(columns) != 1:
        raise FaultyTask(place, "Buckets have no counterpart here.", "one list of all items")
    [order] = columns.values()
    groups = [[str(one)] for one in order] if isinstance(order, list) else []
    check_order(groups, options, place)
    return groups


read_label_studio = task_reader("Label Studio", _task)
FORMAT = StudyFormat(
    name="label_studio",
    title="Label Studio",
    description="The JSON export of Label Studio with rankings, pairs or ratings.",
    media_type="application/json",
    extension="json",
    read=read_label_studio,
)
