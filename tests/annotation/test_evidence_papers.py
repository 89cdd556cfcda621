"""Papers beside an expert's own question."""

from pathlib import Path
from typing import Any

import pytest

from annotation.models import Assignment
from backend.graphs.models import Version
from tests.annotation.personas import Cast, client_of
from tests.annotation.test_evidence import evidence_url, make_pinned
from tests.graphs.literature.paper_files import make_collection, paper

PAPERS = [paper("100", "Aspirin for headache", "1990"), paper("SYN:1", "Made up, with PTGS2")]


@pytest.fixture
def pinned(cast: Cast, tmp_path: Path) -> Version:
    make_collection(tmp_path, PAPERS)
    make_collection(tmp_path, [paper("9", "Secret aspirin")], "Private", is_public=False)
    return make_pinned(cast)


def papers_of(cast: Cast, place: int, person: Any = None) -> Any:
    candidate = cast.assignment().question.candidates.order_by("position")[place].id
    url = f"{evidence_url(cast.assignment())}/papers"
    return client_of(person or cast.expert).get(url, {"candidate": str(candidate)})


def test_a_candidate_has_the_papers_that_name_its_entity(cast: Cast, pinned: Version) -> None:
    (aspirin,) = papers_of(cast, 0).json()["results"]
    assert [it["id"] for it in aspirin["papers"]] == ["100"]
    (gene,) = papers_of(cast, 1).json()["results"]
    assert [(it["id"], it["is_synthetic"]) for it in gene["papers"]] == [("SYN:1", True)]
    (other,) = papers_of(cast, 2).json()["results"]
    assert other["papers"] == []


def test_every_expert_sees_the_public_collections_alone(cast: Cast, pinned: Version) -> None:
    cast.expert.is_administrator = True
    cast.expert.save()
    assert "Secret" not in papers_of(cast, 0).content.decode()


def test_hidden_evidence_hides_papers_too(cast: Cast, pinned: Version) -> None:
    Assignment.objects.filter(pk=cast.assignment().pk).update(arms={"evidence": "hidden"})
    answer = papers_of(cast, 0)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_graph")


def test_nobody_reads_the_papers_of_another_experts_question(cast: Cast, pinned: Version) -> None:
    for stranger in (cast.colleague, cast.coordinator, cast.outsider):
        assert papers_of(cast, 0, stranger).status_code == 404


def test_what_is_no_candidate_of_the_question_has_no_papers(cast: Cast, pinned: Version) -> None:
    foreign = cast.assignment(number=2).question.candidates.first()
    assert foreign is not None
    url = f"{evidence_url(cast.assignment())}/papers"
    assert client_of(cast.expert).get(url, {"candidate": str(foreign.id)}).status_code == 404
    assert client_of(cast.expert).get(url, {"candidate": "x"}).status_code == 422
