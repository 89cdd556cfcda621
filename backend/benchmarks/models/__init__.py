from backend.benchmarks.models.errata import Correction, ItemReport
from backend.benchmarks.models.questions import (
    Candidate,
    Match,
    MatchMethod,
    Partition,
    Question,
    QuestionRecord,
    QuestionSet,
    Resolution,
    Resource,
    StudyQuestions,
    UnmatchedReason,
)
from backend.benchmarks.models.release_graphs import ReleaseGraph
from backend.benchmarks.models.releases import (
    HiddenAnswer,
    Item,
    JudgedAnswer,
    Model,
    Release,
    ReleaseSplit,
    SplitSlices,
)

__all__ = [
    "Candidate",
    "Correction",
    "HiddenAnswer",
    "Item",
    "ItemReport",
    "JudgedAnswer",
    "Match",
    "MatchMethod",
    "Model",
    "Partition",
    "Question",
    "QuestionRecord",
    "QuestionSet",
    "Release",
    "ReleaseGraph",
    "ReleaseSplit",
    "Resolution",
    "Resource",
    "SplitSlices",
    "StudyQuestions",
    "UnmatchedReason",
]
