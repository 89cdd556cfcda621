from annotation.models.assignments import UNANSWERED, Assignment, AssignmentQuerySet
from annotation.models.batches import (
    MAX_ADAPTIVE_SHARE,
    SEED_BITS,
    Batch,
    BatchQuestion,
    StudyDesign,
)
from annotation.models.conflicts import ConflictOfInterest
from annotation.models.decisions import (
    AnswerReading,
    Blinding,
    QuestionDecision,
    ReopenedAdjudication,
)
from annotation.models.judges import MAX_JUDGE_NAME, Judge, JudgeAnswer
from annotation.models.quality import CheckedAnswer, KnownAnswer, QualificationWaiver
from annotation.models.responses import (
    SKIPPED,
    Action,
    ActivityKind,
    BatchAgreement,
    Event,
    LegacyRevision,
    Response,
    Revision,
    Status,
)
from annotation.models.study_releases import StudyRelease
from annotation.models.threads import (
    MAX_MESSAGE,
    PostponedThreadMail,
    Thread,
    ThreadDigest,
    ThreadMessage,
    ThreadReading,
)

__all__ = [
    "MAX_ADAPTIVE_SHARE",
    "MAX_JUDGE_NAME",
    "MAX_MESSAGE",
    "SEED_BITS",
    "SKIPPED",
    "UNANSWERED",
    "Action",
    "ActivityKind",
    "AnswerReading",
    "Assignment",
    "AssignmentQuerySet",
    "Batch",
    "BatchAgreement",
    "BatchQuestion",
    "Blinding",
    "CheckedAnswer",
    "ConflictOfInterest",
    "Event",
    "Judge",
    "JudgeAnswer",
    "KnownAnswer",
    "LegacyRevision",
    "PostponedThreadMail",
    "QualificationWaiver",
    "QuestionDecision",
    "ReopenedAdjudication",
    "Response",
    "Revision",
    "Status",
    "StudyDesign",
    "StudyRelease",
    "Thread",
    "ThreadDigest",
    "ThreadMessage",
    "ThreadReading",
]
