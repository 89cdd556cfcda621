"""Two kinds of errors among wrong hypotheses whose rationale is well grounded."""

from pathlib import Path

import pytest

from backend.benchmarks.models import Release
from backend.evaluation.grounding.error_flags import (
    ErrorFlags,
    count_error_flags,
    echoed_share,
    grams_of,
    has_words,
)
from backend.evaluation.grounding.groundedness import list_groundings
from backend.evaluation.grounding.submissions import ground_submission, settings_within
from backend.evaluation.models import Submission
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.jobs.runner import run_job
from tests.evaluation.grounding_worlds import EARLY, GroundingWorld
from tests.evaluation.reasoned_entries import FALSE, open_release, prediction_file, submit
from tests.evaluation.truthhypo_files import key_of
from tests.graphs.literature.paper_files import make_collection, paper
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows

pytestmark = pytest.mark.django_db
SHORT = "Aspirin inhibits COX-1."
COPIED = "Aspirin strongly inhibits COX-1 in many tissues of the stomach."
LINKED, UNLINKED, ECHO, RIGHT, UNGROUNDED = 2, 6, 4, 8, 10


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    """Pair 2 is aspirin and COX-1, and linked; the graph has no other pair."""
    chemical, gene = key_of(LINKED)
    nodes = [NodeRow(chemical, "Chemical", "Aspirin"), NodeRow(gene, "Gene", "COX-1")]
    edges = [EdgeRow(chemical, "inhibits", gene, first_pmid=EARLY)]
    graph = make_graph("Pairs", rows=SourceRows([*nodes], [*edges]))
    papers = [paper("5", "A study", "2001", f"{COPIED} Nothing else was known.")]
    collection = make_collection(tmp_path, papers, "Copied papers")
    return GroundingWorld(Version.objects.get(graph=graph), collection)


@pytest.fixture
def release(world: GroundingWorld, tmp_path: Path) -> Release:
    return open_release(tmp_path, world, pairs=20)


def flags_of(submission: Submission, world: GroundingWorld) -> ErrorFlags:
    settings = settings_within(submission.release, version=None, collection=world.collection)
    _, job = ground_submission(actor=None, submission=submission, settings=settings)
    assert job is not None
    run_job(job.pk)
    (grounded,) = list_groundings([submission])
    return count_error_flags(grounded)


def test_planted_errors_are_counted_each_by_its_kind(
    release: Release, world: GroundingWorld
) -> None:
    rationales = {
        LINKED: SHORT,  # says no_relation, and its context has the edge
        UNLINKED: SHORT,  # says no_relation; its context has the edge of another pair
        ECHO: COPIED,
        RIGHT: COPIED,
        UNGROUNDED: FALSE,
    }
    submission = submit(release, prediction_file(rationales, lambda n: n == RIGHT))
    assert flags_of(submission, world) == ErrorFlags("both", failures=3, denials=1, echoes=1)


def test_right_hypotheses_have_no_flag(release: Release, world: GroundingWorld) -> None:
    submission = submit(release, prediction_file({LINKED: COPIED, ECHO: COPIED}))
    assert flags_of(submission, world) == ErrorFlags("both", failures=0, denials=0, echoes=0)


def test_the_share_is_of_different_grams_in_any_text() -> None:
    grams = grams_of("One two three four five six seven.")
    assert len(grams) == 3
    assert echoed_share(grams, iter(["ONE two, three four five"])) == pytest.approx(1 / 3)
    texts = ["one two three four five six", "three four five six seven", "three four five six"]
    assert echoed_share(grams, iter(texts)) == 1
    assert echoed_share(grams, iter(["one two three four", "five six seven"])) == 0
    assert grams_of("Four words are few") == frozenset()


def test_names_are_whole_words() -> None:
    assert has_words(["cox", "1", "is"], ["cox", "1"])
    assert not has_words(["cox", "12"], ["cox", "1"])
    assert not has_words(["cox"], [])
