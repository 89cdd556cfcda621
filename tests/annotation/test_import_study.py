import pytest
from django.db import connection

from annotation.imports import StudyImport, import_study
from annotation.models import Assignment, Batch
from backend.accounts.models import User
from backend.accounts.services import create_account
from backend.benchmarks.models import Question, QuestionSet
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile
from backend.common.errors import Conflict
from backend.studies.models import Member, Study
from tests.benchmarks import hostile_questionnaire

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator() -> User:
    return create_account(email="coordinator@hospital.example", name="Cora")


@pytest.fixture
def outsider() -> User:
    return create_account(email="outsider@hospital.example", name="Otto")


@pytest.fixture
def expert() -> User:
    return create_account(email="expert@hospital.example", name="Eva")


def import_files(
    actor: User | None, files: list[SourceFile] | None = None, name: str = "Ranking study"
) -> StudyImport:
    return import_study(
        actor=actor, name=name, sources=hostile_questionnaire.files() if files is None else files
    )


def batch_contents(study: Study) -> dict[int, tuple[str, list[str]]]:
    return {
        batch.number: (batch.name, [question.file_id for question in batch.questions.all()])
        for batch in study.batches.all()
    }


def test_a_coordinators_import_makes_an_open_study_of_that_coordinator(coordinator: User) -> None:
    created = import_files(coordinator)
    assert (created.batches, created.questions, created.candidates, created.added) == (2, 6, 27, 6)
    assert created.study.status == Study.Status.OPEN
    assert batch_contents(created.study) == {
        1: ("First = one", ["0", "1", "2", "3"]),
        12: ("Zwölf ", ["4", "5"]),
    }
    assert [(m.user, m.role) for m in created.study.members.all()] == [(coordinator, "coordinator")]


def test_importing_twice_changes_nothing(coordinator: User) -> None:
    first = import_files(coordinator)
    before = batch_contents(first.study)
    again = import_files(coordinator)
    assert (again.study, again.added, again.notices) == (first.study, 0, first.notices)
    assert batch_contents(first.study) == before
    assert (Study.objects.count(), QuestionSet.objects.count()) == (1, 1)
    assert Question.objects.count() == 6
    assert first.study.members.count() == 1


def test_a_new_file_adds_its_batch(coordinator: User) -> None:
    study = import_files(coordinator).study
    new = hostile_questionnaire.source(
        "batch2.json", [hostile_questionnaire.question(1, 70, ["a", "b"])]
    )
    assert import_files(coordinator, [new]).added == 1
    assert batch_contents(study)[2] == ("", ["70"])


def test_a_batch_without_a_name_gets_one_from_a_later_catalogue(coordinator: User) -> None:
    study = import_files(coordinator, hostile_questionnaire.files()[:2]).study
    assert batch_contents(study)[1][0] == ""
    import_files(coordinator)
    assert batch_contents(study)[1][0] == "First = one"


def test_questions_added_to_a_batch_go_to_the_experts_who_answer_it(
    coordinator: User, expert: User
) -> None:
    study = import_files(coordinator).study
    batch = study.batches.get(number=1)
    for question in batch.questions.all():
        Assignment.objects.create(study=study, batch=batch, question=question, expert=expert)
    longer = hostile_questionnaire.source(
        "batch1.json",
        [*hostile_questionnaire.questions()[:4], hostile_questionnaire.question(5, 71, ["a", "b"])],
    )
    import_files(coordinator, [longer])
    assert Assignment.objects.filter(expert=expert, question__file_id="71", batch=batch).exists()
    assert Assignment.objects.count() == 5


def test_a_question_that_moves_to_another_batch_is_a_fault(coordinator: User) -> None:
    import_files(coordinator)
    moved = hostile_questionnaire.source("batch2.json", hostile_questionnaire.questions()[:1])
    with pytest.raises(QuestionnaireInvalid) as caught:
        import_files(coordinator, [moved])
    assert [fault.place for fault in caught.value.faults] == [
        "batch2.json, question 1 (qid 0), qid"
    ]
    assert not Batch.objects.filter(number=2).exists()


def test_a_batch_under_another_name_is_a_fault(coordinator: User) -> None:
    import_files(coordinator)
    renamed = hostile_questionnaire.source(
        "batches.json", [{"batch_id": 1, "batch_name": "Other", "total": 4}]
    )
    with pytest.raises(QuestionnaireInvalid) as caught:
        import_files(coordinator, [hostile_questionnaire.files()[1], renamed])
    assert [fault.place for fault in caught.value.faults] == ["batches.json, batch 1, batch_name"]


def test_faulty_files_leave_nothing_behind(coordinator: User) -> None:
    with pytest.raises(QuestionnaireInvalid):
        import_files(
            coordinator, hostile_questionnaire.changed(lambda created: created[5].update(text=None))
        )
    assert not Study.objects.exists()
    assert not QuestionSet.objects.exists()


@pytest.mark.parametrize("name", ["", "  ", "n" * 201, "a\x00b", "two\nlines"])
def test_a_study_has_a_name_that_can_be_kept(coordinator: User, name: str) -> None:
    with pytest.raises(QuestionnaireInvalid) as caught:
        import_files(coordinator, name=name)
    assert [fault.place for fault in caught.value.faults] == ["name"]


def test_an_outsider_cannot_add_to_a_study_by_its_name(coordinator: User, outsider: User) -> None:
    study = import_files(coordinator).study
    new = hostile_questionnaire.source(
        "batch2.json", [hostile_questionnaire.question(1, 70, ["a", "b"])]
    )
    with pytest.raises(Conflict) as raised:
        import_files(outsider, [new])
    assert raised.value.code == "name_taken"
    assert study.batches.count() == 2
    assert not Member.objects.filter(user=outsider).exists()


def test_the_command_line_may_add_to_any_study(coordinator: User) -> None:
    study = import_files(coordinator).study
    assert import_files(None).study == study
    assert study.members.count() == 1


def test_a_closed_study_takes_no_more_questions(coordinator: User) -> None:
    study = import_files(coordinator).study
    Study.objects.update(status=Study.Status.CLOSED)
    with pytest.raises(Conflict) as raised:
        import_files(
            coordinator,
            [
                hostile_questionnaire.source(
                    "batch2.json", [hostile_questionnaire.question(1, 70, ["a", "b"])]
                )
            ],
        )
    assert raised.value.code == "study_closed"
    assert study.batches.count() == 2


def test_a_study_is_seen_whole_or_not_at_all(coordinator: User) -> None:
    """The write is one transaction: nothing of it is there before its end."""
    in_transaction: list[bool] = []

    def note(done: int) -> None:
        in_transaction.append(len(connection.savepoint_ids) > 0)

    import_study(
        actor=coordinator, name="One", sources=hostile_questionnaire.files(), progress=note
    )
    assert in_transaction == [True]
