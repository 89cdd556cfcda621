"""Pairs of entities of the demo graph whose edges are withheld, and pairs without any."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tools.demo_releases.tables import RELEASES, Entity, GraphTables

FILE = RELEASES / "truthhypo" / "pairs.tsv"
SEED = 12
NO_RELATION = "no_relation"
FIELDS = ("x_id", "y_id", "x_type", "y_type", "rel_type", "relation", "question")
COUNTS: Mapping[tuple[str, str], Mapping[str, int]] = {
    ("Drug", "Disease"): {"treats": 40, "should_be_avoided_in": 20},
    ("Drug", "Protein"): {"inhibits": 36, "activates": 18, "binds_to": 12, "is_metabolised_by": 26},
    ("Drug", "Phenotype"): {"has_side_effect": 36, "relieves": 24},
    ("Protein", "Metabolite"): {"responds_to": 14, "makes": 8, "breaks_down": 8},
}
"""Withheld edges of each relation, by the types of their ends."""

Pair = tuple[str, str]


@dataclass
class Draw:
    """Withheld edges. Each of their ends has another edge left, so that it can be predicted."""

    graph: GraphTables
    rng: np.random.Generator

    def __post_init__(self) -> None:
        ends = [end for source, _, target in self.graph.edges for end in (source, target)]
        self.degrees = Counter(ends)
        self.relations = Counter((source, target) for source, _, target in self.graph.edges)

    def withhold(self, types: Pair, relation: str, count: int) -> list[Pair]:
        """Raises ValueError if there are too few edges."""
        edges = sorted((s, t) for s, name, t in self.graph.edges if name == relation)
        pairs = [pair for pair in edges if self.types_of(pair) == types]
        result: list[Pair] = []
        for at in self.rng.permutation(len(pairs)).tolist():
            if len(result) == count:
                return result
            if self.relations[pairs[at]] == 1 and min(self.degrees[end] for end in pairs[at]) > 1:
                self.degrees.subtract(pairs[at])
                result.append(pairs[at])
        if len(result) < count:
            raise ValueError(f"there are only {len(result)} edges of '{relation}' to withhold")
        return result

    def draw_negatives(self, withheld: Sequence[Pair], count: int) -> list[Pair]:
        """Pairs of ends of the withheld edges that no edge of the graph joins, in either way."""
        result: set[Pair] = set()
        while len(result) < count:
            one, other = self.rng.integers(len(withheld), size=2).tolist()
            pair = withheld[one][0], withheld[other][1]
            if not self.relations[pair] and not self.relations[pair[::-1]]:
                result.add(pair)
        return sorted(result)

    def types_of(self, pair: Pair) -> Pair:
        source, target = (self.graph.entities[end].type for end in pair)
        return source, target


def generate_pairs(graph: GraphTables) -> str:
    """The file as text. Its order shows nothing of the labels."""
    draw = Draw(graph, np.random.default_rng(SEED))
    lines = io.StringIO()
    writer = csv.writer(lines, delimiter="\t", lineterminator="\n")
    writer.writerow(FIELDS)
    for types, counts in COUNTS.items():
        writer.writerows(sorted(rows_of(draw, types, counts)))
    return lines.getvalue()


def rows_of(draw: Draw, types: Pair, counts: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """As many pairs without relation as the mean of the other labels, as in TruthHypo."""
    pairs = {name: draw.withhold(types, name, count) for name, count in counts.items()}
    withheld = [pair for drawn in pairs.values() for pair in drawn]
    negatives = draw.draw_negatives(withheld, round(len(withheld) / len(counts)))
    for relation, drawn in {**pairs, NO_RELATION: negatives}.items():
        for pair in drawn:
            x, y = (draw.graph.entities[end] for end in pair)
            question = write_question(x, y, [*counts, NO_RELATION])
            yield (*pair, *types, " & ".join(types), relation, question)


def write_question(x: Entity, y: Entity, labels: Sequence[str]) -> str:
    return (
        f"How is the {x.type.lower()} {x.name} ({x.id}) related to the {y.type.lower()} "
        f"{y.name} ({y.id})? Choose one of: {', '.join(labels)}."
    )
