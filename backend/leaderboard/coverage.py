"""How much of the items of a score was answered."""

from collections.abc import Mapping
from typing import Any

MOST_OF_PART = 99  # percent: 9,999 of 10,000 answers are not all


def cell_coverage(content: Mapping[str, Any], key: str) -> float | None:
    """Of the score with this 'metric slice' of an entry.

    None where an earlier standing has it of all items alone.
    """
    if content["coverage"] == 1:
        return 1.0
    partial = content.get("coverages")
    return None if partial is None else partial.get(key, 1.0)


def coverage_note(content: Mapping[str, Any], key: str) -> str:
    """'coverage 83%'; empty where all items were answered, or it is not known."""
    share = cell_coverage(content, key)
    if share is None or share == 1:
        return ""
    return f"coverage {min(round(100 * share), MOST_OF_PART)}%"
