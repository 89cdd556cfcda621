"""Load the releases of the demo, with their entries."""

from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.evaluation.demo import LoadedRelease, load_demo_releases, request_background_demo
from backend.graphs.demo import load_demo_graph


class Command(JsonCommand):
    help = (
        "Make the releases of the demo, with baselines and simulated entries, which workers score. "
        "Releases on masked graphs, of walks and of hops are made by a worker. "
        "Loading again changes nothing."
    )

    def run(self, options: dict[str, Any]) -> Output:
        version, _ = load_demo_graph()
        loaded = load_demo_releases(version)
        job = request_background_demo(version)
        payload = {"releases": [one_release(one) for one in loaded], "background_job": str(job.pk)}
        done = {True: "loaded", False: "already loaded"}
        lines = [
            f"'{one.release.name}' is {done[one.is_new]}, with {one.entries} entries."
            for one in loaded
        ]
        return payload, lines if options["verbosity"] else []


def one_release(loaded: LoadedRelease) -> dict[str, Any]:
    return {
        "slug": loaded.release.slug,
        "digest": loaded.release.digest,
        "entries": loaded.entries,
        "loaded_now": loaded.is_new,
    }
