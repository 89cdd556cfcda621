"""Made-up files of relation2pubtator3, and the constructed files as rows."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from backend.benchmarks.hypothesis_sets.construction import (
    HypothesisSet,
    HypothesisSetRequest,
    make_hypothesis_set,
)
from backend.benchmarks.hypothesis_sets.linked_pairs import Cutoffs
from backend.benchmarks.hypothesis_sets.statements import RELATION_NAMES
from tests.benchmarks.hypothesis_sets.oracle import Statement

SEEN_UNTIL, BETWEEN, UNSEEN_FROM = 100, 150, 200  # PMIDs up to 100 are seen, from 200 on unseen
CHEMICAL, GENE, OTHER_GENE, DISEASE = "Chemical|MESH:C1", "Gene|1", "Gene|2", "Disease|MESH:D1"


def write_statements(folder: Path, rows: Iterable[Statement], name: str = "relations.tsv") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if name.endswith(".gz") else text)
    return path


def construct(
    folder: Path,
    rows: Iterable[Statement],
    *,
    seed: int = 0,
    nodes: Sequence[Path] = (),
    memory: int = 1 << 28,
    name: str = "relations.tsv",
) -> HypothesisSet:
    """Into `folder/out`."""
    source = write_statements(folder, rows, name)
    request = HypothesisSetRequest([source], nodes, Cutoffs(SEEN_UNTIL, UNSEEN_FROM), seed)
    return make_hypothesis_set(request, folder / "out", memory=memory)


def read_tsv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def hypotheses(folder: Path) -> list[dict[str, str]]:
    return read_tsv(folder / "out" / "edges_test.tsv")


def positives(folder: Path) -> dict[tuple[str, str], str]:
    return {
        (row["x_id"], row["y_id"]): row["relation"]
        for row in hypotheses(folder)
        if row["relation"] != "no_relation"
    }


def twice(pmid: int, relation: str, first: str, second: str) -> list[Statement]:
    """The statement in two articles."""
    return [(pmid, relation, first, second), (pmid + 1, relation, first, second)]


def random_statements(seed: int, rows: int = 1_500, entities: int = 40) -> list[Statement]:
    """Dense enough that all rules apply: repeats, both directions, self-links, contradictions."""
    rng = np.random.default_rng(seed)
    names = [
        f"{kind}|{prefix}{number}"
        for kind, prefix in (("Chemical", "MESH:C"), ("Disease", "MESH:D"), ("Gene", ""))
        for number in range(1, entities + 1)
    ]
    labels = ("positive_correlate", "negative_correlate", "stimulate", "inhibit")
    result: list[Statement] = []
    while len(result) < rows:
        ends = [names[at] for at in rng.integers(len(names), size=2).tolist()]
        usual = (labels[rng.integers(4)],) * 3
        for _ in range(int(rng.integers(1, 6))):
            choices = (usual, usual, usual, labels, RELATION_NAMES)[rng.integers(5)]
            first, second = ends if rng.random() < 0.7 else ends[::-1]
            low, high = ((1, SEEN_UNTIL), (BETWEEN, BETWEEN), *[(UNSEEN_FROM, 260)] * 10)[
                rng.integers(12)
            ]
            pmid = int(rng.integers(low, high + 1))
            result.append((pmid, choices[rng.integers(len(choices))], first, second))
    return result
