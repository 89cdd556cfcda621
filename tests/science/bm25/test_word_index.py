"""BM25 beside its formula; built on the disk beside built in memory; damaged files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.runtime.array_store.errors import InvalidArrayStore
from backend.science.bm25.index_builder import build_index, split_word_ranges
from backend.science.bm25.word_index import WordIndex, index_texts, open_index, rank_documents
from tests.science.bm25.plain_bm25 import PlainBm25

WORDS = [f"w{number}x" for number in range(400)]


def random_documents(seed: int, count: int) -> list[list[str]]:
    """Words as in real texts: a few in most documents, most in a few."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(1, len(WORDS) + 1)
    lengths = rng.integers(0, 30, size=count)
    drawn = [rng.choice(WORDS, size=length, p=shares / shares.sum()) for length in lengths]
    return [words.tolist() for words in drawn]


def build(folder: Path, documents: list[list[str]], batch: int, memory: int) -> WordIndex:
    batches = [documents[at : at + batch] for at in range(0, len(documents), batch)]
    count = build_index(folder / "index", batches, source="test", postings_in_memory=memory)
    assert count == len(documents)
    return open_index(folder / "index", source="test", checksums=True)


def test_a_thousand_queries_rank_as_the_formula_does(tmp_path: Path) -> None:
    documents = random_documents(1, 500)
    plain, index = PlainBm25(documents), build(tmp_path, documents, batch=64, memory=500)
    rng = np.random.default_rng(2)
    for _ in range(1_000):
        query = rng.choice([*WORDS, "absent"], size=int(rng.integers(1, 7))).tolist()
        expected = np.array(plain.scores(query))
        matched = index.score(query)
        np.testing.assert_allclose(matched, expected, rtol=1e-5, atol=0)
        assert [*np.flatnonzero(matched)] == [*np.flatnonzero(expected)]
        ranked = rank_documents(matched, 10)
        best = sorted(expected[expected > 0], reverse=True)[:10]
        assert expected[ranked] == pytest.approx(best, rel=1e-5)


@given(
    documents=st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=12),
    batch=st.integers(1, 5),
    memory=st.integers(1, 20),
)
def test_batches_and_ranges_change_no_score(
    tmp_path_factory: pytest.TempPathFactory, documents: list[list[str]], batch: int, memory: int
) -> None:
    index = build(tmp_path_factory.mktemp("index"), documents, batch, memory)
    plain = PlainBm25(documents)
    for query in (["a"], ["b", "f"], ["c", "c", "zz"], []):
        assert index.score(query).tolist() == pytest.approx(plain.scores(query), rel=1e-5)
        having_all = [at for at, text in enumerate(documents) if query and set(query) <= set(text)]
        assert index.find_documents_with_all(query).tolist() == having_all


def test_files_and_memory_give_the_same_index(tmp_path: Path) -> None:
    texts = ["Aspirin relieves pain", "the heart", "", "aspirin and the heart of aspirin"]
    words = [["aspirin", "relieves", "pain"], ["heart"], [], ["aspirin", "heart", "aspirin"]]
    stored = build(tmp_path, words, 2, 2)
    memory = index_texts(texts)
    for query in (["aspirin"], ["heart", "pain"]):
        assert stored.score(query).tolist() == memory.score(query).tolist()


def test_words_of_any_script_are_found_again(tmp_path: Path) -> None:
    documents = [["αβγ", "zebra"], ["痛み"], ["\ud800", "zebra"]]
    index = build(tmp_path, documents, 2, 2)
    for at, word in enumerate(["αβγ", "痛み", "\ud800"]):
        assert index.find_documents_with_all([word]).tolist() == [at]
    assert index.find_words(["zeb", "zebras", ""]) == []


def test_ties_are_ordered_by_number_also_at_the_limit() -> None:
    scores = np.array([0, 2, 1, 2, 2, 0, 3], np.float32)
    assert rank_documents(scores, 3).tolist() == [6, 1, 3]
    assert rank_documents(scores, 9).tolist() == [6, 1, 3, 4, 2]


def test_ranges_cover_every_word_once_within_the_memory() -> None:
    frequencies = np.array([3, 1, 9, 2, 2, 2])
    ranges = [*split_word_ranges(frequencies, 4)]
    assert ranges == [(0, 2), (2, 3), (3, 5), (5, 6)]


def test_an_index_of_other_documents_or_with_altered_bytes_is_refused(tmp_path: Path) -> None:
    build(tmp_path, [["aa", "bb"], ["bb"]], 1, 8)
    with pytest.raises(InvalidArrayStore):
        open_index(tmp_path / "index", source="other")
    path = tmp_path / "index" / "weights.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    with pytest.raises(InvalidArrayStore):
        open_index(tmp_path / "index", source="test", checksums=True)
