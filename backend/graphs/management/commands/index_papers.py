from argparse import ArgumentParser
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.graphs.literature.paper_index import has_index, index_collection
from backend.graphs.models import Collection


class Command(JsonCommand):
    help = "Index collections of papers that this machine has no index of."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", nargs="?", default="", help="one collection; all by default")

    def run(self, options: dict[str, Any]) -> Output:
        name = options["name"]
        collections = Collection.objects.ready().order_by("name")
        chosen = [it for it in collections if name in ("", it.name)]
        if name and not chosen:
            raise NotFound(f"There is no collection '{name}'.")
        missing = [it for it in chosen if not has_index(it)]
        for collection in missing:
            index_collection(collection)
        names = [it.name for it in missing]
        return {"indexed": names}, [f"'{it}' is indexed." for it in names] or ["All are indexed."]
