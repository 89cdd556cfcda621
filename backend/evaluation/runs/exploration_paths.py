"""The paths of a guided exploration: ranked, and which of their leaves are hits where that is
public."""

from collections.abc import Iterable, Sequence
from math import prod

from backend.benchmarks.models import Item, ReleaseSplit
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.release_items import load_answer
from backend.tracks.serenqa_exploration.guided_state import NodePath
from backend.tracks.serenqa_exploration.track import SetAnswer, find_hits


def strength_of(path: NodePath) -> float | None:
    """The product of the weights of its edges; None where one has none."""
    weights = [edge.weight for edge in path.edges if edge.weight is not None]
    return prod(weights) if len(weights) == len(path.edges) else None


def rank_paths(paths: Iterable[NodePath]) -> Sequence[NodePath]:
    """The strongest first, then those without a strength; of equal ones the shortest first. Ties
    stay in the order in which the model chose them."""

    def place(path: NodePath) -> tuple[bool, float, int]:
        strength = strength_of(path)
        return strength is None, -(strength or 0.0), len(path.edges)

    return sorted(paths, key=place)


def find_public_hits(item: Item, ids: Iterable[str]) -> frozenset[str] | None:
    """Leaves in the serendipity set. None where the answers are hidden, which those of test items
    are from everybody, and of a track without such a set."""
    if item.split != ReleaseSplit.DEV:
        return None
    if get_track_or_raise(item.release.track).answer_schema is not SetAnswer:
        return None
    answer = load_answer(item)
    return find_hits(answer, ids) if isinstance(answer, SetAnswer) else None
