"""Tracks whose predictions rank answers: unjudged ones are pooled, and verdicts label them."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from backend.tracks.base import Track
from backend.tracks.item_table import Answer, Item, Prediction


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

    @abstractmethod
    def add_true_answers(self, item: Item, answer: Answer, more: Sequence[int | str]) -> Answer:
        """The hidden answer with more true ones, as predictions write them."""


AnyPooledTrack = PooledTrack[Any, Any, Any]
