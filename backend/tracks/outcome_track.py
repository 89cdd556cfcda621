"""Tracks that state in a word how each item was answered, and describe it as a case."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from backend.tracks.base import Track
from backend.tracks.item_table import Answer, Item, Prediction
from backend.tracks.metrics import Floats
from backend.tracks.text_vectors import ThresholdRow


@dataclass(frozen=True)
class Case:
    """An item of a public split, in words. group: a slice that it is in. gold: its answers."""

    question: str
    group: str
    prediction: tuple[str, ...]
    gold: tuple[str, ...]


class OutcomeTrack(Track[Item, Answer, Prediction]):
    """`outcome_names`: of what `outcomes` gives."""

    outcome_names: ClassVar[tuple[str, ...]]

    @abstractmethod
    def outcomes(self, components: Floats) -> Sequence[str]:
        """In a word, how each item was answered."""

    @abstractmethod
    def describe_case(self, item: Item, answer: Answer, prediction: Prediction | None) -> Case:
        """The item as it is listed."""

    def sweep(self, components: Floats) -> Sequence[ThresholdRow]:
        """Metrics by threshold of the cosine; empty where none rests on one."""
        return ()


AnyOutcomeTrack = OutcomeTrack[Any, Any, Any]
