"""A study of the questions of a set, from creation to partitions and masks, by commands."""

import io
import json
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.imports import import_study
from annotation.models import Assignment, Response
from annotation.study_cloning import clone_study
from annotation.study_creation import create_study_from_set
from backend.accounts.models import User
from backend.benchmarks.file_discovery import read_source_files
from backend.benchmarks.models import Partition, QuestionSet
from backend.common.errors import Conflict, NotAllowed
from backend.studies.models import Member, Study
from backend.studies.services import change_study
from tests.annotation.personas import make_user
from tests.benchmarks.rns.factories import make_set, make_version

pytestmark = pytest.mark.django_db

QUESTIONNAIRE, _ = read_source_files([settings.FIXTURES / "demo" / "questionnaire"])
WORDS = ("--coordinator", "ada@study.example", "--json")


def run(*words: str) -> tuple[int, dict[str, Any]]:
    out = io.StringIO()
    try:
        call_command(*words, stdout=out, stderr=out)
    except SystemExit as ended:
        return int(ended.code or 0), json.loads(out.getvalue().splitlines()[-1])
    return 0, json.loads(out.getvalue().splitlines()[-1])


def create(question_set: QuestionSet, *words: str, kind: str = "ranking") -> Any:
    source = ("--question-set", question_set.name)
    return run("create_study", kind, "--name", "Loop", *source, *words, *WORDS)


@pytest.fixture
def question_set(ada: User) -> QuestionSet:
    return make_set(make_version(ada), (5, 8, 3, 12), owner=ada, split="dev")


@pytest.fixture
def ada() -> User:
    return make_user("Ada")


@pytest.mark.parametrize("files_last", [True, False])
def test_files_stand_before_or_behind_the_options(files_last: bool) -> None:
    file = str(settings.FIXTURES / "demo" / "claims" / "batch1.json")
    options = ("--name", "Loop", *WORDS)
    words = (*options, file) if files_last else (file, *options)
    status, created = run("create_study", "claims", *words)
    assert (status, created["questions"]) == (0, 6)


def test_from_a_question_set_to_partitions_while_the_study_is_open(
    question_set: QuestionSet,
) -> None:
    arms = ("--hidden-share", "0.5", "--arm", "order.reversed=0.5", "--adaptive-share", "0.5")
    design = ("--overlap", "3", *arms, "--seed", "7")
    status, created = create(question_set, *design)
    assert (status, created["questions"], created["with_prior"]) == (0, 4, 4)
    assert (created["seed"], created["left_out"]) == (7, 0)
    status, simulated = run("simulate_study", "Loop", "--raters", "6", "--seed", "7", "--json")
    assert (status, simulated["raters"]) == (0, 6)
    counted = Assignment.objects.counted().filter(study__name="Loop")
    answered = counted.exclude(response__answer_ms=None)
    assert answered.count() == 12
    assert {row.arms["prior"] for row in answered} == {"shown", "hidden"}
    assert {row.arms["order"] for row in answered} == {"listed", "reversed"}
    assert {row.is_adaptive for row in answered} == {True, False}
    outcomes = {*Response.objects.values_list("submitted_outcome", flat=True)}
    assert "ranked" in outcomes and outcomes & {"confirmed", "changed"}
    assert Study.objects.get(name="Loop").status == "open"
    status, created = run("partition_study", "Loop", "--json")
    assert (status, created["llm_unchanged"]) == (0, 4)
    assert created["question_set"] == str(question_set.id)
    experts = Partition.objects.filter(question__question_set=question_set, method="expert")
    assert experts.count() == created["expert"]["partitions"] >= 3
    assert run("simulate_study", "Loop", "--raters", "6", "--json")[1]["answers"] == 0


def test_a_study_without_overlap_assigns_whole_batches(question_set: QuestionSet) -> None:
    assert create(question_set)[0] == 0
    assert run("simulate_study", "Loop", "--raters", "2", "--json")[1]["answers"] == 8


def test_questions_without_a_partition_are_named_by_the_batch_of_the_study(
    question_set: QuestionSet,
) -> None:
    create(question_set)
    run("simulate_study", "Loop", "--raters", "1", "--json")
    few = run("partition_study", "Loop", "--json")[1]["few_raters"]
    assert few and {one["batch"] for one in few} == {1}


