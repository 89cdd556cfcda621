from django.urls import path

from backend.leaderboard.api import boards, cases, models, results
from backend.leaderboard.api.best_of_n import BoardBestOfNView
from backend.leaderboard.api.changes import BoardChanges
from backend.leaderboard.api.correlations import BoardCorrelations, PrintedCorrelations
from backend.leaderboard.api.data_cards import ReleaseDataCard
from backend.leaderboard.api.discoveries import BoardDiscoveries
from backend.leaderboard.api.figures import Figure, FigureCsv
from backend.leaderboard.api.groundedness import BoardGroundedness
from backend.leaderboard.api.importance import BoardImportance
from backend.leaderboard.api.judged import BoardJudged
from backend.leaderboard.api.points import BoardPointsView
from backend.leaderboard.api.roc_curves import BoardRocCurves
from backend.leaderboard.api.strategies import BoardStrategies
from backend.leaderboard.api.summary import SiteSummaryView
from backend.leaderboard.api.views import Leaderboard, Leaderboards

RESULT = "results/<uuid:submission_id>"

urlpatterns = [
    path("boards/<slug:slug>", boards.Board.as_view()),
    path("boards/<slug:slug>/comparison", boards.BoardComparison.as_view()),
    path("boards/<slug:slug>/correlations", BoardCorrelations.as_view()),
    path("boards/<slug:slug>/entries.csv", boards.BoardCsv.as_view()),
    path("boards/<slug:slug>/entries.json", boards.BoardJson.as_view()),
    path("boards/<slug:slug>/changes", BoardChanges.as_view()),
    path("boards/<slug:slug>/discoveries", BoardDiscoveries.as_view()),
    path("boards/<slug:slug>/importance", BoardImportance.as_view()),
    path("boards/<slug:slug>/roc-curves", BoardRocCurves.as_view()),
    path("boards/<slug:slug>/best-of-n", BoardBestOfNView.as_view()),
    path("boards/<slug:slug>/points", BoardPointsView.as_view()),
    path("boards/<slug:slug>/strategies", BoardStrategies.as_view()),
    path("boards/<slug:slug>/judged", BoardJudged.as_view()),
    path("boards/<slug:slug>/groundedness", BoardGroundedness.as_view()),
    path("releases/<slug:slug>/croissant.json", ReleaseDataCard.as_view()),
    path(RESULT, results.Result.as_view()),
    path(f"{RESULT}/cases", cases.ResultCases.as_view()),
    path(f"{RESULT}/badge.svg", results.ResultBadge.as_view()),
    path(f"{RESULT}/citation.bib", results.ResultCitation.as_view()),
    path(f"{RESULT}/every_eval_ever.json", results.ResultRecord.as_view()),
    path(f"{RESULT}/every_eval_ever_samples.jsonl", results.ResultSamples.as_view()),
    path("model-matrix", models.ModelMatrix.as_view()),
    path("models/<slug:slug>/results", models.ModelResultsView.as_view()),
    path("site-summary", SiteSummaryView.as_view()),
    path("leaderboards", Leaderboards.as_view()),
    path("leaderboards/<str:track>", Leaderboard.as_view()),
    path("leaderboards/<str:track>/correlations", PrintedCorrelations.as_view()),
    path("leaderboards/<str:track>/figures/<slug:figure>.csv", FigureCsv.as_view()),
    path("leaderboards/<str:track>/figures/<slug:figure>", Figure.as_view()),
]
