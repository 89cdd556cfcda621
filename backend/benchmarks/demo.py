"""The demo's question set: questions with patterns about the demo graph."""

import hashlib

from django.conf import settings
from django.db import transaction

from backend.benchmarks.entity_linking import is_complete, resolve_question_set
from backend.benchmarks.file_discovery import question_files, read_source_files
from backend.benchmarks.formats.serenqa.format import FORMAT
from backend.benchmarks.job_kinds.partition import partition_request
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.question_format import ParsedFiles, QuestionFilesInvalid
from backend.benchmarks.question_import import ImportedSet, import_questions
from backend.benchmarks.question_sets import get_or_create_question_set
from backend.benchmarks.rns.jobs import run_or_raise
from backend.benchmarks.rns.options import RnsOptions
from backend.common.errors import Conflict
from backend.graphs.models import Version
from backend.science.rns.measures import Weights

DEMO_SET_NAME = "Drug repurposing questions (demo)"
DEMO_GRAPH_DIR = settings.FIXTURES / "graph"
DEMO_QUESTIONS_FILE = settings.FIXTURES / "demo" / "questions" / "questions.json"


def load_demo_questions(version: Version) -> ImportedSet:
    """Import, resolve and partition the demo questions. Safe to run again.

    A stored question is never changed. If the questions of a later release differ, they are
    imported as a second set.
    """
    parsed = FORMAT.parse(
        *read_source_files([DEMO_QUESTIONS_FILE], question_files(FORMAT.suffixes))
    )
    try:
        stored = _store_demo_set(DEMO_SET_NAME, parsed)
    except QuestionFilesInvalid:
        mark = hashlib.sha256(DEMO_QUESTIONS_FILE.read_bytes()).hexdigest()[:8]
        stored = _store_demo_set(f"{DEMO_SET_NAME} {mark}", parsed)
    resolution = stored.question_set.resolutions.filter(version=version).first()
    if resolution is None or not is_complete(resolution):
        resolve_question_set(question_set=stored.question_set, version=version)
    partition_demo(stored.question_set, version)
    return stored


def partition_demo(question_set: QuestionSet, version: Version) -> None:
    """Compute the partitions synchronously (the demo graph is small) unless they exist."""
    run_or_raise(partition_request(question_set, version, RnsOptions(), Weights(), None))


@transaction.atomic
def _store_demo_set(name: str, parsed: ParsedFiles) -> ImportedSet:
    there = QuestionSet.objects.filter(name=name).first()
    if there is not None and not there.is_demo:
        raise Conflict(
            f"There is a question set named '{name}' that is not the demo. Rename it first."
        )
    question_set = get_or_create_question_set(actor=None, name=name, is_demo=True)
    return import_questions(actor=None, question_set=question_set, parsed=parsed, source="demo")