def test_the_contact_of_a_new_study_is_its_coordinator_until_another_is_set(
    question_set: QuestionSet, ada: User
) -> None:
    study = create_study_from_set(actor=ada, name="Loop", question_set=question_set).study
    assert study.contact == ada.email
    change_study(actor=ada, study_id=study.pk, contact="")
    copy = clone_study(actor=ada, study_id=study.pk, name="Copy")
    assert copy.contact == ada.email
    change_study(actor=ada, study_id=study.pk, contact="office@study.example")
    assert clone_study(actor=ada, study_id=study.pk, name="Third").contact == "office@study.example"


def test_the_contact_of_a_study_by_command_is_its_coordinator(question_set: QuestionSet) -> None:
    create(question_set)
    assert Study.objects.get(name="Loop").contact == "ada@study.example"


def test_no_prior_is_shown_where_there_is_none(ada: User) -> None:
    created = create(make_set(make_version(ada), (5, 4), owner=ada))[1]
    assert created["with_prior"] == 0
    run("simulate_study", "Loop", "--raters", "8", "--json")
    outcomes = {*Response.objects.values_list("submitted_outcome", flat=True)}
    assert "ranked" in outcomes and not outcomes & {"confirmed", "changed"}
    run("partition_study", "Loop", "--json")
    assert not Partition.objects.filter(method="llm").exists()


def test_an_order_that_no_question_has_is_no_arm(ada: User) -> None:
    words = ("--overlap", "3", "--hidden-share", "0.5")
    created = create(make_set(make_version(ada), (5, 4), owner=ada), *words)[1]
    assert (created["with_prior"], created["undrawn_arms"]) == (0, ["prior"])
    run("simulate_study", "Loop", "--raters", "4", "--json")
    assert not Assignment.objects.filter(arms__has_key="prior").exists()
    report = run("study_statistics", "Loop", "--json")[1]
    assert "arm_prior" not in {one["name"] for one in report["sections"]}


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (("--overlap", "0"), "overlap"),
        (("--overlap", "3", "--adaptive-share", "0.9"), "adaptive_share"),
        (("--repeat-share", "0.11"), "repeat_share"),
        (("--repeat-share", "0.04"), "repeat_share"),
        (("--arm", "order.upside=0.5"), "arm_shares.order.upside"),
    ],
)
def test_faults_of_the_design_are_named(
    question_set: QuestionSet, words: tuple[str, ...], place: str
) -> None:
    status, answered = create(question_set, *words)
    assert status == 1
    assert place in json.dumps(answered)
    assert not Study.objects.exists()


@pytest.mark.parametrize("words", [("--hidden-share", "1.5"), ("--seed", "-1")])
def test_numbers_out_of_range_are_named(question_set: QuestionSet, words: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match=words[0]):
        create(question_set, *words)
    assert not Study.objects.exists()


def test_a_known_name_an_unknown_kind_and_an_unknown_set_are_refused(
    question_set: QuestionSet,
) -> None:
    assert create(question_set, kind="no-such")[0] == 1
    assert create(question_set)[0] == 0
    status, answered = create(question_set)
    assert status == 1 and "name" in json.dumps(answered)
    question_set.name = "No such"
    assert create(question_set)[0] == 1


def test_only_the_owner_of_a_set_makes_studies_of_it(question_set: QuestionSet, ada: User) -> None:
    with pytest.raises(NotAllowed):
        create_study_from_set(actor=make_user("Otto"), name="Other", question_set=question_set)
    created = create_study_from_set(actor=ada, name="Own", question_set=question_set)
    assert created.study.members.get().user == ada
    guest = make_user("Gwen")
    Member.objects.create(study=created.study, user=guest, role=Member.Role.COORDINATOR)
    with pytest.raises(NotAllowed):
        create_study_from_set(actor=guest, name="Other", question_set=question_set)
    with pytest.raises(NotAllowed):
        import_study(actor=guest, name=question_set.name, sources=QUESTIONNAIRE)
    with pytest.raises(Conflict):
        create_study_from_set(actor=ada, name="Own", question_set=question_set)


def test_a_kind_that_needs_other_fields_takes_no_question_of_the_set(
    question_set: QuestionSet,
) -> None:
    status, answered = create(question_set, kind="hypothesis_pairs")
    assert status == 1 and "No question of this set" in json.dumps(answered)
    assert not Study.objects.exists()
