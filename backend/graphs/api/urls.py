"""Routes. An identifier may contain slashes, so the longer route comes first."""

from django.urls import URLPattern, path

from backend.graphs.api import (
    cypher,
    entities,
    export,
    graphs,
    imports,
    literature,
    metapath_tests,
    network_comparison,
    paths,
    profile,
    saved_views,
    schema,
    search,
    strongest_neighbours,
    surprises,
)

GRAPH = "graphs/<slug:slug>"
ENTITY = f"{GRAPH}/entities/<path:identifier>"

urlpatterns: list[URLPattern] = [
    path("graphs", graphs.GraphListView.as_view()),
    path(GRAPH, graphs.GraphDetailView.as_view()),
    path(f"{GRAPH}/versions/<str:snapshot>", graphs.VersionView.as_view()),
    path(f"{ENTITY}/neighbours", entities.NeighboursView.as_view()),
    path(
        f"{ENTITY}/strongest-neighbours",
        strongest_neighbours.StrongestNeighboursView.as_view(),
    ),
    path(f"{ENTITY}/history", entities.EntityHistoryView.as_view()),
    path(f"{ENTITY}/papers", literature.EntityPapersView.as_view()),
    path(f"{GRAPH}/entities", entities.EntityListView.as_view()),
    path(ENTITY, entities.EntityView.as_view()),
    path(f"{GRAPH}/search", search.SearchView.as_view()),
    path(f"{GRAPH}/views", saved_views.SavedViewListView.as_view()),
    path("views/<uuid:view_id>", saved_views.SavedViewDetailView.as_view()),
    path(f"{GRAPH}/schema", schema.GraphSchemaView.as_view()),
    path(f"{GRAPH}/profile", profile.GraphProfileView.as_view()),
    path(f"{GRAPH}/surprises", surprises.SurprisesView.as_view()),
    path(f"{GRAPH}/paths", paths.PathsView.as_view()),
    path(f"{GRAPH}/metapath-test", metapath_tests.MetapathTestView.as_view()),
    path(f"{GRAPH}/subgraph", paths.SubgraphView.as_view()),
    path(f"{GRAPH}/walk", paths.RandomWalkView.as_view()),
    path(f"{GRAPH}/export", export.ExportView.as_view()),
    path(f"{GRAPH}/cypher", cypher.CypherView.as_view()),
    path("network-comparison", network_comparison.NetworkComparisonView.as_view()),
    path("graph-formats", imports.GraphFormatListView.as_view()),
    path("graph-imports", imports.GraphImportsView.as_view()),
    path("literature", literature.CollectionListView.as_view()),
    path("literature/<slug:collection>", literature.CollectionView.as_view()),
    path("literature/<slug:collection>/papers", literature.PaperSearchView.as_view()),
    path("literature-imports", literature.PaperImportsView.as_view()),
]
