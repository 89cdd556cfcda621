"""Relational templates of queries: a sentence, and a pattern without the named entities."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from backend.common.data_file import DataFile
from backend.graphs.importers.primekg.vocabulary import find_relation
from backend.graphs.snapshots.records import EntitySummary
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode

NAMED, TARGET, ABSENT = "=", "?", "!"


class TemplateRows(DataFile):
    templates: tuple[tuple[str, str, tuple[str, ...], tuple[tuple[int, str, int], ...]], ...]


@dataclass(frozen=True)
class Template:
    """text: {0} is the name of node 0. named: nodes to be named; in `pattern` they are variables.

    `pattern` has exactly one target.
    """

    slug: str
    text: str
    pattern: Pattern
    named: frozenset[int]

    @property
    def target(self) -> int:
        return self.pattern.targets[0].nid

    def name_entities(self, entities: Mapping[int, EntitySummary]) -> Pattern:
        nodes = tuple(
            replace(node, kind="entity", id=one.id, name=one.name)
            if (one := entities.get(node.nid)) is not None
            else node
            for node in self.pattern.nodes
        )
        return Pattern(nodes, self.pattern.edges)

    def write(self, entities: Mapping[int, EntitySummary]) -> str:
        names = [entities[nid].name if nid in entities else "" for nid in self.pattern.by_nid]
        return self.text.format(*names)


def _make_template(
    slug: str, text: str, nodes: tuple[str, ...], edges: tuple[tuple[int, str, int], ...]
) -> Template:
    types = [node.removeprefix(NAMED).removeprefix(TARGET) for node in nodes]
    return Template(
        slug,
        text,
        Pattern(
            tuple(
                PatternNode(nid, "class", type_, type_, type_, nodes[nid].startswith(TARGET))
                for nid, type_ in enumerate(types)
            ),
            tuple(_make_edge(types, *edge) for edge in edges),
        ),
        frozenset(nid for nid, node in enumerate(nodes) if node.startswith(NAMED)),
    )


def _make_edge(types: list[str], near: int, written: str, far: int) -> PatternEdge:
    display = written.removeprefix(ABSENT)
    match = find_relation(display, types[near], types[far])
    if match is None:
        raise ValueError(f"PrimeKG has no {display} between {types[near]} and {types[far]}")
    name, swapped = match
    start, end = (far, near) if swapped else (near, far)
    return PatternEdge(start, end, name, written.startswith(ABSENT))


TEMPLATES = tuple(_make_template(*row) for row in TemplateRows.load(__file__).templates)
