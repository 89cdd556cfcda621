"""The requests to a language model as a judge: scores from 1 to 5, and a choice between two.

They end in judgements, not in predictions of a track.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from backend.tracks.model_tasks import (
    AnyModelTask,
    Message,
    ModelTask,
    TaskContext,
    TaskOutput,
    load_prompt,
    object_schema,
)
from backend.tracks.prompt_text import data_block, data_lines

FOLDER = Path(__file__).parent
Choice = Literal["a_much", "a", "tie", "b", "b_much", "both_bad"]
CHOICES: tuple[Choice, ...] = get_args(Choice)
LOWEST, HIGHEST = 1, 5
PLAIN_SCORE = re.compile(r"^\W*(?:score\W*)?([1-5])(?:\s*/\s*5)?\W*$", re.IGNORECASE | re.MULTILINE)
PLAIN_CHOICE = re.compile(
    rf"^\W*(?:choice\W*)?({'|'.join(CHOICES)})\W*$", re.IGNORECASE | re.MULTILINE
)
Reason = Annotated[str, Field(max_length=4_000)]


@dataclass(frozen=True, slots=True)
class JudgedText:
    """material: facts of the graph, or expected answers, one a line."""

    question: str
    text: str
    material: Sequence[str]


class ScoreOutput(TaskOutput):
    reason: Reason = ""
    score: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]


class ScoreTask(ModelTask[JudgedText, ScoreOutput, ScoreOutput]):
    track = ""
    output_schema = ScoreOutput
    max_tokens = 256
    longest_text = 300

    def messages(self, item: JudgedText, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(
            question=data_block(item.question),
            material=data_lines(item.material),
            text=data_block(item.text),
        )

    def predict(self, item: JudgedText, output: ScoreOutput, context: TaskContext) -> ScoreOutput:
        return output

    def read_plain_text(
        self, item: JudgedText, text: str, context: TaskContext
    ) -> ScoreOutput | None:
        """A line with a score alone, or behind the word."""
        given = {one[1] for one in PLAIN_SCORE.finditer(text)}
        return ScoreOutput(score=int(given.pop())) if len(given) == 1 else None

    def schema_for(self, item: JudgedText, context: TaskContext) -> dict[str, Any]:
        scores = [*range(LOWEST, HIGHEST + 1)]
        return _schema({"score": {"type": "integer", "enum": scores}})


class FaithfulnessTask(ScoreTask):
    name = "judge-faithfulness"
    title = "Faithfulness of a text"
    prompt = load_prompt(FOLDER, "judge-faithfulness")


class ComprehensivenessTask(ScoreTask):
    name = "judge-comprehensiveness"
    title = "Comprehensiveness of a text"
    prompt = load_prompt(FOLDER, "judge-comprehensiveness")


class RelevanceTask(ScoreTask):
    name = "judge-relevance"
    title = "Relevance of a text"
    prompt = load_prompt(FOLDER, "judge-relevance")


@dataclass(frozen=True, slots=True)
class ShownPair:
    """first, second: hypothesis and rationale, as they stand on the left and the right."""

    question: str
    background: str
    first: tuple[str, str]
    second: tuple[str, str]


class ChoiceOutput(TaskOutput):
    reason: Reason = ""
    choice: Choice


class PairTask(ModelTask[ShownPair, ChoiceOutput, ChoiceOutput]):
    name = "judge-pairs"
    track = ""
    title = "The better of two hypotheses"
    output_schema = ChoiceOutput
    prompt = load_prompt(FOLDER, "judge-pairs")
    max_tokens = 256
    longest_text = 300

    def messages(self, item: ShownPair, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(
            question=data_block(item.question),
            background=data_block(item.background),
            first=data_block({"hypothesis": item.first[0], "reasoning": item.first[1]}),
            second=data_block({"hypothesis": item.second[0], "reasoning": item.second[1]}),
        )

    def predict(self, item: ShownPair, output: ChoiceOutput, context: TaskContext) -> ChoiceOutput:
        return output

    def read_plain_text(
        self, item: ShownPair, text: str, context: TaskContext
    ) -> ChoiceOutput | None:
        """A line with a choice alone, or behind the word."""
        given = {one[1].lower() for one in PLAIN_CHOICE.finditer(text)}
        return ChoiceOutput.model_validate({"choice": given.pop()}) if len(given) == 1 else None

    def schema_for(self, item: ShownPair, context: TaskContext) -> dict[str, Any]:
        return _schema({"choice": {"type": "string", "enum": [*CHOICES]}})


def _schema(last: dict[str, Any]) -> dict[str, Any]:
    """The reason comes first: the judgement then follows from it."""
    return object_schema({"reason": {"type": "string"}, **last})


SCORE_TASKS = {
    "faithfulness": FaithfulnessTask(),
    "comprehensiveness": ComprehensivenessTask(),
    "relevance": RelevanceTask(),
}
PAIR_TASK = PairTask()
JUDGE_TASKS: tuple[AnyModelTask, ...] = (*SCORE_TASKS.values(), PAIR_TASK)
