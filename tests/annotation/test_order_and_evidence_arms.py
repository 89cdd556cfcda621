"""The arms of order and evidence: what is shown, what stays hidden, and their effects."""

import json

import pytest

from annotation.kinds.figures import Figure
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, BatchQuestion
from annotation.own_data import export_own_data
from annotation.statistics import compute_statistics
from annotation.study_creation import Design, find_design_faults, set_design
from annotation.study_graph import resolve_study
from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Question, Resolution, Resource
from backend.graphs.models import Graph, GraphShare
from backend.studies.models import Study
from tests.annotation.claim_study import decide, edge, make_claim_cast
from tests.annotation.pair_study import (
    make_pair_cast,
    pair_answer,
    pair_entry,
    pair_file,
    prefer,
)
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_cast_of_kind,
    make_study,
    make_user,
    put_response,
    write_answer,
)
from tests.annotation.route_contents import read_all_routes
from tests.annotation.test_evidence import DRUG, evidence_url, make_pinned, paths_to
from tests.annotation.test_evidence_marks import FIRST_STEP, path_mark, send
from tests.annotation.test_presentations import read_item
from tests.annotation.test_question_check import entry as check_entry
from tests.annotation.test_question_check import import_questions
from tests.architecture.routes import make_world
from tests.graphs.app.factories import ASPIRIN


def test_hidden_evidence_is_like_none_and_its_paths_cannot_be_marked(cast: Cast) -> None:
    make_pinned(cast)
    mark = path_mark(cast)
    assignment = cast.assignment()
    Assignment.objects.filter(pk=assignment.pk).update(arms={"evidence": "hidden"})
    for answer in (client_of(cast.expert).get(evidence_url(assignment)), paths_to(cast, 1)):
        assert (answer.status_code, answer.json()["code"]) == (404, "no_graph")
    refused = send(cast, [mark])
    assert refused.status_code == 422
    assert FIRST_STEP not in refused.content.decode()
    shown = read_item(assignment)
    assert shown["has_evidence"] is False and "hidden" not in json.dumps(shown)
    other = read_item(cast.assignment(number=2))
    assert other["has_evidence"] is True
    assert client_of(cast.expert).get(evidence_url(cast.assignment(number=2))).status_code == 200


def hide_some(cast: Cast) -> Graph:
    """The evidence of the expert's first item is hidden; the graph is shared with the study."""
    graph = make_pinned(cast).graph
    graph.refresh_from_db()
    set_design(cast.study, Design(arm_shares={"evidence": {"hidden": 0.3}}))
    Assignment.objects.filter(pk=cast.assignment().pk).update(arms={"evidence": "hidden"})
    return graph


def pages_of(graph: Graph, user: User) -> set[int]:
    base = f"/api/v1/graphs/{graph.slug}"
    pages = (base, f"{base}/entities/{ASPIRIN}", f"{base}/search?q=asp", f"{base}/surprises")
    return {client_of(user).get(one).status_code for one in pages}


def test_a_graph_that_is_shared_with_the_study_alone_opens_once_the_study_has_ended(
    cast: Cast,
) -> None:
    graph = hide_some(cast)
    assert pages_of(graph, cast.expert) == {404}
    listed = client_of(cast.expert).get("/api/v1/graphs").json()
    assert graph.slug not in json.dumps(listed)
    assert pages_of(graph, cast.coordinator) == {200}
    Study.objects.filter(pk=cast.study.pk).update(status=Study.Status.CLOSED)
    assert pages_of(graph, cast.expert) == {200}


