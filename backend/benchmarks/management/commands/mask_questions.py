"""The graph that a model may see: what is taken out for the partitions of a question set."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from backend.benchmarks.masking import Maskable, questions_to_mask
from backend.benchmarks.models import Partition
from backend.benchmarks.release_masks import WORDS, ReleaseMask, mask_release
from backend.benchmarks.resolution import resolve_question_set
from backend.benchmarks.serendipity.naming import set_or_raise, version_or_raise
from backend.common.commanding import refuse
from backend.common.errors import DomainError
from backend.common.words import counted
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot


class Command(BaseCommand):
    help = (
        "Find the links to take out of a graph so that no serendipitous answer of a question set "
        "is found by its pattern and every existing one is, which is proved by running the "
        "patterns. Questions that do not go together are named, with the reason."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question_set", metavar="QUESTION_SET", help="its name or id")
        parser.add_argument("--graph", required=True, metavar="SLUG[@VERSION]")
        parser.add_argument("--method", choices=Partition.Method.values, required=True)
        parser.add_argument("--into", type=Path, metavar="FILE", help="the links, as JSON")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            question_set = set_or_raise(options["question_set"])
            version = version_or_raise(options["graph"])
            resolve_question_set(question_set=question_set, version=version)
            snapshot = snapshot_of(version)
            asked = questions_to_mask(question_set, version, options["method"])
            mask = mask_release(snapshot, asked.questions)
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        told = body_of(version.snapshot, options["method"], asked, mask)
        if options["into"]:
            links = links_of(snapshot, mask)
            options["into"].write_text(json.dumps({**told, "links": links}) + "\n")
        if options["json"]:
            self.stdout.write(json.dumps(told))
        else:
            self._tell(told)

    def _tell(self, told: dict[str, Any]) -> None:
        links, kept = counted(told["removed"], "link"), counted(len(told["kept"]), "question")
        self.stdout.write(f"{links} taken out for {kept}, each proved on what is left.")
        for one in told["left_out"]:
            others = f" ({', '.join(one['others'])})" if one["others"] else ""
            self.stdout.write(f"Left out: {one['id']}: {WORDS[one['why']]}{others}.")
        for name, why in told["without"].items():
            self.stdout.write(f"Without a mask: {name}: {why}.")


def body_of(name: str, method: str, asked: Maskable, mask: ReleaseMask) -> dict[str, Any]:
    return {
        "snapshot": name,
        "method": method,
        "removed": len(mask.removed),
        "kept": list(mask.kept),
        "left_out": [asdict(one) for one in mask.left_out],
        "share_left_out": mask.share_left_out,
        "without": dict(asked.without),
    }


def links_of(snapshot: Snapshot, mask: ReleaseMask) -> list[list[str]]:
    """Source, relation and target of each; parallel links come once each."""
    edges = (snapshot.edge(number) for number in sorted(mask.removed))
    return [
        [
            snapshot.entity(edge.source).id,
            snapshot.relations[edge.relation].name,
            snapshot.entity(edge.target).id,
        ]
        for edge in edges
    ]
