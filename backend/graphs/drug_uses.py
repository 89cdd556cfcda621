"""Uses of drugs: the edges by which a graph states that a drug treats a disease."""

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.snapshot import Snapshot

MAX_USES = 200_000  # treatment edges that are read at most
MAX_PEERS = 30  # other drugs for a disease that a drug is compared with
MAX_TRAITS = 300  # neighbours by which drugs are compared
MAX_TRAIT_DEGREE = 200  # a neighbour of more entities does not make two drugs alike
MADE_UP = "synthetic"  # the source of such dates
EFFECT_TYPES = ("effect", "phenotype", "symptom")

TREATS = re.compile(r"\b(treats|palliates|indicated for|used to treat|off-label for|indication)\b")
TREATED = re.compile(r"\btreated (by|with)\b")
UNPROVEN = re.compile(r"\b(stud|test|trial|contra|avoid|may|not|reason|predict)", re.IGNORECASE)
NO_ACTION = re.compile(r"regulat|express|metabol|broken? down|enzyme|carrier|transport")


@dataclass(frozen=True, slots=True)
class UseEdge:
    """The edge that states a use, the earliest where there are several.

    `date` is a PMID or a year, whichever the graph has; 0 without one and if it is made up.
    """

    edge: int
    outgoing: bool
    date: int


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
            own = {int(self.snapshot.type_of[drug])}
            near = self._read_neighbours(drug, self.relations, own)
            self._traits[drug] = frozenset(near[:MAX_TRAITS])
        return self._traits[drug]

    @cached_property
    def links(self) -> dict[int, list[int]]:
        """Of each drug with a use, what it acts on and its classes, ascending."""
        relations = self.relations | {
            one.number
            for one in self.snapshot.relations
            if NO_ACTION.search(f"{one.forward} {one.backward}")
        }
        ends = (*self.treated, *self.drugs_for)
        types = {int(self.snapshot.type_of[one]) for one in ends} | {
            number
            for number, name in enumerate(self.snapshot.types)
            if any(word in name.lower() for word in EFFECT_TYPES)
        }
        return {drug: self._read_neighbours(drug, relations, types) for drug in self.treated}

    @cached_property
    def linked_drugs(self) -> dict[int, list[int]]:
        """The drugs that have each of the links."""
        drugs = defaultdict[int, list[int]](list)
        for drug, linked in self.links.items():
            for one in linked:
                drugs[one].append(drug)
        return drugs

    def _read_neighbours(
        self, number: int, relations: Collection[int], types: Collection[int]
    ) -> list[int]:
        """Specific neighbours, ascending, by other relations and of other types than these."""
        near = set[int]()
        for way in (True, False):
            row = self.snapshot.row(number, outgoing=way)
            type_of = self.snapshot.type_of[row.neighbours]
            others = ~np.isin(row.relations, list(relations)) & ~np.isin(type_of, list(types))
            near.update(row.neighbours[others].tolist())
        return [one for one in sorted(near) if self.snapshot.degree(one) <= MAX_TRAIT_DEGREE]

    def kinship(self, drug: int, disease: int) -> float:
        """The share of the other drugs for a disease that have a trait in common with the drug."""
        peers = [one for one in self.drugs_for[disease] if one != drug][:MAX_PEERS]
        alike = sum(not self.traits(drug).isdisjoint(self.traits(one)) for one in peers)
        return alike / len(peers) if peers else 0.0

    def use_edges(self, drug: int) -> dict[int, UseEdge]:
        """The edge of each use of a drug."""
        edges: dict[int, UseEdge] = {}
        for outgoing in (True, False):
            row = self.snapshot.row(drug, outgoing=outgoing)
            stating = np.isin(row.relations, list(self.relations))
            columns = row.neighbours[stating].tolist(), row.edge_ids()[stating].tolist()
            for disease, edge in zip(*columns, strict=True):
                one = UseEdge(edge, outgoing, self._date(edge))
                known = edges.get(disease)
                if known is None or 0 < one.date < (known.date or one.date + 1):
                    edges[disease] = one
        return edges

    def _date(self, edge: int) -> int:
        dates = get_edge_dates(self.snapshot)
        if dates is None or self.snapshot.edge(edge).date_source == MADE_UP:
            return 0
        return int(dates.values[edge])


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
