"""Releases of the demo's questions, with partitions made for the tests."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from backend.benchmarks.models import Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.graphs.models import Version
from tests.evaluation.serenqa_files import answer_ids, demo_questions, partitions

__all__ = ["answer_ids", "demo_questions", "make_serenqa_release", "partitions"]


def make_serenqa_release(
    folder: Path,
    version: Version | None,
    *,
    slug: str = "retrieval",
    splits_of: Collection[str] = (),
    **fields: Any,
) -> Release:
    """A draft of all 72 questions, or of those with a partition where it is masked.

    splits_of: the partitions that the file has, by its keys; all without.
    """
    questions = folder / "questions.json"
    questions.write_text(json.dumps(demo_questions()))
    splits = folder / "partitions.json"
    rows = [
        {key: value for key, value in one.items() if not splits_of or key in ("qid", *splits_of)}
        for one in partitions(demo_questions())
    ]
    splits.write_text(json.dumps(rows))
    request = ReleaseRequest(
        track="serenqa-retrieval", name=slug, slug=slug, graph_version=version, **fields
    )
    return make_release(actor=None, request=request, files=[questions, splits])
