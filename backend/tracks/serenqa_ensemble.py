"""SerenQA's ensemble (section 4.2): models score the candidates of a question, the top b are A_s.

Scores are from 0 to 20, distinct within a question and model. The ensemble's score is the mean over
the models; b = max(1, floor(0.2 n)). Equal means rank by the candidates' places in the question.
One request has one question with all its candidates, and is no model task of a track: it ends in
scores, which are stored by model and version of the prompt, not in a file of predictions.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from backend.runtime.normal_form import normalize
from backend.science.rns.splits import serendipity_size
from backend.tracks.model_tasks import (
    CandidateText,
    ContextKind,
    Message,
    ModelTask,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
)
from backend.tracks.prompt_text import cut_text, data_block, data_lines

LOWEST, HIGHEST = 0, 20
MOST_CANDIDATES = 200
TEXT_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class EnsembleQuestion:
    question_id: str
    question: str


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """scores: by identifier of the candidate, in the order of the question."""

    question_id: str
    scores: Mapping[str, float]


def number_or_text(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticCustomError("not_a_number", "This is no number")
    return value


Score = Annotated[float, BeforeValidator(number_or_text), Field(allow_inf_nan=False)]


class ScoresOutput(TaskOutput):
    """scores: by key of the candidate, or as many numbers as there are candidates, in order."""

    scores: dict[str, Score] | list[Score]


class EnsembleTask(ModelTask[EnsembleQuestion, ScoresOutput, CandidateScores]):
    """The context has all candidates of the question, at most MOST_CANDIDATES."""

    name = "serenqa-ensemble"
    track = ""
    title = "Serendipity scores"
    needs = frozenset({ContextKind.CANDIDATES})
    output_schema = ScoresOutput
    prompt = load_prompt(Path(__file__).parent, "serenqa-ensemble")
    max_tokens = 2_048

    def messages(self, item: EnsembleQuestion, context: TaskContext) -> Sequence[Message]:
        """Raises ValueError for too many candidates."""
        if len(context.candidates) > MOST_CANDIDATES:
            raise ValueError(f"{len(context.candidates)} candidates are too many for one request")
        keyed = zip(candidate_keys(context), context.candidates, strict=True)
        return self.prompt.fill(
            question=data_block(item.question),
            candidates=data_lines(describe_candidate(key, one) for key, one in keyed),
        )

    def predict(
        self, item: EnsembleQuestion, output: ScoresOutput, context: TaskContext
    ) -> CandidateScores:
        """Raises OutputFault unless each candidate has one score in range that no other has."""
        given = output.scores
        if isinstance(given, list):
            given = match_places(given, context)
        scores = match_candidates(given, context)
        check_scores(scores, context)
        return CandidateScores(item.question_id, scores)

    def read_plain_text(
        self, item: EnsembleQuestion, text: str, context: TaskContext
    ) -> ScoresOutput | None:
        """Exactly as many numbers as candidates, with nothing but separators between them."""
        words = text.replace(",", " ").replace(";", " ").strip(" []\n").split()
        if len(words) != len(context.candidates):
            return None
        try:
            return ScoresOutput(scores=[float(word) for word in words])
        except ValueError:
            return None

    def has_longer_texts(self, context: TaskContext) -> bool:
        return any(len(one.text) > TEXT_CHARACTERS for one in context.candidates)

    def schema_for(self, item: EnsembleQuestion, context: TaskContext) -> dict[str, Any]:
        """A required number for each candidate: a model that is bound to it leaves out none."""
        keys = candidate_keys(context)
        scores = {
            "type": "object",
            "description": "A number from 0 to 20 for each candidate, no two the same.",
            "properties": {key: {"type": "number"} for key in keys},
            "required": keys,
            "additionalProperties": False,
        }
        return {
            "title": "ScoresOutput",
            "type": "object",
            "properties": {"scores": scores},
            "required": ["scores"],
            "additionalProperties": False,
        }


ENSEMBLE_TASK = EnsembleTask()


def candidate_keys(context: TaskContext) -> list[str]:
    """`c1`, `c2` …: short, and of no origin but ours."""
    return [f"c{place}" for place in range(1, len(context.candidates) + 1)]


def describe_candidate(key: str, candidate: CandidateText) -> dict[str, str]:
    described = {"key": key, "name": candidate.name, "type": candidate.type}
    text = cut_text(candidate.text, TEXT_CHARACTERS)
    return {**described, "text": text} if text else described


def match_places(given: Sequence[float], context: TaskContext) -> dict[str, float]:
    if len(given) != len(context.candidates):
        message = f"The answer has {len(given)} scores for {len(context.candidates)} candidates."
        raise OutputFault(message, "missing_scores")
    return dict(zip(candidate_keys(context), given, strict=True))


def match_candidates(given: Mapping[str, float], context: TaskContext) -> dict[str, float]:
    """By key, else by identifier, else by name where one candidate alone has it."""
    names = Counter(normalize(one.name) for one in context.candidates)
    by_name = {normalize(name): score for name, score in given.items()}
    scores: dict[str, float] = {}
    for key, one in zip(candidate_keys(context), context.candidates, strict=True):
        name = normalize(one.name)
        if key in given or one.id in given:
            scores[one.id] = given[key] if key in given else given[one.id]
        elif name in by_name and names[name] == 1:
            scores[one.id] = by_name[name]
    return scores


def check_scores(scores: Mapping[str, float], context: TaskContext) -> None:
    missing = len({one.id for one in context.candidates}) - len(scores)
    if missing or not scores:
        raise OutputFault(f"{missing} candidates have no score.", "missing_scores")
    if not all(LOWEST <= score <= HIGHEST for score in scores.values()):
        raise OutputFault("A score is not from 0 to 20.", "score_out_of_range")
    if len({*scores.values()}) < len(scores):
        raise OutputFault("Two candidates have the same score.", "equal_scores")


def mean_scores(scores: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Over the models, in any order of theirs.

    Raises ValueError unless each model scored the same candidates.
    """
    if not scores or any(one.keys() != scores[0].keys() for one in scores):
        raise ValueError("the models did not score the same candidates")
    return {id_: math.fsum(one[id_] for one in scores) / len(scores) for id_ in scores[0]}


def split_by_mean(
    means: Mapping[str, float], order: Sequence[str], size: int | None = None
) -> tuple[list[str], list[str]]:
    """Serendipity set and existing set, each in the order of the question.

    Raises SizeOutOfRange unless both are non-empty.
    """
    most = serendipity_size(len(order), size)
    ranked = sorted(order, key=lambda id_: -means[id_])  # stable: equal means by place
    top = {*ranked[:most]}
    return [one for one in order if one in top], [one for one in order if one not in top]
