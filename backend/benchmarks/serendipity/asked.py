"""The questions of a set as one version of a graph knows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backend.benchmarks.masking import entities_of
from backend.benchmarks.models import Match, Question, QuestionSet
from backend.benchmarks.resolution import is_complete, resolve_question_set
from backend.benchmarks.serendipity.scoring import MOST_CANDIDATES, Asked
from backend.graphs.models import Version
from backend.graphs.snapshots.view import GraphView


@dataclass(frozen=True)
class AskedOf:
    """left_out: questions by the file's id that cannot be split, and why."""

    questions: tuple[Asked, ...]
    left_out: Mapping[str, str]


def asked_of(question_set: QuestionSet, version: Version, view: GraphView) -> AskedOf:
    """By number. Names are looked up in the graph first, if that was not done."""
    there = question_set.resolutions.filter(version=version).first()
    if there is None or not is_complete(there):
        resolve_question_set(question_set=question_set, version=version)
    entities = entities_of(question_set, version)
    found, left_out = [], {}
    for question in question_set.questions.order_by("number", "file_id"):
        asked = asked_question(question, entities.get(question.pk, {}), view)
        if len(asked.positions) < 2:
            left_out[question.file_id] = "fewer than two of its answers are in this graph"
        elif len(asked.positions) > MOST_CANDIDATES:
            left_out[question.file_id] = f"it has more than {MOST_CANDIDATES} answers"
        else:
            found.append(asked)
    return AskedOf(tuple(found), left_out)


def entities_of_question(question: Question, version: Version) -> dict[int, int]:
    """By position: the number of the entity that a candidate stands for."""
    rows = Match.objects.filter(
        resolution__version=version,
        resolution__question_set=question.question_set_id,
        question=question,
        candidate__isnull=False,
        entity__isnull=False,
    )
    return {
        position: entity
        for position, entity in rows.values_list("candidate__position", "entity")
        if entity is not None
    }


def asked_question(question: Question, entities: Mapping[int, int], view: GraphView) -> Asked:
    """entities: by position. Two candidates that are one entity count once, the first of them."""
    first: dict[int, int] = {}
    for position in sorted(entities):
        first.setdefault(entities[position], position)
    ordered = sorted(first, key=lambda number: view.entity(number).id)
    return Asked(question.file_id, tuple(first[one] for one in ordered), tuple(ordered))
