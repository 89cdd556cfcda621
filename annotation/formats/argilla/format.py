"""Records as Argilla's Python client writes them (`dataset.records.to_json`).

    {"id": "…", "fields": {"prompt": "…", …},
     "responses": {"quality": [{"value": 4, "user_id": "…"}], …}, …}

A ranking question has the names of its options, best first, or objects with `value` and `rank`. A
rating question is a scale of its name. A text question is the comment.
"""

from collections import defaultdict
from typing import Any

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
from annotation.kinds.foreign_answers import LEVELS, ORDER, Form, Options

Ranking = list[list[str]]


def _task(line: int, value: dict[str, Any], first: Task | None) -> Task:
    fields = member(value, "fields", dict)
    by_user: dict[str, dict[str, Any]] = defaultdict(dict)
    responses = member(value, "responses", dict)
    for question in responses:
        for at, one in enumerate(member(responses, question, list, "responses")):
            place = f"responses.{question}[{at}]"
            user = member(one, "user_id", str, place)
            if question in by_user[user]:
                raise FaultyTask(place, "This user has answered already.", "one answer of a user")
            by_user[user][question] = _value(one, place)
    values = [one for answers in by_user.values() for one in answers.values()]
    forms = {
        ORDER if isinstance(one, list) else LEVELS for one in values if not isinstance(one, str)
    }
    forms = forms or {form_of(first)}
    if len(forms) != 1:
        message = "This record has neither rankings alone nor ratings alone."
        raise FaultyTask("responses", message, "answers to ranking or to rating questions")
    [form] = forms
    file_id = str(value.get("id") or line)
    return _build(line, form, file_id, fields, by_user, [] if first is None else first.options)


def _value(one: dict[str, Any], place: str) -> Ranking | int | str:
    value = one.get("value")
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return check_level(value, f"{place}.value")
    if all(isinstance(it, str) for it in value):
        return [[it] for it in value]
    ranks: dict[int, list[str]] = defaultdict(list)
    for it in value:
        ranks[member(it, "rank", int, place)].append(member(it, "value", str, place))
    return [ranks[rank] for rank in sorted(ranks)]


def _build(
    line: int,
    form: Form,
    file_id: str,
    fields: dict[str, Any],
    by_user: dict[str, dict[str, Any]],
    known: Options,
) -> Task:
    """known: of the judged tasks of the file."""
    answers = [item for one in by_user.values() for item in one.items()]
    names = list(dict.fromkeys(name for name, value in answers if not isinstance(value, str)))
    details = ""
    values: dict[str, Any]
    if form == LEVELS:
        text, others = split_text(fields)
        options = [(name, name) for name in names] or [*known]
        details = "\n\n".join(others.values())
        values = {
            user: {name: one[name] for name in names if name in one}
            for user, one in by_user.items()
        }
    else:
        if len(names) > 1:
            raise FaultyTask("responses", "There are several rankings.", "one ranking question")
        values = {user: one.get(names[0]) if names else None for user, one in by_user.items()}
        order = (
            _check_orders(values, f"responses.{names[0]}") if names else [name for name, _ in known]
        )
        text, _ = split_text(fields, order)
        options = [(it, str(fields.get(it) or it)) for it in order]
    judgements = [
        ForeignJudgement(user, values[user] or None, comment=_comment(one))
        for user, one in by_user.items()
    ]
    return Task(line, form, file_id, text or "-", options, judgements, details)


def _check_orders(rankings: dict[str, Any], place: str) -> list[str]:
    """The names of what every expert has put in order."""
    first = next(one for one in rankings.values() if one is not None)
    names = sorted(name for group in first for name in group)
    for one in rankings.values():
        if one is not None:
            check_order(one, dict.fromkeys(names), place)
    return names


def _comment(answers: dict[str, Any]) -> str:
    return "\n".join(one for one in answers.values() if isinstance(one, str))


read_argilla = task_reader("Argilla", _task)
FORMAT = StudyFormat(
    name="argilla",
    title="Argilla",
    description="Records of Argilla's client, as JSON, with rankings or ratings.",
    media_type="application/json",
    extension="json",
    read=read_argilla,
)
