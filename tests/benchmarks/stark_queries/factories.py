"""Small graphs with the types and relations of STaRK's templates, and documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from backend.benchmarks.stark_queries.templates import TEMPLATES
from backend.graphs.importers.primekg.vocabulary import RELATIONS, VOCABULARY
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo, Section

WORDS = [
    *("binding", "receptor", "kinase", "signal", "membrane"),
    *("growth", "inhibits", "pathway", "response", "cell"),
]
DOCUMENTED = ("disease", "drug", "gene/protein", "pathway", "product", "paper")
ENTITIES_OF_A_TYPE = 9


Ends = tuple[str, str, str]  # a relation and the types that it links


class RandomRows:
    """Every relation between random entities of its types."""

    def __init__(
        self,
        ends: Sequence[Ends],
        relations: Mapping[str, RelationInfo],
        seed: int,
        edges_of_a_relation: int = 22,
    ) -> None:
        self.relations = relations
        rng = np.random.default_rng(seed)
        types = sorted({type_ for _, *pair in ends for type_ in pair})
        self._nodes = [
            NodeRow(
                f"{type_}:{number}",
                type_,
                f"{type_} {number}",
                xrefs=(f"STARK:{place * ENTITIES_OF_A_TYPE + number}",),
                document=self._document(rng) if type_ in DOCUMENTED else (),
            )
            for place, type_ in enumerate(types)
            for number in range(ENTITIES_OF_A_TYPE)
        ]
        self._edges = [
            EdgeRow(f"{first}:{one}", name, f"{second}:{other}")
            for name, first, second in ends
            for one, other in rng.integers(ENTITIES_OF_A_TYPE, size=(edges_of_a_relation, 2))
        ]

    def _document(self, rng: np.random.Generator) -> tuple[Section, ...]:
        words = [WORDS[at] for at in rng.integers(len(WORDS), size=40)]
        return (Section("Summary", " ".join(words[:30]).capitalize() + ".", "made up"),)

    def nodes(self) -> Iterator[NodeRow]:
        return iter(self._nodes)

    def edges(self) -> Iterator[EdgeRow]:
        return iter(self._edges)


class PrimekgRows(RandomRows):
    def __init__(self, seed: int, edges_of_a_relation: int = 22) -> None:
        ends = [(it.name, it.type, it.other_type) for it in VOCABULARY.relations]
        super().__init__(ends, RELATIONS, seed, edges_of_a_relation)


class VocabularyRows(RandomRows):
    """What the templates of a vocabulary name; its relations have no phrases."""

    def __init__(self, vocabulary: str, seed: int) -> None:
        patterns = [one.pattern for one in TEMPLATES if one.vocabulary == vocabulary]
        ends = {
            (edge.relation, one.by_nid[edge.start].type, one.by_nid[edge.end].type)
            for one in patterns
            for edge in one.edges
        }
        super().__init__(sorted(ends), {}, seed)
