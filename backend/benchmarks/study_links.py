"""The questions of a study."""

import uuid

from django.db.models import QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet, Release, StudyQuestions
from backend.common.errors import Conflict
from backend.studies.models import ENDED_STATUSES, Study
from backend.studies.policies import coordinated_studies


def question_set_of(study: Study) -> QuestionSet:
    return StudyQuestions.objects.select_related("question_set").get(study=study).question_set


def link_question_set(study: Study, question_set: QuestionSet) -> None:
    StudyQuestions.objects.get_or_create(study=study, defaults={"question_set": question_set})


def sets_of_open_studies() -> QuerySet[QuestionSet]:
    """Question sets that experts are still answering, or will."""
    links = StudyQuestions.objects.exclude(study__status__in=ENDED_STATUSES)
    return QuestionSet.objects.filter(study_links__in=links)


def sets_of_hidden_tests() -> list[uuid.UUID]:
    """Ids of those whose answers give away test answers that are in use."""
    sets = QuestionSet.objects.exclude(hidden_with=None).select_related("hidden_with")
    return [one.pk for one in sets if _is_hidden(one)]


def hide_with(study: Study, release: Release) -> None:
    """The answers of the study give away test answers of the release."""
    question_set = question_set_of(study)
    question_set.hidden_with = release
    question_set.save(update_fields=["hidden_with"])


def check_not_hidden(study: Study) -> None:
    """Raises Conflict before answers are published that give away hidden ones."""
    question_set = question_set_of(study)
    if question_set.hidden_with is not None and _is_hidden(question_set):
        message = (
            f"The answers of this study are hidden answers of '{question_set.hidden_with.slug}'. "
            "Close that release and its corrections first."
        )
        raise Conflict(message, code="answers_hidden")


def _is_hidden(question_set: QuestionSet) -> bool:
    release = question_set.hidden_with
    return release is not None and not release.are_answers_retired


def sets_of_coordinated_studies(user: User) -> QuerySet[QuestionSet]:
    return QuestionSet.objects.filter(study_links__study__in=coordinated_studies(user))
