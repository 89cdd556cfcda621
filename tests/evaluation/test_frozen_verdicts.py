"""A check of a verifier's model sends the very prompts by which it verified the groundings."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.evaluation.grounding.claim_studies import NewClaimStudy, make_claim_study
from backend.evaluation.grounding.rationale_files import FileRow
from backend.evaluation.grounding.services import GroundingSettings, request_groundings
from backend.evaluation.judging.frozen_claims import read_frozen_set
from backend.evaluation.models import Grounding
from backend.graphs.literature.collections import delete_collection
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.jobs.runner import run_job
from backend.studies.models import Study
from backend.tracks.grounding_verdicts import EvidenceSource
from tests.evaluation.claim_worlds import judge_claims
from tests.evaluation.grounding_worlds import GroundingWorld
from tests.evaluation.pooled_boards import join
from tests.graphs.literature.paper_files import make_collection, paper
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
LONG = " ".join(f"Sentence number {n} is about aspirin." for n in range(80))
CLAIMS = ("Aspirin inhibits COX-1.", "Zzyzx does nothing.")


@pytest.fixture
def world(transactional_db: None, tmp_path: Path) -> GroundingWorld:
    """With types of entities, a phrase with an underscore, an abstract of more sentences than are
    read, and a paper without one."""
    nodes = [NodeRow("X:a", "Drug", "Aspirin"), NodeRow("X:c", "Gene", "COX-1")]
    edges = [EdgeRow("X:a", "binds_to", "X:c"), EdgeRow("X:a", "inhibits", "X:c")]
    graph = make_graph("Typed", rows=SourceRows([*nodes], [*edges]))
    papers = [
        paper("5", "COX-1 and aspirin", "2001", LONG),
        paper("6", "Aspirin inhibits COX-1", "2002", ""),
        paper("7", "Aspirin again", "2003", "Aspirin inhibits COX-1.\nIt also binds it.  \n"),
    ]
    collection = make_collection(tmp_path, papers, "Papers")
    return GroundingWorld(Version.objects.get(graph=graph), collection)


def verify(body: dict[str, Any], number: int) -> Scripted:
    if "divide scientific reasoning" in body["messages"][0]["content"]:
        return Scripted(text=json.dumps({"claims": [{"quote": "", "claim": it} for it in CLAIMS]}))
    label = "P1.1" if '"P1.1"' in body["messages"][1]["content"] else "E1"
    return Scripted(text=json.dumps({"evidence": [label], "verdict": "supported"}))


def ground(
    world: GroundingWorld, server: ScriptedServer, source: EvidenceSource, tokens: int | None = None
) -> Study:
    """By the model, and judged by an expert in a study that has ended."""
    server.script = verify
    endpoint = make_endpoint(server.url, context_tokens=tokens)
    settings = GroundingSettings(world.version, world.collection, None, endpoint, Decimal(1))
    rows = [FileRow(1, "H", " ".join(CLAIMS))]
    _, job = request_groundings(actor=None, rows=rows, settings=settings, is_local=True)
    run_job(job.pk, inputs={"rules": QUICK})
    request = NewClaimStudy(name="Verify", overlap=1, seed=1, source=source)
    batch = Grounding.objects.get().batch
    study = make_claim_study(actor=None, batches=[batch], request=request).study
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    judge_claims(study, join(study, "eva"))
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
    return study


def freeze(folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    file = folder / "frozen.jsonl"
    call_command("freeze_verdicts", "Verify", str(file), "--json")
    return file, [json.loads(line) for line in file.read_text().splitlines()]


def check(file: Path) -> None:
    words = ("--endpoint", "scripted", "--budget", "1", "--occasion", "now", "--json")
    call_command("check_judge_drift", str(file), *words)


@pytest.mark.parametrize(
    ("source", "tokens"),
    [*((one, None) for one in EvidenceSource), (EvidenceSource.BOTH, 2_000)],
)
def test_a_check_sends_the_prompts_of_the_grounding_byte_for_byte(
    world: GroundingWorld,
    server: ScriptedServer,
    tmp_path: Path,
    source: EvidenceSource,
    tokens: int | None,
) -> None:
    ground(world, server, source, tokens)
    sent = {json.dumps(one.body) for one in server.log}
    count = len(server.log)
    file, lines = freeze(tmp_path)
    assert [one["before"] for one in lines if one["claim"] == CLAIMS[0]] == [1.0]
    check(file)
    (body,) = (
        one.body for one in server.log[count:] if CLAIMS[0] in one.body["messages"][1]["content"]
    )
    assert json.dumps(body) in sent


def test_a_verdict_by_a_prompt_that_no_check_sends_is_not_stored_as_before(
    world: GroundingWorld, server: ScriptedServer, tmp_path: Path
) -> None:
    """Nothing was sent about a claim without context; later the prompt changes, or papers go."""
    ground(world, server, EvidenceSource.BOTH)
    assert {one["claim"]: one["before"] for one in freeze(tmp_path)[1]} == {
        CLAIMS[0]: 1.0,
        CLAIMS[1]: None,
    }
    version = Grounding.objects.get().verifier_version
    Grounding.objects.update(verifier_version=f"{version}9")
    assert {one["before"] for one in freeze(tmp_path)[1]} == {None}
    Grounding.objects.update(verifier_version=version)
    delete_collection(world.collection)
    file, lines = freeze(tmp_path)
    assert {one["before"] for one in lines} == {None}
    assert read_frozen_set(file.read_bytes()).claims
