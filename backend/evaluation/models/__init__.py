from backend.evaluation.models.claim_studies import (
    ChosenClaim,
    ClaimRule,
    ClaimStudy,
    ClaimStudyBatch,
)
from backend.evaluation.models.ensembles import CandidateEnsemble
from backend.evaluation.models.explorations import Exploration
from backend.evaluation.models.grounding import (
    ClaimVerdict,
    EvidenceKind,
    GroundedClaim,
    Grounding,
    GroundingState,
    VerdictEvidence,
    Verifier,
)
from backend.evaluation.models.judge_checks import JudgeCheck
from backend.evaluation.models.judged_scores import JudgedScores
from backend.evaluation.models.paid_requests import PaidRequest, RequestState
from backend.evaluation.models.pools import (
    AnswerPool,
    EntryJudgement,
    PooledAnswer,
    PoolStudy,
    PoolStudyAnswer,
)
from backend.evaluation.models.proposals import (
    HypothesisProposal,
    ProposalBackground,
    ProposedHypothesis,
)
from backend.evaluation.models.runs import ALLOWED_RUN_TRANSITIONS, CandidateScoring, Run, RunState
from backend.evaluation.models.scores import Evaluation, IntervalReason, QueryOutcome, Score
from backend.evaluation.models.submission_groundings import SubmissionGrounding
from backend.evaluation.models.submissions import (
    ALLOWED_TRANSITIONS,
    Provenance,
    Submission,
    SubmissionQuerySet,
    SubmissionState,
)
from backend.evaluation.models.syntheses import (
    CandidateVerdict,
    QuerySynthesis,
    SynthesisVerifier,
    SynthesizedQuery,
)
from backend.evaluation.models.tool_sessions import ToolCall, ToolSession, ToolUse
from backend.evaluation.models.uploads import PredictionUpload

__all__ = [
    "ALLOWED_RUN_TRANSITIONS",
    "ALLOWED_TRANSITIONS",
    "AnswerPool",
    "CandidateEnsemble",
    "CandidateScoring",
    "CandidateVerdict",
    "ChosenClaim",
    "ClaimRule",
    "ClaimStudy",
    "ClaimStudyBatch",
    "ClaimVerdict",
    "EntryJudgement",
    "Evaluation",
    "EvidenceKind",
    "Exploration",
    "GroundedClaim",
    "Grounding",
    "GroundingState",
    "HypothesisProposal",
    "IntervalReason",
    "JudgeCheck",
    "JudgedScores",
    "PaidRequest",
    "PoolStudy",
    "PoolStudyAnswer",
    "PooledAnswer",
    "PredictionUpload",
    "ProposalBackground",
    "ProposedHypothesis",
    "Provenance",
    "QueryOutcome",
    "QuerySynthesis",
    "RequestState",
    "Run",
    "RunState",
    "Score",
    "Submission",
    "SubmissionGrounding",
    "SubmissionQuerySet",
    "SubmissionState",
    "SynthesisVerifier",
    "SynthesizedQuery",
    "ToolCall",
    "ToolSession",
    "ToolUse",
    "VerdictEvidence",
    "Verifier",
]
