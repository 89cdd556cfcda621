"""Names of a standing's entries in memory, for searches: a standing never changes.

To search them, PostgreSQL reads the contents of all rows.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.db.models.fields.json import KeyTextTransform, KeyTransform

from backend.leaderboard.models import Standing
from backend.runtime.lru_cache import LruCache

NAMES_IN_MEMORY = 32  # standings, of a process: about 0.3 MB each on a board of 10,000 entries
SEPARATOR = "\0"  # in no text of a request or of PostgreSQL
_names: LruCache["_Names"] = LruCache(NAMES_IN_MEMORY)


def positions_named(standing: Standing, text: str) -> Sequence[int]:
    """Of entries whose model or its organisation has the text in its name, in any case.

    An anonymous entry has no model, so its name is never found.
    """
    names, part, positions = _names_of(standing), text.casefold(), array("I")
    at = names.text.find(part)
    while at >= 0:
        row = bisect_right(names.starts, at) - 1
        positions.append(names.positions[row])
        at = names.text.find(part, names.starts[row + 1])
    return positions


@dataclass(frozen=True)
class _Names:
    """Folded names of a standing's entries as one text, where each begins, and their positions."""

    text: str
    starts: Sequence[int]  # one more than entries: the last is the end
    positions: Sequence[int]


def _names_of(standing: Standing) -> _Names:
    def read() -> _Names:
        rows = standing.rows.exclude(content__model=None).order_by("position")
        columns = rows.values_list("position", model_field("name"), model_field("organisation"))
        positions, names, organisations = zip(*columns, strict=True) if columns else ((), (), ())
        texts = [
            f"{name}{SEPARATOR}{organisation or ''}{SEPARATOR}".casefold()
            for name, organisation in zip(names, organisations, strict=True)
        ]
        starts = accumulate(map(len, texts), initial=0)
        return _Names("".join(texts), array("I", starts), array("I", positions))

    return _names.get_or_create(standing.pk, read)


def model_field(name: str) -> KeyTextTransform:
    """A field of an entry's model in the content of a row."""
    return KeyTextTransform(name, KeyTransform("model", "content"))
