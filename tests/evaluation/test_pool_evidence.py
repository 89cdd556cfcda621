"""Unjudged answers of a release with a graph: their names, documents and edges, and of sets."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.benchmarks.models import Release, ReleaseGraph, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.answer_entities import AnswerResolver, GraphEntities
from backend.evaluation.answer_pools import update_pool
from backend.evaluation.models import AnswerPool, Submission
from backend.evaluation.pool_items import AnswerCatalogue, build_questions
from backend.evaluation.pool_verdicts import PoolVerdict, resolve_answers
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.evaluation.validation import validate_predictions
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.jobs.runner import run_job
from backend.tracks.biohopr.rows import GoldEntity, HopAnswer, HopItem
from backend.tracks.biohopr.track import TRACK as BIOHOPR
from tests.evaluation.masked_release import make_masked_release
from tests.evaluation.serenqa_releases import answer_ids, demo_questions, make_serenqa_release

pytestmark = pytest.mark.django_db
ASPIRIN, SILDENAFIL = "DRUGBANK:DB00945", "DRUGBANK:DB00203"
QUESTION = "Which drugs help against migraine?"


@pytest.fixture
def version(demo_graph: Version) -> Version:
    return demo_graph


def submit_rows(release: Release, rows: list[dict[str, object]]) -> Submission:
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    file = store_predictions(text.encode(), "predictions.jsonl")
    new = NewSubmission(release=release, model=get_or_create_model("one"))
    submission, job = submit_predictions(actor=None, new=new, file=file)
    run_job(job.pk)
    submission.refresh_from_db()
    assert submission.state == "scored"
    return submission


@pytest.fixture
def ranked(version: Version, tmp_path: Path) -> AnswerPool:
    """One query with one label, and an entry that ranks another drug first."""
    path = tmp_path / "queries.csv"
    path.write_text(f"""id,query,answer_ids\n0,{QUESTION},"['{SILDENAFIL}']"\n""")
    request = ReleaseRequest(
        track="stark-prime", name="Migraine", slug="migraine", graph_version=version
    )
    release = make_release(actor=None, request=request, files=[path])
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    submit_rows(release, [{"query_id": 0, "pred_rank": [ASPIRIN, SILDENAFIL]}])
    return update_pool(release, ReleaseSplit.TEST, 20)


def test_a_claim_has_the_name_the_documents_and_the_edges_of_the_candidate(
    ranked: AnswerPool, version: Version
) -> None:
    rows = list(ranked.pooled.all())
    (claim,) = build_questions(ranked.release, rows, "claims")
    view = open_version_snapshot(version)
    number = view.find_number(ASPIRIN)
    assert number is not None
    entity, document = view.entity(number), view.document(number)
    assert claim["text"] == f"{entity.name} ({entity.type}) is a correct answer to: {QUESTION}"
    assert [one["text"] for one in claim["documents"]] == [one.text for one in document if one.text]
    own = [edge for edge in claim["edges"] if entity.name in (edge["source"], edge["target"])]
    assert own == claim["edges"]
    assert len(own) == min(60, view.degree(number))


def test_edges_to_entities_that_the_question_names_come_first(
    ranked: AnswerPool, version: Version
) -> None:
    view = open_version_snapshot(version)
    number = view.find_number(ASPIRIN)
    assert number is not None
    page = view.neighbours(number, outgoing=True, limit=1_000)
    last = view.entity_summary(int(page.neighbours[-1])).name
    candidate = AnswerCatalogue(ranked.release).describe(ASPIRIN, "", f"What about {last}?")
    first = candidate.edges[0]
    assert last in (first["source"], first["target"])


def test_a_rating_has_the_same_as_text(ranked: AnswerPool) -> None:
    (rating,) = build_questions(ranked.release, list(ranked.pooled.all()), "ratings")
    (claim,) = build_questions(ranked.release, list(ranked.pooled.all()), "claims")
    assert claim["documents"][0]["text"][:200] in rating["details"]
    assert [one["name"] for one in rating["scales"]] == ["correctness"]


def test_an_answer_that_the_graph_lacks_is_stated_as_it_is(ranked: AnswerPool) -> None:
    candidate = AnswerCatalogue(ranked.release).describe("a name", "", QUESTION)
    assert (candidate.title, candidate.documents, candidate.edges) == ("a name", (), ())


def test_returned_sets_and_outputs_of_queries_are_pooled(version: Version, tmp_path: Path) -> None:
    release = make_serenqa_release(tmp_path, version)
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    first, second, *_ = demo_questions()
    other = next(one for one in (ASPIRIN, SILDENAFIL) if one not in answer_ids(first))
    by_query: dict[str, object] = {"question_id": str(second["qid"]), "cypher": second["cypher"]}
    named = [*answer_ids(first), other]
    answered: dict[str, object] = {"question_id": str(first["qid"]), "answers": named}
    submission = submit_rows(release, [answered, by_query])
    pool = update_pool(release, ReleaseSplit.TEST, 100)
    (row,) = pool.pooled.select_related("item")
    assert (row.item.key_parts, row.answer) == ([str(first["qid"])], other)
    assert pool.answers == len(answer_ids(first)) + 1 + len(answer_ids(second))
    (entry,) = pool.judgements.all()
    assert entry.submission == submission
    assert entry.judged is not None
    assert entry.judged < 1
    assert entry.low == pytest.approx(entry.value)
    assert entry.high > entry.value


def test_names_are_pooled_nowhere_and_spellings_of_one_entity_are_one_answer(
    version: Version, tmp_path: Path
) -> None:
    release = make_serenqa_release(tmp_path, version)
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    first, *_ = demo_questions()
    other = next(one for one in (ASPIRIN, SILDENAFIL) if one not in answer_ids(first))
    spelled = [other, other.removeprefix("DRUGBANK:"), other.replace("DRUGBANK:", "drugbank:")]
    texts = [*answer_ids(first)[:1], *spelled, "Aspirin", "HER2", "DRUGBANK:DB99999999"]
    query = f"UNWIND {texts!r} AS id RETURN id"
    submit_rows(release, [{"question_id": str(first["qid"]), "cypher": query}])
    pool = update_pool(release, ReleaseSplit.TEST, 100)
    assert [one.answer for one in pool.pooled.all()] == [other]
    assert pool.answers == 2


def test_a_stored_name_becomes_no_gold_answer(version: Version, tmp_path: Path) -> None:
    release = make_serenqa_release(tmp_path, version)
    keys = list(release.items.order_by("position").values_list("key", flat=True))[:2]
    verdicts = [
        PoolVerdict(keys[0], "HER2", "true"),
        PoolVerdict(keys[0], ASPIRIN.removeprefix("DRUGBANK:"), "true"),
        PoolVerdict(keys[1], "DRUGBANK:DB99999999", "false"),
    ]
    resolved = resolve_answers(release, verdicts)
    assert resolved == [PoolVerdict(keys[0], ASPIRIN, "true")]


def test_a_check_says_which_questions_the_masked_graph_leaves_out(tmp_path: Path) -> None:
    masked = make_masked_release(tmp_path)
    graph = ReleaseGraph.objects.get(release=masked.release, method="expert")
    keys = [str(one.key_parts[0]) for one in masked.release.items.filter(split="test")]
    left_out = keys[0]
    graph.included = [one for one in graph.included if one != left_out]
    ReleaseGraph.objects.filter(pk=graph.pk).update(included=graph.included)
    file = store_predictions(
        "".join(
            json.dumps({"question_id": one, "answers": [ASPIRIN]}) + "\n" for one in keys[2:]
        ).encode(),
        "predictions.jsonl",
    )
    notices = {
        one.code: one
        for one in validate_predictions(masked.release, "test", file, actor=None).notices
    }
    assert left_out in str(notices["left_out_item"].given)
    assert "no metric" in notices["left_out_item"].expected
    others = notices.get("missing_item")
    assert others is None or left_out not in str(others.given).removeprefix("none for ").split("; ")


def test_a_check_notices_answers_that_are_no_entity(version: Version, tmp_path: Path) -> None:
    release = make_serenqa_release(tmp_path, version)
    first, second, *_ = (one["qid"] for one in demo_questions())
    rows = [
        {"question_id": str(first), "answers": [ASPIRIN, "DB00945", "drugbank:DB00203"]},
        {"question_id": str(second), "answers": ["Etanercept", "a", "DB99999999"]},
    ]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    file = store_predictions(text.encode(), "predictions.jsonl")
    checked = validate_predictions(release, "test", file, actor=None)
    assert checked.is_valid
    (notice,) = [one for one in checked.notices if one.code == "unknown_entity"]
    assert (notice.line, notice.given) == (2, "Etanercept")
    assert notice.message.startswith("3 answers are no entity of the graph.")


def test_names_of_one_entity_are_one_answer_which_is_true_by_each_of_them(version: Version) -> None:
    entities = GraphEntities(version)
    aspirin = open_version_snapshot(version).find_number(ASPIRIN)
    assert aspirin is not None
    entity = open_version_snapshot(version).entity(aspirin)
    names = [entity.name, entity.name.upper(), *entity.synonyms, ASPIRIN]
    track: Any = BIOHOPR
    item = HopItem(
        "1m-1", "Name drugs.", "multiple", 1, "Disease:Drug", "path", "DOID:1", "gout", ""
    )
    answer = HopAnswer((GoldEntity("DRUGBANK:1", "drug one"),))
    resolver = AnswerResolver(track, entities)
    given = [*names, "no such drug", "Drug One"]
    assert resolver.resolve(item, answer, given) == [ASPIRIN, "DRUGBANK:1"]
    more = resolver.add_true_answers(item, answer, [ASPIRIN])
    assert {entity.name, *entity.synonyms, ASPIRIN} <= {*track.labelled_answers(more)}
