"""The queries of `hostile_queries.jsonl`, as they are submitted."""

import json
from dataclasses import dataclass
from pathlib import Path

from backend.tracks.serenqa_retrieval.rows import MOST_CHARACTERS

HOSTILE = Path(__file__).parents[1] / "graphs" / "cypher" / "hostile_queries.jsonl"
ALL_ENTITIES = "MATCH (\uff4e) RETURN \uff4e.id"  # harmless, and its answers are entities


@dataclass(frozen=True)
class Hostile:
    """is_harmless: it may be executed, if it is done within the limits."""

    query: str
    is_harmless: bool

    @property
    def is_fault(self) -> bool:
        """Of the file; nothing of it is run."""
        return not self.query.strip() or "\0" in self.query or len(self.query) > MOST_CHARACTERS


def hostile_queries(secret: Path, folder: Path) -> list[Hostile]:
    text = HOSTILE.read_text().replace("{secret}", str(secret)).replace("{folder}", str(folder))
    rows = [json.loads(line) for line in text.splitlines()]
    return [Hostile(row["query"], row.get("is_harmless", False)) for row in rows]
