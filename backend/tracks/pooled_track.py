"""Tracks whose predictions rank answers: unjudged ones are pooled, and verdicts label them."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Protocol

from backend.tracks.base import Track
from backend.tracks.item_table import Answer, Item, Prediction


class AnswerEntities(Protocol):
    """The entities of a release's graph."""

    def find_key(self, answer: int | str) -> int | str | None:
        """What predictions write for the entity of an identifier."""
        ...

    def find_named(self, name: str, type_: str) -> str | None:
        """The identifier of an entity by its name, a synonym or its identifier."""
        ...

    def names_of(self, identifier: str) -> Sequence[str]:
        """Its name first, then its synonyms."""
        ...


class PooledTrack(Track[Item, Answer, Prediction]):
    """`pool_depth`: how many answers of a prediction are ranked high, the k of judged@k."""

    pool_depth: ClassVar[int]

    @abstractmethod
    def question_text(self, item: Item) -> str:
        """The item in words."""

    @abstractmethod
    def ranked_answers(self, item: Item, prediction: Prediction) -> Sequence[int | str]:
        """The answers that a prediction ranks, best first; those of a set in any order."""

    @abstractmethod
    def labelled_answers(self, answer: Answer) -> Sequence[int | str]:
        """Every spelling of the true answers that the release has, as predictions write them."""

    def answer_key(self, answer: int | str) -> int | str:
        """Equal for two spellings that the track's scoring takes for the same answer."""
        return answer

    def find_answer_entities(
        self, item: Item, answer: Answer, given: Iterable[int | str], entities: AnswerEntities
    ) -> Iterator[int | str | None]:
        """What stands for the entity of each answer in the pool; None if the graph has none.

        A true answer of the release stands for itself.
        """
        known = {self.answer_key(one) for one in self.labelled_answers(answer)}
        for one in given:
            yield one if self.answer_key(one) in known else entities.find_key(one)

    @abstractmethod
    def add_true_answers(
        self,
        item: Item,
        answer: Answer,
        more: Sequence[int | str],
        entities: AnswerEntities | None = None,
    ) -> Answer:
        """The hidden answer with more true ones, as pools have them."""


class QueriedTrack(PooledTrack[Item, Answer, Prediction]):
    """Predictions may be queries; to find their answers again, these would be run again."""

    has_queries = True

    @abstractmethod
    def answered_with(self, item: Item, answers: Sequence[str]) -> Any:
        """What is scored of a prediction that ranks these answers.

        Without answers it has the main metric of a query that was not executed.
        """


AnyPooledTrack = PooledTrack[Any, Any, Any]
AnyQueriedTrack = QueriedTrack[Any, Any, Any]
