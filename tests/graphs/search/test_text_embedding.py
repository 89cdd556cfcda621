from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.graphs.search.text_embedding import DIMENSIONS, Embedder, LocalEmbedder

COLLECTION = [
    "metformin lowers the glucose output of the liver",
    "aspirin blocks cyclooxygenase and thins the blood",
    "migraine is a throbbing headache with nausea",
    "gout comes from uric acid crystals in joints",
    "insulin lowers glucose in blood",
]
EMBEDDER = LocalEmbedder.fit(COLLECTION)
texts = st.lists(st.text(max_size=60), max_size=5)


def alike(embedder: Embedder, one: str, other: str) -> float:
    first, second = embedder.embed([one, other])
    return float(first @ second)


@given(texts)
def test_every_vector_has_length_one_or_zero(batch: list[str]) -> None:
    lengths = np.linalg.norm(EMBEDDER.embed(batch), axis=1)
    assert EMBEDDER.embed(batch).shape == (len(batch), DIMENSIONS)
    assert np.all(np.isclose(lengths, 1, atol=1e-5) | (lengths == 0))


@given(texts)
def test_a_vector_does_not_depend_on_other_texts_of_the_batch(batch: list[str]) -> None:
    together = EMBEDDER.embed(batch)
    alone = [EMBEDDER.embed([text])[0] for text in batch]
    assert all(np.array_equal(one, other) for one, other in zip(together, alone, strict=True))


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text("abcdefg ", max_size=30), max_size=6))
def test_fitting_is_deterministic(collection: list[str]) -> None:
    one, other = LocalEmbedder.fit(collection), LocalEmbedder.fit(collection)
    assert np.array_equal(one.components, other.components)
    assert np.array_equal(one.weights, other.weights)


@pytest.mark.parametrize("text", ["", " ", "\ud800", "zzzz qqqq xxxx wwww"])
def test_a_text_without_known_features_has_the_zero_vector(text: str) -> None:
    assert not EMBEDDER.embed([text]).any()


@pytest.mark.parametrize("collection", [[], [""], ["", " "]])
def test_a_collection_without_words_gives_zero_vectors(collection: Sequence[str]) -> None:
    assert not LocalEmbedder.fit(collection).embed(["aspirin", *collection]).any()


def test_a_collection_of_one_text_matches_itself() -> None:
    embedder = LocalEmbedder.fit(["aspirin"])
    assert alike(embedder, "aspirin", "aspirin") == pytest.approx(1)


def test_a_text_is_nearest_to_itself() -> None:
    vectors = EMBEDDER.embed(COLLECTION)
    assert (vectors @ vectors.T).argmax(axis=1).tolist() == list(range(len(COLLECTION)))


def test_forms_of_a_word_are_similar() -> None:
    assert alike(EMBEDDER, "headaches", COLLECTION[2]) > alike(EMBEDDER, "headaches", COLLECTION[0])


def test_a_fitted_embedder_can_be_serialized() -> None:
    output = LocalEmbedder.from_bytes(EMBEDDER.as_bytes())
    assert np.array_equal(output.embed(COLLECTION), EMBEDDER.embed(COLLECTION))


def test_invalid_bytes_are_rejected() -> None:
    with pytest.raises(ValueError, match="not the components"):
        LocalEmbedder.from_bytes(EMBEDDER.as_bytes()[1:])
