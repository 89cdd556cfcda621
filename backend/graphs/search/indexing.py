"""What is searched of a version: terms that lead to its entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from backend.graphs.copying import copy_rows
from backend.graphs.models import LONGEST_TERM, Term, Version
from backend.graphs.snapshots.opening import Snapshot

Progress = Callable[[str, int, int], None]
COLUMNS = ("version_id", "entity", "text", "kind", "boost")
EVERY = 10_000


def index_version(version: Version, snapshot: Snapshot, *, progress: Progress) -> None:
    """Fill what is searched. progress(doing, done, all) may raise to stop."""
    copy_rows(Term, COLUMNS, _terms(version.pk, snapshot, progress))


def _terms(
    version: int, snapshot: Snapshot, progress: Progress
) -> Iterator[tuple[int, int, str, int, int]]:
    for entity in snapshot.entities():
        if entity.number % EVERY == 0:
            progress("indexing names", entity.number, snapshot.entity_count)
        yield version, entity.number, normal(entity.id), Term.Kind.IDENTIFIER, 0
        yield version, entity.number, normal(entity.name), Term.Kind.NAME, 0
        for synonym in entity.synonyms:
            yield version, entity.number, normal(synonym), Term.Kind.SYNONYM, 0


def normal(text: str) -> str:
    return " ".join(text.casefold().split())[:LONGEST_TERM]
