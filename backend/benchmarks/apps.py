from importlib import import_module

from django.apps import AppConfig


class BenchmarksConfig(AppConfig):
    name = "backend.benchmarks"
    label = "benchmarks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """What cites a version of a graph uses models, which exist only now."""
        citations = import_module("backend.graphs.citations")
        citations.register(import_module("backend.benchmarks.partitions").partitions_citing)
        citations.register(
            import_module("backend.benchmarks.serendipity.computations").computations_citing
        )
