from django.urls import URLPattern, path

from annotation.api import (
    answering,
    evidence,
    exports,
    imports,
    invitations,
    partitions,
    practice,
    studies,
)

urlpatterns: list[URLPattern] = [
    path("batches", answering.Batches.as_view(), name="batches"),
    path(
        "batches/<uuid:batch_id>/assignments",
        answering.BatchAssignments.as_view(),
        name="batch-assignments",
    ),
    path("batches/<uuid:batch_id>/active", answering.Active.as_view(), name="batch-active"),
    path(
        "assignments/<uuid:assignment_id>/response",
        answering.OwnResponse.as_view(),
        name="assignment-response",
    ),
    path(
        "assignments/<uuid:assignment_id>/looks",
        answering.Looks.as_view(),
        name="assignment-looks",
    ),
    path(
        "assignments/<uuid:assignment_id>/evidence",
        evidence.AssignmentEvidence.as_view(),
        name="assignment-evidence",
    ),
    path(
        "assignments/<uuid:assignment_id>/evidence/paths",
        evidence.AssignmentEvidencePaths.as_view(),
        name="assignment-evidence-paths",
    ),
    path("studies/<uuid:study_id>/graph", evidence.StudyGraph.as_view(), name="study-graph"),
    path("studies/<uuid:study_id>/consent", answering.Consent.as_view(), name="study-consent"),
    path("studies", studies.Studies.as_view(), name="studies"),
    path("studies/import", imports.ImportStudy.as_view(), name="study-import"),
    path(
        "studies/<uuid:study_id>/export.json",
        exports.ExportJson.as_view(),
        name="study-export-json",
    ),
    path(
        "studies/<uuid:study_id>/export.csv",
        exports.ExportCsv.as_view(),
        name="study-export-csv",
    ),
    path(
        "studies/<uuid:study_id>/partitions",
        partitions.StudyPartitions.as_view(),
        name="study-partitions",
    ),
    path("practice-question", practice.PracticeView.as_view(), name="practice-question"),
    path("studies/<uuid:study_id>", studies.OneStudy.as_view(), name="study"),
    path("studies/<uuid:study_id>/board", studies.StudyBoard.as_view(), name="study-board"),
    path(
        "studies/<uuid:study_id>/experts/<uuid:expert_id>/batches",
        studies.ExpertBatches.as_view(),
        name="study-expert-batches",
    ),
    path(
        "studies/<uuid:study_id>/invitations",
        invitations.StudyInvitations.as_view(),
        name="study-invitations",
    ),
    path(
        "studies/<uuid:study_id>/invitations/<uuid:invitation_id>/revoke",
        invitations.RevokeStudyInvitation.as_view(),
        name="revoke-study-invitation",
    ),
    path(
        "studies/<uuid:study_id>/invitations/<uuid:invitation_id>/resend",
        invitations.ResendStudyInvitation.as_view(),
        name="resend-study-invitation",
    ),
]
