"""The requests to language models that write queries of a knowledge base (STaRK, section 2.4).

They end in queries with answers, not in predictions of a track. What they return is checked for
its form alone: whether a query names its answer is decided by who knows the graph.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field

from backend.tracks.model_tasks import (
    AnyModelTask,
    Message,
    ModelTask,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
    object_schema,
)
from backend.tracks.prompt_text import cut_text, data_block, data_lines
from backend.tracks.synthesis_roles import ROLES
from backend.validation.json_files import UNSTORABLE

FOLDER = Path(__file__).parent
MOST_PROPERTIES = 5  # of a kind
LONGEST_PROPERTY, LONGEST_QUERY = 300, 2_000
MOST_SENTENCES, LONGEST_SENTENCE = 60, 600  # of documents, that models read
TEXT = {"type": "string"}
ShortText = Annotated[str, Field(min_length=1, max_length=LONGEST_PROPERTY)]


@dataclass(frozen=True, slots=True)
class DocumentedAnswer:
    """names: what it is called. sentences: of its documents; the id of the first is S1. role: a
    key of ROLES."""

    type: str
    names: Sequence[str]
    sentences: Sequence[str]
    role: str
    hard: int
    soft: int


@dataclass(frozen=True, slots=True)
class Property:
    """sentence: place of its source, from 0."""

    text: str
    is_hard: bool
    sentence: int


class StatedProperty(TaskOutput):
    sentence: ShortText
    kind: Literal["hard", "soft"]
    text: ShortText


class PropertiesOutput(TaskOutput):
    properties: list[StatedProperty]


class PropertiesTask(ModelTask[DocumentedAnswer, PropertiesOutput, tuple[Property, ...]]):
    name = "synthesis-properties"
    track = ""
    title = "Properties of an answer"
    output_schema = PropertiesOutput
    prompt = load_prompt(FOLDER, "synthesis-properties")
    max_tokens = 1_024

    def messages(self, item: DocumentedAnswer, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(
            type=data_block(item.type),
            names=data_lines(item.names),
            sentences=data_lines(with_ids("S", item.sentences)),
            role=item.role,
            interests=ROLES[item.role].interests,
            hard=str(item.hard),
            soft=str(item.soft),
        )

    def predict(
        self, item: DocumentedAnswer, output: PropertiesOutput, context: TaskContext
    ) -> tuple[Property, ...]:
        """As many of each kind as were requested, of known sentences. Raises OutputFault where no
        hard one is left."""
        places = {f"S{place + 1}": place for place in range(len(item.sentences))}
        known = [
            Property(one.text.strip(), one.kind == "hard", places[one.sentence.strip()])
            for one in output.properties
            if one.sentence.strip() in places and one.text.strip()
        ]
        require_storable(one.text for one in known)
        hard = [one for one in known if one.is_hard][: item.hard]
        if not hard:
            raise OutputFault("The answer has no hard property of a sentence.", "no_property")
        return (*hard, *[one for one in known if not one.is_hard][: item.soft])

    def schema_for(self, item: DocumentedAnswer, context: TaskContext) -> dict[str, Any]:
        ids = [f"S{place + 1}" for place in range(len(item.sentences))]
        stated = object_schema(
            {
                "sentence": {"type": "string", "enum": ids},
                "kind": {"type": "string", "enum": ["hard", "soft"]},
                "text": TEXT,
            }
        )
        return object_schema({"properties": {"type": "array", "items": stated}})


@dataclass(frozen=True, slots=True)
class QueryMaterial:
    """relation: a question about the link. entities: names in it. hard, soft: by id, in order."""

    type: str
    role: str
    relation: str
    entities: Sequence[str]
    hard: Mapping[str, str]
    soft: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class QueryToRewrite:
    material: QueryMaterial
    query: str


@dataclass(frozen=True, slots=True)
class WrittenQuery:
    """words: of the query, by the requirement that they state, as the model claims."""

    query: str
    words: Mapping[str, str]


class UsedRequirement(TaskOutput):
    requirement: ShortText
    words: Annotated[str, Field(max_length=LONGEST_QUERY)]


class WritingOutput(TaskOutput):
    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)]
    used: list[UsedRequirement] = []


USED_SCHEMA = object_schema({"requirement": TEXT, "words": TEXT})
QUERY_SCHEMA = object_schema({"query": TEXT, "used": {"type": "array", "items": USED_SCHEMA}})
Written = TypeVar("Written")


class WritingTask(ModelTask[Written, WritingOutput, WrittenQuery], Generic[Written]):
    track = ""
    output_schema = WritingOutput
    max_tokens = 1_024

    def predict(self, item: Written, output: WritingOutput, context: TaskContext) -> WrittenQuery:
        query = output.query.strip()
        words = {one.requirement.strip(): one.words.strip() for one in output.used}
        require_storable([query, *words, *words.values()])
        if not query:
            raise OutputFault("The query is empty.", "no_query")
        return WrittenQuery(query, words)

    def schema_for(self, item: Written, context: TaskContext) -> dict[str, Any]:
        return QUERY_SCHEMA


def material_values(item: QueryMaterial) -> dict[str, str]:
    return {
        "type": data_block(item.type),
        "role": item.role,
        "voice": ROLES[item.role].voice,
        "relation": data_block(item.relation),
        "entities": data_lines(item.entities),
        "hard": data_lines(requirement_lines(item.hard)),
        "soft": data_lines(requirement_lines(item.soft)),
    }


class QueryTask(WritingTask[QueryMaterial]):
    name = "synthesis-query"
    title = "A query from requirements"
    prompt = load_prompt(FOLDER, "synthesis-query")

    def messages(self, item: QueryMaterial, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(**material_values(item))


class RewritingTask(WritingTask[QueryToRewrite]):
    name = "synthesis-rewriting"
    title = "A query in other words"
    prompt = load_prompt(FOLDER, "synthesis-rewriting")

    def messages(self, item: QueryToRewrite, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(query=data_block(item.query), **material_values(item.material))


@dataclass(frozen=True, slots=True)
class CheckedCandidate:
    """requirements: by id."""

    name: str
    type: str
    sentences: Sequence[str]
    requirements: Mapping[str, str]


class StatedVerdict(TaskOutput):
    requirement: ShortText
    is_met: bool


class VerificationOutput(TaskOutput):
    verdicts: list[StatedVerdict]


class VerificationTask(ModelTask[CheckedCandidate, VerificationOutput, bool]):
    """Whether all requirements are met."""

    name = "synthesis-verification"
    track = ""
    title = "Whether an entity meets the requirements of a query"
    output_schema = VerificationOutput
    prompt = load_prompt(FOLDER, "synthesis-verification")
    max_tokens = 512

    def messages(self, item: CheckedCandidate, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(
            entity=data_block({"name": item.name, "type": item.type}),
            sentences=data_lines(item.sentences),
            requirements=data_lines(requirement_lines(item.requirements)),
        )

    def predict(
        self, item: CheckedCandidate, output: VerificationOutput, context: TaskContext
    ) -> bool:
        """Raises OutputFault where a requirement has no verdict, or two that differ."""
        given: dict[str, set[bool]] = {}
        for one in output.verdicts:
            given.setdefault(one.requirement.strip(), set()).add(one.is_met)
        missing = [one for one in item.requirements if len(given.get(one, ())) != 1]
        if missing:
            raise OutputFault(f"{missing[0]} has no verdict.", "missing_verdict")
        return all(given[one] == {True} for one in item.requirements)

    def schema_for(self, item: CheckedCandidate, context: TaskContext) -> dict[str, Any]:
        stated = object_schema(
            {
                "requirement": {"type": "string", "enum": [*item.requirements]},
                "is_met": {"type": "boolean"},
            }
        )
        return object_schema({"verdicts": {"type": "array", "items": stated}})


def with_ids(prefix: str, texts: Sequence[str]) -> Iterable[Mapping[str, str]]:
    for place, text in enumerate(texts, 1):
        yield {"id": f"{prefix}{place}", "text": text}


def requirement_lines(requirements: Mapping[str, str]) -> Iterable[Mapping[str, str]]:
    for name, text in requirements.items():
        yield {"id": name, "text": text}


def cut_sentences(sentences: Iterable[str]) -> list[str]:
    """The first ones, each up to a space: what models read of documents."""
    texts = (one.strip() for one in sentences)
    return [cut_text(one, LONGEST_SENTENCE) for one in texts if one][:MOST_SENTENCES]


def require_storable(texts: Iterable[str]) -> None:
    for text in texts:
        if unstorable := UNSTORABLE.search(text):
            message = f"The answer has the character {unstorable[0]!r}, which is none."
            raise OutputFault(message, "bad_character")


PROPERTIES_TASK, QUERY_TASK = PropertiesTask(), QueryTask()
REWRITING_TASK, VERIFICATION_TASK = RewritingTask(), VerificationTask()
SYNTHESIS_TASKS: tuple[AnyModelTask, ...] = (
    PROPERTIES_TASK,
    QUERY_TASK,
    REWRITING_TASK,
    VERIFICATION_TASK,
)
