"""The formats that a graph can be exported to. All but GraphML are written while rows come."""

from __future__ import annotations

from backend.common.errors import DomainError
from backend.graphs.exporters.exported import Exporter
from backend.graphs.exporters.graphml import write_graphml
from backend.graphs.exporters.kgx import write_kgx, write_kgx_lines
from backend.graphs.exporters.nodelink import write_json
from backend.graphs.exporters.tables import write_csv

ZIP = "application/zip"
EXPORTERS = (
    Exporter("csv", "Tables (CSV)", "-csv.zip", ZIP, write_csv),
    Exporter("json", "JSON (networkx)", ".json", "application/json", write_json),
    Exporter("graphml", "GraphML", ".graphml", "application/graphml+xml", write_graphml),
    Exporter("kgx", "KGX tables (Biolink)", "-kgx.zip", ZIP, write_kgx),
    Exporter("kgx-jsonl", "KGX JSON lines (Biolink)", "-kgx-jsonl.zip", ZIP, write_kgx_lines),
)
BY_NAME = {it.name: it for it in EXPORTERS}


def exporter_or_raise(name: str) -> Exporter:
    if name not in BY_NAME:
        known = ", ".join(BY_NAME)
        raise DomainError(f"There is no format {name}. There are: {known}.", code="format")
    return BY_NAME[name]
