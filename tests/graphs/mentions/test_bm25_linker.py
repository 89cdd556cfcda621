"""KnowHD's linker: the entity whose names BM25 ranks first, against BM25 written out."""

import math
from collections import Counter
from pathlib import Path

import pytest

from backend.graphs.mentions.bm25_linker import MAX_MENTIONS, Bm25Linker, build_mention_index
from backend.graphs.source_records import NodeRow
from backend.runtime.normal_form import normalize
from backend.science.bm25.word_index import open_index
from tests.graphs.search.factories import Searched

ROWS = [
    NodeRow("X:1", "Disease", "type 2 diabetes mellitus", ("T2DM",)),
    NodeRow("X:2", "Disease", "type 1 diabetes mellitus", ("T1DM",)),
    NodeRow("X:3", "Disease", "sickle cell anemia", ("sickle cell disease",)),
    NodeRow("D:1", "Drug", "Metformin"),
    NodeRow("P:1", "Protein", "acetylcholinesterase", ("ACHE",)),
    NodeRow("D:2", "Drug", "Same name"),
    NodeRow("D:3", "Drug", "Same name"),
]


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> Bm25Linker:
    folder = tmp_path_factory.mktemp("bm25")
    searched = Searched.of(folder, ROWS)
    build_mention_index(searched.snapshot, folder / "mentions")
    index = open_index(folder / "mentions", source=searched.snapshot.path.name)
    return Bm25Linker(searched.snapshot, index)


def test_runs_between_ordinary_words_are_linked_to_the_first_entity(linker: Bm25Linker) -> None:
    mentions = linker.link("Metformin was given to patients with type 2 diabetes, not T1DM.")
    assert [(one.text, one.identifier) for one in mentions] == [
        ("Metformin", "D:1"),
        ("type 2 diabetes", "X:1"),
        ("T1DM", "X:2"),
    ]
    assert {one.method for one in mentions} == {"bm25"}


def test_it_reads_no_case_and_knows_no_threshold(linker: Bm25Linker) -> None:
    assert [one.identifier for one in linker.link("a dull ache")] == ["P:1"]
    linked = linker.link_mention("gestational diabetes")
    assert linked is not None and linked.identifier in ("X:1", "X:2")
    assert linker.link_mention("metfromin") is None


def test_of_equal_scores_the_entity_with_more_edges_is_chosen(linker: Bm25Linker) -> None:
    linked = linker.link_mention("same name")
    assert linked is not None and linked.identifier == "D:2"


@pytest.mark.parametrize("mention", ["type 2 diabetes", "cell disease", "diabetes ACHE", "T2DM"])
def test_the_score_is_that_of_the_formula(linker: Bm25Linker, mention: str) -> None:
    documents = [
        [word for name in (row.name, *row.synonyms) for word in normalize(name).split()]
        for row in ROWS
    ]
    scores = [bm25(normalize(mention).split(), one, documents) for one in documents]
    best = scores.index(max(scores))
    linked = linker.link_mention(mention)
    assert linked is not None and linked.identifier == ROWS[best].id
    assert linked.score == pytest.approx(scores[best], rel=1e-5)


def bm25(query: list[str], document: list[str], documents: list[list[str]]) -> float:
    k1, b, count = 1.5, 0.75, len(documents)
    mean = sum(map(len, documents)) / count
    total = 0.0
    for word in query:
        having = sum(word in one for one in documents)
        inverse = math.log(1 + (count - having + 0.5) / (having + 0.5))
        times = Counter(document)[word]
        total += inverse * times / (times + k1 * (1 - b + b * len(document) / mean))
    return total


@pytest.mark.parametrize("text", ["metformin, " * 5_000, "a" * 50_000, "\x00 " * 20_000, ""])
def test_hostile_texts_are_read_to_a_bound(linker: Bm25Linker, text: str) -> None:
    assert len(linker.link(text)) <= MAX_MENTIONS


def test_an_index_of_another_snapshot_is_not_opened(tmp_path: Path) -> None:
    searched = Searched.of(tmp_path, ROWS[:2])
    build_mention_index(searched.snapshot, tmp_path / "mentions")
    with pytest.raises(ValueError, match="source"):
        open_index(tmp_path / "mentions", source="another")
