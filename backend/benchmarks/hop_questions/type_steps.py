"""Steps of a graph between its types, and the two-hop metapaths that they make.

The paper draws on drugs, proteins, diseases and phenotypes (BioHopR, Table 3). A graph has its own
names for them, and often several relations between two of them: each makes its own metapaths.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from backend.common.errors import DomainError
from backend.graphs.metapaths import MAX_KEY_LENGTH
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.path_answers import Metapath

EDGES_AT_ONCE = 1 << 22
CLASSES = {
    "drug": "Drug",
    "compound": "Drug",
    "chemical": "Drug",
    "protein": "Protein",
    "gene": "Protein",
    "gene/protein": "Protein",
    "disease": "Disease",
    "phenotype": "Phenotype",
    "effect/phenotype": "Phenotype",
    "side effect": "Phenotype",
    "symptom": "Phenotype",
}
PAPER_TYPES = (
    "Drug:Protein:Disease",
    "Disease:Drug:Phenotype",
    "Disease:Protein:Drug",
    "Protein:Disease:Drug",
    "Phenotype:Disease:Drug",
    "Protein:Drug:Disease",
    "Disease:Drug:Protein",
    "Drug:Disease:Protein",
    "Phenotype:Drug:Disease",
    "Drug:Disease:Phenotype",
    "Disease:Phenotype:Drug",
    "Drug:Phenotype:Disease",
)


@dataclass(frozen=True, order=True)
class TypeStep:
    """A relation from entities of one type to those of another; a symmetric one is always along."""

    start: int
    relation: int
    is_along: bool
    end: int


def class_of(type_: str) -> str:
    """The paper's name of a type, or the graph's own for another."""
    return CLASSES.get(type_.casefold(), type_)


def relation_type(graph: Snapshot, types: Sequence[int]) -> str:
    return ":".join(class_of(graph.types[one]) for one in types)


def find_steps(graph: Snapshot) -> list[TypeStep]:
    """All steps that some edge makes, both ways. Reads the edges in parts."""
    counts = len(graph.types), len(graph.relations)
    triples_of_edges: set[tuple[int, int, int]] = set()
    for triples in read_type_triples(graph):
        codes = np.ravel_multi_index(triples, (counts[0], counts[1], counts[0]))
        parts = np.unravel_index(np.unique(codes), (counts[0], counts[1], counts[0]))
        triples_of_edges.update(zip(*(one.tolist() for one in parts), strict=True))
    steps = set[TypeStep]()
    for start, relation, end in triples_of_edges:
        is_symmetric = graph.relations[relation].symmetric
        steps.add(TypeStep(start, relation, True, end))
        steps.add(TypeStep(end, relation, is_symmetric, start))
    return sorted(steps)


def read_type_triples(graph: Snapshot) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Types of source and target with the relation between, of many edges at once."""
    side, types = graph.forward, graph.type_of
    for first in range(0, graph.edge_count, EDGES_AT_ONCE):
        last = min(first + EDGES_AT_ONCE, graph.edge_count)
        edges = np.arange(first, last)
        sources = np.searchsorted(side.offsets, edges, "right") - 1
        relations = side.relations[first:last].astype(np.int64)
        ends = types[side.neighbours[first:last]].astype(np.int64)
        yield types[sources].astype(np.int64), relations, ends


def paper_metapaths(graph: Snapshot) -> list[Metapath]:
    """Two hops between types of the paper, in the order of its Table 3."""
    by_type: dict[str, list[Metapath]] = {name: [] for name in PAPER_TYPES}
    steps = find_steps(graph)
    for first in steps:
        for second in steps:
            if first.end == second.start:
                metapath = join_steps(first, second)
                by_type.get(relation_type(graph, metapath.types), []).append(metapath)
    return [metapath for name in PAPER_TYPES for metapath in by_type[name]]


def join_steps(first: TypeStep, second: TypeStep) -> Metapath:
    return Metapath(
        (first.start, first.end, second.end),
        ((first.relation, first.is_along), (second.relation, second.is_along)),
    )


def parse_two_hops(graph: Snapshot, text: str) -> Metapath:
    """`Drug/treats/Disease/has_phenotype/Phenotype`, in any case; '-' may stand for '/'.

    `>` or `<` before a relation states its direction, as in a metapath's key. Without it, it is the
    one that the graph's edges have. Raises DomainError for what the graph lacks or leaves open.
    """
    parts = [part.strip() for part in text.split("/" if "/" in text else "-")]
    if len(text) > MAX_KEY_LENGTH or len(parts) != 5:
        raise invalid_metapath(text, "It has three types with a relation between each two.")
    steps = find_steps(graph)
    types = [find_type(graph, text, part) for part in parts[::2]]
    first = choose_step(graph, steps, types[0], parts[1], types[1])
    second = choose_step(graph, steps, types[1], parts[3], types[2])
    return join_steps(first, second)


def find_type(graph: Snapshot, text: str, part: str) -> int:
    name = unescape(part).casefold()
    for number, known in enumerate(graph.types):
        if known.casefold() == name:
            return number
    raise invalid_metapath(text, f"The graph has no type '{part[:60]}'.")


def choose_step(
    graph: Snapshot, steps: Sequence[TypeStep], start: int, part: str, end: int
) -> TypeStep:
    sign = part[:1] if part[:1] in ("<", ">", "=") else ""
    name = unescape(part.removeprefix(sign)).casefold()
    matching = [
        step
        for step in steps
        if (step.start, step.end) == (start, end)
        and graph.relations[step.relation].name.casefold() == name
        and (sign != "<" or not step.is_along)
        and (sign != ">" or step.is_along)
    ]
    names = f"{graph.types[start]} to {graph.types[end]}"
    if not matching:
        raise invalid_metapath(part, f"No edge makes this step from {names}.")
    if len(matching) > 1:
        raise invalid_metapath(part, f"It goes both ways from {names}: write > or < before it.")
    return matching[0]


def unescape(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")


def invalid_metapath(text: str, why: str) -> DomainError:
    return DomainError(f"'{text[:100]}' is no metapath here. {why}", code="no_metapath")
