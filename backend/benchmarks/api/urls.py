from django.urls import URLPattern, path

from backend.benchmarks.api import (
    model_views,
    release_cards,
    release_graphs,
    releases,
    rns,
    set_files,
    set_statistics,
    site_search,
    tracks,
    workbench,
)

GRAPH = "graphs/<slug:slug>"
QUESTION = "questions/<uuid:question_id>"

urlpatterns: list[URLPattern] = [
    path(f"{GRAPH}/rns", rns.SetScores.as_view()),
    path(f"{GRAPH}/serendipity-paths", rns.SetPaths.as_view()),
    path(f"{GRAPH}/rns-batches", set_files.RnsBatches.as_view()),
    path("search", site_search.SiteSearch.as_view()),
    path("models", model_views.Models.as_view()),
    path("models/<slug:slug>", model_views.ModelDetail.as_view()),
    path("releases", releases.Releases.as_view()),
    path("releases/<slug:slug>", releases.ReleaseDetail.as_view()),
    path("releases/<slug:slug>/state", releases.ReleaseState.as_view()),
    path("releases/<slug:slug>/items", releases.ReleaseItems.as_view()),
    path("releases/<slug:slug>/item-page", releases.ReleaseItemPage.as_view()),
    path("releases/<slug:slug>/graphs", release_graphs.ReleaseGraphs.as_view()),
    path(
        "releases/<slug:slug>/graphs/<slug:method>/cypher",
        release_graphs.ReleaseGraphCypher.as_view(),
    ),
    path("tracks", tracks.EvaluatedTracks.as_view()),
    path("tracks/<slug:slug>", tracks.TrackPage.as_view()),
    path("releases/<slug:slug>/citation.bib", release_cards.ReleaseCitation.as_view()),
    path("releases/<slug:slug>/entities", releases.ReleaseEntities.as_view()),
    path("question-sets", workbench.QuestionSets.as_view()),
    path("question-sets/<uuid:set_id>/questions", workbench.Questions.as_view()),
    path("question-sets/<uuid:set_id>/statistics", set_statistics.SetStatistics.as_view()),
    path(f"{QUESTION}/workbench", workbench.Workbench.as_view()),
    path(f"{QUESTION}/workbench/export", workbench.WorkbenchExport.as_view()),
    path(f"{QUESTION}/serendipity-paths", workbench.QuestionPaths.as_view()),
    path("jobs/<uuid:job_id>/scores", set_files.JobScores.as_view()),
]
