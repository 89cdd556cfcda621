"""Papers under a cut-off, beside a plain filter; phrases of names; papers of a pair."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from backend.graphs.literature.cutoff import Cutoff, cutoff_of_number
from backend.graphs.literature.entity_papers import find_papers_naming
from backend.graphs.literature.paper_records import last_possible_day
from backend.graphs.literature.paper_search import papers_about_pair, search_papers
from backend.graphs.models import Collection
from backend.tracks.model_tasks import Passage
from tests.graphs.literature.paper_files import make_collection, paper
from tests.science.bm25.plain_bm25 import PlainBm25

pytestmark = pytest.mark.django_db
DATES = ["", "1999", "2004-05", "2004-05-17", "2010-12-31", "2020"]
WORDS = ["aspirin", "headache", "ptgs2", "migraine", "trial", "worm", "kidney"]


def keys(collection: Collection, query: str, cutoff: Cutoff | None = None) -> list[str]:
    return [it.paper.key for it in search_papers(collection, query, 50, cutoff).papers]


def test_search_equals_a_plain_filter_of_the_plain_ranking(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    texts = [" ".join(rng.choice(WORDS, size=int(rng.integers(1, 9)))) for _ in range(60)]
    written = [
        paper(f"SYN:{at + 1}" if at % 7 == 0 else str(10 * (at + 1)), text, str(rng.choice(DATES)))
        for at, text in enumerate(texts)
    ]
    collection = make_collection(tmp_path, written)
    plain = PlainBm25([text.split() for text in texts])
    cutoffs = [
        Cutoff(pmid=300),
        Cutoff(day=date(2004, 5, 20)),
        Cutoff(day=date(2020, 12, 30)),
        None,
    ]
    for _ in range(100):
        query = rng.choice(WORDS, size=2, replace=False).tolist()
        cutoff = cutoffs[int(rng.integers(4))]
        results = search_papers(collection, " ".join(query), 7, cutoff)
        scores = plain.scores(query)
        known = [at for at in range(60) if scores[at] > 0 and is_known(written[at], cutoff)]
        undated = [at for at in range(60) if scores[at] > 0 and is_undated(written[at], cutoff)]
        best = sorted((scores[at] for at in known), reverse=True)[:7]
        matched = [it.paper.number for it in results.papers]
        assert set(matched) <= set(known)
        assert [scores[at] for at in matched] == pytest.approx(best, rel=1e-5)
        assert results.undated == len(undated)


def is_known(one: dict[str, object], cutoff: Cutoff | None) -> bool:
    if cutoff is None:
        return True
    if is_undated(one, cutoff):
        return False
    if cutoff.pmid is not None:
        return int(str(one["id"])) <= cutoff.pmid
    day = last_possible_day(str(one["date"]))
    return day is not None and cutoff.day is not None and day <= cutoff.day


def is_undated(one: dict[str, object], cutoff: Cutoff | None) -> bool:
    if cutoff is None:
        return False
    return str(one["id"]).startswith("SYN") if cutoff.pmid is not None else not one["date"]


def test_a_cut_off_of_the_explorer_is_a_year_or_a_pmid() -> None:
    assert cutoff_of_number(2010, "year") == Cutoff(day=date(2010, 12, 31))
    assert cutoff_of_number(2010, "pmid") == Cutoff(pmid=2010)
    assert cutoff_of_number(2010, None) == Cutoff(day=date(2010, 12, 31))
    assert cutoff_of_number(999_999_999, None) == Cutoff(pmid=999_999_999)
    assert cutoff_of_number(999_999_999, "year") == Cutoff(day=date(9999, 12, 31))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Aspirin"], {"1", "2"}),
        (["beta blocker"], {"3"}),
        (["Crohn's disease"], {"4"}),
        (["disease of Crohn"], set()),
        (["CAT"], {"6"}),
        (["heart"], {"5"}),
        (["the", "", "!", "x"], set()),
        (["aspirin", "Crohn disease", "heart"], {"1", "2", "5"}),
    ],
)
def test_papers_that_name_an_entity_have_the_whole_phrase(
    tmp_path: Path, names: list[str], expected: set[str]
) -> None:
    collection = make_collection(
        tmp_path,
        [
            paper("1", "Aspirin for pain"),
            paper("2", "Pain", abstract="Low-dose ASPIRIN."),
            paper("3", "β-Blockers", abstract="A β-blocker in use"),
            paper("4", "Crohns disease of the disease"),
            paper("5", "A heart attack of a cat"),
            paper("6", "CAT in mice"),
            paper("7", "Aspirine and aspirins"),
        ],
    )
    matched = find_papers_naming(collection, names, 10)
    assert {it.key for it in matched.papers} == expected
    assert matched.count == len(expected) and matched.is_complete


def test_later_papers_that_name_it_are_hidden_and_undated_ones_counted(tmp_path: Path) -> None:
    collection = make_collection(
        tmp_path,
        [
            paper("100", "Aspirin then", "1990"),
            paper("300", "Aspirin later", "2020"),
            paper("SYN:1", "Aspirin made up"),
            paper("SYN:2", "Migraine made up"),
        ],
    )
    for cutoff in (Cutoff(pmid=200), Cutoff(day=date(2000, 1, 1))):
        matched = find_papers_naming(collection, ["aspirin"], 10, cutoff)
        assert [it.key for it in matched.papers] == ["100"]
        assert (matched.count, matched.undated) == (1, 1)


def test_the_count_goes_beyond_the_papers_that_are_listed(tmp_path: Path) -> None:
    papers = [paper(str(at), f"Aspirin {at}") for at in range(1, 30)]
    matched = find_papers_naming(make_collection(tmp_path, papers), ["aspirin"], 4)
    assert len(matched.papers) == 4 and matched.count == 29


def test_the_papers_of_a_pair_are_passages_within_the_cut_off(tmp_path: Path) -> None:
    collection = make_collection(
        tmp_path,
        [
            paper("1", "Aspirin", "1990", "It treats headache."),
            paper("2", "Headache", "1991"),
            paper("9", "Aspirin and headache", "2020"),
            paper("SYN:4", "Aspirin", ""),
        ],
    )
    passages = papers_about_pair(collection, "Aspirin", "headache", Cutoff(pmid=5))
    assert passages[0] == Passage("1", "Aspirin", "It treats headache.")
    assert [it.id for it in passages] == ["1", "2"]
    many = [paper(str(at), f"Aspirin {at}") for at in range(1, 60)]
    collection = make_collection(tmp_path, many, "Many")
    assert len(papers_about_pair(collection, "aspirin", "x", None)) == 32


@pytest.mark.parametrize("query", ["", "the of", "\x00", "🙂", "a" * 100_000, "aspirin " * 5_000])
def test_odd_queries_are_answered(tmp_path: Path, query: str) -> None:
    collection = make_collection(tmp_path, [paper("1", "Aspirin")])
    assert keys(collection, query) in ([], ["1"])
