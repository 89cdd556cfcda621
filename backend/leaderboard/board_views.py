"""Which rows a sorted or filtered view of a standing has, in memory: a standing never changes.

To sort a large board, PostgreSQL reads every row of it; a page is found by an index.
"""

from array import array
from collections.abc import Collection, Sequence

from backend.leaderboard.board_rows import BoardQuery, select_rows
from backend.leaderboard.entry_names import positions_named
from backend.leaderboard.models import Standing
from backend.runtime.lru_cache import LruCache

VIEWS_IN_MEMORY = 256  # of a process: 40 kB each on a board of 10,000 entries
_positions: LruCache[Sequence[int]] = LruCache(VIEWS_IN_MEMORY)


def find_positions(
    standing: Standing, query: BoardQuery, metrics: Collection[str]
) -> Sequence[int]:
    """Positions of the rows, in the order of the view. Raises UnknownColumn."""

    def read() -> Sequence[int]:
        if query.is_search:
            return positions_named(standing, query.text)
        return array("I", select_rows(standing, query, metrics).values_list("position", flat=True))

    return _positions.get_or_create((standing.pk, query), read)
