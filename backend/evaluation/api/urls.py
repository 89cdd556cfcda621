from django.urls import path

from backend.evaluation.api import (
    answer_pools,
    corrections,
    item_reports,
    prompts,
    query_reports,
    release_views,
    tools,
    views,
)

urlpatterns = [
    path("prompts", prompts.Prompts.as_view()),
    path("prompts/<slug:name>", prompts.PromptDetail.as_view()),
    path("validations", views.Validations.as_view()),
    path("submissions", views.Submissions.as_view()),
    path("submissions/<uuid:submission_id>", views.SubmissionDetail.as_view()),
    path(
        "submissions/<uuid:submission_id>/query-report",
        query_reports.SubmissionQueryReport.as_view(),
    ),
    path("submissions/<uuid:submission_id>/withdraw", views.SubmissionWithdrawal.as_view()),
    path("submissions/<uuid:submission_id>/final", views.FinalEntry.as_view()),
    path("releases/<slug:slug>/queries", views.Queries.as_view()),
    path("releases/<slug:slug>/contents", release_views.ReleaseContents.as_view()),
    path("releases/<slug:slug>/submissions", release_views.ReceivedSubmissions.as_view()),
    path("releases/<slug:slug>/submitters", release_views.ReleaseSubmitters.as_view()),
    path("releases/<slug:slug>/corrections", corrections.Corrections.as_view()),
    path("releases/<slug:slug>/reports", item_reports.ItemReports.as_view()),
    path("releases/<slug:slug>/reports/<uuid:report_id>", item_reports.ItemReportDetail.as_view()),
    path("releases/<slug:slug>/tools", tools.ReleaseTools.as_view()),
    path("releases/<slug:slug>/tool-sessions", tools.ReleaseToolSessions.as_view()),
    path("tool-sessions", tools.ToolSessions.as_view()),
    path("tool-sessions/<uuid:session_id>", tools.ToolSessionDetail.as_view()),
    path("tool-sessions/<uuid:session_id>/close", tools.ToolSessionClosing.as_view()),
    path("tool-sessions/<uuid:session_id>/calls", tools.ToolCalls.as_view()),
    path("tool-sessions/<uuid:session_id>/calls/<int:number>", tools.ToolCallDetail.as_view()),
    path("releases/<slug:slug>/pool", answer_pools.AnswerPoolView.as_view()),
    path("releases/<slug:slug>/pool/studies", answer_pools.PoolStudies.as_view()),
    path(
        "releases/<slug:slug>/pool/studies/<uuid:study_id>/verdicts",
        answer_pools.PoolStudyVerdicts.as_view(),
    ),
    path("releases/<slug:slug>/rescore", corrections.ReleaseRescoring.as_view()),
]
