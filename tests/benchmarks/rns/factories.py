"""A graph of some dozens of entities with questions about it, as a person imports them."""

from __future__ import annotations

import random
import tempfile
import uuid
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework.test import APIClient

from backend.accounts.models import User
from backend.benchmarks.entity_linking import resolve_question_set
from backend.benchmarks.models import Candidate, Partition, Question, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.graphs.importers.registry import open_source
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.builder import build_snapshot
from tests.graphs.importers.factories import write_files

V1 = "/api/v1"
DRUGS, GENES = 30, 40


def drug(number: int) -> str:
    return f"LOCAL:D{number:02}"


def gene(number: int) -> str:
    return f"LOCAL:G{number:02}"


def rows_of(seed: int) -> tuple[str, str]:
    chance = random.Random(seed)  # noqa: S311  the same graph each time is wanted
    entities = [f"{drug(n)},Drug {n},Drug" for n in range(DRUGS)]
    entities += [f"{gene(n)},Gene {n},Gene" for n in range(GENES)]
    pairs = {(chance.randrange(DRUGS - 1), chance.randrange(GENES)) for _ in range(140)}
    edges = [f"{drug(one)},targets,{gene(other)}" for one, other in sorted(pairs)]
    edges += [f"{gene(n)},interacts with,{gene((n * 7 + 3) % GENES)}" for n in range(GENES)]
    return "\n".join(["id,name,type", *entities, ""]), "\n".join(
        ["source,relation,target", *edges, ""]
    )


@cache
def built(seed: int = 1) -> BuildResult:
    entities, edges = rows_of(seed)
    folder = write_files(
        Path(tempfile.mkdtemp(dir=Path(settings.SNAPSHOTS).parent)),
        {"entities.csv": entities, "edges.csv": edges},
    )
    return build_snapshot(open_source([folder]).source, Path(settings.SNAPSHOTS))


def make_version(
    owner: User | None = None, visibility: str = Graph.Visibility.PUBLIC, seed: int = 1
) -> Version:
    """The graph, ready to be read. The last drug has no links."""
    return store_version(built(seed), owner, visibility)


def make_slashed_version() -> Version:
    """Of entities whose identifiers have slashes, one of them at its end."""
    identifiers = ("DOI:10.1/a", "DOI:10.1/b%2F", "DOI:10.1/c/")
    files = {
        "entities.csv": "\n".join(["id,name,type", *(f"{one},{one},Paper" for one in identifiers)]),
        "edges.csv": "source,relation,target\nDOI:10.1/a,cites,DOI:10.1/c/\n",
    }
    folder = write_files(Path(tempfile.mkdtemp(dir=Path(settings.SNAPSHOTS).parent)), files)
    return store_version(build_snapshot(open_source([folder]).source, Path(settings.SNAPSHOTS)))


def store_version(
    result: BuildResult,
    owner: User | None = None,
    visibility: str = Graph.Visibility.PUBLIC,
) -> Version:
    name = f"Graph {uuid.uuid4().hex}"
    graph = Graph.objects.create(
        name=name, slug=name.lower().replace(" ", "-"), owner=owner, visibility=visibility
    )
    return Version.objects.create(
        graph=graph,
        snapshot=result.path.name,
        number=1,
        entities=result.entities,
        edges=result.edges,
        created_by=owner,
        ready_at=timezone.now(),
    )


def make_set(
    version: Version,
    sizes: tuple[int, ...] = (5, 8, 3, 12),
    *,
    owner: User | None = None,
    is_demo: bool = False,
    split: str = "",
) -> QuestionSet:
    """Questions with so many drugs each as answers, looked up in the graph.

    split: the part of a benchmark that they belong to, by a partition of a language model.
    """
    result = QuestionSet.objects.create(
        name=f"Set {uuid.uuid4().hex}", created_by=owner, is_demo=is_demo
    )
    chance = random.Random(2)  # noqa: S311  the same questions each time are wanted
    for number, size in enumerate(sizes, start=1):
        drugs = chance.sample(range(DRUGS - 1), size)
        make_question(result, number, drugs, split)
    resolve_question_set(question_set=result, version=version)
    return result


def make_question(owner: QuestionSet, number: int, drugs: list[int], split: str = "") -> Question:
    question = Question.objects.create(
        question_set=owner, file_id=str(number), number=number, text=f"Which ones, {number}?"
    )
    Candidate.objects.bulk_create(
        Candidate(
            question=question,
            position=place,
            name=f"Drug {one}",
            identifier=drug(one),
            prior_rank=1,
        )
        for place, one in enumerate(drugs)
    )
    if split:
        new = NewPartition(
            question.pk, Partition.Method.LLM, [0], range(1, len(drugs)), split=split
        )
        add_partitions(actor=None, partitions=[new])
    return question


def bench(browser: APIClient, request: Question, **query: str | float) -> Any:
    """What the workbench of a question answers."""
    return browser.get(f"{V1}/questions/{request.pk}/workbench", query)
