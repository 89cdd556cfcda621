"""BioHopR's two forms: one answer to a question, or all of them."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar, TypeVar

from pydantic import BeforeValidator, Field

from backend.tracks.biohopr.matching import drop_repetitions
from backend.tracks.biohopr.rows import (
    MOST_ANSWERS,
    MULTIPLE,
    SINGLE,
    Form,
    HopItem,
    NamesPrediction,
)
from backend.tracks.label_texts import NEGATION
from backend.tracks.model_tasks import (
    Message,
    ModelTask,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
)
from backend.tracks.prompt_text import data_block

FOLDER = Path(__file__).parent
LONGEST_NAME = 1_000
MOST_WORDS = 12
CONTROLS = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]+")
LIST_MARK = re.compile(r"^\s*(?:[-*•\u2013]|\d{1,4}[.)])\s+")
LEAD = re.compile(r"^(?:the )?(?:final )?answer(?: is)?\s*[:\uff1a]\s*", re.IGNORECASE)
SENTENCE = re.compile(
    r"[.!?:\u3002\uff1f\uff01]\s+\S|[?:\uff1f\uff1a]$|[{}<>\[\]]"
    r"|^(?:i|we|you|my|the|this|that|it|there|here|sorry|sure|as)\b"
    r"|\b(?:i'm|i am|sorry|is|are|was|were|has|have)\b",
    re.IGNORECASE,
)
DECORATION = " \t*_`\"'“”"
NO_NAMES = {"none", "unknown", "n/a", "na", "null", "no answer", "not known", "not sure"}
HopOutput = TypeVar("HopOutput", bound=TaskOutput)


def one_name_as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


class OneName(TaskOutput):
    answer: Annotated[str, Field(description="The name of one entity.")]


class ManyNames(TaskOutput):
    answers: Annotated[
        list[str],
        BeforeValidator(one_name_as_list),
        Field(description="Names of all entities that answer the question, the surest first."),
    ]


class HopTask(ModelTask[HopItem, HopOutput, NamesPrediction]):
    """Covers the questions of its form: their words want one answer, or all."""

    track = "biohopr"
    longest_text = 120
    form: ClassVar[Form]

    def covers(self, item: HopItem) -> bool:
        return item.form == self.form

    def messages(self, item: HopItem, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(question=data_block(item.question))


class SingleAnswer(HopTask[OneName]):
    name = "biohopr-single"
    title = "One answer"
    output_schema = OneName
    prompt = load_prompt(FOLDER, "biohopr-single")
    form = SINGLE
    max_tokens = 128

    def predict(self, item: HopItem, output: OneName, context: TaskContext) -> NamesPrediction:
        return predict_names(item, [output.answer])

    def read_plain_text(self, item: HopItem, text: str, context: TaskContext) -> OneName | None:
        lines = [line for line in text.splitlines() if line.strip()]
        name = read_name(lines[0]) if len(lines) == 1 else ""
        return OneName(answer=name) if name else None


class AllAnswers(HopTask[ManyNames]):
    name = "biohopr-multiple"
    title = "All answers"
    output_schema = ManyNames
    prompt = load_prompt(FOLDER, "biohopr-multiple")
    form = MULTIPLE
    max_tokens = 1_024

    def predict(self, item: HopItem, output: ManyNames, context: TaskContext) -> NamesPrediction:
        return predict_names(item, output.answers)

    def read_plain_text(self, item: HopItem, text: str, context: TaskContext) -> ManyNames | None:
        """A list with a mark at each line. Commas part no names: many names have them."""
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines or not all(LIST_MARK.match(line) for line in lines):
            return None
        names = [read_name(line) for line in lines]
        return ManyNames(answers=names) if all(names) else None


def predict_names(item: HopItem, given: Sequence[str]) -> NamesPrediction:
    """Each name once, without control characters. Raises OutputFault without any."""
    names = [" ".join(CONTROLS.sub(" ", name).split()) for name in given]
    usable = drop_repetitions([name for name in names if is_name(name)])
    if not usable:
        raise OutputFault("The answer names no entity.", "no_names")
    return NamesPrediction(item.question_id, usable[:MOST_ANSWERS])


def is_name(text: str) -> bool:
    folded = text.casefold().strip(" .")
    return 0 < len(text) <= LONGEST_NAME and bool(folded) and folded not in NO_NAMES


def read_name(line: str) -> str:
    """A line that is nothing but a name; empty for a sentence, a refusal or a question."""
    text = LEAD.sub("", LIST_MARK.sub("", line.strip(), count=1)).strip(DECORATION)
    text = text.removesuffix(".").rstrip(DECORATION)
    is_plain = len(text.split()) <= MOST_WORDS and not SENTENCE.search(text)
    is_plain = is_plain and not NEGATION.search(text)
    return text if is_plain and is_name(text) else ""


MODEL_TASKS = [SingleAnswer(), AllAnswers()]
