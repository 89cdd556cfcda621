"""One path a line. An identifier may hold a slash, so what follows it is part of the route."""

from django.urls import URLPattern, path

from backend.graphs.api import cypher, entities, graphs, imports, operations, search, views

GRAPH = "graphs/<slug:slug>"
ENTITY = f"{GRAPH}/entities/<path:identifier>"

urlpatterns: list[URLPattern] = [
    path("graphs", graphs.Graphs.as_view(), name="graphs"),
    path(GRAPH, graphs.OneGraph.as_view(), name="graph"),
    path(f"{GRAPH}/versions/<str:snapshot>", graphs.OneVersion.as_view(), name="graph-version"),
    path(f"{ENTITY}/neighbours", entities.Neighbours.as_view(), name="graph-neighbours"),
    path(ENTITY, entities.OneEntity.as_view(), name="graph-entity"),
    path(f"{GRAPH}/search", search.Searching.as_view(), name="graph-search"),
    path(f"{GRAPH}/views", views.Views.as_view(), name="graph-views"),
    path("views/<uuid:view_id>", views.OneView.as_view(), name="view"),
    path(f"{GRAPH}/paths", operations.Paths.as_view(), name="graph-paths"),
    path(f"{GRAPH}/subgraph", operations.SubgraphOf.as_view(), name="graph-subgraph"),
    path(f"{GRAPH}/walk", operations.RandomWalk.as_view(), name="graph-walk"),
    path(f"{GRAPH}/export", operations.Export.as_view(), name="graph-export"),
    path(f"{GRAPH}/cypher", cypher.Cypher.as_view(), name="graph-cypher"),
    path("graph-imports", imports.GraphImports.as_view(), name="graph-imports"),
    path("graph-imports/<uuid:import_id>", imports.OneImport.as_view(), name="graph-import"),
    path(
        "graph-imports/<uuid:import_id>/cancel",
        imports.CancelledImport.as_view(),
        name="graph-import-cancel",
    ),
]
