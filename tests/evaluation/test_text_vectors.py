"""Vectors of the texts of entities: what they are of, and that they are stored once.

The store takes any embedder: most tests use one that is fitted here, and those of the sentence
encoder are skipped without its weights.
"""

import io
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from backend.common.errors import DomainError, NotAllowed, NotFound
from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.entity_texts import TEXT_UNITS, entity_text, entity_units, split_line
from backend.evaluation.job_kinds import create_text_vectors
from backend.evaluation.text_vectors import (
    BATCH,
    compute_vectors,
    load_vectors_or_none,
    vectors_folder,
)
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.search.text_embedding import LocalEmbedder
from backend.graphs.snapshots.snapshot import Snapshot
from backend.tracks.text_vectors import MINILM, Vectors
from tests.benchmarks.rns.factories import drug, make_version
from tests.embedder_weights import needs_weights
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> Version:
    return make_version()


@pytest.fixture
def snapshot(version: Version) -> Iterator[Snapshot]:
    opened = open_version_snapshot(version)
    remove_vectors(opened)
    yield opened
    remove_vectors(opened)


def remove_vectors(snapshot: Snapshot) -> None:
    for folder in snapshot.path.parent.glob(f"{snapshot.path.name}.vectors-*"):
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def fit(snapshot: Snapshot) -> LocalEmbedder:
    return LocalEmbedder.fit([entity_text(snapshot, one) for one in snapshot.entities()])


@given(st.text(max_size=300), st.integers(1, 40))
def test_pieces_have_every_word_once_and_are_not_longer_than_they_may_be(
    line: str, longest: int
) -> None:
    pieces = split_line(line, longest)
    assert " ".join(pieces).split() == line.split()
    assert all(len(piece) <= longest or len(piece.split()) == 1 for piece in pieces)
    for first, second in pairwise(pieces):
        assert len(first) + 1 + len(second.split()[0]) > longest


def test_chunks_are_the_lines_of_the_document(snapshot: Snapshot) -> None:
    entity = next(one for one in snapshot.entities() if one.name == "Drug 1")
    (document,) = entity_units(snapshot, entity, "document")
    assert document.splitlines() == entity_units(snapshot, entity, "chunk")
    assert document.startswith("Drug 1\nDrug\n") and "Gene" in document


@pytest.mark.parametrize("unit", TEXT_UNITS)
def test_every_entity_has_the_vectors_of_its_own_texts(snapshot: Snapshot, unit: Any) -> None:
    embedder = fit(snapshot)
    stored = compute_vectors(snapshot, embedder, unit)
    assert len(stored.vectors) > BATCH  # several batches
    ends = [*stored.starts.tolist()[1:], len(stored.vectors)]
    for entity, end in zip(snapshot.entities(), ends, strict=True):
        own = embedder.embed(entity_units(snapshot, entity, unit))
        assert np.array_equal(stored.vectors[stored.starts[entity.number] : end], own)


class CountingEmbedder:
    """One that counts the texts that it is given."""

    def __init__(self, inner: LocalEmbedder, name: str) -> None:
        self.inner, self.name, self.texts = inner, name, 0

    def embed(self, texts: Any) -> Vectors:
        self.texts += len(texts)
        return self.inner.embed(texts)


def test_vectors_are_computed_once_for_each_embedder_and_unit(snapshot: Snapshot) -> None:
    inner = fit(snapshot)
    first, second = CountingEmbedder(inner, "one"), CountingEmbedder(inner, "two")
    compute_vectors(snapshot, first, "document")
    computed = first.texts
    compute_vectors(snapshot, first, "document")
    assert first.texts == computed >= snapshot.entity_count
    compute_vectors(snapshot, first, "chunk")
    assert first.texts > computed
    compute_vectors(snapshot, second, "document")
    assert second.texts == computed
    assert load_vectors_or_none(snapshot, "three", "document") is None


def test_altered_vectors_are_not_used_and_computed_again(snapshot: Snapshot) -> None:
    embedder = CountingEmbedder(fit(snapshot), "one")
    expected = compute_vectors(snapshot, embedder, "document").vectors.copy()
    file = vectors_folder(snapshot, "one", "document") / "vectors.npy"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.chmod(0o600)
    file.write_bytes(bytes(content))
    assert load_vectors_or_none(snapshot, "one", "document") is None
    again = compute_vectors(snapshot, embedder, "document")
    assert np.array_equal(again.vectors, expected)


def test_a_cancelled_computation_leaves_nothing(snapshot: Snapshot) -> None:
    class Stopped(Exception):
        pass

    def stop(phase: str, share: float) -> None:
        if share > 0:
            raise Stopped

    with pytest.raises(Stopped):
        compute_vectors(snapshot, CountingEmbedder(fit(snapshot), "one"), "document", stop)
    assert not vectors_folder(snapshot, "one", "document").exists()


def test_only_coordinators_and_administrators_start_the_job_and_on_graphs_that_they_see(
    version: Version, researcher: Person, administrator: Person
) -> None:
    parameters = {"graph": version.graph.slug, "unit": "chunk"}
    with pytest.raises(NotAllowed):
        create_text_vectors(researcher.user, parameters)
    user = administrator.user
    request = create_text_vectors(user, parameters)
    assert request.parameters == {"version": version.pk, "unit": "chunk", "embedder": MINILM}
    other = create_text_vectors(user, {"graph": version.graph.slug})
    assert other.digest != request.digest
    with pytest.raises((DomainError, NotFound)):
        create_text_vectors(user, {"graph": "no-such-graph"})
    with pytest.raises(DomainError) as fault:
        create_text_vectors(user, {**parameters, "unit": "sentence"})
    assert [one.place for one in fault.value.faults] == ["parameters.unit"]


@needs_weights
def test_the_sentence_encoder_ranks_by_stored_vectors_of_384_dimensions(
    version: Version, snapshot: Snapshot
) -> None:
    out = io.StringIO()
    call_command("embed_texts", version.snapshot, "--json", stdout=out)
    result = json.loads(out.getvalue())
    assert result["dimensions"] == 384
    assert result["vectors"] == snapshot.entity_count
    graph = SnapshotGraph(version)
    (scores,) = graph.meaning_scores(["Drug 7"], is_chunked=False)
    assert scores.shape == (snapshot.entity_count,)
    assert scores[graph.find_number(drug(7))] > np.median(scores)