def test_items_with_evidence_have_all_of_it_while_the_pages_of_the_graph_are_closed(
    cast: Cast,
) -> None:
    graph = hide_some(cast)
    question = cast.assignment(number=2).question
    first = question.candidates.order_by("position")[0]
    Candidate.objects.filter(pk=first.pk).update(name="ASA", link=DRUG)
    Resolution.objects.all().delete()
    resolve_study(cast.study.id)
    shown = client_of(cast.expert).get(evidence_url(cast.assignment(number=2))).json()
    assert shown["has_pages"] is False
    (aspirin,) = (one for one in shown["candidates"] if one["entity"] is not None)
    assert aspirin["sections"] == len(aspirin["rest"]) + 1
    graph.visibility = Graph.Visibility.PUBLIC
    graph.save()
    shown = client_of(cast.expert).get(evidence_url(cast.assignment(number=2))).json()
    assert shown["has_pages"] is True
    assert {one["rest"] is None for one in shown["candidates"]} == {True}


def test_a_graph_that_its_owner_made_private_is_shown_beside_no_question(cast: Cast) -> None:
    graph = hide_some(cast)
    graph.visibility = Graph.Visibility.PRIVATE
    graph.save()
    assert client_of(cast.expert).get(evidence_url(cast.assignment(number=2))).status_code == 404


def test_the_coordinator_is_warned_of_a_graph_in_which_experts_can_look(cast: Cast) -> None:
    graph = hide_some(cast)

    def is_warned() -> bool:
        board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board")
        warned: bool = board.json()["evidence"]["can_be_looked_up"]
        return warned

    assert not is_warned()
    other = GraphShare.objects.create(graph=graph, study=cast.other_study)
    assert is_warned()
    Study.objects.filter(pk=cast.other_study.pk).update(hides_evidence=True)
    assert not is_warned()
    Study.objects.filter(pk=cast.other_study.pk).update(status=Study.Status.CLOSED)
    assert is_warned(), "an ended study opens its graphs to its experts"
    other.delete()
    Graph.objects.filter(pk=graph.pk).update(visibility=Graph.Visibility.UNLISTED)
    assert is_warned()
    set_design(cast.study, Design())
    assert not is_warned()


PARTS_OF_A_PAIR = ("Background of case", "canary.example")


def make_pairs_without_background() -> Cast:
    """A colleague has the background; the expert's arm hides it, of every pair."""
    cast = make_pair_cast()
    link = "https://canary.example/1"
    for question in Question.objects.filter(entries__batch=cast.batch):
        Resource.objects.create(question=question, position=0, name="Source", link=link)
    for row in Assignment.objects.filter(expert=cast.expert):
        Assignment.objects.filter(pk=row.pk).update(arms={**row.arms, "evidence": "hidden"})
    return cast


def test_no_route_has_the_background_of_a_pair_that_hides_it(db: None) -> None:
    cast = make_pairs_without_background()
    prefer(cast.assignment(), 0)
    prefer(cast.assignment(cast.colleague), 1)
    answers = read_all_routes(make_world(cast), "expert", {"get"})
    leaks = {name for name, text in answers.items() if any(it in text for it in PARTS_OF_A_PAIR)}
    assert leaks == set()
    assignments = "get api/v1/batches/<uuid:batch_id>/assignments"
    assert "First hypothesis of case 1." in answers[assignments]
    shown = json.dumps(read_item(cast.assignment(cast.colleague)))
    assert all(one in shown for one in PARTS_OF_A_PAIR)
    own = "".join(export_own_data(cast.expert))
    assert "First hypothesis of case 1." in own
    assert not any(one in own for one in PARTS_OF_A_PAIR)


def test_a_hidden_background_decides_nothing(db: None) -> None:
    cast = make_pairs_without_background()
    assignment = cast.assignment()
    body = {"version": 0, "action": "save", "outcome": "", "active_ms": 0}
    answer = {**body, "payload": pair_answer("a", ("background", 0))}
    refused = put_response(client_of(cast.expert), assignment, answer)
    assert refused.status_code == 422
    assert "Background of case" not in refused.content.decode()
    allowed = {**body, "payload": pair_answer("a", ("b", 0))}
    assert put_response(client_of(cast.expert), assignment, allowed).status_code == 200


