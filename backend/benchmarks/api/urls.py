from django.urls import URLPattern, path

from backend.benchmarks.api import computations, rns, workbench

GRAPH = "graphs/<slug:slug>"
QUESTION = "questions/<uuid:question_id>"
COMPUTATION = "computations/<uuid:computation_id>"

urlpatterns: list[URLPattern] = [
    path(f"{GRAPH}/rns", rns.OwnSets.as_view(), name="graph-rns"),
    path(f"{GRAPH}/serendipity-paths", rns.OwnPaths.as_view(), name="graph-serendipity-paths"),
    path(f"{GRAPH}/rns-files", computations.SetsFiles.as_view(), name="graph-rns-files"),
    path("question-sets", workbench.QuestionSets.as_view(), name="question-sets"),
    path(
        "question-sets/<uuid:set_id>/questions",
        workbench.Questions.as_view(),
        name="question-set-questions",
    ),
    path(f"{QUESTION}/workbench", workbench.Workbench.as_view(), name="question-workbench"),
    path(
        f"{QUESTION}/workbench/export",
        workbench.WorkbenchExport.as_view(),
        name="question-workbench-export",
    ),
    path(
        f"{QUESTION}/serendipity-paths",
        workbench.QuestionPaths.as_view(),
        name="question-serendipity-paths",
    ),
    path("computations", computations.Computations.as_view(), name="computations"),
    path(COMPUTATION, computations.OneComputation.as_view(), name="computation"),
    path(
        f"{COMPUTATION}/cancel",
        computations.CancelledComputation.as_view(),
        name="computation-cancel",
    ),
    path(f"{COMPUTATION}/file", computations.ScoresFile.as_view(), name="computation-file"),
]
