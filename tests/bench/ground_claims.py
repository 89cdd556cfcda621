"""python -m tests.bench.with_django tests.bench.ground_claims ENTITIES EDGES PAPERS CLAIMS

Grounds made-up rationales on a made-up graph and papers, in the database of the environment.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from django.conf import settings
from django.utils import timezone

from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.grounding.pipeline import ground_rationale
from backend.evaluation.grounding.storage import store_grounding
from backend.evaluation.grounding.verifiers import PlainVerifier
from backend.evaluation.models import Grounding
from backend.graphs.literature.collections import (
    PaperImport,
    copy_papers,
    create_collection,
    publish_collection,
)
from backend.graphs.literature.paper_index import get_index, write_index
from backend.graphs.literature.paper_records import PaperRecord
from backend.graphs.literature.paper_search import search_papers
from backend.graphs.models import Collection, Graph, Version
from backend.graphs.search.index_builder import build_term_index
from backend.graphs.search.index_cache import index_folder
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.tracks.grounding_claims import split_claims
from backend.tracks.grounding_verdicts import MOST_CONTEXT_PAPERS
from tests.bench.paper_texts import SEED, text_batches
from tests.bench.synthetic import Synthetic

CLAIMS_OF_A_RATIONALE = 10
VERBS = ("inhibits", "activates", "is associated with", "does not affect", "causes")


def main(entities: int, edges: int, papers: int, claims: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings.SNAPSHOTS = settings.LITERATURE = folder
        knowledge = Knowledge(make_version(entities, edges), make_collection(entities, papers))
        rationales = make_rationales(entities, claims)
        knowledge.find_context(rationales[0])  # compiles, and opens the indexes
        measured = {
            "grounded": claims / time_grounding(knowledge, rationales) * 60,
            "read": claims / time_reading(knowledge, rationales) * 60,
        }
    sys.stdout.write(json.dumps(measured))


def make_version(entities: int, edges: int) -> Version:
    built = build_snapshot(Synthetic(entities, edges), Path(settings.SNAPSHOTS))
    snapshot = open_snapshot(built.path)
    build_term_index(snapshot, index_folder(snapshot), lambda *_: None)
    graph = Graph.objects.create(name="Made up", slug="made-up")
    version: Version = Version.objects.create(
        graph=graph,
        snapshot=built.path.name,
        number=1,
        entities=built.entities,
        edges=built.edges,
        ready_at=timezone.now(),
    )
    return version


def make_collection(entities: int, count: int) -> Collection:
    collection = create_collection(uuid.uuid4(), None, PaperImport("Made up", "CC0"))
    rng = np.random.default_rng(SEED)
    texts = (text for batch in text_batches(count) for text in batch)
    records = [
        PaperRecord(f"{number}", "2001", text[:60], f"{text}. {sentence(rng, entities)}")
        for number, text in enumerate(texts, start=1)
    ]
    copy_papers(collection, 0, records)
    write_index(collection, [records])
    collection.papers = count
    publish_collection(collection)
    get_index(collection)
    return collection


def sentence(rng: np.random.Generator, entities: int) -> str:
    first, second = rng.integers(0, entities, 2).tolist()
    return f"Entity {first:08} {VERBS[int(rng.integers(len(VERBS)))]} entity {second:08}."


def make_rationales(entities: int, claims: int) -> Sequence[str]:
    rng = np.random.default_rng(SEED + 1)
    words = (text.split()[0] for batch in text_batches(claims) for text in batch)
    stated: Iterator[str] = (
        f"{sentence(rng, entities).rstrip('.')} in {word} tissue." for word in words
    )
    rationales = [
        " ".join(islice(stated, CLAIMS_OF_A_RATIONALE))
        for _ in range(claims // CLAIMS_OF_A_RATIONALE)
    ]
    assert sum(len([*split_claims(one)]) for one in rationales) == claims
    return rationales


def time_grounding(knowledge: Knowledge, rationales: Sequence[str]) -> float:
    began = time.perf_counter()
    for rationale in rationales:
        row = Grounding.objects.create(
            version=knowledge.version, rationale=rationale, verifier="plain", verifier_version="1"
        )
        store_grounding(row, ground_rationale("", rationale, knowledge, PlainVerifier()))
    return time.perf_counter() - began


def time_reading(knowledge: Knowledge, rationales: Sequence[str]) -> float:
    assert knowledge.collection is not None
    began = time.perf_counter()
    for rationale in rationales:
        for claim in split_claims(rationale):
            search_papers(knowledge.collection, claim.text, MOST_CONTEXT_PAPERS)
    return time.perf_counter() - began


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
