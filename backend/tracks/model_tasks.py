"""A model task: the request to a language model about an item, and what its answer predicts.

A track with tasks has a module `model_tasks` beside `track` that defines MODEL_TASKS: of one
request for each item (ModelTask), or of several that depend on each other (StepwiseTask). Tasks
import neither Django nor Celery, make no request and read no graph: the run looks up what a task
`needs`, within the cut-off and the masked graph of the release, and passes it as a TaskContext.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

Item = TypeVar("Item")
Output = TypeVar("Output", bound=BaseModel)
Prediction = TypeVar("Prediction")
HEAD_FIELDS = ("version", "intent", "source", "output")
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


class ContextKind(StrEnum):
    """What a run looks up for each item before the request."""

    LINK_CHAINS = "link_chains"
    PAPERS = "papers"
    CANDIDATES = "candidates"
    GRAPH_SCHEMA = "graph_schema"
    WALKED_GRAPH = "walked_graph"
    DEFINITIONS = "definitions"


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A paper or a document. id: PMID, `SYN:n`, or identifier of the entity."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class CandidateText:
    """An entity that the answer may name, with what the model may read about it."""

    id: str
    name: str
    type: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TaskContext:
    """Of one item; empty where the task does not need it. Texts are of unknown origin: a task
    marks them as data in its prompt and believes nothing that they order.

    link_chains: paths of the graph between the item's entities, a sentence each.
    """

    link_chains: Sequence[str] = ()
    papers: Sequence[Passage] = ()
    candidates: Sequence[CandidateText] = ()
    graph_schema: str = ""
    definitions: Sequence[Passage] = ()


NO_CONTEXT = TaskContext()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A versioned file of our own wording: `prompts/<name>.md` in the folder of the track.

    The file begins with lines `version:`, `intent:`, `source:` (paper and section) and `output:`
    (what the answer is) up to a line `---`; `## system` and `## user` follow, with
    `{placeholders}`. A change of any of these raises the version.
    """

    name: str
    version: str
    intent: str
    source: str
    output: str
    system: str
    user: str

    def fill(self, **values: str) -> tuple[Message, Message]:
        """Both messages. A placeholder inside a value stays as it is. Raises KeyError."""

        def replace(text: str) -> str:
            return PLACEHOLDER.sub(lambda match: values[match[1]], text)

        return Message("system", replace(self.system)), Message("user", replace(self.user))


CONTRADICTION = "contradiction"  # code of an answer that states two predictions at once


class OutputFault(ValueError):
    """The model's answer predicts nothing; the message is a sentence with the reason.

    code: a stable word for counts, `unknown_label`.
    """

    def __init__(self, message: str, code: str = "does_not_fit") -> None:
        super().__init__(message)
        self.code = code


def object_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with all of these properties and no other."""
    return {
        "type": "object",
        "properties": {**properties},
        "required": [*properties],
        "additionalProperties": False,
    }


class TaskOutput(BaseModel):
    """The object that a model answers with. Fields that it adds are ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", json_schema_extra={"additionalProperties": False}
    )


class TrackTask(ABC, Generic[Item]):
    """What language models do with the items of a track.

    name: track and setting, `truthhypo-parametric`. prompt: of its first request.
    """

    name: ClassVar[str]
    track: ClassVar[str]
    title: ClassVar[str]
    needs: ClassVar[frozenset[ContextKind]] = frozenset()
    prompt: ClassVar[Prompt]

    @property
    @abstractmethod
    def requests(self) -> Sequence["AnyModelTask"]:
        """The task of each kind of request."""

    @property
    def prompt_version(self) -> str:
        """Of all its prompts; another one cannot resume a run."""
        return ".".join(one.prompt.version for one in self.requests)

    def covers(self, item: Item) -> bool:
        """Whether the item is one of those that the task is about; a run leaves out the others."""
        return True


class StepwiseTask(TrackTask[Item]):
    """Several requests for each item, of which the later ones depend on answers to earlier ones."""

    steps: ClassVar[Sequence["AnyModelTask"]]

    @property
    def requests(self) -> Sequence["AnyModelTask"]:
        return self.steps

    @abstractmethod
    def predict(self, item: Item, state: Any) -> object:
        """The prediction of a state that no request follows."""


class ModelTask(TrackTask[Item], Generic[Item, Output, Prediction]):
    """One request for each item.

    output_schema: of the JSON object that the model answers with; its descriptions are part of the
    prompt. max_tokens: of the answer. How the text of an answer becomes a prediction:
    `model_answers.read_answer`. longest_text, most_listed: characters of a text in it and elements
    of a list, which `model_answers.bounded_schema` states.
    """

    output_schema: type[Output]
    max_tokens: ClassVar[int] = 256
    longest_text: ClassVar[int] = 400
    most_listed: ClassVar[int | None] = None

    @property
    def requests(self) -> Sequence["AnyModelTask"]:
        return (self,)

    @abstractmethod
    def messages(self, item: Item, context: TaskContext) -> Sequence[Message]:
        """Of the request. Equal arguments give equal messages."""

    @abstractmethod
    def predict(self, item: Item, output: Output, context: TaskContext) -> Prediction:
        """Raises OutputFault."""

    def has_longer_texts(self, context: TaskContext) -> bool:
        """Whether a text of the context is longer than what the messages have of it."""
        return False

    def read_plain_text(self, item: Item, text: str, context: TaskContext) -> Output | None:
        """The answer of a model that wrote no JSON, where the words leave one reading alone."""
        return None

    def schema_for(self, item: Item, context: TaskContext) -> dict[str, Any]:
        """JSON Schema of the answer to this item: labels and identifiers as an enumeration."""
        return self._schema

    @cached_property
    def _schema(self) -> dict[str, Any]:
        return self.output_schema.model_json_schema()


AnyModelTask = ModelTask[Any, Any, Any]
AnyTrackTask = AnyModelTask | StepwiseTask[Any]


def load_prompt(folder: Path, name: str) -> Prompt:
    """Raises ValueError where a part is missing."""
    text = (folder / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    head, _, body = text.partition("\n---\n")
    fields = dict(line.split(":", 1) for line in head.splitlines() if ":" in line)
    try:
        version, intent, source, output = (fields[key].strip() for key in HEAD_FIELDS)
        system, user = body.split("## system\n", 1)[1].split("\n## user\n", 1)
    except (KeyError, IndexError, ValueError) as error:
        raise ValueError(f"the prompt {name} lacks a part: {error}") from error
    return Prompt(name, version, intent, source, output, system.strip(), user.strip())