def test_the_background_of_pairs_is_hidden_by_chance_and_its_effect_is_on_the_board(
    db: None,
) -> None:
    files = pair_file(*(pair_entry(number) for number in range(1, 9)))
    cast = make_cast_of_kind("hypothesis_pairs", files)
    Assignment.objects.all().delete()
    set_design(cast.study, Design(seed=3, arm_shares={"evidence": {"hidden": 0.25}}))
    for name in ("Fay", "Gil", "Hal", "Ida"):
        join_as_expert(cast.study, cast.batches, make_user(name))
    rows = list(Assignment.objects.filter(study=cast.study).select_related("expert", "study"))
    drawn = {(row.arms["side"], row.arms["evidence"]): row.propensity for row in rows}
    assert drawn == {
        (side, level): pytest.approx(share / 2)
        for side in ("as_listed", "swapped")
        for level, share in (("shown", 0.75), ("hidden", 0.25))
    }
    # The second of the file, which has the higher score, is preferred without the background; of
    # the first pair with it.
    for at, row in enumerate(sorted(rows, key=lambda one: (one.question.number, one.expert.name))):
        is_hidden = (at + row.question.number) % 2 == 0
        row.arms["evidence"] = "hidden" if is_hidden else "shown"
        Assignment.objects.filter(pk=row.pk).update(arms=row.arms, propensity=0.25)
        prefer(row, int(is_hidden != (row.question.number == 1)))
    cast.study.status = Study.Status.CLOSED
    cast.study.save()
    [section] = [one for one in compute_statistics(cast.study) if one.name == "arm_evidence"]
    figures = {one.name: one for one in section.figures}
    first = figures["share_first_hidden"]
    assert first.value == pytest.approx(7 / 8 - 1 / 8)
    assert first.n == 32
    assert first.low is not None and first.high is not None, first.interval_reason
    assert first.low < 0.75 < first.high
    assert figures["share_tie_hidden"].value == 0
    assert {"share_both_bad_hidden", "share_not_sure_hidden"} <= figures.keys()


def test_a_checked_question_hides_its_pattern_and_its_answers(db: None) -> None:
    study = import_questions(check_entry(1), check_entry(2))
    eve = make_user("Eve")
    join_as_expert(study, list(study.batches.all()), eve)
    first, second = Assignment.objects.filter(expert=eve).order_by("question__number")
    Assignment.objects.filter(pk=first.pk).update(arms={"evidence": "hidden"})
    shown = read_item(first)
    assert (shown["item"]["pattern"], shown["item"]["answers"]) == ("", [])
    assert (shown["has_evidence"], "Zinc" in json.dumps(shown)) == (False, False)
    assert read_item(second)["item"]["answers"] == ["Zinc ", "=A"]


@pytest.mark.parametrize("kind", ["claims", "ratings", "written_queries"])
def test_kinds_whose_evidence_is_what_is_judged_have_no_arm_of_it(kind: str) -> None:
    design = Design(arm_shares={"evidence": {"hidden": 0.5}})
    [fault] = find_design_faults(get_kind_or_raise(kind), design)
    assert fault.place == "arm_shares.evidence"


def test_tied_candidates_stand_the_other_way_round_and_the_answer_is_the_same(cast: Cast) -> None:
    BatchQuestion.objects.filter(batch=cast.batch).update(payload={"prior": [[3], [0, 1, 2]]})
    assignment = cast.assignment()
    listed = read_item(assignment)["item"]
    Assignment.objects.filter(pk=assignment.pk).update(arms={"order": "reversed"})
    shown = read_item(assignment)
    first, tied = listed["prior"]
    assert shown["item"]["prior"] == [first, tied[::-1]]
    assert shown["item"]["candidates"] == listed["candidates"][::-1]
    assert shown["response"]["payload"]["ranking"] == [first, tied[::-1]]
    write_answer(assignment, "submit", outcome="confirmed", ranking=listed["prior"])


