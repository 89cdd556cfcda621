"""Verdicts of a study on unjudged answers, and the corrected release that has them."""

import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.db import transaction
from pydantic import TypeAdapter

from annotation.kinds.base import AnyKind
from annotation.kinds.registry import get_kind_or_raise
from annotation.question_list import AnsweredQuestion, summarize_questions
from backend.accounts.models import User
from backend.benchmarks.corrections import frozen_items
from backend.benchmarks.models import Item, Release
from backend.benchmarks.policies import require_release_organiser
from backend.benchmarks.releases import FrozenItem
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise
from backend.common.errors import Conflict, NotFound
from backend.common.pluralize import pluralize
from backend.evaluation.answer_entities import AnswerResolver
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.models import PoolStudy, PoolStudyAnswer
from backend.evaluation.pool_items import CLAIMS, SCALE
from backend.evaluation.pool_judges import withdraw_entrants
from backend.evaluation.pool_studies import is_waiting
from backend.jobs.models import Job

State = Literal["true", "false", "undecided", "waiting"]
TRUE_LEVEL, FALSE_LEVEL = 4, 2
MAX_NAME = 200
SUFFIX = ", with verdicts"


@dataclass(frozen=True)
class PoolVerdict:
    """undecided: the experts are level, or lack evidence. waiting: answers are missing."""

    item_key: str
    answer: int | str
    state: State


@dataclass(frozen=True)
class VerdictCounts:
    questions: int
    true: int
    false: int
    undecided: int
    waiting: int

    @property
    def decided(self) -> int:
        return self.true + self.false


@dataclass(frozen=True)
class AppliedVerdicts:
    """corrected: a draft until the job has scored all entries again. dropped: verdicts false on
    what is a true answer by now, and those about what is no entity of the release's graph."""

    corrected: Release
    job: Job
    counts: VerdictCounts
    dropped: int


def read_verdicts(pool_study: PoolStudy) -> list[PoolVerdict]:
    """By the adjudication, else the consensus of the counted answers once each question has as
    many as it needs, if more than half of its experts gave that verdict. Questions that the
    coordinator excluded are undecided."""
    study = pool_study.study
    kind = get_kind_or_raise(study.kind)
    rows = {one.question_id: one for one in summarize_questions(study, kind)}
    answers = PoolStudyAnswer.objects.filter(pool_study=pool_study).order_by("pk")
    return [
        PoolVerdict(one.item_key, one.answer, verdict_state(kind, rows[one.question_id]))
        for one in answers
        if one.question_id in rows
    ]


def verdict_state(kind: AnyKind, row: AnsweredQuestion) -> State:
    if row.excluded is not None:
        return "undecided"
    if is_waiting(row):
        return "waiting"
    counted = [row.adjudication.result] if row.adjudication else row.answers
    payloads = [one.payload for one in counted if kind.is_measured(one.outcome)]
    state = consensus_state(kind.name, kind.consensus(payloads))
    if row.adjudication is None and state != "undecided":
        own = [consensus_state(kind.name, kind.consensus([one])) for one in payloads]
        if 2 * own.count(state) <= max(row.requested, row.answered):
            return "undecided"
    return state


def consensus_state(kind: str, consensus: Any) -> State:
    if kind == CLAIMS:
        states: Mapping[str | None, State] = {"supported": "true", "contradicted": "false"}
        return states.get(consensus, "undecided")
    level = (consensus or {}).get(SCALE)
    if level is None or FALSE_LEVEL < level < TRUE_LEVEL:
        return "undecided"
    return "true" if level >= TRUE_LEVEL else "false"


def count_verdicts(verdicts: Sequence[PoolVerdict]) -> VerdictCounts:
    counts = Counter(one.state for one in verdicts)
    return VerdictCounts(
        len(verdicts), counts["true"], counts["false"], counts["undecided"], counts["waiting"]
    )


def get_pool_study_or_raise(study_id: uuid.UUID, release: Release | None = None) -> PoolStudy:
    studies = PoolStudy.objects.select_related("study", "release", "corrected_as")
    pool_study = studies.filter(pk=study_id).first()
    is_other = (
        release is not None and pool_study is not None and pool_study.release_id != release.pk
    )
    if pool_study is None or is_other:
        raise NotFound("This study is not about unjudged answers of the release.")
    return pool_study


