"""The questions of a release as masked graphs are made of them: patterns and sets of answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.leakage_masks.release import (
    MaskInput,
)
from backend.benchmarks.models import HiddenAnswer, Release
from backend.benchmarks.surroundings import (
    Seeds,
    pattern_hops,
)
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.graphs.entity_lookup import find_entity
from backend.graphs.snapshots.snapshot import Snapshot
from backend.tracks.base import AnyTrack
from backend.tracks.masked_items import MaskableQuestion
from backend.tracks.serenqa_graph_queries import parse_pattern, to_file_value
from backend.tracks.serenqa_patterns import Pattern
from backend.validation.faults import FaultList

NO_PARTITION = "no_partition"
NOT_IN_GRAPH = "not_in_graph"


@dataclass(frozen=True)
class ReleaseQuestions:
    """excluded: reasons by id, of questions that cannot be masked."""

    questions: Sequence[MaskInput]
    excluded: Mapping[str, str]


def question_patterns(release: Release) -> dict[str, Pattern]:
    """By id, over both splits; questions whose pattern cannot be read are left out."""
    track = get_track_or_raise(release.track)
    rows = HiddenAnswer.objects.filter(item__release=release).order_by("item__position")
    contents = rows.values_list("item__content", "content").iterator(2_000)
    items, answers = TypeAdapter(track.item_schema), TypeAdapter(track.answer_schema)
    result = {}
    for item_content, content in contents:
        id_ = track.question_id(items.validate_python(item_content))
        query = track.graph_query(answers.validate_python(content))
        pattern = None if query is None else read_pattern(query)
        if pattern is not None:
            result[id_] = pattern
    return result


def seeds_of(snapshot: Snapshot, pattern: Pattern) -> Seeds:
    named = (node for node in pattern.nodes if not node.is_variable)
    numbers = (find_entity(snapshot, node.id, [node.type]) for node in named)
    return Seeds([number for number in numbers if number is not None], pattern_hops(pattern))


def collect_questions(release: Release, snapshot: Snapshot, method: str) -> ReleaseQuestions:
    """What the items of a release want masked, as entity numbers of its graph."""
    track = get_track_or_raise(release.track)
    questions: list[MaskInput] = []
    excluded: dict[str, str] = {}
    for id_, question in distinct_questions(track, release, method).items():
        read = None if question is None else to_mask_input(snapshot, question)
        if question is None:
            excluded[id_] = NO_PARTITION
        elif read is None:
            excluded[id_] = NOT_IN_GRAPH
        else:
            questions.append(read)
    return ReleaseQuestions(questions, excluded)


def distinct_questions(
    track: AnyTrack, release: Release, method: str
) -> Mapping[str, MaskableQuestion | None]:
    """By id, over both splits; what items of one question want masked is joined."""
    rows = HiddenAnswer.objects.filter(item__release=release).order_by("item__position")
    contents = rows.values_list("item__content", "content").iterator(2_000)
    items, answers = TypeAdapter(track.item_schema), TypeAdapter(track.answer_schema)
    parts: dict[str, list[MaskableQuestion]] = {}
    for item_content, content in contents:
        item, answer = items.validate_python(item_content), answers.validate_python(content)
        id_, part = track.question_id(item), track.maskable_question(item, answer, method)
        parts.setdefault(id_, []).extend([] if part is None else [part])
    return {id_: join_parts(of_question) for id_, of_question in parts.items()}


def join_parts(parts: Sequence[MaskableQuestion]) -> MaskableQuestion | None:
    """The sets of all parts of a question; None without any."""
    if not parts:
        return None
    return replace(
        parts[0],
        serendipity=[*dict.fromkeys(one for part in parts for one in part.serendipity)],
        existing=[*dict.fromkeys(one for part in parts for one in part.existing)],
    )


def to_mask_input(snapshot: Snapshot, question: MaskableQuestion) -> MaskInput | None:
    """None if the pattern cannot be read or the graph lacks an answer."""
    pattern = read_pattern(question.graph_query)
    if pattern is None:
        return None
    hidden = find_entities(snapshot, pattern, question.serendipity)
    existing = find_entities(snapshot, pattern, question.existing)
    if hidden is None or existing is None:
        return None
    return MaskInput(question.id, pattern, hidden, existing)


def read_pattern(graph_query: Mapping[str, Any]) -> Pattern | None:
    """None if it is no pattern."""
    return parse_pattern(to_file_value(graph_query), "item", FaultList())


def find_entities(
    snapshot: Snapshot, pattern: Pattern, identifiers: Iterable[str]
) -> frozenset[int] | None:
    types = dict.fromkeys(node.type for node in pattern.targets)
    numbers = [find_entity(snapshot, one, types) for one in identifiers]
    known = [number for number in numbers if number is not None]
    return frozenset(known) if len(known) == len(numbers) else None
