"""Exploration questions name the root alone, and their pattern finds the end of the path."""

import pytest

from backend.benchmarks.patterns.matching import run_pattern
from backend.benchmarks.rns.exploration_questions import (
    MOST_QUESTIONS,
    pattern_of_path,
    write_question,
    write_questions,
)
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.path_queries import ExplainedPath, search_paths
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery

pytestmark = pytest.mark.django_db


@pytest.fixture
def view(demo_graph: Version) -> GraphView:
    return open_version_snapshot(demo_graph)


def find_paths(view: GraphView, source: str, target: str) -> list[ExplainedPath]:
    ends = [view.find_number(name) for name in (source, target)]
    (one, other) = ([number] for number in ends if number is not None)
    search = search_paths(view, PathQuery(one, other), CancellationToken())
    return list(search.paths)


def test_a_question_is_in_words_and_its_pattern_finds_the_end(view: GraphView) -> None:
    paths = find_paths(view, "DRUGBANK:DB00005", "DRUGBANK:DB00563")
    assert len(paths) > 3
    for path in paths:
        root, *others = path.entities
        text = write_question(view, path)
        assert text.startswith("Which drug ") and text.endswith(f" {root.name}?")
        assert not any(one.name in text for one in others if one.name not in root.name)
        assert all(
            one.phrase in text or step_backwards(view, one.relation) in text for one in path.steps
        )
        assert path.entities[-1].number in run_pattern(view, pattern_of_path(path))


def step_backwards(view: GraphView, name: str) -> str:
    return next(one.backward for one in view.relations if one.name == name)


def test_each_kind_of_path_gives_one_question(view: GraphView) -> None:
    paths = find_paths(view, "DRUGBANK:DB00005", "DRUGBANK:DB00563")
    once = write_questions(view, paths)
    assert once == write_questions(view, [*paths, *paths])
    assert 1 <= len(once) <= min(MOST_QUESTIONS, len(paths))
    assert write_questions(view, []) == ()
