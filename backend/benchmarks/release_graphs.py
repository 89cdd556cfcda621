"""Masked graphs of releases: which edges are cut, which questions hold, where they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import transaction
from pydantic import TypeAdapter

from backend.accounts.models import User
from backend.benchmarks.leakage_masks.release import (
    EXCLUSION_REASONS,
    MaskInput,
    ReleaseMask,
    mask_release,
)
from backend.benchmarks.models import HiddenAnswer, Item, Release, ReleaseGraph
from backend.benchmarks.policies import require_release_organiser
from backend.benchmarks.surroundings import (
    MOST_HOPS,
    Seeds,
    SurroundingsTooLarge,
    find_edges_around,
    find_whole_questions,
    pattern_hops,
)
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.graphs.cypher.errors import GraphTooLarge
from backend.graphs.cypher_service import build_scoring_database, request_scoring_database
from backend.graphs.entity_lookup import find_entity
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.masked_versions import (
    build_masked_snapshot,
    build_partial_snapshot,
    store_masked_graph,
)
from backend.graphs.models import Graph, Version
from backend.graphs.policies import require_graph_owner
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.runtime.cancellation import CancellationToken
from backend.tracks.base import AnyTrack, MaskableQuestion
from backend.tracks.serenqa_graph_queries import parse_pattern, to_file_value
from backend.tracks.serenqa_patterns import Pattern
from backend.validation.faults import FaultList

RELEASE_GRAPH = "release-graph"  # the kind of jobs
NO_PARTITION = "no_partition"
NOT_IN_GRAPH = "not_in_graph"
SURROUNDINGS = "surroundings"  # beside the methods of partitions
NOT_IN_SURROUNDINGS = "not_in_surroundings"
# Without numbers: how many answers a question has is hidden.
REASONS: Mapping[str, str] = {
    **{str(reason): sentence for reason, sentence in EXCLUSION_REASONS.items()},
    NO_PARTITION: "it has no partition by this method",
    NOT_IN_GRAPH: "the graph lacks some of its answers",
    NOT_IN_SURROUNDINGS: "its surroundings lack some of its answers, so name them instead",
}


class ReleaseGraphMissing(DomainError):
    code = "release_graph_missing"


class MaskImpossible(DomainError):
    """A correction allows no graph that its scores need. Trying again changes nothing."""

    code = "mask_impossible"


class NoQuestions(DomainError):
    code = "no_questions"


@dataclass(frozen=True)
class ReleaseQuestions:
    """excluded: reasons by id, of questions that cannot be masked."""

    questions: Sequence[MaskInput]
    excluded: Mapping[str, str]


@dataclass(frozen=True)
class BuiltReleaseGraph:
    """Files and figures of a masked graph whose rows are not stored yet. contents: in words."""

    built: BuildResult
    mask: ReleaseMask
    unmaskable: Mapping[str, str]
    removed_edges: int
    contents: str = "without the edges that reveal answers to questions"

    @property
    def excluded(self) -> dict[str, Any]:
        left_out = {
            one.id: {"reason": one.reason, "conflicts": list(one.conflicts)}
            for one in self.mask.excluded
        }
        others = {id_: {"reason": why, "conflicts": []} for id_, why in self.unmaskable.items()}
        return left_out | others


def require_mask_method(actor: User | None, release: Release, method: str) -> None:
    """Raises NotAllowed, or DomainError for a track, release or method without masked graphs."""
    if actor is not None:
        require_release_organiser(actor, release)
    track = get_track_or_raise(release.track)
    methods = offered_methods(release)
    if method not in methods:
        known = ", ".join(methods) or "none"
        message = f"The track {track.slug} has no masked graph by this method. It has: {known}."
        raise DomainError(message, code="no_mask_method")
    if release.graph_version is None:
        message = "This release has no graph. Make the release with one."
        raise DomainError(message, code="release_without_graph")
    graph = release.graph_version.graph
    if actor is not None and graph.visibility != Graph.Visibility.PUBLIC:
        require_graph_owner(actor, graph)  # visitors read most of it once the release is open
    is_used = find_release_graph(release, method) is None and find_used_graph(release, method)
    if is_used and method not in methods_to_mask_again(release):
        message = "The masked graph of the release that this one corrects holds for it as well."
        raise DomainError(message, code="graph_of_earlier_release")


def offered_methods(release: Release) -> Sequence[str]:
    """Methods by which the release can have a masked graph: of its own partition, if it has one.

    Surroundings come last, as they are part of the masked graph.
    """
    track = get_track_or_raise(release.track)
    if track.partition_methods:
        return [release.partition] if release.partition else []
    is_partial = track.has_queries and is_above_engine(release)
    return [*track.mask_methods, SURROUNDINGS] if is_partial else track.mask_methods


def find_release_graph(release: Release, method: str) -> ReleaseGraph | None:
    rows = ReleaseGraph.objects.filter(release=release, method=method)
    return rows.select_related("version__graph").first()


def build_release_graph(
    release: Release,
    method: str,
    *,
    progress: Callable[[str, float], None] = lambda phase, share: None,
    stop: CancellationToken | None = None,
) -> BuiltReleaseGraph:
    """Cut the union of the questions' masks out of the release's graph; rows are not stored.

    Raises DomainError `no_questions` if no question holds on a masked graph.
    """
    version = release.graph_version
    if version is None:
        raise DomainError("This release has no graph.", code="release_without_graph")
    if method == SURROUNDINGS:
        return build_surroundings(release, progress=progress, stop=stop)
    snapshot = open_version_snapshot(version)
    collected = collect_questions(release, snapshot, method)
    count = max(len(collected.questions), 1)

    def report(done: int) -> None:
        progress(f"masking questions, {done:,} of {count:,}", 0.8 * done / count)

    mask = mask_release(snapshot, collected.questions, stop=stop, progress=report)
    if not mask.included:
        message = f"No question of this release holds on a graph masked by {method}."
        raise NoQuestions(message)
    progress("writing the masked graph", 0.8)
    built = build_masked_snapshot(version, mask.removed)
    if get_track_or_raise(release.track).has_queries and not is_above_engine(release):
        progress("loading the graph into the query engine", 0.85)
        build_scoring_database(open_snapshot(built.path))
    return BuiltReleaseGraph(built, mask, collected.excluded, len(mask.removed))


def build_surroundings(
    release: Release,
    *,
    progress: Callable[[str, float], None] = lambda phase, share: None,
    stop: CancellationToken | None = None,
) -> BuiltReleaseGraph:
    """The part around the questions of the graph that they are scored on, for queries.

    Raises SurroundingsTooLarge where that part is above the engine's size as well.
    """
    version = scored_version(release)
    if version is None:
        raise DomainError("This release has no graph.", code="release_without_graph")
    snapshot = open_version_snapshot(version)
    patterns = question_patterns(release)
    seeds = {id_: seeds_of(snapshot, pattern) for id_, pattern in patterns.items()}
    progress("collecting the surroundings of the questions", 0.1)
    largest = settings.CYPHER_LARGEST_GRAPH
    edges = find_edges_around(snapshot, seeds.values(), largest=largest, stop=stop)
    progress("writing the surroundings", 0.4)
    built = build_partial_snapshot(version, edges)
    part = open_snapshot(built.path)
    progress("comparing answers with the whole graph", 0.6)
    included, others = find_whole_questions(snapshot, part, patterns)
    if not included:
        raise NoQuestions("No question holds on its surroundings.")
    progress("loading the surroundings into the query engine", 0.8)
    build_scoring_database(part)
    hops = min(MOST_HOPS, max(one.hops for one in seeds.values()))
    return BuiltReleaseGraph(
        built,
        ReleaseMask(frozenset(), tuple(included), ()),
        dict.fromkeys(others, NOT_IN_SURROUNDINGS),
        snapshot.edge_count - len(edges),
        f"only what is within {pluralize(hops, 'relation')} of the entities that the questions of "
        f"{release.name} name",
    )


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


def mask_again(
    release: Release,
    *,
    progress: Callable[[str, float], None] = lambda phase, share: None,
    stop: CancellationToken | None = None,
) -> None:
    """Make the masked graphs that a correction needs anew, before its entries are scored again.

    One that no score depends on is left out where it cannot be made: the earlier release's stays
    in use. Raises MaskImpossible for the others.
    """
    for method in offered_methods(release):
        if method not in methods_to_mask_again(release):
            continue
        try:
            built = build_release_graph(release, method, progress=progress, stop=stop)
        except (NoQuestions, SurroundingsTooLarge, GraphTooLarge) as error:
            if method != SURROUNDINGS and method not in scored_methods(release):
                continue
            raise MaskImpossible(error.detail) from error
        store_release_graph(release, method, built)


@transaction.atomic
def store_release_graph(release: Release, method: str, built: BuiltReleaseGraph) -> ReleaseGraph:
    """One for each release and method: of two jobs, the first stores it."""
    locked = Release.objects.select_for_update(of=("self",)).get(pk=release.pk)
    stored = find_release_graph(locked, method)
    if stored is not None:
        return stored
    if locked.graph_version is None:
        raise DomainError("This release has no graph.", code="release_without_graph")
    version = store_masked_graph(
        locked.graph_version,
        built.built,
        name=unused_name(locked, method),
        owner=None,
        contents=built.contents,
    )
    return ReleaseGraph.objects.create(
        release=locked,
        method=method,
        version=version,
        removed_edges=built.removed_edges,
        included=list(built.mask.included),
        excluded=built.excluded,
    )


def unused_name(release: Release, method: str) -> str:
    is_part = method == SURROUNDINGS
    name = f"{release.slug}, {method}" if is_part else f"{release.slug}, masked by {method}"
    return f"{name} ({release.pk})" if Graph.objects.filter(name=name).exists() else name


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


def scored_methods(release: Release) -> set[str]:
    """Methods whose masked graphs the items are scored on."""
    track = get_track_or_raise(release.track)
    if not track.mask_methods:
        return set()
    rows = Item.objects.filter(release=release).values_list("content", flat=True)
    items = TypeAdapter(track.item_schema)
    return {track.masked_by(items.validate_python(one)) for one in rows.iterator(2_000)} - {""}


def require_scored_graphs(release: Release) -> None:
    """Raises ReleaseGraphMissing: what scores depend on is made before predictions are taken."""
    missing = scored_methods(release) - set(release.graphs.values_list("method", flat=True))
    if missing:
        raise ReleaseGraphMissing(
            f"The masked graph by {', '.join(sorted(missing))} is missing. Make it before opening."
        )


def get_release_graph_or_raise(release: Release, method: str) -> ReleaseGraph:
    """That of the release, or of the one that it corrects: entries are scored again at once."""
    graph = find_used_graph(release, method)
    if graph is None:
        raise ReleaseGraphMissing(f"The masked graph of this release by {method} is missing.")
    return graph


def _find_earlier(release: Release, method: str) -> ReleaseGraph | None:
    graph, earlier = None, release.corrects
    while graph is None and earlier is not None:
        graph, earlier = find_release_graph(earlier, method), earlier.corrects
    return graph


def scored_snapshots(release: Release) -> list[str]:
    """The graphs that results of queries depend on; none where a track takes no queries."""
    if not get_track_or_raise(release.track).has_queries:
        return []
    graphs = [get_release_graph_or_raise(release, one) for one in sorted(scored_methods(release))]
    whole = [] if release.graph_version is None else [release.graph_version.snapshot]
    part = find_used_graph(release, SURROUNDINGS)
    return [
        *whole,
        *(one.version.snapshot for one in graphs),
        *([] if part is None else [part.version.snapshot]),
    ]


def queried_versions(release: Release) -> list[Version]:
    """The graphs that queries of predictions run on; none where it takes no queries."""
    if not takes_queries(release):
        return []
    methods = sorted(scored_methods(release)) or [""]
    versions = [queried_version(release, one) for one in methods]
    return [one for one in versions if one is not None]


def queried_version(release: Release, method: str) -> Version | None:
    """The graph that queries about items of this masked graph run on; '' for the full graph."""
    part = find_used_graph(release, SURROUNDINGS)
    if part is not None:
        return part.version
    return get_release_graph_or_raise(release, method).version if method else release.graph_version


def request_query_databases(release: Release) -> None:
    """Let workers load the graphs into the query engine, before predictions come."""
    for version in queried_versions(release):
        request_scoring_database(version)


def describe_queried_part(release: Release) -> str:
    """A sentence about the part of the graph that queries run on; empty for the whole of it."""
    part = find_used_graph(release, SURROUNDINGS)
    return "" if part is None else f"Queries run on {part.version.graph.description}"


def takes_queries(release: Release) -> bool:
    """Whether predictions may be Cypher queries: the engine takes the graph, or a part is made."""
    if release.graph_version is None or not get_track_or_raise(release.track).has_queries:
        return False
    return not is_above_engine(release) or find_used_graph(release, SURROUNDINGS) is not None


def is_above_engine(release: Release) -> bool:
    version = release.graph_version
    largest = settings.CYPHER_LARGEST_GRAPH
    return version is not None and max(version.edges, version.entities) > largest


def scored_version(release: Release) -> Version | None:
    """The graph that predictions are about: the masked one where all items are about that."""
    methods = scored_methods(release)
    if len(methods) != 1:
        return release.graph_version
    return get_release_graph_or_raise(release, methods.pop()).version


def walked_version(release: Release) -> Version | None:
    """The graph that baselines read: also the masked one of the release's partition, if made."""
    graph = walked_graph(release)
    return scored_version(release) if graph is None else graph.version


