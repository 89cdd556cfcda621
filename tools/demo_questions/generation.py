"""The demo's questions, drawn from the demo graph by the templates.

The same files and seed give the same questions.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from backend.benchmarks.demo import DEMO_GRAPH_DIR, DEMO_QUESTIONS_FILE
from backend.benchmarks.formats.serenqa.writer import build_question_record, serialize_records
from backend.benchmarks.question_format import NewQuestion
from backend.benchmarks.question_generation import (
    MAX_DRAWS,
    NodeValues,
    QuestionDraft,
    QuestionFactory,
    assign_qids,
)
from backend.common.pluralize import pluralize
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.graph_view import GraphView, relation_range
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.tracks.serenqa_patterns import NodeKind, Pattern, PatternEdge, PatternNode
from tools.demo_questions.templates import QUESTION_TEMPLATES, QuestionTemplate

SEED = 5


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="demo_questions", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--into", type=Path, default=DEMO_QUESTIONS_FILE, metavar="FILE")
    check = "check that the file is up to date, without writing it"
    parser.add_argument("--check", action="store_true", help=check)
    options = parser.parse_args(arguments)
    content, count = generate_file(options.seed)
    into: Path = options.into
    if not options.check:
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_bytes(content)
        sys.stdout.write(f"{pluralize(count, 'question')} written.\n")
    elif not into.is_file() or into.read_bytes() != content:
        sys.stderr.write("The file is out of date. Run this without --check.\n")
        return 1
    else:
        sys.stdout.write(f"{pluralize(count, 'question')}, up to date.\n")
    return 0


def generate_file(seed: int) -> tuple[bytes, int]:
    """The content of the file and the number of its questions."""
    with tempfile.TemporaryDirectory() as folder:
        built = build_snapshot(open_source([DEMO_GRAPH_DIR], "csv").source, Path(folder))
        questions = generate_demo_questions(open_snapshot(built.path), seed)
        objects = [build_question_record(one) for one in questions]
    return serialize_records(objects, DEMO_QUESTIONS_FILE.name), len(objects)


def generate_demo_questions(view: GraphView, seed: int) -> list[NewQuestion]:
    """All questions by type, first to last; fewer if the graph does not have enough."""
    making = QuestionFactory.of(view, seed)
    return assign_qids(
        question for recipe in QUESTION_TEMPLATES for question in _from_template(making, recipe)
    )


def _from_template(making: QuestionFactory, recipe: QuestionTemplate) -> Iterator[NewQuestion]:
    pattern = _template_pattern(recipe)
    left = recipe.count
    for _ in range(MAX_DRAWS):
        match = _draw_values(making, pattern) if left else None
        draft = QuestionDraft(pattern, match, recipe.text, recipe.category) if match else None
        question = making.accept(draft) if draft else None
        if question:
            left -= 1
            yield question


def _template_pattern(recipe: QuestionTemplate) -> Pattern:
    """The pattern of a template, without named entities."""
    nodes = []
    for nid, word in enumerate(recipe.nodes.split()):
        type_ = word.rstrip("?*").replace("_", " ")
        kind: NodeKind = "class" if word[-1] in "?*" else "entity"
        nodes.append(PatternNode(nid, kind, type_, type_, type_, is_target=word[-1] == "?"))
    parts = (edge.split() for edge in recipe.edges.split(";"))
    edges = (PatternEdge(int(start), int(end), relation) for start, relation, end in parts)
    return Pattern(tuple(nodes), tuple(edges))


def _draw_values(making: QuestionFactory, pattern: Pattern) -> NodeValues | None:
    """A random match, drawn outwards from the target node; None if there is a dead end."""
    view = making.view
    first = view.types.index(pattern.nodes[0].type)
    match: NodeValues = {0: making.random.choice((view.type_of == first).nonzero()[0].tolist())}
    open_ = list(pattern.edges)
    while open_:
        edge = next(one for one in open_ if one.start in match or one.end in match)
        open_.remove(edge)
        near = edge.start if edge.start in match else edge.end
        far = edge.other(near)
        ends = _matching_neighbours(
            view, match[near], edge, pattern.by_nid[far].type, outgoing=near == edge.start
        )
        if far in match:
            ends = [match[far]] if match[far] in ends else []
        if not ends:
            return None
        match[far] = making.random.choice(ends)
    return match if len({*match.values()}) == len(match) else None


def _matching_neighbours(
    view: GraphView, number: int, edge: PatternEdge, type_: str, *, outgoing: bool
) -> list[int]:
    """Sorted by number, so that the same graph gives the same order.

    A symmetric relation leads to both ends, as in the answers of a pattern.
    """
    relation = next(one for one in view.relations if one.name == edge.relation)
    ends = []
    for direction in (True, False) if relation.symmetric else (outgoing,):
        row = view.row(number, outgoing=direction)
        first, last = relation_range(row, relation.number)
        ends.append(row.neighbours[first:last])
    numbers = np.unique(np.concatenate(ends))
    return [int(one) for one in numbers[view.type_of[numbers] == view.types.index(type_)]]
