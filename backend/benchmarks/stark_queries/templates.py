"""Relational templates of queries: a sentence, and a pattern without the named entities.

Each belongs to a vocabulary, whose graphs have its types and relations. A vocabulary states who
would search for an answer of a type.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from backend.graphs.importers.primekg.vocabulary import find_relation
from backend.graphs.snapshots.records import EntitySummary
from backend.runtime.data_file import DataFile
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode
from backend.tracks.synthesis_roles import ROLES

NAMED, TARGET, ABSENT, ANY_TYPE = "=", "?", "!", "*"
EdgeRow = tuple[int, str, int]


class TemplateVocabulary(BaseModel):
    """displays: whether relations are those that PrimeKG displays. roles: by type of the answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    displays: bool = False
    templates: tuple[tuple[str, str, tuple[str, ...], tuple[EdgeRow, ...]], ...]
    roles: dict[str, tuple[str, ...]]

    def roles_of(self, type_: str) -> tuple[str, ...]:
        roles = self.roles.get(type_, self.roles[ANY_TYPE])
        if unknown := {*roles} - {*ROLES}:
            raise ValueError(f"There is no role {', '.join(sorted(unknown))}.")
        return roles


class TemplateRows(DataFile):
    vocabularies: tuple[TemplateVocabulary, ...]


@dataclass(frozen=True)
class Template:
    """text: {0} is the name of node 0. named: nodes to be named; in `pattern` they are variables.
    roles: who would search for its target.

    `pattern` has exactly one target.
    """

    slug: str
    text: str
    pattern: Pattern
    named: frozenset[int]
    roles: tuple[str, ...]
    vocabulary: str

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


def _make_templates(vocabulary: TemplateVocabulary) -> Iterator[Template]:
    make_edge = _make_displayed_edge if vocabulary.displays else _make_edge
    for slug, text, nodes, edges in vocabulary.templates:
        types = [node.removeprefix(NAMED).removeprefix(TARGET) for node in nodes]
        pattern = Pattern(
            tuple(
                PatternNode(nid, "class", type_, type_, type_, nodes[nid].startswith(TARGET))
                for nid, type_ in enumerate(types)
            ),
            tuple(make_edge(types, edge) for edge in edges),
        )
        named = frozenset(nid for nid, node in enumerate(nodes) if node.startswith(NAMED))
        roles = vocabulary.roles_of(pattern.targets[0].type)
        yield Template(slug, text, pattern, named, roles, vocabulary.name)


def _make_edge(types: list[str], edge: EdgeRow) -> PatternEdge:
    near, written, far = edge
    return PatternEdge(near, far, written.removeprefix(ABSENT), written.startswith(ABSENT))


def _make_displayed_edge(types: list[str], edge: EdgeRow) -> PatternEdge:
    near, written, far = edge
    display = written.removeprefix(ABSENT)
    match = find_relation(display, types[near], types[far])
    if match is None:
        raise ValueError(f"PrimeKG has no {display} between {types[near]} and {types[far]}")
    name, swapped = match
    start, end = (far, near) if swapped else (near, far)
    return PatternEdge(start, end, name, written.startswith(ABSENT))


VOCABULARIES = TemplateRows.load(__file__).vocabularies
TEMPLATES = tuple(one for vocabulary in VOCABULARIES for one in _make_templates(vocabulary))
