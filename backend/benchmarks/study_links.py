"""The questions of a study."""

from django.db.models import QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet, StudyQuestions
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


def sets_of_coordinated_studies(user: User) -> QuerySet[QuestionSet]:
    return QuestionSet.objects.filter(study_links__study__in=coordinated_studies(user))
