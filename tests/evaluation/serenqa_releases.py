"""Releases of the demo's questions, with partitions made for the tests."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from backend.benchmarks.models import Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from tests.evaluation.serenqa_files import answer_ids, demo_questions, partitions

__all__ = [
    "answer_ids",
    "demo_questions",
    "make_serenqa_release",
    "partitions",
    "symmetric_questions",
]


def make_serenqa_release(
    folder: Path,
    version: Version | None,
    *,
    slug: str = "retrieval",
    track: str = "serenqa-retrieval",
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
    request = ReleaseRequest(track=track, name=slug, slug=slug, graph_version=version, **fields)
    return make_release(actor=None, request=request, files=[questions, splits])


def symmetric_questions(version: Version) -> list[Mapping[str, Any]]:
    """With an arrow of a symmetric relation to an answer, and one from an answer."""
    snapshot = open_version_snapshot(version)
    symmetric = {one.name for one in snapshot.relations if one.symmetric}
    chosen = []
    for question in demo_questions():
        query = question["graph_query"]
        targets = {one["nid"] for one in query["nodes"] if one["question_node"]}
        arrows = [one for one in query["edges"] if one["friendly_name"] in symmetric]
        if {one["start"] in targets for one in arrows} == {False, True}:
            chosen.append(question)
    return chosen
