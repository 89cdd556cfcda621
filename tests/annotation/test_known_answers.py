"""Gold questions that look like any other, qualification, and what experts learn of either."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from annotation.assignments import assign_batches
from annotation.departures import withdraw_from_study
from annotation.exports import export_json
from annotation.formats.data_card import describe_study
from annotation.formats.jsonl.writer import design_record
from annotation.formats.serenqa.format import write_serenqa
from annotation.imports import import_study
from annotation.kinds.registry import get_kind_or_raise
from annotation.methods_section import write_methods
from annotation.models import Assignment, CheckedAnswer, KnownAnswer, StudyDesign
from annotation.pool import lease_questions
from annotation.statistics_cache import recompute_statistics
from annotation.study_cloning import clone_study
from annotation.study_creation import Design, DesignInvalid, set_design
from annotation.study_releases import freeze_study
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile
from backend.studies.models import Study
from tests.annotation.archive_study import export, import_bytes
from tests.annotation.claim_study import claim_entry, claim_file, decide, edge, make_claim_cast
from tests.annotation.pair_study import close, pair_entry, prefer
from tests.annotation.personas import Cast, client_of, join_as_expert, make_user
from tests.annotation.route_contents import MIN_ROUTES, read_all_routes
from tests.annotation.test_study_statistics import figures, read_report
from tests.architecture.routes import make_world

Purpose = Assignment.Purpose
EXPLANATION, COMMENT = "Canary-explanation-4K", "canary-known-comment"
KNOWN = {"answer": {"verdict": "supported", "comment": COMMENT}, "explanation": EXPLANATION}
pytestmark = pytest.mark.django_db


def make_gold_cast(*, gold: int = 4, others: int = 6, **design: Any) -> Cast:
    """Claims 1 to `gold` have a known answer; those that joined before it was set have none."""
    known = [claim_entry(number, gold=KNOWN) for number in range(1, gold + 1)]
    entries = [*known, *(claim_entry(number) for number in range(gold + 1, gold + others + 1))]
    cast = make_claim_cast(*entries)
    Assignment.objects.filter(study=cast.study).delete()
    set_design(cast.study, Design(seed=2, **design))
    return cast


def assigned(study: Study, expert: User, purpose: Purpose) -> list[Assignment]:
    rows = Assignment.objects.filter(study=study, expert=expert, purpose=purpose)
    return list(rows.select_related("expert").order_by("question__number"))


def answer(assignment: Assignment, verdict: str) -> None:
    decide(assignment, verdict, [] if verdict in ("not_enough", "not_sure") else [edge(0)])


def feedback_of(expert: User, cast: Cast) -> list[dict[str, Any]]:
    page = client_of(expert).get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    sent = [one["response"]["feedback"] for one in page["assignments"]]
    return [one for one in sent if one is not None]


def test_faults_of_known_answers_are_listed_with_their_places() -> None:
    entries = [
        claim_entry(1, gold={"answer": {"verdict": "maybe"}}),
        claim_entry(2, gold={"answer": {"verdict": "not_sure"}}),
        claim_entry(3, gold={"answer": {"verdict": "supported"}}),
    ]
    with pytest.raises(QuestionnaireInvalid) as refused:
        import_study(actor=None, name="Faulty", sources=claim_file(*entries), kind="claims")
    assert [fault.place for fault in refused.value.faults] == [
        "batch1.json, question 1 (qid 0), gold.answer.verdict",
        "batch1.json, question 2 (qid 1), gold.answer",
    ]
    files = claim_file(claim_entry(1, gold={"answer": [], "explanation": 3}))
    with pytest.raises(QuestionnaireInvalid) as unreadable:
        import_study(actor=None, name="Faulty", sources=files, kind="claims")
    assert len(unreadable.value.faults) == 2
    assert not Study.objects.filter(name="Faulty").exists()


def test_a_known_answer_never_changes() -> None:
    cast = make_gold_cast(gold=1, others=1)
    same = claim_file(claim_entry(1, gold=KNOWN), claim_entry(2))
    assert import_study(actor=None, name=cast.study.name, sources=same).added == 0
    for gold in (None, {"answer": {"verdict": "contradicted"}}):
        changed = claim_file(claim_entry(1, gold=gold), claim_entry(2))
        with pytest.raises(QuestionnaireInvalid, match="1 error"):
            import_study(actor=None, name=cast.study.name, sources=changed)
    assert KnownAnswer.objects.get(entry__batch__study=cast.study).explanation == EXPLANATION


@pytest.mark.parametrize(
    ("kind", "known", "right", "wrong"),
    [
        ("claims", {"verdict": "supported"}, {"verdict": "supported"}, {"verdict": "not_enough"}),
        ("hypothesis_pairs", {"choice": "a"}, {"choice": "a_much"}, {"choice": "tie"}),
        ("hypothesis_pairs", {"choice": "tie"}, {"choice": "tie"}, {"choice": "a"}),
        ("ratings", {"levels": {"x": 4}}, {"levels": {"x": 3}}, {"levels": {"x": 2}}),
        ("ratings", {"levels": {"x": None}}, {"levels": {"x": 1}}, None),
        ("ratings", {"levels": {"x": 4}}, {"levels": {"x": 5}}, {"levels": {"x": None}}),
        ("ranking", {"ranking": [["b", "a"]]}, {"ranking": [["a", "b"]]}, {"ranking": [["a"]]}),
    ],
)
def test_each_kind_knows_what_is_right(
    kind: str, known: dict[str, Any], right: dict[str, Any], wrong: dict[str, Any] | None
) -> None:
    assert get_kind_or_raise(kind).is_right(right, known)
    assert wrong is None or not get_kind_or_raise(kind).is_right(wrong, known)


def test_a_known_ranking_has_places_in_the_file() -> None:
    candidates = [
        {"entity_name": name, "llm_rank": rank, "entity_link": ""}
        for rank, name in enumerate(("Zinc", "Iron", "Salt"), start=1)
    ]
    entry = {"question_number": 1, "qid": 0, "text": "Which?", "category": "", "resource": []}
    entry |= {"llm_ranking": candidates, "gold": {"answer": {"ranking": [[2], [0, 1]]}}}
    source = SourceFile("batch1.json", json.dumps([entry]).encode())
    study = import_study(actor=None, name="Ranked", sources=[source]).study
    known = KnownAnswer.objects.get(entry__batch__study=study)
    names = {str(it.pk): it.name for it in known.entry.question.candidates.all()}
    ranking = known.payload["ranking"]
    assert [{names[one] for one in group} for group in ranking] == [{"Salt"}, {"Zinc", "Iron"}]
    entry["gold"] = {"answer": {"ranking": [[7], [0]]}}
    source = SourceFile("batch1.json", json.dumps([entry]).encode())
    with pytest.raises(QuestionnaireInvalid) as refused:
        import_study(actor=None, name="Ranked too", sources=[source])
    assert {one.place.split(", ")[2][:19] for one in refused.value.faults} == {
        "gold.answer.ranking"
    }


def test_in_batches_the_share_is_mixed_in_by_seed_and_counts_nowhere() -> None:
    cast = make_gold_cast(gold=6, others=6, gold_share=0.4)
    experts = [join_as_expert(cast.study, cast.batches, make_user(f"E{n}")) for n in range(3)]
    gold = [[row.question_id for row in assigned(cast.study, one, Purpose.GOLD)] for one in experts]
    assert [len(one) for one in gold] == [4, 4, 4]
    assert len({tuple(one) for one in gold}) > 1
    for one in experts:
        assert len(assigned(cast.study, one, Purpose.ANSWER)) == 6
        for row in assigned(cast.study, one, Purpose.GOLD):
            answer(row, "contradicted")
    board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board").json()
    assert (board["totals"]["answered"], board["totals"]["expected"]) == (0, 18)
    assert board["batches"][0]["questions"] == 6
    (batch,) = client_of(experts[0]).get("/api/v1/batches").json()["results"]
    assert (batch["answered"], batch["total"]) == (4, 10), "true for the expert"
    assert CheckedAnswer.objects.filter(is_right=False).count() == 12
    for rater, failed in ((None, {*gold[0], *gold[1], *gold[2]}), (experts[0], {*gold[0]})):
        chosen = {"state": "gold_failed", **({"rater": str(rater.pk)} if rater else {})}
        path = f"/api/v1/studies/{cast.study.id}/questions"
        listed = client_of(cast.coordinator).get(path, chosen).json()["results"]
        assert {one["question_id"] for one in listed} == {*map(str, failed)}
    # Who withdraws their answers is named at none of them.
    withdraw_from_study(actor=experts[0], study_id=cast.study.id, with_answers=True)
    left = client_of(cast.coordinator).get(path, {"state": "gold_failed"}).json()["results"]
    assert {one["question_id"] for one in left} == {*map(str, {*gold[1], *gold[2]})}
    assert str(experts[0].pk) not in json.dumps(left)


def test_in_a_pool_gold_takes_no_place_and_leaves_with_a_skip() -> None:
    cast = make_gold_cast(gold=5, others=5, overlap=1, gold_share=0.5)
    while lease_questions(actor=cast.expert, study_id=cast.study.id, count=2):
        for purpose in Purpose:
            for row in assigned(cast.study, cast.expert, purpose):
                if not hasattr(row, "response"):
                    answer(row, "supported")
    assert len(assigned(cast.study, cast.expert, Purpose.ANSWER)) == 5
    gold = assigned(cast.study, cast.expert, Purpose.GOLD)
    assert 1 <= len(gold) <= 5
    assert {row.leased_until is None for row in gold} == {False}


def test_the_share_of_gold_that_experts_got_stands_beside_the_planned_one() -> None:
    """What was returned without an answer is left out."""
    cast = make_gold_cast(gold=6, others=6, gold_share=0.4)
    assert gold_figure(cast)["reason"] == "No question was assigned yet."
    experts = [join_as_expert(cast.study, cast.batches, make_user(name)) for name in ("E1", "E2")]
    gold = Assignment.objects.filter(study=cast.study, purpose=Purpose.GOLD)
    submitted, lost = gold.select_related("expert")[:2]
    answer(submitted, "not_sure")
    gold.filter(pk__in=[submitted.pk, lost.pk]).update(state=Assignment.State.RELEASED)
    answer(assigned(cast.study, experts[0], Purpose.ANSWER)[0], "supported")
    close(cast.study)
    figure = gold_figure(cast)
    assert (figure["value"], figure["n"]) == (pytest.approx(7 / 19), 19)
    assert figure["note"] == "Gold: 7. Planned: 40.0%."
    recompute_statistics(cast.study.id)
    page = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/statistics").json()
    assert figures(page, "gold")["gold_share"]["value"] == figure["value"]
    StudyDesign.objects.filter(study=cast.study).update(qualification_items=6)
    assert "gold" not in {one["name"] for one in read_report(cast.study)["sections"]}


def gold_figure(cast: Cast) -> dict[str, Any]:
    figure: dict[str, Any] = figures(read_report(cast.study), "gold")["gold_share"]
    return figure


def test_no_route_shows_which_question_is_gold() -> None:
    cast = make_gold_cast(gold=3, others=3, gold_share=0.5)
    for expert in (cast.expert, cast.colleague):
        join_again(cast, expert)
        answer(assigned(cast.study, expert, Purpose.GOLD)[0], "contradicted")
        answer(assigned(cast.study, expert, Purpose.ANSWER)[0], "contradicted")
    routes = read_all_routes(make_world(cast), "expert")
    assert len(routes) >= MIN_ROUTES
    secrets = (
        EXPLANATION,
        COMMENT,
        '"is_right":',
        "known_answer",
        '"gold"',
        "purpose",
    )
    leaks = {name: [one for one in secrets if one in text] for name, text in routes.items()}
    del leaks["get api/schema"]  # names of fields
    assert {name: named for name, named in leaks.items() if named} == {}
    page = client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/assignments").json()
    assert page["total"] == 6
    shapes = {
        (tuple(one), tuple(one["item"]), tuple(one["response"]), one["response"]["feedback"])
        for one in page["assignments"]
    }
    assert len(shapes) == 1
    close(cast.study)
    after = client_of(cast.expert).get(f"/api/v1/batches/{cast.batch.id}/comparison")
    assert (after.status_code, EXPLANATION in after.content.decode()) == (200, False)
    assert '"purpose": "gold"' in "".join(export_json(cast.study)), "its coordinator reads it"


def join_again(cast: Cast, expert: User) -> None:
    assign_batches(study=cast.study, expert=expert, batches=cast.batches, actor=None)


@pytest.mark.parametrize("rule", ["never", "each", "batch_end"])
def test_feedback_follows_the_rule_and_the_first_answer(rule: str) -> None:
    cast = make_gold_cast(gold=2, others=1, gold_share=0.5, gold_feedback=rule)
    join_again(cast, cast.expert)
    (gold,) = assigned(cast.study, cast.expert, Purpose.GOLD)
    answer(gold, "contradicted")
    wrong = {"is_right": False, "explanation": EXPLANATION}
    assert feedback_of(cast.expert, cast) == ([wrong] if rule == "each" else [])
    (other,) = assigned(cast.study, cast.expert, Purpose.ANSWER)
    answer(other, "supported")
    assert feedback_of(cast.expert, cast) == ([] if rule == "never" else [wrong])


def test_nothing_but_the_qualification_comes_first_and_failing_it_ends_the_work() -> None:
    cast = make_gold_cast(overlap=2, gold_share=0, qualification_items=3, qualification_minimum=2)

    def lease(count: int = 4) -> list[Assignment]:
        return lease_questions(actor=cast.expert, study_id=cast.study.id, count=count)

    client = client_of(cast.expert)
    path = f"/api/v1/batches/{cast.batch.id}/assignments"
    assert client.get(path).json()["available"] == 3
    rows = lease()
    assert [row.purpose for row in rows] == [Purpose.QUALIFICATION] * 3
    assert {row.pk for row in lease()} == {row.pk for row in rows}
    for row, verdict in zip(rows, ("supported", "not_sure", "contradicted"), strict=True):
        answer(Assignment.objects.select_related("expert").get(pk=row.pk), verdict)
    assert lease() == []
    assert {one["is_right"] for one in feedback_of(cast.expert, cast)} == {True, False, None}
    page = client.get(path).json()
    assert page["available"] == 0
    (batch,) = client.get("/api/v1/batches").json()["results"]
    failed = {"state": "failed", "right": 1, "answered": 3, "items": 3, "minimum": 2}
    assert batch["study"]["qualification"] == failed
    waive = f"/api/v1/studies/{cast.study.id}/experts/{cast.expert.id}/qualification"
    assert client.post(waive).status_code == 403
    waived = client_of(cast.coordinator).post(waive).json()
    assert waived == {**failed, "state": "waived"}
    board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board").json()
    shown = {one["name"]: one["qualification"]["state"] for one in board["experts"]}
    assert shown == {"Eve": "waived", "Cleo": "open"}
    assert {row.purpose for row in lease()} == {Purpose.ANSWER}


def test_a_qualification_must_fit_the_study() -> None:
    cast = make_gold_cast(gold=2)
    with pytest.raises(DesignInvalid) as refused:
        set_design(cast.study, Design(qualification_items=3, qualification_minimum=4))
    places = [fault.place for fault in refused.value.faults]
    assert places == ["qualification_items", "qualification_minimum", "overlap"]
    set_design(cast.study, Design(overlap=2, qualification_items=2, qualification_minimum=2))
    assert StudyDesign.objects.get(study=cast.study).qualification_items == 2


def test_sides_of_a_pair_do_not_change_what_is_right() -> None:
    gold = {"answer": {"choice": "a"}, "explanation": ""}
    entries = [pair_entry(1, gold=gold), pair_entry(2, gold=gold)]
    source = SourceFile("batch1.json", json.dumps(entries).encode())
    study = import_study(actor=None, name="P", sources=[source], kind="hypothesis_pairs").study
    design = Design(overlap=1, qualification_items=2, qualification_minimum=2)
    set_design(study, design)
    expert = join_as_expert(study, list(study.batches.all()), make_user("Eve"))
    for row in lease_questions(actor=expert, study_id=study.id, count=4):
        prefer(row, 0)
    sides = set(Assignment.objects.filter(study=study).values_list("arms__side", flat=True))
    assert sides == {"as_listed", "swapped"}
    assert list(CheckedAnswer.objects.values_list("is_right", flat=True)) == [True, True]


CHECKS: dict[str, Any] = {
    **{"overlap": 2, "gold_share": 0.1, "gold_feedback": "batch_end", "repeat_share": 0.08},
    **{"qualification_items": 3, "qualification_minimum": 2},
}


def test_a_file_of_the_study_has_how_its_experts_were_checked() -> None:
    cast = make_gold_cast(**CHECKS)
    content = export(cast.study, "jsonl")
    copy = import_bytes(content, "jsonl", "Copy").study
    design = StudyDesign.objects.get(study=copy)
    assert {name: getattr(design, name) for name in CHECKS} == CHECKS
    assert export(copy, "jsonl") == content
    assert not {"gold_share", "qualification_items"} & design_record(StudyDesign()).keys()


def test_a_clone_checks_its_experts_as_the_origin_does() -> None:
    cast = make_gold_cast(**CHECKS)
    copy = clone_study(actor=cast.coordinator, study_id=cast.study.id, name="Second round")
    assert {name: getattr(copy.design, name) for name in CHECKS} == CHECKS
    known = KnownAnswer.objects.values_list("entry__question", "payload", "explanation")
    of_each = [known.filter(entry__batch__study=one).order_by("pk") for one in (cast.study, copy)]
    assert list(of_each[0]) == list(of_each[1])
    assert len(of_each[1]) == 4


def test_methods_state_how_experts_were_checked() -> None:
    qualification = {"qualification_items": 2, "qualification_minimum": 1}
    cast = make_gold_cast(overlap=1, gold_feedback="each", repeat_share=0.08, **qualification)
    for expert, verdict in ((cast.expert, "supported"), (cast.colleague, "not_enough")):
        for row in lease_questions(actor=expert, study_id=cast.study.id, count=2):
            answer(Assignment.objects.select_related("expert").get(pk=row.pk), verdict)
    lease_questions(actor=cast.expert, study_id=cast.study.id, count=4)
    for row in assigned(cast.study, cast.expert, Purpose.ANSWER):
        answer(row, "supported")
    gold = len(assigned(cast.study, cast.expert, Purpose.GOLD))  # of four, by chance
    close(cast.study)
    release = freeze_study(actor=None, study_id=cast.study.id, slug="checked")
    text = write_methods(release)
    assert "It has 6 questions of the set" in text
    assert (
        "Of the questions that an expert had answered, 8.0 % were to come again in a later visit. "
        "Another 4 questions with a known answer checked the experts; they were to be 5.0 % of "
        f"what an expert got (in fact {25 * gold}.0 % of 4 assignments), who learned after each "
        "whether the answer was right. A qualification of 2 of them came first, of which 1 had to "
        "be right: 2 experts began it, 1 passed, and 0 went on without."
    ) in text
    card = describe_study(cast.study)
    answered = release.record["answers"]["answered"]
    assert card.summary == f"Claims: {answered} submitted answers to 6 questions by 1 expert."
    assert "Not counted: qualifying answers (4)." in list(card.protocol)
    assert release.record["overlap"]["most"] == 1
    assert release.record["answers"]["qualification"] == 4


def test_serenqas_files_lack_questions_with_a_known_answer() -> None:
    """They would be questions like any other in a study made from them."""
    cast = make_gold_cast(gold=2, others=1)
    own = Question.objects.filter(entries__batch=cast.batch, entries__known_answer=None)
    own.update(file_id="003")
    file = BytesIO()
    write_serenqa(cast.study, file, with_names=False)
    with ZipFile(file) as archive:
        questions = json.loads(archive.read("batch1.json"))
        catalogue = json.loads(archive.read("batches.json"))
    assert [one["qid"] for one in questions] == ["003"]
    assert [one["total"] for one in catalogue] == [1]
