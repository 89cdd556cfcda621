"""Pairs of hypotheses that a judge compares, from questionnaire files or a study, in both orders.

What the judge reads is the item as experts see it: no model, arm or score is in it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.kinds.base import AnyKind
from annotation.kinds.items import Presentation
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import BatchQuestion
from backend.benchmarks.models import Question
from backend.benchmarks.questionnaire import QuestionEntry, SourceFile, parse_questionnaire
from backend.common.errors import Conflict
from backend.evaluation.judging.votes import ChoiceVote, Judge
from backend.studies.models import Study
from backend.tracks.judge_tasks import ShownPair

PAIRS = "hypothesis_pairs"
LONGEST_COMMENT = 1_000


@dataclass(frozen=True)
class OrderedPair:
    """A question in one order. qid: as files name it."""

    qid: str
    order: str
    shown: ShownPair

    @property
    def key(self) -> str:
        return f"{self.qid} {self.order}"


def list_orders(questions: Iterable[tuple[Question, Mapping[str, Any]]]) -> Iterator[OrderedPair]:
    """Each question once for each level of the arm of sides. With it what the study adds."""
    kind = get_kind_or_raise(PAIRS)
    arm = next(one for one in kind.arms if one.is_balanced)
    for question, added in questions:
        for level in arm.levels:
            yield OrderedPair(
                question.file_id, level, show_pair(kind, question, added, {arm.name: level})
            )


def show_pair(
    kind: AnyKind, question: Question, added: Mapping[str, Any], arms: Mapping[str, str]
) -> ShownPair:
    item = kind.build_item(question, Presentation(arms, added))
    first, second = ((one.hypothesis, "".join(one.sentences)) for one in item.hypotheses)
    return ShownPair(item.text, item.background, first, second)


def read_pair_files(sources: Sequence[SourceFile], faults: Iterable[Any]) -> Sequence[OrderedPair]:
    """Raises QuestionnaireInvalid with every fault of every file."""
    kind = get_kind_or_raise(PAIRS)
    schema: type[QuestionEntry] = kind.question_schema
    read = parse_questionnaire(sources, faults, schema)
    questions = [
        Question(file_id=str(one.qid), number=one.number, text=one.text, payload=one.payload())
        for one in read.questions
    ]
    nothing: Mapping[str, Any] = {}
    return [*list_orders((one, nothing) for one in questions)]


def read_study_pairs(study: Study) -> Sequence[OrderedPair]:
    """Raises Conflict for a study of another kind."""
    if study.kind != PAIRS:
        message = "Only a study of hypothesis pairs has items for this judge."
        raise Conflict(message, code="kind_differs")
    entries = BatchQuestion.objects.filter(batch__study=study).select_related("question")
    loaded = entries.prefetch_related("question__candidates", "question__resources")
    return [*list_orders((one.question, one.payload) for one in loaded.order_by("pk"))]


def answer_line(pair: OrderedPair, judge: Judge, vote: ChoiceVote) -> dict[str, Any] | None:
    """A line of the file that `import_judge` takes; None without a choice."""
    if vote.choice is None:
        return None
    known = "" if vote.probability is None else f", probability {vote.probability:.4f}"
    return {
        "qid": pair.qid,
        "order": pair.order,
        "choice": vote.choice,
        "comment": f"{judge.name}, {judge.votes} votes{known}"[:LONGEST_COMMENT],
        "rationale": vote.reason,
    }
