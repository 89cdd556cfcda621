"""From the text of a language model to the prediction of a task."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal

from pydantic import BaseModel, ValidationError

from backend.tracks.model_tasks import (
    CONTRADICTION,
    AnyModelTask,
    Item,
    ModelTask,
    Output,
    OutputFault,
    Prediction,
    TaskContext,
)
from backend.validation.faults import printable
from backend.validation.model_output import (
    FoundObject,
    Object,
    OutputUnreadable,
    Reading,
    read_objects,
    strip_thinking,
)

MOST_NESTED = 3
MOST_LISTED = 50
LONGEST_REFUSAL = 600
REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) sorry|i apologi[sz]e|(?:i|we) (?:can(?:no|')t|am unable|'m unable|won't"
    r"|do not have enough|don't have enough|do not know|don't know)|as an ai\b|unable to (?:answer"
    r"|provide|assist|help)|cannot (?:answer|assist|comply|help|provide))",
    re.IGNORECASE,
)
AnswerReading = Reading | Literal["plain_text"]


@dataclass(frozen=True, slots=True)
class ModelAnswer(Generic[Output, Prediction]):
    """reading: how the object was found in the text."""

    output: Output
    prediction: Prediction
    reading: AnswerReading


def read_answer(
    task: ModelTask[Item, Output, Prediction], item: Item, text: str, context: TaskContext
) -> ModelAnswer[Output, Prediction]:
    """Objects that fit the schema first, then plain text. Raises OutputFault.

    Several objects count only if all predict the same: which of them was meant is not known.
    """
    try:
        objects = read_objects(text)
    except OutputUnreadable as error:
        has_words = error.code in ("no_object", "broken_object")
        answer = _read_plain(task, item, text, context) if has_words else None
        if answer is None:
            raise _name_refusal(text, OutputFault(str(error), error.code)) from error
        return answer
    answers, faults = _predict_each(task, item, objects, context)
    if answers and all(one.prediction == answers[0].prediction for one in answers):
        return answers[0]
    if answers:
        raise OutputFault("The answer has several objects that differ.", "several_answers")
    answer = _read_plain(task, item, text, context)
    if answer is None:
        raise faults[-1]
    return answer


def _predict_each(
    task: ModelTask[Item, Output, Prediction],
    item: Item,
    objects: tuple[FoundObject, ...],
    context: TaskContext,
) -> tuple[list[ModelAnswer[Output, Prediction]], list[OutputFault]]:
    """What fits, and the faults of the objects where nothing fits."""
    answers: list[ModelAnswer[Output, Prediction]] = []
    faults: list[OutputFault] = []
    for one in objects:
        try:
            output = fit_output(task.output_schema, one.value)
            prediction = task.predict(item, output, context)
        except OutputFault as fault:
            faults.append(fault)
        else:
            answers.append(ModelAnswer(output, prediction, one.reading))
    return answers, faults


def _read_plain(
    task: ModelTask[Item, Output, Prediction], item: Item, text: str, context: TaskContext
) -> ModelAnswer[Output, Prediction] | None:
    """Raises OutputFault for a contradiction; any other fault of a plain text is no reading."""
    try:
        output = task.read_plain_text(item, strip_thinking(text), context)
        if output is None:
            return None
        return ModelAnswer(output, task.predict(item, output, context), "plain_text")
    except OutputUnreadable:
        return None
    except OutputFault as fault:
        if fault.code == CONTRADICTION:
            raise
        return None


def _name_refusal(text: str, fault: OutputFault) -> OutputFault:
    if is_refusal(text):
        return OutputFault("The model refused to answer.", "refusal")
    return fault


def is_refusal(text: str) -> bool:
    is_short = len(text) <= LONGEST_REFUSAL
    return is_short and REFUSAL.search(text.replace("\u2019", "'")) is not None


def fit_output(schema: type[Output], value: Object) -> Output:
    """The object, or the one inside it that fits: models wrap answers in `answer`, `arguments`.

    Names of fields may differ in case and separators. Raises OutputFault.
    """
    first_fault = ""
    for one in _nested_objects(value):
        try:
            return schema.model_validate(_rename_fields(schema, one))
        except ValidationError as error:
            first_fault = first_fault or _describe(error)
    raise OutputFault(first_fault)


def _nested_objects(value: Object) -> Iterator[Object]:
    """The object, then those in its fields, level by level."""
    level: list[Object] = [value]
    for _ in range(MOST_NESTED):
        yield from level
        level = [inner for one in level for inner in one.values() if isinstance(inner, dict)]


def _rename_fields(schema: type[BaseModel], value: Object) -> Object:
    """An exact name comes before one that is written otherwise."""
    names = {_fold(name): name for name in schema.model_fields}
    renamed = {names[key]: one for name, one in value.items() if (key := _fold(name)) in names}
    return {**renamed, **{name: value[name] for name in schema.model_fields if name in value}}


def _fold(name: str) -> str:
    return "".join(one for one in name.casefold() if one.isalnum())


def _describe(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(map(str, first["loc"])) or "object"
    return f"The field {printable(field)} does not fit: {printable(first['msg'], 120)}."


def bounded_schema(task: AnyModelTask, item: object, context: TaskContext) -> dict[str, Any]:
    """The schema with bounds of texts and lists, for endpoints that observe them (llama.cpp does).

    Small models repeat themselves inside a text or a list until the answer is cut off. Some
    endpoints refuse a schema with bounds, so `schema_for` has none.
    """
    bounded: dict[str, Any] = bound_field(task.schema_for(item, context), task)
    return bounded


def bound_field(field: dict[str, Any], task: AnyModelTask) -> dict[str, Any]:
    if field["type"] == "object":
        fields = {name: bound_field(one, task) for name, one in field["properties"].items()}
        return {**field, "properties": fields}
    if field["type"] == "array":
        most = len(field["items"].get("enum", ())) or MOST_LISTED
        bounded = {**field, "items": bound_field(field["items"], task)}
        return {**bounded, "maxItems": min(most, task.most_listed or most)}
    if field["type"] == "string" and "enum" not in field:
        return {**field, "maxLength": task.longest_text}
    return field
