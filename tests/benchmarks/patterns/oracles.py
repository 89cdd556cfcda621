"""A mask of one question, and a pattern as a query of the Cypher engine."""

from __future__ import annotations

from collections.abc import Collection

from backend.benchmarks.leakage_masks.question import Mask, check_sets, choose_cut
from backend.benchmarks.patterns.binding import BoundPattern, bind_pattern
from backend.benchmarks.patterns.cypher import quote_name, quote_text
from backend.benchmarks.patterns.joins import WorkBudget
from backend.benchmarks.patterns.matching import MAX_WORK, find_matches, run_pattern
from backend.graphs.cypher.label_names import make_labels, make_relation_names
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.tracks.serenqa_patterns import Pattern, PatternNode


def mask_question(
    snapshot: Snapshot,
    pattern: Pattern | BoundPattern,
    *,
    serendipity: Collection[int],
    existing: Collection[int],
    work: int = MAX_WORK,
    stop: CancellationToken | None = None,
) -> Mask:
    """Mask one question and verify it. Raises MaskSetsInvalid, and the errors of run_pattern."""
    check_sets(serendipity, existing)
    bound = pattern if isinstance(pattern, BoundPattern) else bind_pattern(snapshot, pattern)
    matches = find_matches(snapshot, bound, work=work, stop=stop)
    hidden, known = frozenset(serendipity), frozenset(existing)
    removed = choose_cut(snapshot, matches, hidden, known, WorkBudget(work, stop))
    result = run_pattern(Overlay(snapshot, removed), bound, work=work, stop=stop)
    return Mask(removed, hidden & result, known - result, (hidden | known) - matches.answers)


def cypher_for(view: GraphView, bound: BoundPattern) -> str:
    """For the Cypher engine of this graph: a column of identifiers for each target node.

    A symmetric relation is matched without direction, because each edge is stored once.
    """
    labels = make_labels(view.types)
    names = make_relation_names([one.name for one in view.relations], labels)
    matches = [
        f"MATCH (n{node.nid}:{quote_name(labels[bound.types[node.nid]])}"
        f"{_identified(view, bound, node)})"
        for node in bound.pattern.nodes
    ]
    for edge in bound.edges:
        arrow = "-" if edge.is_symmetric else "->"
        name = quote_name(names[edge.relation])
        matches.append(f"MATCH (n{edge.start})-[:{name}]{arrow}(n{edge.end})")
    query = ", ".join(f"n{node.nid}.id" for node in bound.pattern.targets)
    return "\n".join([*matches, f"RETURN DISTINCT {query}"])


def _identified(view: GraphView, bound: BoundPattern, node: PatternNode) -> str:
    number = bound.entities.get(node.nid)
    return "" if number is None else f" {{id: {quote_text(view.entity(number).id)}}}"
