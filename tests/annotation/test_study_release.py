"""Freezing a study, and the methods section that is written from its release."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from annotation.exports import export_json
from annotation.models import Assignment, StudyRelease
from annotation.simulation import simulate_study
from annotation.study_releases import check_release, freeze_study
from backend.common.errors import Conflict
from backend.studies.models import Study
from tests.annotation.conftest import RunJobs
from tests.annotation.personas import Cast, client_of, write_answer

CITATION = re.compile(r"([A-Z][\w-]+)(?: and [\w-]+| et al\.)?, (\d{4})")
LONG = 4  # a shorter string could hide a number that only looks like it


def close(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)


def run(*arguments: str) -> Any:
    output = StringIO()
    call_command(*arguments, "--json", stdout=output)
    return json.loads(output.getvalue())


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for one in value.values():
            yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def renderings(record: Any) -> set[str]:
    numbers = [one for one in leaves(record) if isinstance(one, int | float)]
    result = {str(one) for one in leaves(record) if isinstance(one, str) and len(one) <= LONG}
    for one in map(abs, numbers):
        result |= {f"{one:,}", f"{one}", f"{one:,.2f}", f"{100 * one:.1f}", f"{one:.4f}"}
        result |= {f"{one:,.0f}"} if one == int(one) else set()
    return result


def numbers_in(text: str, release: StudyRelease) -> list[str]:
    """Those outside of the names, dates, labels and methods that the record has."""
    texts = [one for one in leaves(release.record) if isinstance(one, str) and len(one) > LONG]
    for one in sorted([*texts, release.slug, release.checksum], key=len, reverse=True):
        text = text.replace(one, " ")
        text = text.replace(one.lower(), " ")
    return re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)


@pytest.fixture
def answered(cast: Cast) -> Cast:
    simulate_study(study=cast.study, raters=2, seed=7)
    write_answer(cast.assignment(), "submit")
    write_answer(cast.assignment(number=2), "skip")
    Assignment.objects.filter(expert=cast.colleague, question__number=3).update(state="released")
    close(cast.study)
    return cast


def test_a_frozen_study_has_a_release_and_methods_written_from_it(
    answered: Cast, run_jobs: RunJobs
) -> None:
    url, client = f"/api/v1/studies/{answered.study.id}", client_of(answered.coordinator)
    body = {"slug": "serendipity-1"}
    job = run_jobs(lambda: client.post(f"{url}/release", body, "application/json"))
    assert (job.state, job.percent, job.subjects) == (
        "succeeded",
        100,
        [f"study:{answered.study.id}"],
    )
    release = StudyRelease.objects.get()
    assert release.created_by == answered.coordinator
    shown = client.get(f"{url}/release").json()
    assert job.result == {name: shown[name] for name in ("slug", "checksum")}
    assert release.record["experts"] == {
        **{"members": 4, "simulated": 2, "answered": 3},
        **{"left": 0, "returned": 0, "left_with_answers": 0},
    }
    counts = {name: release.record["answers"][name] for name in ("assigned", "released")}
    assert counts == {"assigned": 19, "released": 1}
    shown = client.get(f"{url}/methods.md")
    assert shown["Content-Type"] == "text/markdown; charset=utf-8"
    assert client_of(answered.expert).get(f"{url}/methods.md").status_code == 403
    check_methods(shown.content.decode(), release)
    with pytest.raises(DatabaseError), transaction.atomic():
        StudyRelease.objects.update(slug="another")


def check_methods(text: str, release: StudyRelease) -> None:
    """Every number is in the record, and every paper that is cited is listed."""
    numbers = numbers_in(text, release)
    assert set(numbers) - renderings(release.record) == set()
    assert len(numbers) > 20
    methods, listed = text.split("## References")
    cited = {name for name, _ in CITATION.findall(methods)}
    assert cited >= {"Kendall", "Owen"}
    assert {name for name in cited if f"- {name}" not in listed} == set()


def test_an_export_is_compared_and_another_study_has_other_numbers(
    answered: Cast, tmp_path: Path
) -> None:
    first = freeze_study(actor=None, study_id=answered.study.id, slug="first")
    answered.study.refresh_from_db()
    file = tmp_path / "export.json"
    file.write_text("".join(export_json(answered.study)), encoding="utf-8")
    for check in (["--check"], ["--check", str(file)]):
        assert run("freeze_study", "first", *check)["checksum"] == first.checksum
    changed = file.read_text(encoding="utf-8").replace('"skipped"', '"changed"')
    with pytest.raises(Conflict, match="not what release 'first' froze"):
        check_release(first, [changed])
    with pytest.raises(Conflict, match="frozen already"):
        freeze_study(actor=None, study_id=answered.study.id, slug="again")
    close(answered.other_study)
    run("freeze_study", answered.other_study.name, "--release", "second")
    texts = [run("methods_section", name)["text"] for name in (answered.study.name, "second")]
    joined = [next(one for one in text.splitlines() if "joined" in one) for text in texts]
    assert joined[0].startswith("4 experts joined, of which 2 are simulated; 3 answered.")
    assert joined[1].startswith("1 expert joined; 0 answered.")
    assert "Nobody answered." in texts[1]


@pytest.mark.parametrize("status", ["draft", "open", "paused"])
def test_only_a_closed_study_is_frozen(cast: Cast, status: str) -> None:
    Study.objects.filter(pk=cast.study.pk).update(status=status)
    url, client = f"/api/v1/studies/{cast.study.id}/release", client_of(cast.coordinator)
    refused = client.post(url, {"slug": "early"}, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "move_not_allowed")
    assert client.get(url).status_code == 404
    assert Study.objects.get(pk=cast.study.pk).status == status
