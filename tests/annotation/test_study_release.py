"""Freezing a study, and the methods section that is written from its release."""

import hashlib
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from annotation import references
from annotation.exports import export_json
from annotation.methods_section import write_methods
from annotation.models import Assignment, StudyRelease
from annotation.references import REFERENCES
from annotation.simulation import simulate_study
from annotation.study_releases import check_release, freeze_study
from backend.common.errors import Conflict
from backend.studies.models import Member, Study
from tests.annotation.conftest import RunJobs
from tests.annotation.pair_study import make_pair_cast, prefer
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


@pytest.fixture
def ranked(cast: Cast) -> list[Assignment]:
    """The expert answered all, the colleague nothing."""
    own = list(Assignment.objects.filter(study=cast.study, expert=cast.expert))
    for assignment in own:
        write_answer(assignment, "submit")
    return own


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
        **{"left": 0, "returned": 0, "left_with_answers": 0, "qualified": None},
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


def test_methods_state_what_is_simulated_open_and_missing_as_it_is(
    cast: Cast, ranked: list[Assignment]
) -> None:
    """Each question has one answer, and a colleague never answered."""
    Study.objects.filter(pk=cast.study.pk).update(description="")
    close(cast.study)
    release = freeze_study(actor=None, study_id=cast.study.pk, slug="plain")
    text = write_methods(release)
    number = len(ranked)
    assert "Each question has 1 answer." in text
    assert f"{number} assignments of 1 expert had no answer in the end." in text
    assert "Nothing was excluded." in text and "Not counted" not in text
    assert "Experts read no introduction." in text
    assert hashlib.sha256(b"").hexdigest() not in text
    assert "simulated" not in text


def test_methods_of_simulated_experts_state_so(cast: Cast) -> None:
    members = Member.objects.filter(study=cast.study, role=Member.Role.EXPERT)
    simulate_study(study=cast.study, raters=2, seed=7)
    close(cast.study)
    release = freeze_study(actor=None, study_id=cast.study.pk, slug="mixed")
    drawn = release.record["answers"]["simulated"]
    assert drawn == release.record["answers"]["answered"] > 0
    assert "All who answered are simulated: a program drew every answer" in write_methods(release)
    release.record["answers"]["answered"] = drawn + 3
    assert f"experts: {drawn} answers of {drawn + 3}." in write_methods(release)
    release.record["experts"]["simulated"] = members.count()
    assert "All experts are simulated: a program drew every answer" in write_methods(release)


@pytest.mark.django_db
def test_methods_of_pairs_explain_each_number_as_a_paper_does() -> None:
    cast = make_pair_cast(4)
    for place, assignment in enumerate(Assignment.objects.filter(expert=cast.expert)):
        prefer(assignment, int(place > 0))
    close(cast.study)
    release = freeze_study(actor=None, study_id=cast.study.pk, slug="pairs")
    day = release.record["answers"]["last_on"]
    text = write_methods(release)
    assert f"were submitted on {day};" in text
    assert not re.search(r"[Bb]elieve|no verdict|no number|look at", text)
    lines = {one[2:].split(" (")[0]: one for one in text.splitlines() if one.startswith("- ")}
    sign, z = lines["Sign test, exact, two-sided"], lines["z-test as printed, one-sided"]
    assert "p = 0.6250; n = 4 pairs. The value is the number of pairs for '" in sign
    assert "this z is √2 too large" in z
    assert "no interval (there are too few raters)" in lines["Canary-Model-7Q"]
    assert "not estimated (there are too few raters)" in lines["Kappa of verdicts"]


@pytest.mark.django_db
def test_methods_of_earlier_releases_leave_out_advice_to_readers_of_the_page() -> None:
    cast = make_pair_cast(4)
    close(cast.study)
    release = freeze_study(actor=None, study_id=cast.study.pk, slug="earlier")
    (section,) = [one for one in release.record["statistics"] if one["name"] == "preference"]
    section["note"] = "First: one. Second: other. Believe the sign test."
    text = write_methods(release)
    assert "First: one. Second: other.\n" in text and "Believe" not in text


def test_references_are_complete_and_each_is_cited(answered: Cast) -> None:
    text = write_methods(freeze_study(actor=None, study_id=answered.study.pk, slug="cited"))
    methods, listed = text.split("## References\n\n")
    for line in listed.strip().splitlines():
        (short,) = [name for name, complete in REFERENCES.items() if line == f"- {complete}"]
        assert short in methods


def test_every_paper_that_figures_name_is_known_in_full() -> None:
    sources = "".join(
        Path(one).read_text(encoding="utf-8")
        for one in Path("annotation").rglob("*.py")
        if one.name != "references.py"
    )
    texts = re.findall(r'"([^"\n]*\(?[A-Z][^"\n]*, \d{4}[^"\n]*)"', sources)
    named = {one for text in texts for one in references.CITATION.findall(text)}
    assert len(named) > 20
    assert named - REFERENCES.keys() == set()
