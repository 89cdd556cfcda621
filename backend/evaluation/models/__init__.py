from backend.evaluation.models.pools import (
    AnswerPool,
    EntryJudgement,
    PooledAnswer,
    PoolStudy,
    PoolStudyAnswer,
)
from backend.evaluation.models.scores import Evaluation, QueryOutcome, Score
from backend.evaluation.models.submissions import (
    ALLOWED_TRANSITIONS,
    Provenance,
    Submission,
    SubmissionQuerySet,
    SubmissionState,
)
from backend.evaluation.models.tool_sessions import ToolCall, ToolSession, ToolUse

__all__ = [
    "ALLOWED_TRANSITIONS",
    "AnswerPool",
    "EntryJudgement",
    "Evaluation",
    "PoolStudy",
    "PoolStudyAnswer",
    "PooledAnswer",
    "Provenance",
    "QueryOutcome",
    "Score",
    "Submission",
    "SubmissionQuerySet",
    "SubmissionState",
    "ToolCall",
    "ToolSession",
    "ToolUse",
]