def walked_graph(release: Release) -> ReleaseGraph | None:
    return find_used_graph(release, release.partition) if release.partition else None


def find_used_graph(release: Release, method: str) -> ReleaseGraph | None:
    """The release's own, or that of one which it corrects without changing what is masked."""
    return find_release_graph(release, method) or _find_earlier(release, method)


def used_graphs(release: Release) -> list[ReleaseGraph]:
    graphs = (find_used_graph(release, method) for method in offered_methods(release))
    return [one for one in graphs if one is not None]


def methods_to_mask_again(release: Release) -> list[str]:
    """Methods of the earlier release's masked graphs that do not hold for its correction.

    One holds while every question wants the same masked; withdrawn questions change nothing.
    """
    return [
        method
        for method in offered_methods(release)
        if find_release_graph(release, method) is None
        and (earlier := _find_earlier(release, method)) is not None
        and _is_other_mask(release, earlier)
    ]


def _is_other_mask(release: Release, earlier: ReleaseGraph) -> bool:
    track = get_track_or_raise(release.track)
    if earlier.method == SURROUNDINGS:
        before_patterns = question_patterns(earlier.release)
        is_masked_again = release.graphs.exclude(method=SURROUNDINGS).exists()
        return is_masked_again or any(
            before_patterns.get(id_) != one for id_, one in question_patterns(release).items()
        )
    before = distinct_questions(track, earlier.release, earlier.method)
    after = distinct_questions(track, release, earlier.method)
    return not all(_is_covered(question, before.get(id_)) for id_, question in after.items())


def _is_covered(question: MaskableQuestion | None, before: MaskableQuestion | None) -> bool:
    """Whether a mask of the earlier question holds for this one."""
    if question is None or before is None:
        return question is None
    return (
        question.graph_query == before.graph_query
        and set(question.serendipity) == set(before.serendipity)
        and set(question.existing) <= set(before.existing)
    )
