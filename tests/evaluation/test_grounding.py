"""From a file of rationales to verdicts: what they rest on, and nothing after the cut-off."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.fields import DateTimeField
from rest_framework.test import APIClient

from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.models import GroundedClaim, Grounding, VerdictEvidence
from backend.graphs.models import Version
from backend.graphs.snapshots.errors import NoDates
from tests.evaluation.grounding_worlds import (
    EARLY,
    LATE,
    RATIONALE,
    GroundingWorld,
    make_world,
    write_rationales,
)
from tests.graphs.served_graph import make_graph

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


def ground(path: Path, world: GroundingWorld, **options: Any) -> list[dict[str, Any]]:
    output = io.StringIO()
    literature = world.collection.slug
    named = {"graph": world.graph, "literature": literature, "json": True, **options}
    call_command("ground", str(path), stdout=output, **named)
    listed: list[dict[str, Any]] = json.loads(output.getvalue())["groundings"]
    return listed


def verdicts(grounding: dict[str, Any], source: str) -> list[str]:
    return [
        verdict["verdict"]
        for claim in grounding["claims"]
        for verdict in claim["verdicts"]
        if verdict["source"] == source
    ]


def test_each_claim_gets_a_verdict_from_each_source(tmp_path: Path, world: GroundingWorld) -> None:
    (one,) = ground(write_rationales(tmp_path, RATIONALE), world, cutoff=LATE + 10)
    assert [claim["text"] for claim in one["claims"]] == [
        "Aspirin inhibits COX-1.",
        "Aspirin does not treat headache",
        "aspirin prevents stroke.",
        "COX-1 is found in many tissues.",
    ]
    for claim in one["claims"]:
        assert RATIONALE[claim["start"] : claim["end"]] == claim["text"]
    left = "not_enough"
    assert verdicts(one, "graph") == ["supported", "contradicted", "supported", left]
    assert verdicts(one, "literature") == ["supported", left, "supported", "supported"]
    assert verdicts(one, "both") == ["supported", "contradicted", "supported", "supported"]
    shares = {source: counts["share"] for source, counts in one["groundedness"].items()}
    assert shares == {"graph": 0.5, "literature": 0.75, "both": 0.75}


def test_the_json_of_the_command_is_that_of_the_export(
    tmp_path: Path, world: GroundingWorld
) -> None:
    (printed,) = ground(write_rationales(tmp_path, RATIONALE), world, public=True)
    answer = APIClient().get(f"/api/v1/groundings/{printed['id']}/export.json")
    assert answer.status_code == 200
    assert answer.json()["claims"] == printed["claims"]
    assert answer.json().keys() == printed.keys()


def test_a_verdict_has_the_edges_and_sentences_that_it_rests_on(
    tmp_path: Path, world: GroundingWorld
) -> None:
    (one,) = ground(write_rationales(tmp_path, "Aspirin inhibits COX-1."), world, cutoff=EARLY)
    (claim,) = one["claims"]
    edge, sentence = claim["verdicts"][-1]["evidence"]
    assert edge["edge"]["source"]["name"] == "Aspirin"
    assert (edge["edge"]["relation"], edge["edge"]["first_seen"]) == ("inhibits", EARLY)
    assert sentence["sentence"]["paper"] == "5"
    assert sentence["sentence"]["text"] == "Aspirin inhibits COX-1."
    linked = [(it["text"], it["identifier"], it["method"]) for it in claim["mentions"]]
    assert linked == [("Aspirin", "X:aspirin", "exact"), ("COX-1", "X:cox1", "exact")]
    assert VerdictEvidence.objects.count() == 4  # of the graph, the papers, and both together


def test_nothing_after_the_cut_off_is_in_a_context(tmp_path: Path, world: GroundingWorld) -> None:
    """Planted: a later edge, an undated one, a later paper, one without a date, and a later
    publication of an early edge."""
    late = "Aspirin prevents stroke."
    (before,) = ground(write_rationales(tmp_path, late, RATIONALE), world, cutoff=EARLY)[:1]
    (after,) = ground(write_rationales(tmp_path, late), world, cutoff=LATE + 10)
    assert verdicts(before, "both") == ["not_enough"]
    assert verdicts(after, "both") == ["supported"]
    stored = Grounding.objects.filter(cutoff=EARLY)
    rows = [
        *GroundedClaim.objects.filter(grounding__in=stored).values_list("context", flat=True),
        *VerdictEvidence.objects.filter(verdict__claim__grounding__in=stored).values_list(
            "content", flat=True
        ),
    ]
    text = json.dumps([*rows])
    assert '"5"' in text
    for forbidden in ('"95"', "SYN:1", "PMID:95", "later prevents", "undated link", "planted"):
        assert forbidden not in text
    context = Knowledge(world.version, world.collection, EARLY).find_context(RATIONALE).context
    assert {one.relation for one in context.edges} == {"inhibits", "treats"}
    assert [one.publications for one in context.edges] == [(), ()]
    assert {one.id for one in context.papers} == {"5", "6"}


def test_a_context_has_at_most_100_edges_those_between_the_entities_first(db: None) -> None:
    graph = make_graph()
    version = Version.objects.get(graph=graph)
    context = (
        Knowledge(version).find_context("Aspirin changes TP53, which causes headache.").context
    )
    assert len(context.edges) == 100
    between = [one.is_between for one in context.edges]
    assert between == sorted(between, reverse=True)
    shown = {
        (one.source.name, one.relation, one.target.name) for one in context.edges if one.is_between
    }
    assert shown == {
        ("Aspirin", "treats", "Headache"),
        ("Aspirin", "changes", "TP53"),
        ("TP53", "causes", "Headache"),
        ("TP53", "changes", "TP53"),
    }
    with pytest.raises(NoDates):
        _ = Knowledge(version, None, 2_000).view


def test_all_faults_of_a_file_are_listed_with_their_lines(
    tmp_path: Path, world: GroundingWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "faulty.jsonl"
    many = "Aspirin inhibits it. " * 201
    rows = [
        json.dumps({"hypothesis": "H", "rationale": "Aspirin inhibits COX-1."}),
        json.dumps({"hypothesis": "H"}),
        "{not json",
        json.dumps({"hypothesis": "H", "rationale": "x" * 20_001}),
        json.dumps({"hypothesis": "H", "rationale": many}),
    ]
    path.write_text("\n".join(rows))
    output = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("ground", str(path), graph=world.graph, json=True, stdout=output)
    faults = json.loads(output.getvalue())["faults"]
    assert [(one["place"], one["code"]) for one in faults] == [
        ("line 2, rationale", "missing_field"),
        ("line 3", "not_json"),
        ("line 4, rationale", "too_long"),
        ("line 5, rationale", "too_many_claims"),
    ]
    assert not Grounding.objects.exists()


def test_an_unknown_name_is_answered_with_those_that_there_are(
    tmp_path: Path, world: GroundingWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    path, graph, papers = write_rationales(tmp_path, "Why?"), world.graph, world.collection.slug
    for options, there_are in (
        ({"graph": "none"}, f"There is no graph 'none'. There are: {graph}."),
        ({"graph": graph, "literature": "none"}, f"'none'. There are: {papers}."),
        ({"graph": graph, "endpoint": "none"}, "There is no endpoint 'none'. Add it by"),
    ):
        with pytest.raises(SystemExit):
            call_command("ground", str(path), **options)
        assert there_are in capsys.readouterr().err


def test_times_of_a_command_are_those_of_the_api(tmp_path: Path, world: GroundingWorld) -> None:
    (one,) = ground(write_rationales(tmp_path, "Why?"), world)
    stored = Grounding.objects.get().created_at
    assert one["created_at"] == DateTimeField().to_representation(stored)


def test_a_rationale_without_claims_has_no_groundedness(
    tmp_path: Path, world: GroundingWorld
) -> None:
    (one,) = ground(write_rationales(tmp_path, "Why?"), world)
    assert one["groundedness"]["both"] == {
        "supported": 0,
        "contradicted": 0,
        "claims": 0,
        "share": None,
    }
