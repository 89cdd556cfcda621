"""The ranking questions that visitors can try without an account. Nothing is stored."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, Field, PlainValidator

from annotation.kinds import items
from annotation.kinds.base import PracticeExample
from annotation.kinds.ranking.schema import Ranking, prior_ranking
from backend.benchmarks.questionnaire import (
    MAX_ID,
    MAX_TEXT_LENGTH,
    QuestionnaireCandidate,
    QuestionnaireResource,
)
from backend.validation.faults import FaultList
from backend.validation.json_files import (
    MISSING,
    FileModel,
    JsonObject,
    describe_value,
    integer_field,
    link_field,
    list_field,
    parse_json_file,
    text_field,
    validate,
    value_error,
)

PRACTICE_FILE = settings.ROOT / "fixtures" / "practice.json"
MAX_ITEMS = 20
Text = Annotated[str, text_field(MAX_TEXT_LENGTH)]


def number_field(least: float, most: float) -> PlainValidator:
    def check(value: object) -> float:
        if isinstance(value, float | int) and least <= value <= most:
            return float(value)
        raise value_error(f"{describe_value(value)} is no number from {least:g} to {most:g}.")

    return PlainValidator(check)


class CandidateRns(FileModel):
    relevance: Annotated[float, number_field(-1, 0)]
    novelty: Annotated[float, number_field(0, 1)]
    surprise: Annotated[float, number_field(0, 1)]


class PracticeRns(BaseModel):
    """RNS of the candidate alone against all others, in the demo graph."""

    relevance: float
    novelty: float
    surprise: float


class PracticeCandidate(BaseModel):
    id: str
    name: str
    link: str
    prior_rank: int
    hint: str
    rns: PracticeRns


class PracticeItem(items.Item):
    candidates: list[PracticeCandidate]
    prior: Ranking


class PracticeSource(FileModel):
    claim: Text
    source: Text
    url: Annotated[str, link_field(MAX_TEXT_LENGTH)]


@dataclass(frozen=True)
class PracticeTask:
    """published: the id of the candidate that the literature describes as the surprise."""

    item: PracticeItem
    published: str
    explanation: str
    sources: tuple[PracticeSource, ...]


class HintedCandidate(QuestionnaireCandidate):
    hint: Text
    entity_id: Text
    rns: CandidateRns


class PracticeTopic(FileModel):
    name: Text = Field(alias="entity_name")
    entity_id: Text


class PracticeModel(FileModel):
    """A question in the shape of the questionnaires, with hints, RNS, explanation and sources."""

    qid: Annotated[int, integer_field(0, MAX_ID)]
    text: Text
    category: Annotated[str, text_field(MAX_TEXT_LENGTH, empty=True)]
    candidates: Annotated[tuple[HintedCandidate, ...], list_field(2, MAX_ITEMS, "candidates")] = (
        Field(alias="llm_ranking")
    )
    resources: Annotated[
        tuple[QuestionnaireResource, ...], list_field(0, MAX_ITEMS, "resources")
    ] = Field(alias="resource")
    topic: PracticeTopic
    published: Text
    explanation: Text
    sources: Annotated[tuple[PracticeSource, ...], list_field(1, MAX_ITEMS, "sources")]

    def published_candidate(self) -> HintedCandidate:
        [candidate] = [one for one in self.candidates if one.name == self.published]
        return candidate


class PracticeFile(FileModel):
    questions: Annotated[tuple[PracticeModel, ...], list_field(1, MAX_ITEMS, "questions")]


@cache
def practice_questions() -> tuple[PracticeModel, ...]:
    return parse_practice(PRACTICE_FILE.read_bytes())


@cache
def practice_tasks() -> tuple[PracticeTask, ...]:
    return tuple(build_task(number, one) for number, one in enumerate(practice_questions(), 1))


def practice_examples() -> list[PracticeExample]:
    return [
        PracticeExample(
            text=question.text,
            candidates=tuple((one.name, one.hint) for one in question.candidates),
            answer=(question.published, question.published_candidate().entity_id),
            topic=(question.topic.name, question.topic.entity_id),
        )
        for question in practice_questions()
    ]


def parse_practice(content: bytes) -> tuple[PracticeModel, ...]:
    faults = FaultList()
    root = parse_json_file(PRACTICE_FILE.name, content, faults)
    model = None
    if root is not MISSING:
        model = validate(
            PracticeFile, JsonObject([("questions", root)]), PRACTICE_FILE.name, faults
        )
    if model is None:
        details = "; ".join(f"{fault.place}: {fault.message}" for fault in faults.listed)
        raise ImproperlyConfigured(f"The practice questions cannot be used. {details}")
    return model.questions


def build_task(number: int, model: PracticeModel) -> PracticeTask:
    candidates = [
        PracticeCandidate(
            id=f"practice-{model.qid}-{place}",
            name=one.name,
            link=one.link,
            prior_rank=one.rank,
            hint=one.hint,
            rns=PracticeRns(**one.rns.model_dump()),
        )
        for place, one in enumerate(model.candidates, 1)
    ]
    item = PracticeItem(
        id=f"practice-{model.qid}",
        file_id=str(model.qid),
        number=number,
        text=model.text,
        category=model.category,
        resources=[items.Resource(name=one.name, link=one.link) for one in model.resources],
        candidates=candidates,
        prior=prior_ranking(candidates),
    )
    published = next(one.id for one in candidates if one.name == model.published)
    return PracticeTask(item, published, model.explanation, model.sources)
