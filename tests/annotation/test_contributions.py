"""What an expert did for a study, to be cited."""

import tomllib
from pathlib import Path

from django.conf import settings

from tests.annotation.personas import Cast, client_of, write_answer


def test_a_contribution_counts_answers_and_no_skips(cast: Cast) -> None:
    write_answer(cast.assignment(number=1), "agree")
    write_answer(cast.assignment(number=2), "not_sure")
    write_answer(cast.assignment(number=3), "skip")
    shown = client_of(cast.expert).get(f"/api/v1/studies/{cast.study.id}/contribution").json()
    assert shown["first_at"] < shown["last_at"]
    assert {**shown, "first_at": "", "last_at": ""} == {
        "study": str(cast.study.id),
        "study_name": cast.study.name,
        "kind": "Ranking",
        "expert": "Eve",
        "coordinators": ["Ada"],
        "answers": 2,
        "questions": 5,
        "first_at": "",
        "last_at": "",
        "version": settings.VERSION,
    }


def test_nobody_elses_answers_are_counted(cast: Cast) -> None:
    write_answer(cast.assignment(cast.colleague), "agree")
    shown = client_of(cast.expert).get(f"/api/v1/studies/{cast.study.id}/contribution").json()
    assert (shown["answers"], shown["first_at"], shown["last_at"]) == (0, None, None)


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(settings.ROOT) / "pyproject.toml").read_text())["project"]
    assert project["version"] == settings.VERSION
