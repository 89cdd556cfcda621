"""Querysets whose SQL is compiled once."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.transaction import TransactionManagementError

from backend.benchmarks.models import Candidate
from backend.common.prepared_queries import PreparedQuery, set_prefetched
from backend.studies.models import Member, Study
from tests.annotation.personas import CANDIDATE_NAMES, Cast


def test_other_values_find_other_rows_and_the_queryset_is_built_once(cast: Cast) -> None:
    built = []

    def experts(study: uuid.UUID, user: uuid.UUID) -> QuerySet[Member]:
        built.append(study)
        own = Member.objects.filter(study=study, user=user, study__members__user=user)
        return own.select_related("study").annotate(study_name=F("study__name"))

    prepared = PreparedQuery(experts, study=uuid.uuid4(), user=uuid.uuid4())
    for study, user in (
        (cast.study, cast.expert),
        (cast.other_study, cast.other_expert),
        (cast.study, cast.coordinator),
    ):
        [member] = prepared.fetch(study=study.pk, user=user.pk)
        assert (member.study, member.user_id) == (study, user.pk)
        assert vars(member)["study_name"] == study.name
    assert prepared.fetch_one(study=cast.study.pk, user=cast.outsider.pk) is None
    assert len(built) == 1


def test_postgresql_prepares_a_statement_that_is_repeated(cast: Cast) -> None:
    prepared = PreparedQuery(
        lambda study: Member.objects.filter(study=study).order_by("joined_at", "pk"),
        study=uuid.uuid4(),
    )
    expected = list(Member.objects.filter(study=cast.study).order_by("joined_at", "pk"))
    for _ in range(4):
        assert prepared.fetch(study=cast.study.pk) == expected
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        statements = [statement for (statement,) in cursor.fetchall()]
    assert sum('ORDER BY "studies_member"."joined_at"' in one for one in statements) == 1


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_querysets_cannot_express_is_taken() -> None:
    study = Study.objects.create(name="Locked")
    with transaction.atomic():
        locked = Study.objects.lock_for_share(study.pk)
        assert (locked.pk, locked.name) == (study.pk, "Locked")
        with ThreadPoolExecutor(1) as other:
            assert other.submit(may_lock, study.pk, shared=True).result()
            assert not other.submit(may_lock, study.pk, shared=False).result()
    with pytest.raises(TransactionManagementError):
        Study.objects.lock_for_share(study.pk)


def may_lock(study: uuid.UUID, *, shared: bool) -> bool:
    """Whether another connection has the lock at once."""
    query = "SELECT id FROM studies_study WHERE id = %s FOR {} SKIP LOCKED"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query.format("SHARE" if shared else "UPDATE"), [study])
            return cursor.fetchone() is not None
    finally:
        connection.close()


def test_an_example_that_the_sql_does_not_have_is_refused(db: None) -> None:
    prepared = PreparedQuery(lambda key: Member.objects.all(), key=uuid.uuid4())
    with pytest.raises(ValueError, match="key"):
        prepared.fetch(key=uuid.uuid4())


@pytest.mark.django_db(transaction=True)
def test_a_lock_needs_a_transaction_also_once_it_is_compiled() -> None:
    locked = PreparedQuery(
        lambda key: Member.objects.select_for_update().filter(pk=key), key=uuid.uuid4().int % 2**31
    )
    with transaction.atomic():
        assert locked.fetch(key=1) == []
    with pytest.raises(TransactionManagementError):
        locked.fetch(key=1)


def test_rows_that_are_set_count_as_prefetched(cast: Cast) -> None:
    question = cast.assignment().question
    set_prefetched(question, "candidates", [Candidate(name=CANDIDATE_NAMES[0])], Candidate)
    assert [one.name for one in question.candidates.all()] == [CANDIDATE_NAMES[0]]
