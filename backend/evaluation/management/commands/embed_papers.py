from argparse import ArgumentParser
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.evaluation.embedders import load_embedder
from backend.evaluation.paper_vectors import compute_vectors
from backend.graphs.models import Collection
from backend.tracks.text_vectors import MINILM, installed_embedder


class Command(JsonCommand):
    help = "Compute vectors of the papers of a collection by the installed sentence encoder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("collection", metavar="COLLECTION", help="its slug")

    def run(self, options: dict[str, Any]) -> Output:
        collection = Collection.objects.ready().filter(slug=options["collection"]).first()
        if collection is None:
            raise NotFound(f"There is no collection '{options['collection']}'.")
        embedder = load_embedder(installed_embedder() or MINILM)
        count, dimensions = compute_vectors(collection, embedder).shape
        result = {"collection": collection.slug, "embedder": embedder.name}
        line = f"{count:,} vectors of {dimensions} by {embedder.name}."
        return {**result, "vectors": count, "dimensions": dimensions}, [line]
