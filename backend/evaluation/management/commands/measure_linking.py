"""Precision and recall of the linkers of entities on annotated sentences."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, get_args

from django.conf import settings

from backend.common.command_utils import JsonCommand, Output
from backend.evaluation.grounding.annotated_sentences import Half, read_sentences
from backend.evaluation.grounding.linking import LinkerName, open_linker
from backend.evaluation.grounding.linking_accuracy import (
    LinkingCounts,
    measure_mentions,
    measure_sentences,
)
from backend.graphs.demo import load_demo_graph

FILE = settings.FIXTURES / "mentions.jsonl"
METHODS = {"sentences": measure_sentences, "mentions": measure_mentions}
TITLES = {
    "sentences": "mentions found in the sentence",
    "mentions": "mentions given",
}


class Command(JsonCommand):
    help = "Precision and recall of both linkers on the demo graph, by kind of mention."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--half", choices=[*get_args(Half), "both"], default="test", help="default: test"
        )

    def run(self, options: dict[str, Any]) -> Output:
        half, version = options["half"], load_demo_graph()[0]
        sentences = [one for one in read_sentences(FILE) if half in (one.half, "both")]
        payload: dict[str, Any] = {"half": half, "sentences": len(sentences)}
        lines = [f"{len(sentences)} sentences of the half: {half}."]
        for name in get_args(LinkerName):
            linker = open_linker(version, name)
            payload[name] = {}
            for method, measure in METHODS.items():
                counts = measure(linker, sentences)
                payload[name][method] = {kind: as_json(counts, kind) for kind in counts.kinds}
                lines += ["", f"{name}, {TITLES[method]}", *table(counts)]
        return payload, lines


def as_json(counts: LinkingCounts, kind: str) -> dict[str, object]:
    return {
        "precision": counts.precision(kind).as_json(),
        "recall": counts.recall(kind).as_json(),
        "left_alone": counts.restraint(kind).as_json(),
        "same_words": counts.boundaries(kind).as_json(),
    }


def table(counts: LinkingCounts) -> Iterator[str]:
    yield f"{'kind':<22}{'precision':<28}{'recall':<28}{'left alone':<28}"
    for kind in counts.kinds:
        shares = (counts.precision(kind), counts.recall(kind), counts.restraint(kind))
        yield f"{kind:<22}" + "".join(f"{share!s:<28}" for share in shares).rstrip()
    yield f"of right links, the same words: {counts.boundaries()}"
