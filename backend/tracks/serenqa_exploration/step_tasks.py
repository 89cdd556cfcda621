"""What a model is requested at each step of a guided exploration, and how its answers are read.

A step is a model task whose item is a StepItem. Names that were not offered are ignored by the
search; an answer without anything that can be read is a fault of the step.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Generic, Literal

from pydantic import BeforeValidator, Field

from backend.tracks.model_tasks import (
    Message,
    ModelTask,
    Output,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
)
from backend.tracks.serenqa_exploration.guided_search import StepAnswer

FOLDER = Path(__file__).parent
LONGEST_TEXT = 4_000
LONGEST_REASON = 600
TRACK = "serenqa-exploration"
SEPARATOR = re.compile(r"[,;\n]")
QUOTES = " \t\r\"'`“”[]*-•."
NOTHING = frozenset({"", "none", "nothing"})
DECISION = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
NAME_FIELDS = ("id", "name", "relation", "node", "target_id", "target")


@dataclass(frozen=True, slots=True)
class StepItem:
    """values: the texts of the prompt's placeholders, each ready for it.

    names: what the answer may choose, with other spellings of each, such as the name of a node.
    """

    values: Mapping[str, str]
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)


def list_names(value: object) -> object:
    """Models write lists as text, numbers for identifiers, and objects for names."""
    if isinstance(value, str):
        return [part for one in SEPARATOR.split(value) if (part := one.strip(QUOTES))]
    return [name_of(one) for one in value] if isinstance(value, list) else value


def name_of(value: object) -> object:
    if type(value) is int:
        return str(value)
    if isinstance(value, dict):
        given = (value[key] for key in NAME_FIELDS if key in value)
        return name_of(next(given, ""))
    return value


def text_of(value: object) -> object:
    return "" if value is None else value


Names = Annotated[list[str], BeforeValidator(list_names)]
Reason = Annotated[
    str, BeforeValidator(text_of), Field(default="", description="One sentence: why.")
]


class RelationNames(TaskOutput):
    reason: Reason
    relations: Annotated[Names, Field(description="Names of relations to follow, the best first.")]


class NodeNames(TaskOutput):
    reason: Reason
    nodes: Annotated[Names, Field(description="Identifiers to visit, the best first.")]


class DescriptionText(TaskOutput):
    description: Annotated[str, Field(description="What the paths mean.")]


class SummaryText(TaskOutput):
    summary: Annotated[str, Field(description="What the paths mean.")]


class Decision(TaskOutput):
    reason: Reason
    go_on: Annotated[
        Literal["yes", "no"],
        BeforeValidator(lambda value: read_decision(value)),
        Field(description="Whether to go on."),
    ]


def read_decision(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.strip(QUOTES).casefold() if isinstance(value, str) else value


class StepTask(ModelTask[StepItem, Output, StepAnswer], Generic[Output]):
    track = TRACK

    def messages(self, item: StepItem, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(**item.values)

    def predict(self, item: StepItem, output: Output, context: TaskContext) -> StepAnswer:
        return self.read_output(item, output)

    @abstractmethod
    def read_output(self, item: StepItem, output: Output) -> StepAnswer: ...

    def schema_for(self, item: StepItem, context: TaskContext) -> dict[str, Any]:
        """Strict endpoints want every field required; what is left out is read all the same."""
        schema = super().schema_for(item, context)
        fields = {
            name: {key: value for key, value in one.items() if key != "default"}
            for name, one in schema["properties"].items()
        }
        return {**schema, "properties": fields, "required": [*fields]}


class ChoiceTask(StepTask[Output]):
    """An answer that names offered relations or nodes. list_field: of the schema."""

    list_field: str

    def schema_for(self, item: StepItem, context: TaskContext) -> dict[str, Any]:
        schema = super().schema_for(item, context)
        if not item.names:
            return schema
        items = {"type": "string", "enum": [*item.names]}
        listed = {**schema["properties"][self.list_field], "items": items}
        return {**schema, "properties": {**schema["properties"], self.list_field: listed}}

    def read_output(self, item: StepItem, output: Output) -> StepAnswer:
        written = getattr(output, self.list_field)
        reason = str(getattr(output, "reason", ""))[:LONGEST_REASON]
        return StepAnswer(chosen=tuple(match_names(item, written)), reason=reason)

    def read_plain_text(self, item: StepItem, text: str, context: TaskContext) -> Output | None:
        """A list of offered names and nothing else, or the word 'none'."""
        written = [one.strip(QUOTES) for one in SEPARATOR.split(text)]
        written = [one for one in written if one.casefold() not in NOTHING]
        if len(match_names(item, written)) < len({*written}):
            return None
        return self.output_schema.model_validate({self.list_field: written})


def match_names(item: StepItem, written: Iterable[str]) -> list[str]:
    """The offered names that were meant, each once; others are left out.

    Exact ones, else by another spelling without regard to case that only one of them has.
    """
    spellings = dict[str, set[str]]()
    for name, others in item.names.items():
        for one in (name, *others):
            spellings.setdefault(one.casefold(), set()).add(name)
    chosen = dict[str, None]()
    for one in written:
        meant = {one} if one in item.names else spellings.get(one.strip(QUOTES).casefold(), set())
        if len(meant) == 1:
            chosen[next(iter(meant))] = None
    return [*chosen]


class RelationChoice(ChoiceTask[RelationNames]):
    name = "serenqa-exploration-relations"
    title = "Relations of an entity"
    output_schema = RelationNames
    prompt = load_prompt(FOLDER, "serenqa-exploration-relations")
    max_tokens = 384
    longest_text = 240
    list_field = "relations"


class NodeChoice(ChoiceTask[NodeNames]):
    name = "serenqa-exploration-nodes"
    title = "Entities of a level"
    output_schema = NodeNames
    prompt = load_prompt(FOLDER, "serenqa-exploration-nodes")
    max_tokens = 1_024
    longest_text = 240
    list_field = "nodes"


class TextTask(StepTask[Output]):
    text_field: str
    max_tokens = 640
    longest_text = 1_400

    def read_output(self, item: StepItem, output: Output) -> StepAnswer:
        text = getattr(output, self.text_field).strip()
        if not text:
            raise OutputFault("The text is empty.", "empty_text")
        return StepAnswer(text=text[:LONGEST_TEXT])

    def read_plain_text(self, item: StepItem, text: str, context: TaskContext) -> Output | None:
        """Any text that is no broken object."""
        if not text.strip() or "{" in text:
            return None
        return self.output_schema.model_validate({self.text_field: text.strip()})


class LevelDescription(TextTask[DescriptionText]):
    name = "serenqa-exploration-description"
    title = "Description of a level"
    output_schema = DescriptionText
    prompt = load_prompt(FOLDER, "serenqa-exploration-description")
    text_field = "description"


class LevelSummary(TextTask[SummaryText]):
    name = "serenqa-exploration-summary"
    title = "Summary of a level"
    output_schema = SummaryText
    prompt = load_prompt(FOLDER, "serenqa-exploration-summary")
    text_field = "summary"


class ContinuationDecision(StepTask[Decision]):
    name = "serenqa-exploration-decision"
    title = "Whether to go on"
    output_schema = Decision
    prompt = load_prompt(FOLDER, "serenqa-exploration-decision")
    max_tokens = 256
    longest_text = 240

    def read_output(self, item: StepItem, output: Decision) -> StepAnswer:
        return StepAnswer(goes_on=output.go_on == "yes", reason=output.reason[:LONGEST_REASON])

    def read_plain_text(self, item: StepItem, text: str, context: TaskContext) -> Decision | None:
        """A text with one of the two words alone."""
        words = {one.casefold() for one in DECISION.findall(text)}
        return Decision.model_validate({"go_on": words.pop()}) if len(words) == 1 else None
