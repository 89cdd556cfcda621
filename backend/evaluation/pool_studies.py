"""A study of a release's unjudged answers, made in one step."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction

from annotation.imports import get_checked_name, import_study
from annotation.kinds.registry import get_kind_or_raise
from annotation.question_list import AnsweredQuestion, summarize_questions
from annotation.study_creation import Design, require_new_name, set_design
from backend.accounts.models import User
from backend.benchmarks.models import Item, JudgedAnswer, Question, Release, ReleaseSplit
from backend.benchmarks.policies import lock_release_or_raise, require_release_organiser
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.study_links import hide_with
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise
from backend.common.errors import Conflict, DomainError
from backend.evaluation.answer_pools import MOST_STORED, is_outdated
from backend.evaluation.models import AnswerPool, PoolStudy, PoolStudyAnswer
from backend.evaluation.pool_items import UnjudgedAnswer, build_questions, require_study_kind
from backend.studies.models import Study

Unjudged = TypeVar("Unjudged", bound=UnjudgedAnswer)
DEFAULT_LIMIT = 300
FILE = "answers.json"


@dataclass(frozen=True)
class NewPoolStudy:
    """kind: one of STUDY_KINDS. limit: how many answers. overlap: verdicts on each."""

    name: str
    kind: str = "claims"
    overlap: int = 3
    limit: int = DEFAULT_LIMIT
    adaptive_share: float = 0.0


@dataclass(frozen=True)
class CreatedPoolStudy:
    study: Study
    questions: int


def make_study_of_pool(*, actor: User, pool: AnswerPool, request: NewPoolStudy) -> CreatedPoolStudy:
    """Of the first answers of the stored pool. Raises NotAllowed, or Conflict where it is old."""
    require_release_organiser(actor, pool.release)
    if is_outdated(pool):
        message = "The board has changed since its answers were pooled. Pool them again."
        raise Conflict(message, code="pool_outdated")
    rows = list(pool.pooled.all())
    return make_pool_study(
        actor=actor, release=pool.release, split=pool.split, rows=rows, request=request
    )


def make_pool_study(
    *,
    actor: User | None,
    release: Release,
    split: str,
    rows: Sequence[UnjudgedAnswer],
    request: NewPoolStudy,
) -> CreatedPoolStudy:
    """Of the first rows that no study of the release has; the actor becomes its coordinator.

    The actor None is the command line. Raises Conflict for a name in use, or if nothing is left.
    """
    kind = request.kind
    require_study_kind(kind)
    if not 1 <= request.limit <= MOST_STORED:
        message = f"The number of answers is out of range. Use 1 to {MOST_STORED:,}."
        raise DomainError(message, code="invalid_limit")
    require_new_name(get_checked_name(request.name))
    chosen = choose_answers(release, rows, request.limit)
    if not chosen:
        message = "Every pooled answer is judged or in a study. There is nothing to judge."
        raise Conflict(message, code="nothing_to_judge")
    source = SourceFile(FILE, json.dumps(build_questions(release, chosen, kind)).encode())
    with transaction.atomic():
        study = import_study(actor=actor, name=request.name, sources=[source], kind=kind).study
        set_design(study, Design(overlap=request.overlap, adaptive_share=request.adaptive_share))
        if split == ReleaseSplit.TEST:
            hide_with(study, release)
        lock_choice(release)
        if choose_answers(release, rows, request.limit) != chosen:
            message = "Another study or correction was made meanwhile. Make the study again."
            raise Conflict(message, code="answers_changed")
        store_answers(PoolStudy.objects.create(study=study, release=release, split=split), chosen)
    return CreatedPoolStudy(study, len(chosen))


def lock_choice(release: Release) -> None:
    """Two studies that are made at once would have the same answers. Submissions wait for this
    lock too, so the study is written before."""
    first = release.chain()[0]
    lock_release_or_raise(first.pk, no_key=True)


def choose_answers(release: Release, rows: Sequence[Unjudged], limit: int) -> Sequence[Unjudged]:
    return leave_out_studied(release.chain(), rows)[:limit]


def leave_out_studied(chain: Sequence[Release], rows: Sequence[Unjudged]) -> Sequence[Unjudged]:
    """Without those in a study, those that it left undecided included, and those judged since.

    An answer whose item changed since comes back, as does one that lacked experts' answers when
    the verdicts of its study were applied.

    chain: the release with all that it corrects and that correct it; the last one has every
    verdict. Spellings of one answer are equal.
    """
    track = get_pooled_track_or_raise(chain[-1].track)
    waiting = PoolStudyAnswer.objects.filter(
        pool_study__release__in=chain, pool_study__corrected_as=None
    ).values_list("item_key", "answer")
    judged = JudgedAnswer.objects.filter(item__release=chain[-1])
    labelled = judged.values_list("item__key", "answer")
    taken = {
        (key, track.answer_key(answer))
        for key, answer in [*waiting, *labelled, *list_completed(chain)]
    }
    keys = item_keys(rows)
    return [row for row in rows if (keys[row.item_id], track.answer_key(row.answer)) not in taken]


def list_completed(chain: Sequence[Release]) -> Iterator[tuple[str, int | str]]:
    """Items and answers of applied studies that had all answers they needed, without those whose
    item differs in the last release."""
    applied = PoolStudy.objects.filter(release__in=chain).exclude(corrected_as=None)
    now = contents_by_key(chain[-1])
    for pool_study in applied.select_related("study", "release"):
        study, before = pool_study.study, contents_by_key(pool_study.release)
        questions = summarize_questions(study, get_kind_or_raise(study.kind))
        complete = {one.question_id for one in questions if not is_waiting(one)}
        answers = pool_study.answers.filter(question__in=complete)
        for key, answer in answers.values_list("item_key", "answer"):
            if before.get(key) == now.get(key):
                yield key, answer


def contents_by_key(release: Release) -> dict[str, Any]:
    return dict(Item.objects.filter(release=release).values_list("key", "content"))


def is_waiting(row: AnsweredQuestion) -> bool:
    """Whether experts' answers are missing."""
    is_judged = row.excluded is not None or row.adjudication is not None
    return not is_judged and row.answered < row.requested


def item_keys(rows: Sequence[UnjudgedAnswer]) -> dict[int, str]:
    ids = {row.item_id for row in rows}
    return dict(Item.objects.filter(pk__in=ids).values_list("pk", "key"))


def store_answers(pool_study: PoolStudy, rows: Sequence[UnjudgedAnswer]) -> None:
    entries = Question.objects.filter(entries__batch__study=pool_study.study)
    questions = {int(one.file_id): one for one in entries}
    keys = item_keys(rows)
    PoolStudyAnswer.objects.bulk_create(
        PoolStudyAnswer(
            pool_study=pool_study,
            question=questions[number],
            item_key=keys[row.item_id],
            answer=row.answer,
        )
        for number, row in enumerate(rows, start=1)
    )
