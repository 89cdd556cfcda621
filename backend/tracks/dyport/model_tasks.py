"""Yes, no or maybe: whether two entities will be linked, with and without their definitions.

Yes is the score 1, no 0, maybe 0.5. A text that states both yes and no contradicts itself and
predicts nothing; a run counts such answers by their code. "No information" and "no doubt" are no
answers.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from backend.tracks.dyport.rows import LinkItem, ScorePrediction
from backend.tracks.label_texts import fold_label
from backend.tracks.model_answers import is_refusal
from backend.tracks.model_tasks import (
    CONTRADICTION,
    ContextKind,
    Message,
    ModelTask,
    OutputFault,
    Passage,
    TaskContext,
    TaskOutput,
    load_prompt,
    object_schema,
)
from backend.tracks.prompt_text import cut_text, data_block, data_lines
from backend.validation.faults import printable

FOLDER = Path(__file__).parent
SCORES = {"yes": 1.0, "no": 0.0, "maybe": 0.5}
DEFINITION_CHARACTERS = 1_000
WORDS = re.compile(r"[^\W\d_]+")
LONGEST_PLAIN = 12  # words: a longer text may deny what it names
# A text begins with the word or has it behind "answer". Behind "no" is no word that it belongs to.
STATED = re.compile(
    r"(?:^|\banswer(?:\s+is)?)[\W_]*(?:yes|maybe|no(?![-'\u2019]\w|[ \t_*]*\w))\b", re.IGNORECASE
)
SCHEMA = object_schema({"answer": {"type": "string", "enum": [*SCORES]}})


class AnswerOutput(TaskOutput):
    answer: Annotated[str, Field(description="yes, no or maybe")]


class LinkTask(ModelTask[LinkItem, AnswerOutput, ScorePrediction]):
    track = "dyport"
    output_schema = AnswerOutput
    max_tokens = 32

    def messages(self, item: LinkItem, context: TaskContext) -> Sequence[Message]:
        pair = {
            "first": {"name": item.subject_name or item.subject, "type": item.subject_type},
            "second": {"name": item.object_name or item.object, "type": item.object_type},
        }
        definitions = data_lines(map(describe_entity, context.definitions))
        return self.prompt.fill(pair=data_block(pair), definitions=definitions)

    def predict(
        self, item: LinkItem, output: AnswerOutput, context: TaskContext
    ) -> ScorePrediction:
        named = find_answers(output.answer)
        if {"yes", "no"} <= named:
            raise OutputFault("The answer states both yes and no.", CONTRADICTION)
        if not named or not STATED.search(output.answer):
            message = f"“{printable(output.answer)}” is neither yes, no nor maybe."
            raise OutputFault(message, "unknown_label")
        return ScorePrediction(item.id, SCORES["maybe" if "maybe" in named else named.pop()])

    def read_plain_text(
        self, item: LinkItem, text: str, context: TaskContext
    ) -> AnswerOutput | None:
        if len(text.split()) > LONGEST_PLAIN or is_refusal(text):
            return None
        return AnswerOutput(answer=text)

    def has_longer_texts(self, context: TaskContext) -> bool:
        return any(len(one.text) > DEFINITION_CHARACTERS for one in context.definitions)

    def schema_for(self, item: LinkItem, context: TaskContext) -> dict[str, Any]:
        return SCHEMA


def find_answers(text: str) -> set[str]:
    """Those of the three words that a text has."""
    return {fold_label(word) for word in WORDS.findall(text)} & {*SCORES}


def describe_entity(definition: Passage) -> dict[str, str]:
    return {"name": definition.title, "text": cut_text(definition.text, DEFINITION_CHARACTERS)}


class FromKnowledge(LinkTask):
    name = "dyport-parametric"
    title = "What the model knows"
    prompt = load_prompt(FOLDER, "dyport-parametric")


class WithDefinitions(LinkTask):
    name = "dyport-definitions"
    title = "With the definitions of both entities"
    needs = frozenset({ContextKind.DEFINITIONS})
    prompt = load_prompt(FOLDER, "dyport-definitions")


MODEL_TASKS = [FromKnowledge(), WithDefinitions()]
