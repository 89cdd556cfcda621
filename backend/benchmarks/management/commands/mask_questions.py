import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from backend.benchmarks.entity_linking import resolve_question_set
from backend.benchmarks.leakage_masks.mask_inputs import MaskableSet, questions_to_mask
from backend.benchmarks.leakage_masks.release import EXCLUSION_REASONS, ReleaseMask, mask_release
from backend.benchmarks.models import Partition
from backend.benchmarks.rns.lookup import (
    get_linked_version_or_raise,
    get_set_by_name_or_raise,
    get_version_or_raise,
)
from backend.common.command_utils import JsonCommand, Output
from backend.common.pluralize import pluralize
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.masked_versions import create_masked_graph
from backend.graphs.snapshots.snapshot import Snapshot


class Command(JsonCommand):
    help = (
        "Find the edges to remove from a graph so that no serendipitous answer of a question set "
        "is found by its pattern and every existing one is, which is verified by running the "
        "patterns. Excluded questions are listed with the reason."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question_set", metavar="QUESTION_SET", help="its name or id")
        parser.add_argument(
            "--graph",
            metavar="SLUG[@VERSION]",
            help="default: the graph that its names were looked up in, if it is one graph",
        )
        parser.add_argument("--method", choices=Partition.Method.values, required=True)
        parser.add_argument("--into", type=Path, metavar="FILE", help="file for the edges, as JSON")
        parser.add_argument(
            "--masked-graph",
            default="",
            metavar="NAME",
            help="make a private graph of this name without these edges",
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        question_set = get_set_by_name_or_raise(options["question_set"])
        named = options["graph"]
        version = (
            get_version_or_raise(named) if named else get_linked_version_or_raise(question_set)
        )
        resolve_question_set(question_set=question_set, version=version)
        snapshot = open_version_snapshot(version)
        maskable = questions_to_mask(question_set, version, options["method"])
        mask = mask_release(snapshot, maskable.questions)
        summary = mask_payload(version.snapshot, options["method"], maskable, mask)
        if options["masked_graph"]:
            masked = create_masked_graph(
                version, mask.removed, name=options["masked_graph"], owner=None
            )
            summary["masked_graph"] = masked.graph.slug
        if options["into"]:
            edges = removed_triples(snapshot, mask)
            options["into"].write_text(json.dumps({**summary, "edges": edges}) + "\n")
        return summary, _lines(maskable, mask, summary.get("masked_graph", ""))


def _lines(maskable: MaskableSet, mask: ReleaseMask, masked_graph: str) -> Iterator[str]:
    edges = pluralize(len(mask.removed), "edge")
    questions = pluralize(len(mask.included), "question")
    yield f"{edges} to remove for {questions}, each verified on the masked graph."
    for one in mask.excluded:
        others = f" ({', '.join(one.conflicts)})" if one.conflicts else ""
        yield f"Left out: {one.id}: {EXCLUSION_REASONS[one.reason]}{others}."
    for name, why in maskable.excluded.items():
        yield f"Without a mask: {name}: {why}."
    if masked_graph:
        yield f"The graph '{masked_graph}' does not have these edges."


def mask_payload(
    name: str, method: str, maskable: MaskableSet, mask: ReleaseMask
) -> dict[str, Any]:
    return {
        "snapshot": name,
        "method": method,
        "removed": len(mask.removed),
        "included": list(mask.included),
        "left_out": [asdict(one) for one in mask.excluded],
        "share_left_out": mask.excluded_share,
        "not_maskable": dict(maskable.excluded),
    }


def removed_triples(snapshot: Snapshot, mask: ReleaseMask) -> list[list[str]]:
    """Source, relation and target of each removed edge, parallel edges separately."""
    edges = (snapshot.edge(number) for number in sorted(mask.removed))
    return [
        [
            snapshot.entity(edge.source).id,
            snapshot.relations[edge.relation].name,
            snapshot.entity(edge.target).id,
        ]
        for edge in edges
    ]
