"""What the release of a study records: numbers, versions and statistics at the time it froze."""

import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet

from annotation.export_records import pseudonym
from annotation.exports import FORMAT
from annotation.kinds.base import AnyKind
from annotation.kinds.figures import Section
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import (
    SKIPPED,
    Assignment,
    BatchQuestion,
    Blinding,
    ConflictOfInterest,
    Revision,
)
from annotation.presentations import CHECK_FIELDS, DESIGN_FIELDS, design_of
from annotation.progress import count_progress_by, no_progress
from annotation.qualification import read_qualifications
from annotation.references import list_references
from annotation.statistics import compute_statistics
from backend.benchmarks.study_links import question_set_of
from backend.graphs.study_links import pinned_version
from backend.studies.models import Member, Study

Record = dict[str, Any]
RECORD_FORMAT = "serendib.study-release/1"
INTERVAL_PERCENT = 95
NOT_COUNTED = {
    "skipped": "questions that an expert skipped",
    "released": "questions that were returned without an answer",
    "withdrawn": "answers that were withdrawn",
    "surplus": "answers after a question had all it needed",
    "repeats": "repeated answers, which measure the consistency of a rater",
    "gold": "answers to questions with a known answer",
    "qualification": "qualifying answers",
    "adjudication": "answers that settled disagreements",
}
Purpose, State = Assignment.Purpose, Assignment.State


def build_record(study: Study, frozen_at: datetime) -> Record:
    kind = get_kind_or_raise(study.kind)
    statistics = [asdict(with_pseudonyms(study, one)) for one in compute_statistics(study)]
    return {
        "format": RECORD_FORMAT,
        "software": settings.VERSION,
        "export_format": FORMAT,
        "checksum_of_export": "SHA-256",
        "study": {
            "id": str(study.id),
            "name": study.name,
            "kind": kind.title,
            "created_on": _day(study.created_at),
            "frozen_on": _day(frozen_at),
        },
        "texts": _texts(study),
        "design": _design(study),
        "questions": _questions(study),
        "experts": count_experts(study, kind),
        "answers": count_answers(study, kind),
        "adjudications": count_adjudications(study),
        "overlap": _overlap(study, kind),
        "arms": _arms(study, kind),
        "interval_percent": INTERVAL_PERCENT,
        "statistics": statistics,
        "references": list_references(
            figure["method"] for section in statistics for figure in section["figures"]
        ),
    }


def with_pseudonyms(study: Study, section: Section) -> Section:
    """As in the study's export."""
    figures = (
        replace(one, expert=pseudonym(study, uuid.UUID(one.expert))) if one.expert else one
        for one in section.figures
    )
    return replace(section, figures=tuple(figures))


