"""The request to a language model for hypotheses about a background (TruthHypo, section 5).

It ends in hypotheses with rationales, not in predictions of a track.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from backend.tracks.model_tasks import (
    Message,
    ModelTask,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
    object_schema,
)
from backend.tracks.prompt_text import data_block
from backend.validation.json_files import UNSTORABLE

LEAST_HYPOTHESES, MOST_HYPOTHESES = 2, 20
LONGEST_HYPOTHESIS, LONGEST_RATIONALE = 2_000, 10_000  # characters, as studies of pairs take them


@dataclass(frozen=True, slots=True)
class Background:
    """count: of the hypotheses to propose."""

    question: str
    background: str
    count: int


@dataclass(frozen=True, slots=True)
class Proposal:
    hypothesis: str
    rationale: str


class StatedHypothesis(TaskOutput):
    rationale: Annotated[str, Field(min_length=1, max_length=LONGEST_RATIONALE)]
    hypothesis: Annotated[str, Field(min_length=1, max_length=LONGEST_HYPOTHESIS)]


class HypothesesOutput(TaskOutput):
    hypotheses: list[StatedHypothesis]


TEXT = {"type": "string"}
STATED_SCHEMA = object_schema({"rationale": TEXT, "hypothesis": TEXT})
SCHEMA = object_schema({"hypotheses": {"type": "array", "items": STATED_SCHEMA}})


class HypothesesTask(ModelTask[Background, HypothesesOutput, tuple[Proposal, ...]]):
    name = "hypothesis-proposals"
    track = ""
    title = "Hypotheses about a background"
    output_schema = HypothesesOutput
    prompt = load_prompt(Path(__file__).parent, "hypothesis-proposals")
    max_tokens = 4_096
    longest_text = 2_000

    def messages(self, item: Background, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(
            question=data_block(item.question),
            background=data_block(item.background),
            count=str(item.count),
        )

    def predict(
        self, item: Background, output: HypothesesOutput, context: TaskContext
    ) -> tuple[Proposal, ...]:
        """The first ones that differ. Fewer than requested are a fault: experts would compare
        hypotheses that were drawn in another way."""
        stated: dict[str, Proposal] = {}
        for one in output.hypotheses:
            hypothesis, rationale = one.hypothesis.strip(), one.rationale.strip()
            if unstorable := UNSTORABLE.search(hypothesis + rationale):
                message = f"A hypothesis has the character {unstorable[0]!r}, which is none."
                raise OutputFault(message, "bad_character")
            if hypothesis and rationale:
                stated.setdefault(hypothesis.casefold(), Proposal(hypothesis, rationale))
        if len(stated) < item.count:
            message = f"The answer has {len(stated)} of {item.count} different hypotheses."
            raise OutputFault(message, "missing_hypotheses")
        return (*stated.values(),)[: item.count]

    def schema_for(self, item: Background, context: TaskContext) -> dict[str, Any]:
        return SCHEMA


HYPOTHESES_TASK = HypothesesTask()
