"""The text of an entity as rankings by text read it: names, type, document and relations."""

from collections.abc import Iterator
from typing import Literal, get_args

from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import EntityRecord

NEIGHBOURS_OF_LINE = 100
CHUNK_CHARACTERS = 500
# A whole text, or each line of it in pieces: names, type, a section, the links of one relation.
TextUnit = Literal["document", "chunk"]
TEXT_UNITS: tuple[TextUnit, ...] = get_args(TextUnit)


def entity_lines(snapshot: GraphView, entity: EntityRecord) -> Iterator[str]:
    yield ", ".join((entity.name, *entity.synonyms))
    yield entity.type
    for section in snapshot.document(entity.number):
        yield f"{section.title}: {section.text}"
    for degree in snapshot.degrees(entity.number):
        relation = snapshot.relations[degree.relation]
        phrase = relation.forward if degree.outgoing else relation.backward
        page = snapshot.neighbours(
            entity.number,
            degree.relation,
            outgoing=degree.outgoing,
            limit=NEIGHBOURS_OF_LINE,
        )
        names = (snapshot.entity_summary(one).name for one in page.neighbours.tolist())
        yield f"{phrase}: {'; '.join(names)}"


def entity_text(snapshot: GraphView, entity: EntityRecord) -> str:
    return "\n".join(entity_lines(snapshot, entity))


def entity_units(snapshot: GraphView, entity: EntityRecord, unit: TextUnit) -> list[str]:
    """One text at least."""
    if unit == "document":
        return [entity_text(snapshot, entity)]
    return [piece for line in entity_lines(snapshot, entity) for piece in split_line(line)] or [
        entity.name
    ]


def split_line(line: str, longest: int = CHUNK_CHARACTERS) -> list[str]:
    """Pieces between words of at most so many characters; a longer word is a piece of its own."""
    pieces: list[str] = []
    for word in line.split():
        if pieces and len(pieces[-1]) + 1 + len(word) <= longest:
            pieces[-1] += f" {word}"
        else:
            pieces.append(word)
    return pieces