def _day(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def _texts(study: Study) -> Record:
    """What experts agreed to and read, also those who left. introduction: its SHA-256; None where
    there is none."""
    agreed = _newest_agreed(study, "consent_version")
    introduction = study.description.encode()
    return {
        "consent": [{"version": version, "experts": count} for version, count in agreed if version],
        "guidelines": _guidelines(study),
        "introduction": hashlib.sha256(introduction).hexdigest() if introduction else None,
    }


def _newest_agreed(study: Study, field: str) -> list[tuple[Any, int]]:
    """Of how many experts each version is the newest that they agreed to."""
    experts = Member.everyone.filter(study=study, role=Member.Role.EXPERT)
    return list(experts.order_by(field).values_list(field).annotate(Count("id")))


def _guidelines(study: Study) -> list[Record]:
    """digest: SHA-256 of the text. experts: those who read no newer one. answers: the counted ones
    that were written under it."""
    readers = dict(_newest_agreed(study, "guidelines_number"))
    counted = Revision.objects.filter(
        response__assignment__in=Assignment.objects.counted().filter(study=study),
        number=F("response__submitted_number"),
    ).exclude(outcome=SKIPPED)
    answers = Counter(counted.values_list("guidelines_number", flat=True))
    return [
        {
            "number": one.number,
            "published_on": _day(one.created_at),
            "digest": one.digest,
            "experts": readers.get(one.number, 0),
            "answers": answers[one.number],
        }
        for one in study.guidelines.order_by("number")
    ]


def _design(study: Study) -> Record:
    design = design_of(study)
    return {name: getattr(design, name) for name in (*DESIGN_FIELDS, *CHECK_FIELDS)}


def _questions(study: Study) -> Record:
    """known: those with a known answer, which are in no result; total: all others."""
    version = pinned_version(study)
    entries = BatchQuestion.objects.filter(batch__study=study)
    return {
        "set": question_set_of(study).name,
        "batches": study.batches.count(),
        "total": entries.filter(known_answer=None).count(),
        "known": entries.exclude(known_answer=None).count(),
        "graph": version and {"slug": version.graph.slug, "version": version.number},
    }


def _answered(kind: AnyKind) -> Q:
    outcomes = [one.name for one in kind.outcomes if one.is_answer]
    return Q(response__submitted_outcome__in=outcomes)


def count_experts(study: Study, kind: AnyKind) -> Record:
    members = Member.everyone.filter(study=study, role=Member.Role.EXPERT)
    # Members who came back have left too; of earlier ones, what was withdrawn shows it.
    conflicts = ConflictOfInterest.objects.filter(
        study=study, question=OuterRef("question"), expert=OuterRef("expert")
    )
    withdrawn = Assignment.objects.for_experts().filter(
        ~Exists(conflicts), study=study, state=State.WITHDRAWN
    )
    with_answers = Q(answers_withdrawn=True) | Q(user__in=withdrawn.values("expert"))
    has_left = Q(left_at__isnull=False) | Q(returns__gt=0) | with_answers
    counted = Assignment.objects.counted().filter(_answered(kind), study=study)
    return {
        "members": members.count(),
        "simulated": members.filter(user__is_simulated=True).count(),
        "left": members.filter(has_left).count(),
        "returned": members.filter(has_left, left_at=None).count(),
        "left_with_answers": members.filter(with_answers).count(),
        "answered": counted.values("expert").distinct().count(),
        "qualified": _qualified(study, members),
    }


def _qualified(study: Study, members: QuerySet[Member]) -> Record | None:
    """How many experts began the qualification, passed it and went on without."""
    design = design_of(study)
    if not design.qualification_items:
        return None
    read = read_qualifications(design, list(members.values_list("user", flat=True)))
    states = Counter(one.state for one in read.values() if one.answered)
    waived = sum(one.state == "waived" for one in read.values())
    return {"began": states.total(), "passed": states["passed"], "waived": waived}


def count_answers(study: Study, kind: AnyKind) -> Record:
    """assigned, answered, skipped and left are of what counts; the others are not counted."""
    every = Assignment.objects.filter(study=study)
    counted = Assignment.objects.counted().filter(study=study)
    progress = count_progress_by(counted, "study").get((study.id,), no_progress(study.kind))
    skipped = progress.outcomes.get(SKIPPED, 0)
    submitted = counted.filter(response__submitted_number__gt=0)
    return {
        "assigned": progress.total,
        "answered": progress.answered,
        "skipped": skipped,
        "simulated": counted.filter(_answered(kind), expert__is_simulated=True).count(),
        "left": progress.total - progress.answered - skipped,
        "left_experts": _without_answer(counted, kind).values("expert").distinct().count(),
        "changed_later": submitted.filter(response__submitted_number__gt=1).count(),
        "outcomes": [
            {"name": one.name.replace("_", " "), "count": progress.outcomes.get(one.name, 0)}
            for one in kind.outcomes
        ],
        "first_on": _day(submitted.aggregate(first=Min("response__submitted_at"))["first"]),
        "last_on": _day(progress.last_at),
        "median_seconds": None if progress.median_ms is None else progress.median_ms / 1000,
        "released": every.filter(state=State.RELEASED).count(),
        "withdrawn": every.for_experts().filter(_answered(kind), state=State.WITHDRAWN).count(),
        **_uncounted(
            every.filter(_answered(kind)).exclude(state__in=[State.RELEASED, State.WITHDRAWN])
        ),
    }


def count_adjudications(study: Study) -> Record:
    """Those with an answer, by what the adjudicator had seen; of older ones it was not recorded."""
    submitted = Assignment.objects.adjudications().filter(
        study=study, response__submitted_number__gt=0
    )
    states = Counter(one or "" for one in submitted.values_list("blinding__state", flat=True))
    return {
        "total": states.total(),
        **{str(one): states[one] for one in Blinding.State},
        "not_recorded": states[""],
        "revised": submitted.filter(response__submitted_number__gt=1).count(),
    }


def describe_exclusions(answers: Record) -> str:
    """Of the counts of answers."""
    counts = [(answers[name], words) for name, words in NOT_COUNTED.items()]
    listed = "; ".join(f"{words} ({count:,})" for count, words in counts if count)
    return f"Not counted: {listed}." if listed else "Nothing was excluded."


def _without_answer(counted: QuerySet[Assignment], kind: AnyKind) -> QuerySet[Assignment]:
    """Neither answered nor skipped."""
    return counted.exclude(_answered(kind) | Q(response__submitted_outcome=SKIPPED))


def _uncounted(answered: QuerySet[Assignment]) -> Mapping[str, int]:
    """Answers that are in the export and in no count."""
    main = answered.filter(purpose=Purpose.ANSWER)
    checks = (Purpose.GOLD, Purpose.QUALIFICATION, Purpose.ADJUDICATION)
    return {
        "surplus": main.filter(state=State.SURPLUS).count(),
        "repeats": main.filter(state=State.ACTIVE).exclude(occasion=1).count(),
        **{str(purpose): answered.filter(purpose=purpose).count() for purpose in checks},
    }


def _overlap(study: Study, kind: AnyKind) -> Record:
    """How many counted answers the questions have that can have one."""
    counted = Assignment.objects.counted().filter(_answered(kind), study=study)
    by_question = dict(counted.order_by().values_list("question").annotate(Count("id")))
    entries = BatchQuestion.objects.filter(batch__study=study, known_answer=None)
    counts = [by_question.get(one, 0) for one in entries.values_list("question", flat=True)]
    mean = sum(counts) / len(counts) if counts else None
    return {"fewest": min(counts, default=0), "most": max(counts, default=0), "mean": mean}


def _arms(study: Study, kind: AnyKind) -> list[Record]:
    """Of each arm that was drawn: its levels among the counted answers."""
    counted = Assignment.objects.counted().filter(_answered(kind), study=study)
    drawn = list(counted.values_list("arms", flat=True))
    return [
        {"name": arm.name, "levels": _levels(arm.levels, one)}
        for arm in kind.arms
        if (one := Counter(arms[arm.name] for arms in drawn if arm.name in arms))
    ]


def _levels(names: Iterable[str], counts: Mapping[str, int]) -> list[Record]:
    total = sum(counts.values())
    return [
        {"name": name, "count": counts.get(name, 0), "share": counts.get(name, 0) / total}
        for name in names
    ]
