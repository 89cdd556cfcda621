"""An open release whose items are about the graph that the experts' partitions mask."""

from dataclasses import dataclass
from typing import Any

from django.core.management import call_command

from backend.benchmarks.models import Release, ReleaseGraph
from backend.benchmarks.release_states import change_release_state
from backend.graphs.demo import load_demo_graph
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from tests.evaluation.serenqa_releases import make_serenqa_release

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class MaskedRelease:
    """cut: the edges that the whole graph has and the masked one has not, by identifiers."""

    release: Release
    base: Version
    masked: Version
    cut: list[Triple]


def triples(version: Version) -> set[Triple]:
    snapshot = open_version_snapshot(version)
    ids = [snapshot.entity_summary(number).id for number in range(snapshot.entity_count)]
    names = {one.number: one.name for one in snapshot.relations}
    return {(ids[one.source], names[one.relation], ids[one.target]) for one in snapshot.edges()}


def make_masked_release(folder: Any) -> MaskedRelease:
    base = load_demo_graph()[0]
    release = make_serenqa_release(folder, base, masked_by="expert", test_share=0.5)
    call_command("release_graph", release.slug, "--json")
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    masked = ReleaseGraph.objects.get(release=release, method="expert").version
    return MaskedRelease(release, base, masked, sorted(triples(base) - triples(masked)))
