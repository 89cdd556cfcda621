"""What the names of a question set stand for in a graph, and what is left open, not guessed."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from backend.benchmarks.entity_linking import is_complete, resolve_question_set
from backend.benchmarks.models import (
    Candidate,
    Match,
    Question,
    QuestionSet,
    Resolution,
    Resource,
)
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.snapshots.sources import SourceRows

UNIPROT = "https://www.uniprot.org/uniprotkb/{}/entry"
DRUGBANK = "https://go.drugbank.com/drugs/{}"
NODES = (
    NodeRow("DRUGBANK:DB00945", "Drug", "Aspirin", xrefs=("CHEBI:15365",)),
    NodeRow("NCBIGene:5742", "Gene", "PTGS1", xrefs=("UNIPROT:P23219",)),
    NodeRow("NCBIGene:5743", "Gene", "PTGS2"),
    NodeRow("NCBIGene:3815", "Gene", "KIT"),
    NodeRow("NCBIGene:1", "Gene", "Twice", xrefs=("UniProtKB:P00001",)),
    NodeRow("NCBIGene:2", "Gene", "Twice", xrefs=("UniProtKB:P00001",)),
    NodeRow("uniprot:P04637", "Protein", "p53"),
    NodeRow("DOID:635", "Disease", "acquired immunodeficiency syndrome"),
    NodeRow("DOID:9", "Disease", "immunodeficiency"),
    NodeRow("MESH:D006261", "Phenotype", "Headache"),
)


def make_version(nodes: Sequence[NodeRow] = NODES) -> Version:
    rows = SourceRows([*nodes], [EdgeRow(nodes[0].id, "treats", nodes[-1].id)])
    built = build_snapshot(rows, Path(settings.SNAPSHOTS))
    graph = Graph.objects.create(name="G", slug="g", visibility="public")
    counts = {"entities": built.entities, "edges": built.edges}
    return Version.objects.create(
        graph=graph, snapshot=built.path.name, number=1, ready_at=timezone.now(), **counts
    )


def make_question(
    candidates: Sequence[tuple[str, str]] = (),
    resources: Sequence[tuple[str, str]] = (),
    *,
    text: str = "Which?",
    question_set: QuestionSet | None = None,
) -> QuestionSet:
    owner = question_set or QuestionSet.objects.create(name="Questions")
    number = owner.questions.count() + 1
    question = Question.objects.create(
        question_set=owner, file_id=str(number), number=number, text=text
    )
    for place, (name, link) in enumerate(candidates):
        Candidate.objects.create(
            question=question, position=place, name=name, link=link, prior_rank=place + 1
        )
    for place, (name, link) in enumerate(resources):
        Resource.objects.create(question=question, position=place, name=name, link=link)
    return owner


def only_match(name: str, link: str) -> Match:
    resolution = resolve_question_set(
        question_set=make_question([(name, link)]), version=make_version()
    )
    return resolution.matches.get()


def entity_of(match: Match) -> str | None:
    if match.entity is None:
        return None
    return open_version_snapshot(match.resolution.version).entity(match.entity).id


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "link", "entity", "how"),
    [
        ("anything", DRUGBANK.format("DB00945"), "DRUGBANK:DB00945", "identifier"),
        ("p53", UNIPROT.format("P04637"), "uniprot:P04637", "identifier"),
        ("COX-1", UNIPROT.format("P23219"), "NCBIGene:5742", "cross_reference"),
        ("PTGS2", UNIPROT.format("P35354"), "NCBIGene:5743", "name"),
        ("headache", "", "MESH:D006261", "name"),
        ("KIT", "https://www.genecards.org/?gene=KIT", "NCBIGene:3815", "name"),
    ],
)
def test_a_name_is_found_by_the_surest_way_there_is(
    name: str, link: str, entity: str, how: str
) -> None:
    match = only_match(name, link)
    assert (entity_of(match), match.match_method, match.unmatched_reason) == (entity, how, "")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "link", "reason"),
    [
        ("Zinc", DRUGBANK.format("DB01593"), "not_in_graph"),
        ("Twice", "", "several_names"),
        ("Once", UNIPROT.format("P00001"), "several_references"),
        ("Aspirin", DRUGBANK.format("DB99999"), "other_identifier"),
        ("kit", "", "not_in_graph"),
    ],
)
def test_what_is_not_certain_is_left_open_with_the_reason(
    name: str, link: str, reason: str
) -> None:
    match = only_match(name, link)
    assert (match.entity, match.match_method, match.unmatched_reason) == (None, "", reason)


@pytest.mark.django_db
def test_names_in_a_question_are_found_the_longest_first_and_once() -> None:
    text = "Which of these treat acquired immunodeficiency syndrome, (headache) or a KIT? A kit."
    owner = make_question([("Headache", "")], text=text)
    resolution = resolve_question_set(question_set=owner, version=make_version())
    mentions = resolution.matches.exclude(mention="").order_by("id")
    assert [(it.mention, entity_of(it)) for it in mentions] == [
        ("acquired immunodeficiency syndrome", "DOID:635"),
        ("KIT", "NCBIGene:3815"),
    ]


@pytest.mark.django_db
def test_counts_tell_how_many_were_found_in_which_way() -> None:
    owner = make_question(
        [("A", DRUGBANK.format("DB00945")), ("PTGS2", ""), ("Zinc", "")],
        [("COX-1", UNIPROT.format("P23219"))],
    )
    resolution = resolve_question_set(question_set=owner, version=make_version())
    assert resolution.counts == {
        "candidates": {"identifier": 1, "name": 1, "not_in_graph": 1},
        "resources": {"cross_reference": 1},
        "mentions": {},
    }


@pytest.mark.django_db
def test_doing_it_again_comes_to_the_same() -> None:
    owner, version = make_question([("PTGS2", ""), ("Zinc", "")]), make_version()
    rows = []
    for _ in range(2):
        resolution = resolve_question_set(question_set=owner, version=version)
        fields = (
            "question",
            "candidate",
            "entity",
            "match_method",
            "unmatched_reason",
            "matched_on",
        )
        rows.append(list(resolution.matches.order_by("id").values_list(*fields)))
    assert rows[0] == rows[1]
    assert len(rows[0]) == 2
    assert Resolution.objects.count() == 1


@pytest.mark.django_db
def test_questions_that_come_later_make_it_incomplete_until_it_is_done_again() -> None:
    owner, version = make_question([("PTGS2", "")]), make_version()
    assert is_complete(resolve_question_set(question_set=owner, version=version))
    make_question([("KIT", "")], question_set=owner)
    assert not is_complete(Resolution.objects.get())
    assert is_complete(resolve_question_set(question_set=owner, version=version))
    assert Match.objects.count() == 2


@pytest.mark.django_db
def test_a_graph_that_cannot_be_read_is_said_and_tried_again_later() -> None:
    owner, version = make_question([("PTGS2", "")]), make_version()
    there = version.snapshot
    version.snapshot = "f" * 32
    resolution = resolve_question_set(question_set=owner, version=version)
    assert resolution.error
    assert not is_complete(resolution)
    version.snapshot = there
    again = resolve_question_set(question_set=owner, version=version)
    assert (again.error, is_complete(again)) == ("", True)
