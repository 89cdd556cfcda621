"""Every task with the scripted server as a model of known skill, from a request to the board.

Runs, scores and boards are worked off from the queues. One world for all tasks, one run of each.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from backend.benchmarks.models import Release
from backend.evaluation.runs import pair_papers
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.pair_papers import PairPapers
from backend.evaluation.runs.rerank_candidates import RerankCandidates
from backend.evaluation.runs.run_settings import RunSettings
from backend.graphs.literature.paper_search import PAIR_PAPERS
from backend.llm.calls import Outcome
from backend.tracks.model_tasks import NO_CONTEXT
from backend.tracks.text_vectors import MINILM
from tests.evaluation.fault_storm import STORMED, FaultStorm, outcome_of
from tests.evaluation.hashed_words import HashedWords
from tests.evaluation.known_world import make_world_graph, make_world_papers, make_world_release
from tests.evaluation.played_runs import Ended, committed_data, play
from tests.evaluation.stormed_ledger import assert_ledger_is_log, play_storm
from tests.evaluation.world_tasks import (
    DOCUMENT,
    EARLY,
    ITEMS,
    LATER,
    ORDER,
    PLAYED,
    TRACKS,
    number_of,
    numbers_in,
)
from tests.thorough import thorough

pytestmark = pytest.mark.django_db
# Of each kind of answer one: a label, an order of candidates, a text.
IN_BRIEF = ("truthhypo-graph", "stark-prime-rerank", "biohopr-single")
TASKS = [task if task in IN_BRIEF else pytest.param(task, marks=thorough) for task in PLAYED]


@pytest.fixture(scope="module")
def world(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Release]]:
    with committed_data(django_db_blocker):
        graph = make_world_graph()
        make_world_papers(tmp_path_factory.mktemp("papers"))
        yield {
            track: make_world_release(tmp_path_factory.mktemp(track), track, graph)
            for track in TRACKS
        }


@pytest.fixture(scope="module", params=TASKS)
def ended(request: pytest.FixtureRequest, world: dict[str, Release]) -> Ended:
    played = PLAYED[request.param]
    return play(f"world-{played.track}", played.task, played.script(), played.settings)


@pytest.fixture(scope="module", params=TASKS)
def stormed(request: pytest.FixtureRequest, world: dict[str, Release]) -> Ended:
    """With faults before each right answer."""
    played = PLAYED[request.param]

    def answer(number: int, body: dict[str, Any]) -> str:
        return json.dumps(played.answer(number, True, body))

    storm = FaultStorm(number_of, answer)
    return play_storm(f"world-{played.track}", played.task, storm, played.settings)


def test_the_score_is_what_the_arithmetic_says(ended: Ended) -> None:
    played = PLAYED[ended.run.task]
    overall = "average" if played.track == "truthhypo" else "all"
    value, low, high, n = ended.row["scores"][f"{played.metric} {overall}"]
    assert n == ITEMS
    assert value == pytest.approx(played.expected())
    assert low <= played.nominal() <= high


def test_an_order_as_a_name_is_in_the_prompts_of_its_own_item_alone(ended: Ended) -> None:
    """And no prompt has what belongs to another item."""
    about = [numbers_in(prompt) for prompt in ended.prompts]
    assert all(len(one) == 1 for one in about)
    assert {number for one in about for number in one} == {*range(ITEMS)}
    (own,) = {tuple(numbers_in(prompt)) for prompt in ended.prompts if ORDER in prompt}
    assert own == (0,)
    # The others are answered at once. "YES" may be a name; elsewhere it is repaired in vain.
    assert len(ended.log) - ITEMS == (ended.run.task != "biohopr-single")


def test_no_recorded_prompt_shows_what_is_later_or_hidden(ended: Ended) -> None:
    sent = [json.dumps(one.body, ensure_ascii=False) for one in ended.log]
    for text in (*ended.prompts, *sent):
        assert not [one for one in PLAYED[ended.run.task].forbidden if one in text]


@pytest.mark.parametrize("track", TRACKS[2:])
def test_candidates_under_a_cut_off_have_no_later_link_and_no_document(
    world: dict[str, Release], track: str
) -> None:
    request = ContextRequest(world[track], RunSettings(cutoff=EARLY))
    assert RerankCandidates.find_missing(request) == ""
    source = RerankCandidates(request)
    texts = [
        one.text for item in request.all_items for one in source.add_to(NO_CONTEXT, item).candidates
    ]
    assert any("inhibits: gamma7" in one for one in texts)
    assert not [text for text in texts if any(one in text for one in LATER)]
    undated = ContextRequest(world[track], RunSettings())
    everything = RerankCandidates(undated).add_to(NO_CONTEXT, undated.all_items[7]).candidates
    assert any("later binds: delta7" in one.text for one in everything)
    assert any(DOCUMENT in one.text for one in everything)


def test_stored_vectors_are_refused_under_a_cut_off(world: dict[str, Release]) -> None:
    request = ContextRequest(world["stark-mag"], RunSettings(cutoff=EARLY, ranker="vss"))
    assert "rank by bm25" in RerankCandidates.find_missing(request)


def test_every_item_is_answered_in_a_storm_of_faults(stormed: Ended) -> None:
    """What is not in the sample counts as wrong, and the board states that it is a sample."""
    played = PLAYED[stormed.run.task]
    overall = "average" if played.track == "truthhypo" else "all"
    answered = Counter(outcome_of(one) for one in stormed.log)[Outcome.ANSWERED]
    assert answered == STORMED
    assert (
        stormed.row["sample"] == f"{STORMED} of {ITEMS * (1 + (played.track == 'biohopr'))} items"
    )
    value = stormed.row["scores"][f"{played.metric} {overall}"][0]
    if played.track != "truthhypo":  # whose score is the mean over three types of pairs
        assert value == pytest.approx(played.worth[0] * STORMED / ITEMS)
    assert value > 0


def test_the_ledger_is_what_the_server_saw(stormed: Ended) -> None:
    assert_ledger_is_log(stormed.run.subject, stormed.log)


def test_vectors_that_no_run_would_get_are_refused_before_it(
    world: dict[str, Release], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = "backend.evaluation.runs.rerank_candidates.installed_embedder"
    for ranker in ("vss", "multi-vss", "hybrid"):
        request = ContextRequest(world["stark-mag"], RunSettings(ranker=ranker))
        monkeypatch.setattr(encoder, lambda: "")
        assert "Choose bm25" in RerankCandidates.find_missing(request)
        monkeypatch.setattr(encoder, lambda: MINILM)
        assert RerankCandidates.find_missing(request) == ""  # a small graph gets them at once
        monkeypatch.setattr("backend.evaluation.runs.rerank_candidates.MOST_IN_A_RUN", 10)
        assert "embed_texts" in RerankCandidates.find_missing(request)
        monkeypatch.undo()


def test_papers_by_words_and_vectors_are_those_known_at_the_cut_off(
    world: dict[str, Release], monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = HashedWords()  # the store takes any: that of the product is an optional package
    monkeypatch.setattr(pair_papers, "installed_embedder", lambda: embedder.name)
    monkeypatch.setattr(pair_papers, "load_embedder", lambda name: embedder)
    settings = RunSettings(cutoff=ITEMS, papers="world-papers", paper_ranker="hybrid")
    request = ContextRequest(world["truthhypo"], settings)
    assert PairPapers.find_missing(request) == ""
    papers = PairPapers(request).add_to(NO_CONTEXT, request.all_items[7]).papers
    assert papers[0].title == "alpha7 acts on beta7"
    assert len(papers) == PAIR_PAPERS  # by words, one alone
    assert not [one for one in papers if one.text in LATER]


def test_papers_by_vectors_need_the_encoder(
    world: dict[str, Release], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = RunSettings(cutoff=ITEMS, papers="world-papers", paper_ranker="hybrid")
    request = ContextRequest(world["truthhypo"], settings)
    monkeypatch.setattr(pair_papers, "installed_embedder", lambda: "")
    assert "Choose bm25" in PairPapers.find_missing(request)
