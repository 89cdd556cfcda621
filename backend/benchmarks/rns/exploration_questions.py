"""Exploration questions of a partition (SerenQA, appendix A.3), from the paths that explain it.

'Which protein is a target of some drug that interacts with NOS3?' names the root of the path alone.
The entities on its way and at its end are their types, the relations their phrases.
"""

from collections.abc import Iterable

from backend.benchmarks.question_text import pattern_to_text
from backend.graphs.path_queries import ExplainedPath
from backend.graphs.snapshots.graph_view import GraphView
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode

MOST_QUESTIONS = 20


def write_questions(view: GraphView, paths: Iterable[ExplainedPath]) -> tuple[str, ...]:
    """One for each kind of path from each root, in the order of the paths."""
    texts = dict.fromkeys(write_question(view, path) for path in paths if path.steps)
    return tuple(texts)[:MOST_QUESTIONS]


def write_question(view: GraphView, path: ExplainedPath) -> str:
    root = path.entities[0]
    text = pattern_to_text(view, pattern_of_path(path))
    return text.format(root.name or root.id)


def pattern_of_path(path: ExplainedPath) -> Pattern:
    """The root by name, every other entity by type, the last one as the target."""
    last = len(path.entities) - 1
    nodes = tuple(
        PatternNode(at, "class" if at else "entity", one.id, one.type, is_target=at == last)
        for at, one in enumerate(path.entities)
    )
    edges = tuple(
        PatternEdge(*((at, at + 1) if step.forward else (at + 1, at)), step.relation)
        for at, step in enumerate(path.steps)
    )
    return Pattern(nodes, edges)
