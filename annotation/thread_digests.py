"""E-mail about new messages in threads: collected, one for each reader and study.

At most once: what a process that is killed has not sent is not sent again. The page shows every
message as unread until it is read. A coordinator who adjudicates a question blind learns from no
mail that somebody wrote about it: that mail is postponed until the adjudication ends.
"""

from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone

from annotation.models import Assignment, PostponedThreadMail, Thread, ThreadDigest
from annotation.threads import (
    ThreadView,
    blind_questions,
    list_own_threads,
    list_study_threads,
)
from backend.accounts.mail_delivery import send_all
from backend.accounts.models import User
from backend.accounts.policies import may_sign_in_by_link
from backend.accounts.sign_in_links import create_sign_in_link
from backend.common.pluralize import pluralize
from backend.studies.models import Member, Study

BEGINNING = datetime.min.replace(tzinfo=timezone.get_default_timezone())


def send_due_digests() -> None:
    readable = _readable_postponed().values("thread__study")
    ThreadDigest.objects.filter(study__in=readable, due_at=None).update(due_at=timezone.now())
    for digest in ThreadDigest.objects.filter(due_at__lte=timezone.now()):
        send_all(_claim(digest.pk))


@transaction.atomic
def _claim(digest_id: int) -> list[EmailMessage]:
    """A message takes the same lock before it is stored, so that none falls between two mails."""
    digest = ThreadDigest.objects.select_for_update().select_related("study").get(pk=digest_id)
    now, since = timezone.now(), digest.mailed_at or BEGINNING
    if digest.due_at is None or digest.due_at > now:
        return []
    digest.due_at, digest.mailed_at = None, now
    digest.save()
    return [*_to_coordinators(digest.study, since), *_to_experts(digest.study, since)]


def _to_coordinators(study: Study, since: datetime) -> list[EmailMessage]:
    """Of questions that they adjudicate blind, nothing."""
    members = study.members.filter(role=Member.Role.COORDINATOR, user__is_active=True)
    mails = []
    for member in members.select_related("user").order_by("id"):
        known = _take_postponed(study, member.user)
        shown = list_study_threads(study, member.user)
        threads = [one for one in shown if _is_new(one, known.get(one.id, since), from_expert=True)]
        _postpone(study, member.user, since)
        page = f"{settings.SITE_URL}/studies/{study.pk}?tab=questions&question="
        links = {one.id: f"{page}{one.question}" for one in threads}
        mails += _compose(study, member.user, threads, links)
    _readable_postponed().filter(thread__study=study).delete()  # of who coordinates no more
    return mails


def _to_experts(study: Study, since: datetime) -> list[EmailMessage]:
    recent = Thread.objects.filter(study=study, messages__created_at__gt=since)
    experts = User.objects.filter(
        pk__in=recent.values("expert"), is_active=True, is_simulated=False
    )
    mails = []
    for expert in experts.order_by("id"):
        own = [one for one in list_own_threads(expert) if one.study == study.pk]
        threads = [one for one in own if _is_new(one, since, from_expert=False)]
        links = {one.id: _expert_link(expert, one) for one in threads}
        mails += _compose(study, expert, threads, links)
    return mails


def _expert_link(expert: User, thread: ThreadView) -> str:
    path = f"/rank/{thread.batch}?q={thread.number}" if thread.batch else "/home"
    if may_sign_in_by_link(expert):
        return create_sign_in_link(user=expert, path=path)[0]
    return f"{settings.SITE_URL}{path}"


def _is_new(thread: ThreadView, since: datetime, *, from_expert: bool) -> bool:
    """Whether it has a message since the last mail that the reader has not seen on the page."""
    return thread.unread > 0 and any(
        one.is_expert == from_expert and not one.is_own and one.created_at > since
        for one in thread.messages
    )


def _take_postponed(study: Study, reader: User) -> dict[int, datetime]:
    """By thread that the reader may read by now: since when nothing was mailed about it."""
    rows = _readable_postponed().filter(reader=reader, thread__study=study)
    known = dict(rows.values_list("thread", "since"))
    rows.filter(thread__in=known).delete()
    return known


def _readable_postponed() -> QuerySet[PostponedThreadMail]:
    """Of questions that their reader no longer adjudicates blind, however that ended."""
    blind = Assignment.objects.blind().filter(
        study=OuterRef("thread__study"), question=OuterRef("thread__question")
    )
    return PostponedThreadMail.objects.filter(~Exists(blind.filter(expert=OuterRef("reader"))))


def _postpone(study: Study, reader: User, since: datetime) -> None:
    """What is new about questions that the reader adjudicates blind. The first date stands."""
    hidden = Thread.objects.filter(study=study, question__in=blind_questions(study, reader))
    new = hidden.filter(messages__author=F("expert"), messages__created_at__gt=since).distinct()
    PostponedThreadMail.objects.bulk_create(
        (PostponedThreadMail(thread=one, reader=reader, since=since) for one in new),
        ignore_conflicts=True,
    )


def _compose(
    study: Study, reader: User, threads: list[ThreadView], links: dict[int, str]
) -> list[EmailMessage]:
    """Without the text of the messages, which stays on the page."""
    if not threads:
        return []
    context = {
        "reader": reader,
        "study": study,
        "questions": pluralize(len(threads), "question"),
        "rows": [
            (one.number, pluralize(one.unread, "new message"), links[one.id]) for one in threads
        ],
    }
    subject = " ".join(f"New messages: {study.name}".split())
    text = render_to_string("annotation/thread_digest_message.txt", context)
    return [EmailMessage(subject, text, to=[reader.email])]