@transaction.atomic
def apply_verdicts(
    *,
    actor: User | None,
    pool_study: PoolStudy,
    name: str = "",
    is_partial: bool = False,
    is_local: bool = False,
) -> AppliedVerdicts:
    """Make a corrected release: answers judged true are gold, those judged false are recorded.

    It corrects the latest release of the chain. The actor None is the command line. is_partial:
    whether later verdicts of the study may be lost. Raises NotAllowed, or Conflict if the verdicts
    are applied already, if there are none, or if some are waiting.
    """
    if actor is not None:
        require_release_organiser(actor, pool_study.release)
    locked = PoolStudy.objects.select_for_update(of=("self",)).get(pk=pool_study.pk)
    if locked.corrected_as is not None:
        message = f"These verdicts are in the release '{locked.corrected_as.slug}' already."
        raise Conflict(message, code="verdicts_applied")
    withdraw_entrants(locked)  # who joined the team of an entry since
    latest = latest_correction(locked.release)
    verdicts = read_verdicts(locked)
    current = still_valid(locked.release, latest, verdicts)
    every = [one for one in current if one.state in ("true", "false")]
    decided = without_contradictions(latest, resolve_answers(latest, every))
    if not decided:
        message = "The study has no decided verdict yet. Wait for more answers."
        raise Conflict(message, code="no_verdicts")
    if not is_partial:
        check_none_waits(current)
    request = CorrectionRequest(
        name=name or name_corrected(latest),
        rows=list(correction_rows(latest, decided)),
        verdicts=by_item(decided),
    )
    corrected, job = correct_release(
        actor=actor, release=latest, request=request, is_local=is_local
    )
    locked.corrected_as = corrected
    locked.save(update_fields=["corrected_as"])
    dropped = len(every) - len(decided)
    return AppliedVerdicts(corrected, job, count_verdicts(verdicts), dropped)


def check_none_waits(verdicts: Sequence[PoolVerdict]) -> None:
    if waiting := count_verdicts(verdicts).waiting:
        message = (
            f"{pluralize(waiting, 'answer')} of the study still lack experts' answers. Wait, or "
            "apply the others alone; verdicts that come later are then lost."
        )
        raise Conflict(message, code="verdicts_waiting", data={"waiting": waiting})


def resolve_answers(release: Release, verdicts: Sequence[PoolVerdict]) -> list[PoolVerdict]:
    """Each under the identifier of its entity, without those that the graph has none for."""
    track = get_pooled_track_or_raise(release.track)
    resolver = AnswerResolver.of(track, release)
    items: TypeAdapter[Any] = TypeAdapter(track.item_schema)
    answers: TypeAdapter[Any] = TypeAdapter(track.answer_schema)
    keys = {one.item_key for one in verdicts}
    rows = {
        one.key: (items.validate_python(one.content), answers.validate_python(one.answer))
        for one in frozen_items(release)
        if one.key in keys
    }
    return [
        replace(one, answer=answer)
        for one in verdicts
        for answer in resolver.resolve(*rows[one.item_key], [one.answer])
    ]


def without_contradictions(release: Release, verdicts: Sequence[PoolVerdict]) -> list[PoolVerdict]:
    """Without those false on true answers of the release, another spelling of them included.

    An answer that the release has judged gets the spelling of that verdict, which it replaces.
    """
    track = get_pooled_track_or_raise(release.track)
    answers: TypeAdapter[Any] = TypeAdapter(track.answer_schema)
    keys = {one.item_key for one in verdicts}
    frozen = {one.key: one for one in frozen_items(release) if one.key in keys}
    gold = {
        key: {
            track.answer_key(answer)
            for answer in track.labelled_answers(answers.validate_python(one.answer))
        }
        for key, one in frozen.items()
    }
    spelled = {
        key: {track.answer_key(answer): answer for answer, _ in one.judged}
        for key, one in frozen.items()
    }
    result = []
    for one in verdicts:
        answer = track.answer_key(one.answer)
        if one.state == "true" or answer not in gold[one.item_key]:
            known = spelled[one.item_key].get(answer, one.answer)
            result.append(replace(one, answer=known))
    return result


def name_corrected(release: Release) -> str:
    return release.name.removesuffix(SUFFIX)[: MAX_NAME - len(SUFFIX)] + SUFFIX


def latest_correction(release: Release) -> Release:
    return release.chain()[-1]


def still_valid(
    release: Release, latest: Release, verdicts: Sequence[PoolVerdict]
) -> list[PoolVerdict]:
    """Those about items that no correction since has withdrawn or changed."""
    keys = {one.item_key for one in verdicts}
    before, now = (
        dict(Item.objects.filter(release=one, key__in=keys).values_list("key", "content"))
        for one in (release, latest)
    )
    return [one for one in verdicts if before.get(one.item_key) == now.get(one.item_key)]


def by_item(verdicts: Sequence[PoolVerdict]) -> dict[str, dict[int | str, bool]]:
    result: dict[str, dict[int | str, bool]] = {}
    for one in verdicts:
        result.setdefault(one.item_key, {})[one.answer] = one.state == "true"
    return result


def correction_rows(release: Release, verdicts: Sequence[PoolVerdict]) -> list[dict[str, Any]]:
    """Of the items whose hidden answer gets more true answers."""
    track = get_pooled_track_or_raise(release.track)
    items: TypeAdapter[Any] = TypeAdapter(track.item_schema)
    answers: TypeAdapter[Any] = TypeAdapter(track.answer_schema)
    resolver = AnswerResolver.of(track, release)
    frozen: dict[str, FrozenItem] = {one.key: one for one in frozen_items(release)}
    rows = []
    for key, judged in by_item(verdicts).items():
        true = [answer for answer, is_true in judged.items() if is_true]
        if not true:
            continue
        item = items.validate_python(frozen[key].content)
        old = answers.validate_python(frozen[key].answer)
        new = resolver.add_true_answers(item, old, true)
        if new != old:
            dumped = answers.dump_python(new, mode="json")
            rows.append({"key": json.loads(key), "action": "answer", "answer": dumped})
    return rows
