"""How many questions each expert can answer now: what they have, and what they could take of a
pool."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from django.db.models import Q
from django.utils import timezone

from annotation.eligibility import find_refused
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import UNANSWERED, Assignment, BatchQuestion, ConflictOfInterest, StudyDesign
from annotation.pool_places import full_questions
from annotation.presentations import design_of
from annotation.progress import StudyProgress, no_progress
from annotation.qualification import Qualification, read_qualifications
from backend.studies.models import Member, Study

Pairs = Iterable[tuple[uuid.UUID, uuid.UUID]]
QuestionsByExpert = Mapping[uuid.UUID, set[uuid.UUID]]


@dataclass(frozen=True)
class PoolQuestions:
    """by_tags: those with a free place, by the tags that they need. By expert, barred: those that
    the expert has, has skipped, or must not judge; open: those to answer that the expert has."""

    by_tags: Mapping[frozenset[str], set[uuid.UUID]]
    barred: QuestionsByExpert
    open: QuestionsByExpert

    def count(self, expert: uuid.UUID, tags: Collection[str]) -> int:
        able = [one for needed, one in self.by_tags.items() if needed.issubset(tags)]
        free = set[uuid.UUID]().union(*able) - self.barred[expert]
        return len(free) + len(self.open[expert])


def with_pool_work(
    study: Study, progress: Mapping[uuid.UUID, StudyProgress]
) -> Mapping[uuid.UUID, StudyProgress]:
    """Of a pool, what remains is what each expert can answer now, also who has had nothing yet.
    Nothing remains to who must not judge the study, with a pool or without."""
    design = design_of(study)
    members = study.members.filter(role=Member.Role.EXPERT).values_list("user", "tags")
    experts = dict(members)
    refused = find_refused(study.pk, experts.keys())
    able = {expert: tags for expert, tags in experts.items() if expert not in refused}
    result = {**progress, **_read_pool_work(study, design, able, progress)}
    for expert in refused.intersection(result):
        result[expert] = replace(result[expert], total=result[expert].answered)
    return result


def _read_pool_work(
    study: Study,
    design: StudyDesign,
    experts: Mapping[uuid.UUID, Collection[str]],
    progress: Mapping[uuid.UUID, StudyProgress],
) -> dict[uuid.UUID, StudyProgress]:
    """Of these experts; empty where there is no pool."""
    if design.overlap is None:
        return {}
    qualifications = read_qualifications(design, experts.keys())
    questions = _read_questions(study, design)
    result: dict[uuid.UUID, StudyProgress] = {}
    for expert, tags in experts.items():
        one = progress.get(expert) or no_progress(study.kind)
        qualification = qualifications.get(expert)
        left = (
            questions.count(expert, tags)
            if qualification is None or qualification.is_over
            else _left_of(qualification)
        )
        result[expert] = replace(one, total=one.answered + left)
    return result


def _left_of(qualification: Qualification) -> int:
    is_failed = qualification.state == "failed"
    return 0 if is_failed else qualification.items - qualification.answered


def _read_questions(study: Study, design: StudyDesign) -> PoolQuestions:
    full = full_questions(study, get_kind_or_raise(study.kind), design.overlap or 0)
    entries = BatchQuestion.objects.filter(batch__study=study, known_answer=None)
    by_tags: dict[frozenset[str], set[uuid.UUID]] = defaultdict(set)
    free = entries.exclude(question__in=full)
    for question, needed in free.values_list("question", "batch__needed_tags"):
        by_tags[frozenset(needed)].add(question)
    rows = Assignment.objects.filter(study=study)
    returned = rows.answers().filter(UNANSWERED, state=Assignment.State.RELEASED)
    conflicts = ConflictOfInterest.objects.filter(study=study)
    barred = _by_expert(
        [
            *rows.exclude(pk__in=returned.values("pk")).values_list("expert", "question"),
            *conflicts.values_list("expert", "question"),
        ]
    )
    return PoolQuestions(by_tags, barred, _by_expert(_open_pairs(study, full)))


def _open_pairs(study: Study, full: object) -> Pairs:
    """Without leases that ended before anything was written, if others have the places."""
    rows = Assignment.objects.for_experts().filter(
        UNANSWERED, study=study, state=Assignment.State.ACTIVE
    )
    is_check = ~Q(purpose=Assignment.Purpose.ANSWER) | Q(occasion=2)
    is_held = Q(leased_until=None) | Q(leased_until__gt=timezone.now())
    is_own = is_check | is_held | Q(response__isnull=False) | ~Q(question__in=full)
    return rows.filter(is_own).values_list("expert", "question")


def _by_expert(pairs: Pairs) -> QuestionsByExpert:
    result: dict[uuid.UUID, set[uuid.UUID]] = defaultdict(set)
    for expert, question in pairs:
        result[expert].add(question)
    return result
