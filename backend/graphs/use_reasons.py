"""Why a use of a drug surprises: counts among the other drugs that are like it.

Three groups of other drugs are counted: those with a link in common (a target or a class), those
for the usual use, and those for the distant use. Of n drugs, u have the usual and d the distant
use: gap = (u - d) / (n + 2), of the last group (d - u) / (n + 2). It is the difference of both
shares after adding one drug with and one without each use, so that few drugs prove little.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from backend.graphs.drug_uses import DrugUses

Basis = Literal["link", "usual", "distant"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Of `drugs` others that have a link to `entity`, or treat it, those with each use."""

    basis: Basis
    entity: int
    drugs: int
    usual: int
    distant: int

    @property
    def gap(self) -> float:
        fewer = self.distant - self.usual if self.basis == "distant" else self.usual - self.distant
        return fewer / (self.drugs + 2)


@dataclass(frozen=True)
class UseCounts:
    uses: DrugUses

    def best_reason(self, drug: int, usual: int, distant: int) -> Reason:
        """The reason with the widest gap; among equals a link, then the one with more drugs."""
        return max(
            self.reasons(drug, usual, distant),
            key=lambda one: (one.gap, one.basis == "link", one.drugs, -one.entity),
        )

    def best_link(self, drug: int, usual: int, distant: int) -> Reason | None:
        reasons = self.link_reasons(drug, usual, distant)
        return max(reasons, key=lambda one: (one.gap, one.drugs, -one.entity), default=None)

    def reasons(self, drug: int, usual: int, distant: int) -> Iterator[Reason]:
        yield from self.link_reasons(drug, usual, distant)
        others = len(self.uses.drugs_for[usual]) - 1
        yield Reason("usual", usual, others, others, self._of_use[usual][distant] - 1)
        others = len(self.uses.drugs_for[distant]) - 1
        yield Reason("distant", distant, others, self._of_use[distant][usual] - 1, others)

    def link_reasons(self, drug: int, usual: int, distant: int) -> Iterator[Reason]:
        for link in self.uses.links[drug]:
            count = self._of_link[link]
            others = len(self.uses.linked_drugs[link]) - 1
            yield Reason("link", link, others, count[usual] - 1, count[distant] - 1)

    def unlike_share(self, drug: int, usual: int, distant: int) -> float:
        """The smoothed share of the other drugs for the distant use that are not like the drug.

        Like it are those with a link in common and those for its usual use.
        """
        others = [one for one in self.uses.drugs_for[distant] if one != drug]
        links, same = set(self.uses.links[drug]), set(self.uses.drugs_for[usual])
        unlike = sum(one not in same and links.isdisjoint(self.uses.links[one]) for one in others)
        return (unlike + 1) / (len(others) + 2)

    @cached_property
    def _of_use(self) -> dict[int, Counter[int]]:
        """The uses of all drugs for a use."""
        return {use: self._count(drugs) for use, drugs in self.uses.drugs_for.items()}

    @cached_property
    def _of_link(self) -> dict[int, Counter[int]]:
        return {link: self._count(drugs) for link, drugs in self.uses.linked_drugs.items()}

    def _count(self, drugs: list[int]) -> Counter[int]:
        return Counter(use for drug in drugs for use in self.uses.treated[drug])
