"""Tracks whose predictions may state reasons, of which claims can be grounded."""

from abc import abstractmethod
from typing import Any, ClassVar

from backend.tracks.base import Track
from backend.tracks.item_table import Answer, Item, Prediction


class RationaleTrack(Track[Item, Answer, Prediction]):
    """`correct_component`: 1 where an item is predicted right, else 0."""

    correct_component: ClassVar[str]

    @abstractmethod
    def rationale_of(self, prediction: Prediction) -> str:
        """Empty where none is given."""

    @abstractmethod
    def label_of(self, prediction: Prediction) -> str:
        """What samples of one item vote on."""

    @abstractmethod
    def state_hypothesis(self, item: Item, prediction: Prediction) -> str:
        """What the rationale is for, in words."""

    @abstractmethod
    def linked_entities(self, item: Item) -> tuple[str, str]:
        """Identifiers of the two entities whose link is hypothesized."""

    @abstractmethod
    def denies_link(self, prediction: Prediction) -> bool:
        """Whether it predicts that the two are not linked."""


AnyRationaleTrack = RationaleTrack[Any, Any, Any]
