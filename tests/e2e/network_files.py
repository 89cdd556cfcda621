"""A curated, a co-occurring and a text-mined network of the same made-up concepts, as files.

Everything that the text-mined network states is of 'Patients', as Dyport's Figure 5 has it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

CONCEPTS = [f"C{number:07}" for number in range(1, 41)]
HUB, LINKED = CONCEPTS[0], CONCEPTS[1:]
HUB_NAME, HUB_TYPE = "Patients", "podg"
CURATED, CO_OCCURRING, MINED = "Curated links", "Mentioned together", "Text-mined links"
FIRST_YEAR = 1990


def name_of(concept: str) -> str:
    return HUB_NAME if concept == HUB else f"Protein {int(concept[1:])}"


def year_of(place: int) -> int:
    return FIRST_YEAR + place % 5


def write_curated(folder: Path) -> list[Path]:
    """A chain of the concepts without the hub."""
    edges = [
        (f"UMLS:{one}", "binds", f"UMLS:{other}", year_of(at), "synthetic")
        for at, (one, other) in enumerate(pairwise(LINKED))
    ]
    return [
        write_rows(
            folder / "entities.csv",
            ["id", "name", "type"],
            [(f"UMLS:{one}", name_of(one), "Protein") for one in LINKED],
        ),
        write_rows(
            folder / "edges.csv",
            ["source", "relation", "target", "first_year", "date_source"],
            edges,
        ),
    ]


def write_co_occurring(folder: Path) -> list[Path]:
    """A paper of each two neighbours in the chain; every fourth one is of patients too."""
    papers = [
        (at + 1, year_of(at), "|".join([one, other] + [HUB] * (at % 4 == 0)))
        for at, (one, other) in enumerate(pairwise(LINKED))
    ]
    names = [(one, name_of(one), "Concept") for one in CONCEPTS]
    return [
        write_rows(folder / "papers.csv", ["pmid", "date", "cuis"], papers),
        write_rows(folder / "concepts.csv", ["cui", "name", "type"], names),
    ]


def write_mined(folder: Path) -> list[Path]:
    """SemMedDB's predications of a sentence each, and the years of their papers."""
    numbers = range(1, len(LINKED) + 1)
    statements = [
        (at, at, at, "AFFECTS", one, name_of(one), "aapp", 1, HUB, HUB_NAME, HUB_TYPE, 0)
        for at, one in zip(numbers, LINKED, strict=True)
    ]
    dates = [(at, year_of(at)) for at in numbers]
    return [
        write_rows(folder / "PREDICATION.csv", None, statements),
        write_rows(folder / "dates.csv", ["pmid", "date"], dates),
    ]


def write_rows(path: Path, head: Sequence[str] | None, rows: Iterable[Sequence[str | int]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        table = csv.writer(file, quoting=csv.QUOTE_MINIMAL if head else csv.QUOTE_ALL)
        if head:
            table.writerow(head)
        table.writerows(rows)
    return path


NETWORKS = {
    CURATED: ("csv", write_curated),
    CO_OCCURRING: ("paper-concepts", write_co_occurring),
    MINED: ("semrep", write_mined),
}
