import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command

from backend.accounts.email_verification import derive_mailed_token
from backend.accounts.models import User
from backend.accounts.services import create_account
from backend.studies.models import Member, Study, StudyInvitation
from tests.benchmarks import hostile_questionnaire

pytestmark = pytest.mark.django_db(transaction=True)

NEW = "new@hospital.example"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in hostile_questionnaire.files():
        (tmp_path / file.name).write_bytes(file.content)
    return tmp_path


@pytest.fixture
def known() -> User:
    return create_account(email="cora@hospital.example", name="Cora")


def run(*paths: Path, coordinator: str = NEW, study: str = "S", as_json: bool = True) -> list[str]:
    out, error = io.StringIO(), io.StringIO()
    arguments = [*map(str, paths), "--study", study, "--coordinator", coordinator]
    if as_json:
        arguments.append("--json")
    try:
        call_command("import_questionnaire", *arguments, stdout=out, stderr=error)
        end = "exit 0"
    except SystemExit as exit_:
        end = f"exit {exit_.code}"
    return [*out.getvalue().splitlines(), *error.getvalue().splitlines(), end]


def run_json(*paths: Path, **options: Any) -> Any:
    *_, shown, end = run(*paths, **options)
    assert end == "exit 0"
    return json.loads(shown)


def faults(*paths: Path, **options: Any) -> Any:
    *_, shown, end = run(*paths, **options)
    assert end == "exit 1"
    return json.loads(shown)["faults"]


def test_it_ends_with_batches_questions_and_candidates(folder: Path) -> None:
    *before, last, end = run(folder, as_json=False)
    assert end == "exit 0"
    assert last == "Study 'S': 2 batches, 6 questions (6 new), 27 candidates."
    assert before[0].startswith("Notice: batches.json states that batch 12 has 9 questions")


def test_its_last_line_can_be_read_by_a_program(folder: Path) -> None:
    shown = run_json(folder)
    assert (shown["batches"], shown["questions"], shown["candidates"]) == (2, 6, 27)
    assert shown["study"] == {"id": str(Study.objects.get().id), "name": "S"}
    assert len(shown["notices"]) == 1


def test_an_unknown_coordinator_is_invited_once(folder: Path) -> None:
    shown = run_json(folder, coordinator="New@Hospital.example ")
    assert shown["coordinator"]["email"] == NEW
    assert [message.to for message in mail.outbox] == [[NEW]]
    assert (
        derive_mailed_token(shown["coordinator"]["link"].partition("#")[2]) in mail.outbox[0].body
    )
    invitation = StudyInvitation.objects.get().invitation
    assert (invitation.role, invitation.state) == ("coordinator", "open")
    assert run_json(folder)["coordinator"] == {"email": NEW, "is_member": False, "link": ""}
    assert StudyInvitation.objects.count() == 1


def test_a_known_coordinator_becomes_one_at_once(folder: Path, known: User) -> None:
    for _ in range(2):
        assert run_json(folder, coordinator=known.email)["coordinator"]["is_member"]
    member = Member.objects.get()
    assert (member.user, member.role, member.study.name) == (known, "coordinator", "S")
    assert not StudyInvitation.objects.exists()


@pytest.mark.parametrize("first", ["cora@hospital.example", NEW], ids=["member", "invited"])
@pytest.mark.parametrize("has_account", [True, False])
def test_a_later_coordinator_is_no_contact_of_a_study_that_has_one_already(
    folder: Path, known: User, first: str, has_account: bool
) -> None:
    """Experts read the contact, which the first coordinator has cleared."""
    run(folder, coordinator=first)
    assert Study.objects.get().contact == first
    Study.objects.update(contact="")
    if has_account:
        create_account(email="dan@hospital.example", name="Dan")
    second = run_json(folder, coordinator="dan@hospital.example")["coordinator"]
    assert second["is_member"] == has_account
    assert Study.objects.get().contact == ""


def test_importing_twice_adds_nothing(folder: Path) -> None:
    first, second = run_json(folder), run_json(folder)
    assert (first["added"], second["added"]) == (6, 0)
    assert first["study"] == second["study"]


def test_every_fault_is_told_and_nothing_is_imported(folder: Path, known: User) -> None:
    created = hostile_questionnaire.questions()[:4]
    created[2]["llm_ranking"][1]["llm_rank"] = "second"
    (folder / "batch1.json").write_text(json.dumps(created))
    User.objects.filter(id=known.id).update(is_active=False)
    result = faults(folder, folder / "gone.json", coordinator=known.email, study="")
    assert [fault["place"] for fault in result] == [
        "--coordinator",
        str(folder / "gone.json"),
        "name",
        "batch1.json, question 3 (qid 2), llm_ranking[1].llm_rank",
    ]
    assert result[3]["expected"] == "a whole number from 1 to 32,767"
    assert not Study.objects.exists()


@pytest.mark.parametrize("address", ["", "cora", "a@b", "a b@c.example"])
def test_a_coordinator_has_an_address(folder: Path, address: str) -> None:
    assert [fault["place"] for fault in faults(folder, coordinator=address)] == ["--coordinator"]


def test_faults_are_told_in_words_too(folder: Path) -> None:
    (folder / "batch1.json").write_text("[]")
    assert run(folder, as_json=False) == [
        "batch1.json: The number of questions is 0. Expected: a list of 1 to 20,000 questions.",
        "Nothing was imported, because the files have 1 error.",
        "exit 1",
    ]


def test_a_closed_study_is_told_as_a_fault(folder: Path) -> None:
    run(folder)
    Study.objects.update(status=Study.Status.CLOSED)
    assert [fault["code"] for fault in faults(folder)] == ["study_closed"]
