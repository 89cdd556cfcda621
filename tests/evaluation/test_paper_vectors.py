"""Papers by words and meaning: equal to a plain fusion, under a cut-off, stored once.

The store takes any embedder: most tests use one that is fitted here.
"""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from backend.common.errors import DomainError, NotFound
from backend.evaluation import paper_vectors
from backend.evaluation.embedders import load_embedder
from backend.evaluation.paper_vectors import (
    compute_vectors,
    load_vectors_or_none,
    search_by_meaning,
    vectors_folder,
)
from backend.graphs.literature.cutoff import Cutoff
from backend.graphs.literature.paper_index import delete_index
from backend.graphs.literature.paper_search import search_papers
from backend.graphs.models import Collection, Paper
from backend.tracks.text_vectors import installed_embedder
from tests.embedder_weights import needs_weights
from tests.evaluation.hashed_words import HashedWords
from tests.graphs.literature.paper_files import make_collection, paper

pytestmark = pytest.mark.django_db
COUNT = 150  # three batches, and more than the depth of a ranking
WORDS = ("aspirin", "headache", "kinase", "liver", "mouse", "receptor", "binding", "trial")


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    rng = np.random.default_rng(5)
    papers = [
        paper(str(n + 1), " ".join(rng.choice(WORDS, 4)), "2001", " ".join(rng.choice(WORDS, 9)))
        for n in range(COUNT)
    ]
    return make_collection(tmp_path, papers, "Vectors of papers")


def plain_fusion(
    collection: Collection, query: str, most: int, embedder: HashedWords, until: int
) -> list[str]:
    """By sorted lists and dictionaries of keys."""
    papers = [one for one in Paper.objects.filter(collection=collection) if int(one.key) <= until]
    (target,) = embedder.embed([query])
    cosines = {
        one.key: float(np.dot(embedder.embed([f"{one.title}\n{one.abstract}"])[0], target))
        for one in papers
    }
    meaning = sorted(papers, key=lambda one: (-cosines[one.key], one.number))[:100]
    words = [one.paper for one in search_papers(collection, query, 100, Cutoff(pmid=until)).papers]
    sums: dict[str, float] = {}
    for ranking in (words, meaning):
        for place, one in enumerate(ranking, start=1):
            sums[one.key] = sums.get(one.key, 0.0) + 1 / (60 + place)
    number = {one.key: one.number for one in papers}
    return sorted(sums, key=lambda key: (-sums[key], number[key]))[:most]


@pytest.mark.parametrize("until", [40, COUNT])
@pytest.mark.parametrize("query", ["aspirin headache", "kinase", "mouse liver trial", "unheard"])
def test_a_search_is_the_plain_fusion_of_words_and_meaning(
    collection: Collection, query: str, until: int
) -> None:
    embedder = HashedWords()
    papers = search_by_meaning(collection, query, 32, embedder, Cutoff(pmid=until))
    assert [one.key for one in papers] == plain_fusion(collection, query, 32, embedder, until)
    assert len(papers) == 32
    assert all(int(one.key) <= until for one in papers)


def test_vectors_are_stored_once_for_each_embedder_and_deleted_with_the_index(
    collection: Collection,
) -> None:
    embedder = HashedWords()
    vectors = compute_vectors(collection, embedder)
    assert vectors.shape == (COUNT, 16)
    embedded = len(embedder.texts)
    assert np.array_equal(compute_vectors(collection, embedder), vectors)
    assert len(embedder.texts) == embedded
    assert load_vectors_or_none(collection, "another") is None
    delete_index(collection)
    assert not vectors_folder(collection, embedder.name).exists()
    assert load_vectors_or_none(collection, embedder.name) is None


def test_altered_vectors_are_computed_again(collection: Collection) -> None:
    embedder = HashedWords()
    vectors = np.array(compute_vectors(collection, embedder))
    (file,) = vectors_folder(collection, embedder.name).glob("vectors*")
    file.write_bytes(file.read_bytes()[:-8] + b"\xff" * 8)
    assert np.array_equal(compute_vectors(collection, embedder), vectors)


def test_a_large_collection_is_embedded_by_a_command(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper_vectors, "MOST_IN_A_RUN", COUNT - 1)
    embedder = HashedWords()
    with pytest.raises(DomainError, match="embed_papers"):
        search_by_meaning(collection, "aspirin", 3, embedder)
    compute_vectors(collection, embedder)
    assert len(search_by_meaning(collection, "aspirin", 3, embedder)) == 3


@needs_weights
def test_the_sentence_encoder_finds_what_no_word_names(tmp_path: Path) -> None:
    titles = ("Myocardial infarction in the elderly", "Soil bacteria of wheat fields")
    papers = [paper(str(n + 1), title, "2001") for n, title in enumerate(titles)]
    small = make_collection(tmp_path, papers, "Two papers")
    out = io.StringIO()
    call_command("embed_papers", small.slug, "--json", stdout=out)
    assert json.loads(out.getvalue())["vectors"] == 2
    best = search_by_meaning(small, "heart attack", 1, load_embedder(installed_embedder()))
    assert [one.title for one in best] == [titles[0]]
    assert not search_papers(small, "heart attack", 1).papers


def test_an_unknown_collection_is_named() -> None:
    with pytest.raises((NotFound, SystemExit)):
        call_command("embed_papers", "no-such", "--json")
