"""Threads: an expert raises a question about an item, the coordinators answer.

Experts send messages with their activity, so that what is written without a connection is stored
on their device and sent later, once.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotation.blinding import record_readings
from annotation.models import (
    MAX_MESSAGE,
    Assignment,
    Thread,
    ThreadDigest,
    ThreadMessage,
    ThreadReading,
)
from annotation.policies import get_own_assignment_or_raise
from backend.accounts.models import User
from backend.common.errors import DomainError, NotFound
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    get_coordinated_study_or_raise,
    is_coordinator,
    lock_unfrozen,
)
from backend.studies.webhooks.events import record_event
from backend.validation.faults import Fault

COLLECTED_FOR = timedelta(minutes=30)
"""From a message until the mail that announces it and those after it."""
MESSAGE = "message_sent"
"""The kind of activity entry that is a message; `new` is its text."""


@dataclass(frozen=True)
class MessageView:
    id: uuid.UUID
    author: str
    is_own: bool
    is_expert: bool
    text: str
    created_at: datetime


@dataclass(frozen=True)
class ThreadView:
    """unread: messages by others since this reader last read it."""

    id: int
    study: uuid.UUID
    question: uuid.UUID
    batch: uuid.UUID | None
    number: int
    question_text: str
    expert: str
    is_resolved: bool
    unread: int
    messages: list[MessageView]


@transaction.atomic
def send_messages(
    *, actor: User, assignment_id: uuid.UUID, messages: Sequence[tuple[uuid.UUID, object]]
) -> int:
    """An expert's messages about one question; those that are known add nothing.

    Also in a closed study: what was written before it closed may arrive later.
    """
    assignment = get_own_assignment_or_raise(actor, assignment_id)
    if assignment.purpose == Assignment.Purpose.ADJUDICATION:
        raise NotFound(NOT_FOUND_MESSAGE)
    texts = [(key, check_text(text)) for key, text in messages]
    thread, _ = Thread.objects.get_or_create(
        study=assignment.study, question=assignment.question, expert=actor
    )
    new = _append(thread, actor, texts)
    if new:
        Thread.objects.filter(pk=thread.pk).update(is_resolved=False)
    return new


def check_text(text: object) -> str:
    if isinstance(text, str) and text.strip() and len(text) <= MAX_MESSAGE:
        return text.strip()
    sentence = f"A message has 1 to {MAX_MESSAGE:,} characters."
    raise DomainError(sentence, faults=[Fault("text", sentence, "length")])


@transaction.atomic
def answer_thread(*, actor: User, thread_id: int, key: uuid.UUID, text: str) -> Thread:
    thread = get_coordinated_thread_or_raise(actor, thread_id)
    _append(thread, actor, [(key, check_text(text))])
    mark_read(actor, thread)
    return thread


@transaction.atomic
def resolve_thread(*, actor: User, thread_id: int, is_resolved: bool) -> Thread:
    thread = get_coordinated_thread_or_raise(actor, thread_id)
    lock_unfrozen(thread.study_id)
    thread.is_resolved = is_resolved
    thread.save(update_fields=["is_resolved"])
    notify_on_commit(thread.study_id, "board")
    return thread


def mark_read(reader: User, thread: Thread) -> None:
    """A coordinator who reads what an expert wrote may learn the answer."""
    now = timezone.now()
    ThreadReading.objects.update_or_create(thread=thread, reader=reader, defaults={"read_at": now})
    if reader.pk != thread.expert_id:
        record_readings(reader, thread.study, [thread.question_id])


def get_thread_or_raise(user: User, thread_id: int) -> Thread:
    """That of the expert, or of a study that the user coordinates."""
    thread = _shown_threads().filter(id=thread_id).select_related("study").first()
    if thread is None:
        raise NotFound(NOT_FOUND_MESSAGE)
    if not _own_threads(user).filter(id=thread_id).exists():
        _check_coordinator(user, thread)
    return thread


def get_coordinated_thread_or_raise(user: User, thread_id: int) -> Thread:
    thread = get_thread_or_raise(user, thread_id)
    get_coordinated_study_or_raise(user, thread.study_id)
    _check_coordinator(user, thread)
    return thread


def _shown_threads() -> QuerySet[Thread]:
    """Without those about what is withdrawn, which stay stored."""
    withdrawn = Assignment.objects.filter(
        study=OuterRef("study"),
        question=OuterRef("question"),
        expert=OuterRef("expert"),
        state=Assignment.State.WITHDRAWN,
    )
    return Thread.objects.filter(~Exists(withdrawn))


def list_own_threads(expert: User) -> list[ThreadView]:
    return _views(_own_threads(expert), expert)


def list_study_threads(study: Study, reader: User) -> list[ThreadView]:
    """Those about questions that the reader adjudicates blind are left out until submission."""
    threads = _shown_threads().filter(study=study)
    threads = threads.exclude(question__in=blind_questions(study, reader))
    return _views(threads, reader)


def blind_questions(study: Study, reader: User) -> QuerySet[Assignment, uuid.UUID]:
    """Of which this reader may not yet see what others answered or wrote."""
    own = Assignment.objects.blind().filter(study=study, expert=reader)
    return own.values_list("question", flat=True)


def threads_with_messages(study: Study) -> QuerySet[Thread]:
    """In the order in which they began."""
    messages = Prefetch("messages", ThreadMessage.objects.order_by("created_at", "id"))
    return _shown_threads().filter(study=study).prefetch_related(messages).order_by("id")


def open_threads(study: Study) -> set[uuid.UUID]:
    """Questions with a thread that is not resolved."""
    threads = _shown_threads().filter(study=study, is_resolved=False)
    return set(threads.values_list("question", flat=True))


def _own_threads(expert: User) -> QuerySet[Thread]:
    """In studies that the expert has not left."""
    joined = Member.objects.filter(user=expert, role=Member.Role.EXPERT)
    return _shown_threads().filter(expert=expert, study__in=joined.values("study"))


def _check_coordinator(user: User, thread: Thread) -> None:
    """Other experts of the study learn nothing about the thread, not even that it exists."""
    is_blind = thread.question_id in blind_questions(thread.study, user)
    if is_blind or not is_coordinator(user, thread.study_id):
        raise NotFound(NOT_FOUND_MESSAGE)


def _append(thread: Thread, author: User, texts: Sequence[tuple[uuid.UUID, str]]) -> int:
    lock_unfrozen(thread.study_id)
    Thread.objects.select_for_update().get(pk=thread.pk)
    known = set(
        thread.messages.filter(id__in=[key for key, _ in texts]).values_list("id", flat=True)
    )
    new = {key: text for key, text in texts if key not in known}
    if new:
        _request_digest(thread.study_id)
    for key, text in new.items():
        ThreadMessage.objects.create(id=key, thread=thread, author=author, text=text)
        record_event(
            thread.study_id,
            "thread.message",
            {"thread": thread.pk, "question": thread.question_id, "message": key},
        )
    if new:
        notify_on_commit(thread.study_id, "board")
    return len(new)


def _request_digest(study_id: uuid.UUID) -> None:
    """Before the messages are stored: a mail that is being composed is sent before them."""
    ThreadDigest.objects.get_or_create(study_id=study_id)
    due_at = Coalesce("due_at", timezone.now() + COLLECTED_FOR)
    ThreadDigest.objects.filter(study=study_id).update(due_at=due_at)


def _views(threads: QuerySet[Thread], reader: User) -> list[ThreadView]:
    messages = ThreadMessage.objects.select_related("author").order_by("created_at")
    loaded = threads.select_related("expert", "question").prefetch_related(
        Prefetch("messages", messages),
        Prefetch("readings", ThreadReading.objects.filter(reader=reader)),
    )
    rows = sorted(loaded, key=lambda one: (one.is_resolved, -one.pk))
    batches = _batches(threads)
    return [_view(one, reader, batches.get((one.study_id, one.question_id))) for one in rows]


def _batches(threads: QuerySet[Thread]) -> dict[tuple[uuid.UUID, uuid.UUID], uuid.UUID]:
    """Of the expert's assignment of each thread's question."""
    rows = Assignment.objects.for_experts().filter(
        study__in=threads.values("study"), question__in=threads.values("question")
    )
    keys = rows.values_list("study", "question", "batch")
    return {(study, question): batch for study, question, batch in keys}


def _view(thread: Thread, reader: User, batch: uuid.UUID | None) -> ThreadView:
    read_at = next((one.read_at for one in thread.readings.all()), None)
    messages = list(thread.messages.all())
    return ThreadView(
        id=thread.pk,
        study=thread.study_id,
        question=thread.question_id,
        batch=batch,
        number=thread.question.number,
        question_text=thread.question.text,
        expert=thread.expert.name,
        is_resolved=thread.is_resolved,
        unread=sum(
            one.author_id != reader.pk and (read_at is None or one.created_at > read_at)
            for one in messages
        ),
        messages=[
            MessageView(
                id=one.id,
                author=one.author.name,
                is_own=one.author_id == reader.pk,
                is_expert=one.author_id == thread.expert_id,
                text=one.text,
                created_at=one.created_at,
            )
            for one in messages
        ],
    )
