"""Imports of papers: complete or without effect; the command and the job."""

import io
import json
import shutil
from pathlib import Path

import pytest
from django.core.management import call_command

from backend.accounts.models import User
from backend.common.errors import DomainError, NotFound
from backend.graphs.literature import import_job
from backend.graphs.literature.collections import PaperImport
from backend.graphs.literature.import_service import begin_paper_import
from backend.graphs.literature.paper_index import has_index
from backend.graphs.literature.paper_search import search_papers
from backend.graphs.literature.policies import get_collection_or_raise, readable_collections
from backend.graphs.models import Collection, Paper
from backend.jobs.models import JobState
from backend.jobs.runner import run_job
from tests.graphs.literature.paper_files import PUBMED, json_lines, make_collection, paper

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("import_papers", *arguments, stdout=out, stderr=err)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def write(folder: Path, *papers: dict[str, object]) -> str:
    path = folder / "papers.jsonl"
    path.write_text(json_lines(*papers))
    return str(path)


def test_the_command_imports_files_of_several_formats(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(PUBMED)
    lines = write(tmp_path, paper("SYN:1", "Made up", abstract="About aspirin."))
    arguments = [str(tmp_path / "a.xml"), lines, "--name", "Both", "--licence", "CC0", "--json"]
    code, out, err = run(*arguments)
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert (result["papers"], result["undated"], result["synthetic"]) == (3, 1, 1)
    stored = Paper.objects.order_by("number").values_list("number", "key", "date")
    assert [*stored] == [(0, "101", "2004-05-07"), (1, "102", "1999"), (2, "SYN:1", "")]
    assert json.loads(run(*arguments)[1])["unchanged"]
    assert Collection.objects.count() == 1 and Paper.objects.count() == 3


def test_faults_are_printed_with_their_lines_and_nothing_is_imported(tmp_path: Path) -> None:
    path = write(tmp_path, paper("1", "Good"), paper("x", "Bad"), paper("2", "", "2004"))
    code, _, err = run(path, "--name", "Papers", "--licence", "CC0")
    assert code == 1
    assert err.splitlines()[:2] == [
        "papers.jsonl, line 2: This is no identifier of a paper. "
        "Expected: a PMID such as 12345, or SYN:1.",
        "papers.jsonl, line 3: This paper has neither title nor abstract. Expected: one of them.",
    ]
    assert err.endswith("Nothing was imported.\n")
    assert not Collection.objects.exists() and not Paper.objects.exists()


def test_a_name_with_other_papers_is_refused(tmp_path: Path) -> None:
    make_collection(tmp_path, [paper("1", "First")])
    code, _, err = run(
        write(tmp_path, paper("2", "Second")), "--name", "Papers", "--licence", "CC0"
    )
    assert code == 1 and "has other papers. Choose another name." in err
    assert Paper.objects.get().key == "1"


@pytest.mark.parametrize(
    ("name", "licence"), [("", "CC0"), ("a\nb", "CC0"), ("x" * 201, "CC0"), ("a", " ")]
)
def test_names_and_licences_are_checked(name: str, licence: str) -> None:
    with pytest.raises(DomainError):
        begin_paper_import(actor=None, request=PaperImport(name, licence), files=["a"])


def test_what_a_killed_attempt_left_is_replaced_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    path = write(tmp_path, paper("1", "Good"))
    with monkeypatch.context() as patched:
        patched.setattr(import_job, "find_collection", stopped)
        with pytest.raises(KeyboardInterrupt):
            run(path, "--name", "Papers", "--licence", "CC0")
    assert not readable_collections(None).exists()
    assert run(path, "--name", "Papers", "--licence", "CC0", "--public")[0] == 0
    assert Collection.objects.get().papers == 1


def test_a_job_of_uploads_ends_with_the_same_faults(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("[]\n")
    job = begin_paper_import(actor=None, request=PaperImport("P", "CC0"), files=["bad.jsonl"])
    run_job(job.pk, inputs={"paths": [path]})
    job.refresh_from_db()
    assert job.state == JobState.FAILED and job.error is not None
    assert job.error["code"] == "USER_FAULTY_PAPERS"
    assert job.error["errors"][0]["place"].startswith("bad.jsonl")


def test_only_owners_and_administrators_read_a_private_collection(tmp_path: Path) -> None:
    owner = User.objects.create_user("owner@example.org")
    other = User.objects.create_user("other@example.org")
    collection = make_collection(tmp_path, [paper("1", "First")], is_public=False)
    collection.owner = owner
    collection.save()
    assert get_collection_or_raise(owner, collection.slug) == collection
    for user in (other, None):
        with pytest.raises(NotFound):
            get_collection_or_raise(user, collection.slug)


def test_a_lost_index_is_built_again_from_the_database(tmp_path: Path) -> None:
    collection = make_collection(tmp_path, [paper("1", "Aspirin"), paper("2", "Other")])
    shutil.rmtree(collection.folder)
    call_command("index_papers", stdout=io.StringIO())
    assert has_index(collection)
    assert [it.paper.key for it in search_papers(collection, "aspirin", 5).papers] == ["1"]


def test_a_small_collection_without_an_index_is_indexed_when_it_is_read(tmp_path: Path) -> None:
    collection = make_collection(tmp_path, [paper("1", "Aspirin"), paper("2", "Other")])
    shutil.rmtree(collection.folder)
    assert [it.paper.key for it in search_papers(collection, "aspirin", 5).papers] == ["1"]
