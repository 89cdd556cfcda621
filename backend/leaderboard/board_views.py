"""Which rows a sorted or filtered view of a standing has, in memory: a standing never changes.

To sort or to search a large board, PostgreSQL reads every row of it; a page is found by an index.
"""

from array import array
from collections.abc import Collection, Sequence
from threading import Lock

from backend.leaderboard.board_rows import BoardQuery, select_rows
from backend.leaderboard.models import Standing

VIEWS_IN_MEMORY = 256  # of a process: 40 kB each on a board of 10,000 entries

# The latest are at the end.
_positions: dict[tuple[int, BoardQuery], Sequence[int]] = {}
_lock = Lock()


def find_positions(
    standing: Standing, query: BoardQuery, metrics: Collection[str]
) -> Sequence[int]:
    """Positions of the rows, in the order of the view. Raises UnknownColumn."""
    key = (standing.pk, query)
    if (known := _positions.get(key)) is not None:
        return known
    with _lock:  # visitors who come at once wait for the first of them
        known = _positions.pop(key, None)
        if known is None:
            rows = select_rows(standing, query, metrics)
            known = array("I", rows.values_list("position", flat=True))
        for oldest in list(_positions)[: max(0, len(_positions) + 1 - VIEWS_IN_MEMORY)]:
            _positions.pop(oldest, None)
        _positions[key] = known
    return known
