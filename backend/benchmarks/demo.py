"""The demo's questions: a set of its own, with patterns, about the demo graph."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import transaction

from backend.benchmarks.files import read_paths
from backend.benchmarks.importing import StoredSet, store_serenqa
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.resolution import is_complete, resolve_question_set
from backend.benchmarks.serendipity.commanding import work_off
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.partitioning import wanted_partition
from backend.benchmarks.serenqa.reading import read_serenqa
from backend.benchmarks.serenqa.records import SerenQA, SerenQAInvalid
from backend.benchmarks.services import create_question_set
from backend.common.errors import Conflict
from backend.graphs.models import Version
from backend.science.rns.measures import Weights

NAME = "Drug repurposing questions (demo)"
GRAPH = settings.FIXTURES / "graph"
FILE = settings.FIXTURES / "demo" / "questions" / "questions.json"


def load_demo_questions(version: Version) -> StoredSet:
    """Loaded, found in the demo graph and partitioned; loading again changes nothing.

    A stored question is never altered, so questions of a later release that differ become a set
    beside the first.
    """
    read = read_serenqa(*read_paths([FILE]))
    try:
        stored = _store(NAME, read)
    except SerenQAInvalid:
        mark = hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]
        stored = _store(f"{NAME} {mark}", read)
    resolution = stored.question_set.resolutions.filter(version=version).first()
    if resolution is None or not is_complete(resolution):
        resolve_question_set(question_set=stored.question_set, version=version)
    partition_demo(stored.question_set, version)
    return stored


def partition_demo(question_set: QuestionSet, version: Version) -> None:
    """Here and now: the demo graph is small. What is there is not done again."""
    work_off(wanted_partition(question_set, version, Options(), Weights(), None))


@transaction.atomic
def _store(name: str, read: SerenQA) -> StoredSet:
    there = QuestionSet.objects.filter(name=name).first()
    if there is not None and not there.is_demo:
        raise Conflict(
            f"There is a question set named '{name}' that is not the demo. Rename it first."
        )
    question_set = create_question_set(actor=None, name=name, is_demo=True)
    return store_serenqa(actor=None, question_set=question_set, read=read, source="demo")
