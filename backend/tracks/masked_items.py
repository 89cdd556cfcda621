"""Items about partitions and masked graphs: what a track states of its questions for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic

from backend.tracks.item_table import Answer, Item, Source


@dataclass(frozen=True)
class MaskableQuestion:
    """A question whose serendipity set a masked graph hides.

    graph_query: its pattern as in SerenQA's files. serendipity, existing: identifiers of answers.
    """

    id: str
    graph_query: Mapping[str, Any]
    serendipity: Sequence[str]
    existing: Sequence[str]


class MaskedItems(Generic[Item, Answer]):
    """The part of a track about masked graphs; without changes, of one that has none.

    `mask_methods`: methods of partitions by which a release of the track can have masked graphs.
    `partition_methods`: where the items of a release are of one partition of their questions, the
    methods of partitions, the preferred first; see `choose_partition`.
    """

    slug: ClassVar[str]
    mask_methods: ClassVar[Sequence[str]] = ()
    partition_methods: ClassVar[Sequence[str]] = ()

    def partition_of(self, item: Item) -> str:
        """The method of the partition that the item is of; empty where items are of none."""
        return ""

    def choose_partition(self, source: Source[Item, Answer], method: str = "") -> None:
        """Keep the items of one method: this one, else the first of `partition_methods` with items.

        With several, a root of one partition is in the serendipity set of another, which gives
        answers away.
        """
        present = {self.partition_of(item) for item in source.items}
        chosen = method or next((one for one in self.partition_methods if one in present), "")
        rows = [
            (item, answer)
            for item, answer in zip(source.items, source.answers, strict=True)
            if self.partition_of(item) == chosen
        ]
        source.items[:] = [item for item, _ in rows]
        source.answers[:] = [answer for _, answer in rows]

    def select_masked_graph(self, source: Source[Item, Answer], method: str) -> None:
        """Let the items be about the graph that one of the `mask_methods` masks."""
        raise ValueError(f"{self.slug} has no masked graph by {method}")

    def maskable_question(self, item: Item, answer: Answer, method: str) -> MaskableQuestion | None:
        """What a masked graph by this method must hide and keep; None without a partition.

        Items of one question may each return a part of its sets.
        """
        return None

    def graph_query(self, answer: Answer) -> Mapping[str, Any] | None:
        """The pattern of the question as in SerenQA's files: what its names stand for."""
        return None

    def masked_by(self, item: Item) -> str:
        """The method whose masked graph the item is scored on; empty for the full graph."""
        return ""

    def keep_pattern(self, answer: Answer, earlier: Answer) -> Answer:
        """A corrected answer with what masks it from the earlier one, where it states nothing."""
        return answer

    def leave_out(self, answer: Answer) -> Answer:
        """The answer to an item whose question the masked graph leaves out: in no metric."""
        return answer
