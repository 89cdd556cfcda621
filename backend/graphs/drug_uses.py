"""Uses of drugs: the edges by which a graph states that a drug treats a disease."""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from backend.graphs.snapshots.snapshot import Snapshot

MAX_USES = 200_000  # treatment edges that are read at most
MAX_PEERS = 30  # other drugs for a disease that a drug is compared with
MAX_TRAITS = 300  # neighbours by which drugs are compared
MAX_TRAIT_DEGREE = 200  # a neighbour of more entities does not make two drugs alike

TREATS = re.compile(r"\b(treats|palliates|indicated for|used to treat|off-label for|indication)\b")
TREATED = re.compile(r"\btreated (by|with)\b")
UNPROVEN = re.compile(r"\b(stud|test|trial|contra|avoid|may|not|reason|predict)", re.IGNORECASE)


@dataclass(frozen=True)
class DrugUses:
    """treated[drug] and drugs_for[disease] are entity numbers, ascending."""

    snapshot: Snapshot
    relations: frozenset[int]
    treated: dict[int, list[int]]
    drugs_for: dict[int, list[int]]

    @cached_property
    def _traits(self) -> dict[int, frozenset[int]]:
        return {}

    def traits(self, drug: int) -> frozenset[int]:
        """What a drug acts on or belongs to: specific neighbours other than drugs and uses."""
        if drug not in self._traits:
            self._traits[drug] = frozenset(self._read_traits(drug))
        return self._traits[drug]

    def _read_traits(self, drug: int) -> list[int]:
        types = self.snapshot.type_of
        rows = (self.snapshot.row(drug, outgoing=way) for way in (True, False))
        near = {
            neighbour
            for row in rows
            for neighbour, relation in zip(
                row.neighbours.tolist(), row.relations.tolist(), strict=True
            )
            if relation not in self.relations and types[neighbour] != types[drug]
        }
        specific = (one for one in sorted(near) if self.snapshot.degree(one) <= MAX_TRAIT_DEGREE)
        return [one for one, _ in zip(specific, range(MAX_TRAITS), strict=False)]

    def kinship(self, drug: int, disease: int) -> float:
        """The share of the other drugs for a disease that have a trait in common with the drug."""
        peers = [one for one in self.drugs_for[disease] if one != drug][:MAX_PEERS]
        alike = sum(not self.traits(drug).isdisjoint(self.traits(one)) for one in peers)
        return alike / len(peers) if peers else 0.0

    def overlap(self, drug: int, first: int, second: int) -> float:
        """Of the other drugs for either disease, the share for both (Jaccard)."""
        one, other = ({*self.drugs_for[it]} - {drug} for it in (first, second))
        return len(one & other) / len(one | other) if one | other else 0.0


def read_drug_uses(snapshot: Snapshot) -> DrugUses:
    """The uses that the graph states; empty if it has no relation that reads as 'treats'."""
    ways = treatment_relations(snapshot)
    treated, drugs_for = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    forward = snapshot.forward
    edges = np.flatnonzero(np.isin(forward.relations, list(ways)))[:MAX_USES]
    sources = np.searchsorted(forward.offsets, edges, "right") - 1
    columns = (sources, forward.neighbours[edges], forward.relations[edges])
    for source, target, relation in zip(*(it.tolist() for it in columns), strict=True):
        drug, disease = (source, target) if ways[relation] else (target, source)
        if snapshot.type_of[drug] != snapshot.type_of[disease]:
            treated[drug].add(disease)
            drugs_for[disease].add(drug)
    return DrugUses(
        snapshot,
        frozenset(ways),
        {one: sorted(several) for one, several in treated.items()},
        {one: sorted(several) for one, several in drugs_for.items()},
    )


def treatment_relations(snapshot: Snapshot) -> dict[int, bool]:
    """Relations that read as 'treats', each with whether the drug is the source of its edges."""
    ways: dict[int, bool] = {}
    for relation in snapshot.relations:
        if relation.symmetric or UNPROVEN.search(relation.forward):
            continue
        if TREATS.search(relation.forward.replace("_", " ")):
            ways[relation.number] = True
        elif TREATED.search(relation.forward.replace("_", " ")):
            ways[relation.number] = False
    return ways
