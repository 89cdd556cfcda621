from django.urls import URLPattern, path

from backend.graphs.api import operations

urlpatterns: list[URLPattern] = [
    path("graphs/<slug:slug>/paths", operations.Paths.as_view()),
    path("graphs/<slug:slug>/subgraph", operations.SubgraphView.as_view()),
    path("graphs/<slug:slug>/walk", operations.RandomWalk.as_view()),
    path("graphs/<slug:slug>/export", operations.Export.as_view()),
]
