from backend.evaluation.models.explorations import Exploration
from backend.evaluation.models.grounding import (
    ClaimVerdict,
    GroundedClaim,
    Grounding,
    GroundingState,
    VerdictEvidence,
    Verifier,
)
from backend.evaluation.models.pools import (
    AnswerPool,
    EntryJudgement,
    PooledAnswer,
    PoolStudy,
    PoolStudyAnswer,
)
from backend.evaluation.models.runs import ALLOWED_RUN_TRANSITIONS, CandidateScoring, Run, RunState
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
    "ALLOWED_RUN_TRANSITIONS",
    "ALLOWED_TRANSITIONS",
    "AnswerPool",
    "CandidateScoring",
    "ClaimVerdict",
    "EntryJudgement",
    "Evaluation",
    "Exploration",
    "GroundedClaim",
    "Grounding",
    "GroundingState",
    "PoolStudy",
    "PoolStudyAnswer",
    "PooledAnswer",
    "Provenance",
    "QueryOutcome",
    "Run",
    "RunState",
    "Score",
    "Submission",
    "SubmissionQuerySet",
    "SubmissionState",
    "ToolCall",
    "ToolSession",
    "ToolUse",
    "VerdictEvidence",
    "Verifier",
]
