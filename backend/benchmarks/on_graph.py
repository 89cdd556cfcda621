"""What a graph says to the questions of a file: do their patterns find the answers in it?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backend.benchmarks.patterns.binding import PatternUnknown, spellings_of
from backend.benchmarks.patterns.joins import PatternTooLarge
from backend.benchmarks.patterns.running import run_pattern
from backend.benchmarks.serenqa.records import QARecord
from backend.common.errors import Fault
from backend.graphs.snapshots.view import GraphView
from backend.science.stopping import Stop

LISTED = 50


@dataclass(frozen=True)
class OnGraph:
    """Of `questions`, how many patterns could be run, and how many of those gave exactly the
    file's answers. `unknown` says of the others what the graph lacks, `differing` which question
    has how many answers of the file, of the graph, and of both; the first of each are listed.
    """

    questions: int
    run: int
    same: int
    unknown: tuple[Fault, ...]
    differing: tuple[Differing, ...]


@dataclass(frozen=True)
class Differing:
    qid: str
    in_file: int
    in_graph: int
    in_both: int


def check_on_graph(
    view: GraphView,
    questions: Sequence[QARecord],
    *,
    progress: Callable[[int], None] = lambda done: None,
    stop: Stop | None = None,
) -> OnGraph:
    """Run every pattern. A graph of another version may well know other answers."""
    unknown: list[Fault] = []
    differing: list[Differing] = []
    run = 0
    for done, question in enumerate(questions, start=1):
        try:
            found = run_pattern(view, question.pattern, stop=stop)
        except (PatternUnknown, PatternTooLarge) as error:
            fault = error.faults[0] if error.faults else Fault("pattern", error.detail, error.code)
            unknown.append(Fault(f"{question.place}, {fault.place}", fault.message, fault.code))
        else:
            run += 1
            differing += _difference(view, question, found)
        progress(done)
    same = run - len(differing)
    return OnGraph(len(questions), run, same, tuple(unknown[:LISTED]), tuple(differing[:LISTED]))


def _difference(view: GraphView, question: QARecord, found: frozenset[int]) -> list[Differing]:
    said = {_number(view, question, answer.id) for answer in question.answers}
    if None not in said and found == said:
        return []
    both = len(found & said)
    return [Differing(question.qid, len(question.answers), len(found), both)]


def _number(view: GraphView, question: QARecord, identifier: str) -> int | None:
    """The entity that the file means, by its identifier in one of its spellings."""
    for node in question.pattern.asked:
        for spelling in spellings_of(identifier, node.type):
            if (number := view.number_of(spelling)) is not None:
                return number
    return None
