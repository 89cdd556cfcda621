"""Reminders by e-mail to experts with open questions, at most one a day for each."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from annotation.expert_flags import silent_since
from annotation.models import Assignment
from annotation.pool_work import with_pool_work
from annotation.progress import StudyProgress, count_progress_by
from annotation.work_estimate import describe_questions, describe_work
from backend.accounts.mail_delivery import send_all
from backend.accounts.models import User
from backend.accounts.sign_in_links import LIFETIME, create_sign_in_link
from backend.common.pluralize import pluralize
from backend.studies.models import Member, Study
from backend.studies.notifications import notify
from backend.studies.policies import check_open, get_coordinated_study_or_raise

MIN_GAP = timedelta(days=1)
# In the text that a coordinator sees; whoever reminds must not sign in as the expert.
LINK = "[a link of this expert's own, made when the reminder is sent]"


@dataclass(frozen=True)
class Reminder:
    """A reminder that could be sent now, or why not. is_silent: the board flags the expert."""

    expert: User
    left: int
    is_silent: bool
    reminded_at: datetime | None
    hindrance: Literal["", "reminded", "simulated", "inactive"]
    subject: str
    text: str


@dataclass(frozen=True)
class SentReminders:
    """Names of the experts."""

    sent: list[str]
    failed: list[str]
    left_out: list[str]


def list_reminders(*, actor: User, study_id: uuid.UUID) -> list[Reminder]:
    """One for each expert with open questions; none once the study is closed."""
    study = get_coordinated_study_or_raise(actor, study_id)
    if study.status != Study.Status.OPEN:
        return []
    return [_compose(study, actor, *row) for row in _unfinished(study)]


def send_reminders(
    *, actor: User, study_id: uuid.UUID, expert_ids: Collection[uuid.UUID]
) -> SentReminders:
    """Send those that can be sent now. The day starts anew where a message was not accepted."""
    due, left_out = _claim(actor, study_id, expert_ids)
    delivered = send_all([_message(study_id, it) for it in due])
    failed = [it for it, is_sent in zip(due, delivered, strict=True) if not is_sent]
    for reminder in failed:
        members = Member.objects.filter(study=study_id, user=reminder.expert)
        members.filter(role=Member.Role.EXPERT).update(reminded_at=reminder.reminded_at)
    notify(study_id, "board")
    names = [it.expert.name for it in failed]
    sent = [it.expert.name for it in due if it not in failed]
    return SentReminders(sent, names, [it.expert.name for it in left_out])


@transaction.atomic
def _claim(
    actor: User, study_id: uuid.UUID, expert_ids: Collection[uuid.UUID]
) -> tuple[list[Reminder], list[Reminder]]:
    """Two coordinators who press at the same moment send one reminder."""
    study = get_coordinated_study_or_raise(actor, study_id)
    check_open(study)
    members = study.members.filter(role=Member.Role.EXPERT, user__in=expert_ids)
    locked = [member.pk for member in members.select_for_update().order_by("pk")]
    reminders = [
        _compose(study, actor, member, progress)
        for member, progress in _unfinished(study)
        if member.pk in locked
    ]
    due = [it for it in reminders if not it.hindrance]
    reached = members.filter(user__in=[it.expert for it in due])
    reached.update(reminded_at=timezone.now())
    return due, [it for it in reminders if it.hindrance]


def _unfinished(study: Study) -> list[tuple[Member, StudyProgress]]:
    counted = count_progress_by(Assignment.objects.not_released().filter(study=study), "expert")
    progress = with_pool_work(study, {expert: one for (expert,), one in counted.items()})
    members = study.members.filter(role=Member.Role.EXPERT).select_related("user")
    return [
        (member, progress[member.user_id])
        for member in members.order_by("user__name", "user__email")
        if member.user_id in progress and progress[member.user_id].remaining
    ]


def _message(study_id: uuid.UUID, reminder: Reminder) -> EmailMessage:
    """No link signs an administrator in."""
    expert, path = reminder.expert, f"/next?study={study_id}"
    link = f"{settings.SITE_URL}{path}"
    if not expert.is_administrator:
        link, _ = create_sign_in_link(user=expert, path=path)
    return EmailMessage(reminder.subject, reminder.text.replace(LINK, link), to=[expert.email])


def _compose(study: Study, sender: User, member: Member, progress: StudyProgress) -> Reminder:
    context = {
        "expert": member.user,
        "sender": sender,
        "study": study,
        "left": progress.remaining,
        "total": pluralize(progress.total, "question"),
        "work": describe_work(
            study, describe_questions(progress.remaining, progress.planned_left_ms)
        ),
        "link": LINK,
        "link_days": LIFETIME.days,
    }
    return Reminder(
        expert=member.user,
        left=progress.remaining,
        is_silent=silent_since(study, member, progress) is not None,
        reminded_at=member.reminded_at,
        hindrance=_hindrance(member),
        subject=render_to_string("annotation/reminder_subject.txt", context).strip(),
        text=render_to_string("annotation/reminder_message.txt", context),
    )


def _hindrance(member: Member) -> Literal["", "reminded", "simulated", "inactive"]:
    if member.user.is_simulated:
        return "simulated"
    if not member.user.is_active:
        return "inactive"
    reminded = member.reminded_at
    return "reminded" if reminded and timezone.now() - reminded < MIN_GAP else ""
