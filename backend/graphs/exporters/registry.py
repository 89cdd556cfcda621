"""Discover the formats that a graph can be exported to.

A format is a folder beside this file, or `graph_exporters/<name>/` of a plugin, whose module
`exporter` exports EXPORTERS.
"""

from functools import cache

from backend.common.errors import DomainError
from backend.graphs.exporters.base import Exporter
from backend.runtime.discovery import discover_modules


@cache
def graph_exporters() -> dict[str, Exporter]:
    modules = discover_modules(
        "backend.graphs.exporters", group="graph_exporters", entry="exporter", optional=True
    )
    return {exporter.name: exporter for module in modules for exporter in module.EXPORTERS}


def exporter_or_raise(name: str) -> Exporter:
    exporters = graph_exporters()
    if name not in exporters:
        known = ", ".join(exporters)
        raise DomainError(
            f"There is no export format {name}. Choose one of: {known}.", code="format"
        )
    return exporters[name]
