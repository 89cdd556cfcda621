"""Checks the questions of a file against a graph: do the patterns find the file's answers?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backend.benchmarks.patterns.binding import PatternUnknown
from backend.benchmarks.patterns.joins import PatternTooLarge
from backend.benchmarks.patterns.matching import run_pattern
from backend.benchmarks.question_format import ParsedQuestion
from backend.graphs.entity_lookup import find_entity
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.cancellation import CancellationToken
from backend.tracks.serenqa_patterns import Pattern
from backend.validation.faults import Fault

MAX_LISTED = 50


@dataclass(frozen=True)
class PatternCheck:
    """How many patterns could be run, and how many of them gave exactly the file's answers.

    `not_runnable` has the faults of the others, `differences` the number of answers in the file, in
    the graph and in both. At most MAX_LISTED of each.
    """

    questions: int
    runnable: int
    identical: int
    not_runnable: tuple[Fault, ...]
    differences: tuple[PatternDifference, ...]


@dataclass(frozen=True)
class PatternDifference:
    qid: str
    in_file: int
    in_graph: int
    in_both: int


def check_patterns(
    view: GraphView,
    questions: Sequence[ParsedQuestion],
    *,
    progress: Callable[[int], None] = lambda done: None,
    stop: CancellationToken | None = None,
) -> PatternCheck:
    """Run every pattern. Another version of a graph may give other answers."""
    unknown: list[Fault] = []
    differing: list[PatternDifference] = []
    run = 0
    with_pattern = [(one, one.pattern) for one in questions if one.pattern is not None]
    for done, (question, pattern) in enumerate(with_pattern, start=1):
        try:
            result = run_pattern(view, pattern, stop=stop)
        except (PatternUnknown, PatternTooLarge) as error:
            fault = error.faults[0] if error.faults else Fault("pattern", error.detail, error.code)
            unknown.append(Fault(f"{question.place}, {fault.place}", fault.message, fault.code))
        else:
            run += 1
            differing += _find_difference(view, question, pattern, result)
        progress(done)
    same = run - len(differing)
    return PatternCheck(
        len(with_pattern), run, same, tuple(unknown[:MAX_LISTED]), tuple(differing[:MAX_LISTED])
    )


def _find_difference(
    view: GraphView, question: ParsedQuestion, pattern: Pattern, result: frozenset[int]
) -> list[PatternDifference]:
    types = [node.type for node in pattern.targets]
    label = {find_entity(view, answer.id, types) for answer in question.answers}
    if None not in label and result == label:
        return []
    both = len(result & label)
    return [PatternDifference(question.qid, len(question.answers), len(result), both)]
