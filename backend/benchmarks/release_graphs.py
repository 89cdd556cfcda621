"""Masked graphs of releases are built and stored, and built anew for corrections."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction

from backend.accounts.models import User
from backend.benchmarks.leakage_masks.release import (
    EXCLUSION_REASONS,
    ReleaseMask,
    mask_release,
)
from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.policies import lock_release_or_raise, require_release_organiser
from backend.benchmarks.release_graph_lookup import (
    SURROUNDINGS,
    find_earlier_graph,
    find_release_graph,
    find_used_graph,
    is_above_engine,
    offered_methods,
    scored_method,
    scored_version,
)
from backend.benchmarks.release_questions import (
    NO_PARTITION,
    NOT_IN_GRAPH,
    collect_questions,
    distinct_questions,
    question_patterns,
    seeds_of,
)
from backend.benchmarks.surroundings import (
    MOST_HOPS,
    SurroundingsTooLarge,
    find_edges_around,
    find_whole_questions,
)
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.graphs.cypher.errors import GraphTooLarge
from backend.graphs.cypher_service import build_scoring_database
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.masked_versions import (
    build_masked_snapshot,
    build_partial_snapshot,
    known_snapshot,
    rename_masked_graph,
    store_masked_graph,
)
from backend.graphs.models import Graph, Version
from backend.graphs.policies import require_graph_owner
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.dated_view import DatedView
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.runtime.cancellation import CancellationToken
from backend.tracks.masked_items import MaskableQuestion

RELEASE_GRAPH = "release-graph"  # the kind of jobs
NOT_IN_SURROUNDINGS = "not_in_surroundings"
MOST_NAMED = 3  # questions of a conflict, in a sentence
# Without numbers: how many answers a question has is hidden.
REASONS: Mapping[str, str] = {
    **{str(reason): sentence for reason, sentence in EXCLUSION_REASONS.items()},
    NO_PARTITION: "it has no partition by this method",
    NOT_IN_GRAPH: "the graph lacks some of its answers",
    NOT_IN_SURROUNDINGS: "its surroundings lack some of its answers, so name them instead",
}


def reason_in_words(why: Mapping[str, Any], *, names_others: bool) -> str:
    """why: as a release's graph stores it. names_others: the questions of a conflict, at most
    three; what two questions share may be an answer."""
    others = why["conflicts"]
    if not others or not names_others:
        return REASONS[why["reason"]]
    named = ", ".join(others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
    return f"{REASONS[why['reason']]} ({'questions' if others[1:] else 'question'} {named}{more})"


class MaskImpossible(DomainError):
    """A correction allows no graph that its scores need. Trying again changes nothing."""

    code = "mask_impossible"


class NoQuestions(DomainError):
    code = "no_questions"


@dataclass(frozen=True)
class BuiltReleaseGraph:
    """Files and figures of a masked graph whose rows are not stored yet. contents: in words.

    later_edges, undated_edges: those that the cut-off leaves out; None without one.
    """

    built: BuildResult
    mask: ReleaseMask
    unmaskable: Mapping[str, str]
    removed_edges: int
    contents: str = "without the edges that reveal answers to questions"
    later_edges: int | None = None
    undated_edges: int | None = None

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
    if method == SURROUNDINGS and track.has_queries and not is_above_engine(release):
        message = "The release's graph is small: queries run on all of it. Nothing is to be made."
        raise DomainError(message, code="graph_is_small")
    require_offered(release, method)
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


def require_offered(release: Release, method: str) -> None:
    """Raises DomainError `no_mask_method`."""
    methods = offered_methods(release)
    if method not in methods:
        known = ", ".join(methods) or "none"
        message = f"This release has no masked graph by this method. It can have: {known}."
        raise DomainError(message, code="no_mask_method")


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
    with known_snapshot(version, release.cutoff) as snapshot:
        return _mask(release, version, snapshot, method, progress=progress, stop=stop)


def _mask(
    release: Release,
    version: Version,
    snapshot: Snapshot,
    method: str,
    *,
    progress: Callable[[str, float], None],
    stop: CancellationToken | None,
) -> BuiltReleaseGraph:
    """snapshot: what was known of the version until the cut-off."""
    collected = collect_questions(release, snapshot, method)
    count = max(len(collected.questions), 1)

    def report(done: int) -> None:
        progress(f"masking questions, {done:,} of {count:,}", 0.8 * done / count)

    mask = mask_release(snapshot, collected.questions, stop=stop, progress=report)
    if not mask.included:
        message = f"No question of this release holds on a graph masked by {method}."
        raise NoQuestions(message)
    progress("writing the masked graph", 0.8)
    built = build_masked_snapshot(version, mask.removed, snapshot)
    if get_track_or_raise(release.track).has_queries and not is_above_engine(release):
        progress("loading the graph into the query engine", 0.85)
        build_scoring_database(open_snapshot(built.path), release.cutoff)
    removed = len(mask.removed)
    if release.cutoff is None:
        return BuiltReleaseGraph(built, mask, collected.excluded, removed)
    contents = (
        "without the edges that reveal answers to questions, and without those first seen after "
        f"{release.cutoff} and undated ones"
    )
    whole = DatedView(open_version_snapshot(version), release.cutoff)
    return BuiltReleaseGraph(
        built,
        mask,
        collected.excluded,
        removed,
        contents,
        later_edges=whole.later_count,
        undated_edges=whole.undated_count,
    )


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
    view = DatedView(snapshot, release.cutoff) if release.cutoff else None
    patterns = question_patterns(release)
    seeds = {id_: seeds_of(snapshot, pattern) for id_, pattern in patterns.items()}
    progress("collecting the surroundings of the questions", 0.1)
    largest = settings.CYPHER_LARGEST_GRAPH
    edges = find_edges_around(snapshot, seeds.values(), largest=largest, stop=stop)
    if view is not None:
        edges = view.admitted(edges)
    progress("writing the surroundings", 0.4)
    built = build_partial_snapshot(version, edges)
    part = open_snapshot(built.path)
    progress("comparing answers with the whole graph", 0.6)
    included, others = find_whole_questions(view or snapshot, part, patterns)
    if not included:
        raise NoQuestions("No question holds on its surroundings.")
    progress("loading the surroundings into the query engine", 0.8)
    build_scoring_database(part, release.cutoff)
    hops = min(MOST_HOPS, max(one.hops for one in seeds.values()))
    return BuiltReleaseGraph(
        built,
        ReleaseMask(frozenset(), tuple(included), ()),
        dict.fromkeys(others, NOT_IN_SURROUNDINGS),
        snapshot.edge_count - len(edges),
        f"only what is within {pluralize(hops, 'relation')} of the entities that the questions of "
        f"{release.name} name",
    )


def mask_again(
    release: Release,
    *,
    progress: Callable[[str, float], None] = lambda phase, share: None,
    stop: CancellationToken | None = None,
) -> None:
    """Make the masked graphs that a correction needs anew, before its entries are scored again.

    One that no score depends on is left out where it cannot be made, if the earlier release's
    hides all that the correction wants hidden: that stays in use. Raises MaskImpossible for the
    others, and where one does not hide what a question newly wants hidden.
    """
    for method in offered_methods(release):
        if method not in methods_to_mask_again(release):
            continue
        is_replaceable = method != SURROUNDINGS and method != scored_method(release)
        new = questions_to_hide_more(release, method) if is_replaceable else set()
        try:
            built = build_release_graph(release, method, progress=progress, stop=stop)
        except (NoQuestions, SurroundingsTooLarge, GraphTooLarge) as error:
            if is_replaceable and not new:
                continue
            raise MaskImpossible(error.detail) from error
        if exposed := sorted(new - {*built.mask.included}):
            message = f"No masked graph hides the new answers to the question {exposed[0]}."
            raise MaskImpossible(message)
        store_release_graph(release, method, built)


def questions_to_hide_more(release: Release, method: str) -> set[str]:
    """Questions of the earlier masked graph with answers to hide that it does not."""
    earlier = find_earlier_graph(release, method)
    if earlier is None:
        return set()
    track = get_track_or_raise(release.track)
    before = distinct_questions(track, earlier.release, method)
    after = distinct_questions(track, release, method)
    return {
        id_
        for id_ in earlier.included
        if (old := before.get(id_)) is not None
        and (new := after.get(id_)) is not None
        and not {*new.serendipity} <= {*old.serendipity}
    }


def store_release_graph(release: Release, method: str, built: BuiltReleaseGraph) -> ReleaseGraph:
    """One for each release and method: of two jobs, the first stores it.

    Submissions wait for a locked release, so the graph, which may have many vectors of documents,
    is stored before, under a name of this call.
    """
    if release.graph_version is None:
        raise DomainError("This release has no graph.", code="release_without_graph")
    stored = find_release_graph(release, method)
    if stored is not None:
        return stored
    with transaction.atomic():
        name = f"{release.slug}, {method} ({uuid.uuid4()})"
        version = store_masked_graph(
            release.graph_version, built.built, name=name, owner=None, contents=built.contents
        )
        locked = lock_release_or_raise(release.pk)
        stored = find_release_graph(locked, method)
        if stored is None:
            require_offered(locked, method)  # another one may have been stored meanwhile
            rename_masked_graph(version.graph, unused_name(locked, method))
            return ReleaseGraph.objects.create(
                release=locked,
                method=method,
                version=version,
                removed_edges=built.removed_edges,
                later_edges=built.later_edges,
                undated_edges=built.undated_edges,
                included=list(built.mask.included),
                excluded=built.excluded,
            )
        transaction.set_rollback(True)
    return stored


def unused_name(release: Release, method: str) -> str:
    is_part = method == SURROUNDINGS
    name = f"{release.slug}, {method}" if is_part else f"{release.slug}, masked by {method}"
    return f"{name} ({release.pk})" if Graph.objects.filter(name=name).exists() else name


def methods_to_mask_again(release: Release) -> list[str]:
    """Methods of the earlier release's masked graphs that do not hold for its correction.

    One holds while every question wants the same masked; withdrawn questions change nothing.
    """
    return [
        method
        for method in offered_methods(release)
        if find_release_graph(release, method) is None
        and (earlier := find_earlier_graph(release, method)) is not None
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