def test_the_effect_of_the_order_is_a_difference_in_how_close_answers_are_to_the_file(
    db: None,
) -> None:
    study, batches = make_study("Order", make_user("Ada"), questions=(6,), prior_ranks=(1, 1, 1))
    set_design(study, Design(seed=3, arm_shares={"order": {"reversed": 0.4}}))
    for name in ("Eve", "Cleo", "Fay", "Gil"):
        join_as_expert(study, batches, make_user(name))
    rows = Assignment.objects.filter(study=study).select_related("expert", "study")
    drawn = {row.arms["order"]: row.propensity for row in rows}
    assert drawn == {"listed": 0.6, "reversed": 0.4}
    for row in rows:
        # Every expert keeps the candidates as they are shown.
        item = read_item(row)["item"]
        order = [[one["id"]] for one in item["candidates"]]
        write_answer(row, "submit", outcome="changed", ranking=order)
    figures = order_figures(study)
    assert figures["ties_tau_a_reversed"].value == pytest.approx(-2)
    assert figures["ties_tau_a_reversed"].n == 24


def order_figures(study: Study) -> dict[str, Figure]:
    sections = compute_statistics(study)
    return {it.name: it for one in sections if one.name == "arm_order" for it in one.figures}


def test_the_effect_of_the_order_is_over_ties_of_shown_priors_and_counts_those_that_stay(
    db: None,
) -> None:
    """Of 1 1 2, who has it listed keeps the tie, and who has it reversed ranks it as shown."""
    study, batches = make_study("Ties", make_user("Ada"), questions=(6,), prior_ranks=(1, 1, 2))
    experts = [join_as_expert(study, batches, make_user(name)) for name in ("Eve", "Cleo", "Fay")]
    rows = Assignment.objects.filter(study=study)
    rows.update(arms={"order": "listed"}, propensity=0.5)
    rows.filter(expert=experts[0]).update(arms={"order": "reversed"})
    rows.filter(expert=experts[2]).update(arms={"order": "reversed", "prior": "hidden"})
    for row in rows.select_related("expert", "question"):
        first, second, third = [str(one.id) for one in row.question.candidates.order_by("position")]
        if row.expert == experts[0]:
            write_answer(row, "submit", ranking=[[second], [first], [third]])
        elif row.expert == experts[1]:
            write_answer(row, "agree")
        else:
            write_answer(row, "submit", outcome="ranked", ranking=[[third], [second], [first]])
    figures = order_figures(study)
    effect = figures["ties_tau_a_reversed"]
    assert (effect.value, effect.n) == (-1, 12), "the pair that tied alone; a tie that stays is 0"
    assert figures["tau_b_reversed"].n == 0, "whoever had no prior agrees with nobody by its order"


def test_the_effect_of_the_order_on_verdicts_is_a_difference_of_shares(db: None) -> None:
    cast = make_claim_cast()
    first = cast.assignment()
    listed = [one["id"] for one in read_item(first)["item"]["documents"]]
    Assignment.objects.filter(pk=first.pk).update(arms={"order": "reversed"})
    assert [one["id"] for one in read_item(first)["item"]["documents"]] == listed[::-1]
    for number, row in enumerate(Assignment.objects.filter(study=cast.study).order_by("id")):
        is_reversed = number % 2 == 1
        Assignment.objects.filter(pk=row.pk).update(
            arms={"order": "reversed" if is_reversed else "listed"}, propensity=0.5
        )
        decide(row, "supported" if is_reversed else "not_enough", [edge(0)])
    sections = {one.name: one for one in compute_statistics(cast.study)}
    values = {one.name: one.value for one in sections["arm_order"].figures}
    assert values == {
        "share_supported_reversed": 1,
        "share_contradicted_reversed": 0,
        "share_not_enough_reversed": -1,
    }
