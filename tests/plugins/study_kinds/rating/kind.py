"""A study kind for the tests: experts rate a question from 1 to 5, and order nothing."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from annotation.kinds.base import (
    Answer,
    Outcome,
    Payload,
    SimulatedAnswer,
    SimulatedEvent,
    StudyKind,
)
from annotation.kinds.items import Item, Presentation, base_fields
from annotation.kinds.measures import Measure, measure_of
from backend.benchmarks.models import Question
from backend.benchmarks.questionnaire import QuestionEntry
from backend.science.optional_statistic import Statistic
from backend.validation.json_files import optional_text_field


class RatingEntry(QuestionEntry):
    scale: Annotated[str, optional_text_field(200)]


class RatingItem(Item):
    """scale: what the fewest and the most stars mean."""

    scale: str


class RatingAnswer(Answer):
    stars: Annotated[int, Field(ge=1, le=5)] | None


class RatingKind(StudyKind[RatingItem, RatingAnswer]):
    name = "rating"
    title = "Rating"
    question_schema = RatingEntry
    item_schema = RatingItem
    answer_schema = RatingAnswer
    outcomes = (
        Outcome("rated", "Rated"),
        Outcome("no_opinion", "No opinion", is_measured=False),
    )
    activity_kinds = frozenset({"starred"})
    csv_item_columns = ("scale",)
    csv_answer_columns = ("stars",)

    def build_item(self, question: Question, shown: Presentation) -> RatingItem:
        return RatingItem(**base_fields(question), scale=question.payload.get("scale", ""))

    def initial_answer(self, item: RatingItem) -> RatingAnswer:
        return RatingAnswer(stars=None)

    def outcome(self, answer: RatingAnswer, item: RatingItem) -> str:
        return "no_opinion" if answer.stars is None else "rated"

    def agreement(self, answers: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
        """The share of items on which all experts gave the same rating."""
        several = [item for item in answers if len(item) > 1]
        same = sum(len({one["stars"] for one in item}) == 1 for item in several)
        undefined = Statistic(None, 0, "too_few_rankings")
        share = Statistic(same / len(several), len(several)) if several else undefined
        return [measure_of("unanimous", "Unanimous", share)]

    def csv_rows(
        self, item: RatingItem, payload: Payload | None, outcome: str
    ) -> list[dict[str, Any]]:
        return [{**(payload or {}), "scale": item.scale}]

    def simulate(self, item: RatingItem, expert: int) -> SimulatedAnswer:
        place = (expert + item.number) % 6
        stars = place or None
        outcome = "rated" if stars else "no_opinion"
        events = (SimulatedEvent("starred", None, stars),) if stars else ()
        return SimulatedAnswer(outcome, {"stars": stars}, 1000, events)


KIND = RatingKind()
