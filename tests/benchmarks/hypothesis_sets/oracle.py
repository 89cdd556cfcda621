"""TruthHypo's construction by definition, with dictionaries, as slow as it is plain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

Statement = tuple[int, str, str, str]  # PMID, relation, first, second
Edges = dict[tuple[str, str, str], list[int]]  # the articles of (source, relation, target)
LABELS = {
    frozenset({"Chemical", "Gene"}): {"positive_correlate", "negative_correlate"},
    frozenset({"Disease", "Gene"}): {"stimulate", "inhibit"},
    frozenset({"Gene"}): {"positive_correlate", "negative_correlate"},
}
DIRECTED = {"cause", "inhibit", "prevent", "stimulate", "treat"}


def kind(entity: str) -> str:
    return entity.split("|")[0]


@dataclass
class Expected:
    positives: dict[tuple[str, str], str]
    linked: set[frozenset[str]]
    seen_links: set[frozenset[str]]
    seen_edges: Edges
    unseen_edges: Edges
    negatives: dict[str, int]


def construct(statements: Iterable[Statement], seen_until: int, unseen_from: int) -> Expected:
    rows = list(statements)
    linked = {frozenset(ends) for _, _, *ends in rows}
    seen_links = {frozenset(ends) for pmid, _, *ends in rows if pmid <= seen_until}
    positives: dict[tuple[str, str], str] = {}
    for pair in sorted(linked, key=sorted):
        if pair in seen_links or len(pair) == 1:
            continue
        articles: dict[str, set[int]] = defaultdict(set)
        for pmid, relation, *ends in rows:
            allowed = LABELS.get(frozenset(map(kind, pair)), set())
            if frozenset(ends) == pair and pmid >= unseen_from and relation in allowed:
                articles[relation].add(pmid)
        labels = [label for label, pmids in articles.items() if len(pmids) >= 2]
        if len(labels) == 1:
            x, y = sorted(pair)
            positives[x, y] = labels[0]
    old = _edges([row for row in rows if row[0] <= seen_until])
    new = [row for row in rows if row[0] >= unseen_from and frozenset(row[2:]) not in seen_links]
    return Expected(positives, linked, seen_links, old, _repeated(new), _means(positives))


def _edges(rows: Iterable[Statement]) -> Edges:
    pmids: dict[tuple[str, str, str], set[int]] = defaultdict(set)
    for pmid, relation, first, second in rows:
        x, y = (first, second) if relation in DIRECTED else sorted((first, second))
        pmids[x, relation, y].add(pmid)
    return {edge: sorted(one) for edge, one in pmids.items()}


def _repeated(rows: list[Statement]) -> Edges:
    """Without what a single article states, in either direction."""
    edges = _edges(rows)
    return {
        (x, relation, y): pmids
        for (x, relation, y), pmids in edges.items()
        if len({*pmids, *edges.get((y, relation, x), ())}) >= 2
    }


def _means(positives: dict[tuple[str, str], str]) -> dict[str, int]:
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for (x, y), label in positives.items():
        counts[f"{kind(x)} & {kind(y)}"][label] += 1
    return {type_: sum(one.values()) // len(one) for type_, one in counts.items()}
