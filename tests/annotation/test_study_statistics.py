"""Statistics of studies: small tables computed by hand, and studies without answers."""

import io
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import pytest
from django.core.management import call_command

from annotation.kinds.figures import share_figure
from annotation.kinds.hypothesis_pairs.statistics import find_sides, preference_section
from annotation.kinds.ranking.statistics import w_of
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment
from annotation.statistics import compute_statistics, read_study_table
from annotation.statistics_cache import recompute_statistics
from backend.science.judgements.choices import PairChoice
from backend.studies.models import Study
from tests.annotation.pair_study import choose, close, make_pair_cast, prefer
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_study,
    make_user,
    write_answer,
)
from tests.annotation.test_consensus_partitions import submit_ranking
from tests.cache import empty_cache

pytestmark = pytest.mark.django_db


def read_report(study: Study, *arguments: str) -> dict[str, Any]:
    output = io.StringIO()
    call_command("study_statistics", study.name, "--json", *arguments, stdout=output)
    report: dict[str, Any] = json.loads(output.getvalue())
    return report


def figures(report: dict[str, Any], section: str) -> dict[str, Any]:
    (only,) = [one for one in report["sections"] if one["name"] == section]
    return {one["name"]: one for one in only["figures"]}


def every_figure(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [figure for section in report["sections"] for figure in section["figures"]]


@pytest.mark.parametrize(("first", "z_p", "sign_p"), [(33, 0.01046, 0.1337), (32, 0.02715, 0.2203)])
def test_truthhypos_study_of_54_pairs_gives_the_printed_test_and_the_valid_one(
    first: int, z_p: float, sign_p: float
) -> None:
    cast = make_pair_cast(54)
    assignments = Assignment.objects.filter(study=cast.study, expert=cast.expert)
    for place, assignment in enumerate(assignments.select_related("question", "expert")):
        prefer(assignment, 1 if place < first else 0)
    close(cast.study)
    shown = figures(read_report(cast.study), "preference")
    # The second of each pair has the higher score.
    assert (shown["pairs_first"]["value"], shown["pairs_second"]["value"]) == (first, 54 - first)
    assert shown["two_proportion_z"]["p_value"] == pytest.approx(z_p, abs=5e-6)
    assert shown["sign_test"]["p_value"] == pytest.approx(sign_p, abs=5e-5)
    assert shown["sign_test"]["note"].endswith(
        "This p-value answers whether there is a preference."
    )
    assert "The exact sign test is valid" in shown["two_proportion_z"]["note"]
    text = io.StringIO()
    call_command("study_statistics", cast.study.name, stdout=text)
    assert f"p {sign_p}" in text.getvalue() and f"p {z_p}" in text.getvalue()


def test_a_pair_with_a_known_answer_may_be_of_no_arm() -> None:
    """It checks raters; the arms of the others are compared as before."""
    study = make_pair_cast(4).study
    table = read_study_table(study, get_kind_or_raise(study.kind), seed=1)
    expected = find_sides(table)
    assert expected.first == "'canary-arm-nothing'"
    gold, *others = table.questions
    for one in table.questions[gold].question.payload["hypotheses"]:
        one["arm"], one["score"] = "", None
    assert find_sides(table).first != expected.first
    checked = find_sides(replace(table, known={gold: {}}))
    assert (checked.first, checked.second) == (expected.first, expected.second)
    assert [checked.first_listed[one] for one in others] == [
        expected.first_listed[one] for one in others
    ]


def test_pairs_count_by_the_majority_of_their_raters() -> None:
    choices = [
        PairChoice(pair, rater, "left_better" if one == "1" else "right_better", first_on_left=True)
        for pair, answers in {"p": "110", "q": "100", "r": "10", "s": "11"}.items()
        for rater, one in zip("xyz", answers, strict=False)
    ]
    section = preference_section(choices, "one", "other", 1, is_open=False)
    value = {one.name: one.value for one in section.figures}
    assert (value["pairs_first"], value["pairs_second"], value["pairs_split"]) == (2, 1, 1)
    assert value["share_of_pairs"] == pytest.approx(2 / 3)
    assert value["share_of_choices"] == pytest.approx(6 / 10)


def test_the_effect_of_a_hidden_prior_is_a_difference_of_means() -> None:
    cast_study, batches = make_study(
        "Arms", make_user("Ada"), questions=(6,), prior_ranks=(1, 2, 3)
    )
    for name in ("Eve", "Cleo", "Fay", "Gil"):
        join_as_expert(cast_study, batches, make_user(name))
    for assignment in Assignment.objects.filter(study=cast_study).select_related("expert"):
        is_hidden = assignment.expert.name in ("Fay", "Gil")
        Assignment.objects.filter(id=assignment.id).update(
            arms={"prior": "hidden" if is_hidden else "shown"},
            propensity=0.25 if is_hidden else 0.75,
        )
    for assignment in Assignment.objects.filter(study=cast_study).select_related("expert"):
        ids = [str(one.id) for one in assignment.question.candidates.order_by("position")]
        if assignment.expert.name in ("Fay", "Gil"):
            # tau-b to the prior 0 1 2: of 1 0 2 it is 1/3, of 2 1 0 it is -1.
            order = (1, 0, 2) if assignment.expert.name == "Fay" else (2, 1, 0)
            write_answer(
                assignment, "submit", outcome="ranked", ranking=[[ids[place]] for place in order]
            )
        else:
            write_answer(assignment, "agree")
    close(cast_study)
    shown = figures(read_report(cast_study), "arm_prior")
    effect = shown["prior_tau_b_hidden"]
    assert effect["value"] == pytest.approx((1 / 3 - 1) / 2 - 1)
    assert effect["n"] == 24 and effect["low"] < effect["value"] < effect["high"]
    # Of 1 0 2 and 2 1 0 tau-b is -1/3 and the first choices differ; with the prior all agree.
    assert shown["tau_b_hidden"]["value"] == pytest.approx(-1 / 3 - 1)
    assert shown["top1_hidden"]["value"] == pytest.approx(0 - 1)
    assert shown["tau_b_hidden"]["n"] == 12
    # All answers of the study count once, for these raters and for others: of the six pairs of
    # raters one agrees, of those who saw the prior and those who did not two each have 1/3 and -1.
    agreement = figures(read_report(cast_study), "agreement")
    expected = (1 - 1 / 3 + 2 * 1 / 3 - 2) / 6
    assert agreement["tau_b"]["value"] == pytest.approx(expected)
    assert agreement["tau_b_two_way"]["value"] == pytest.approx(expected)
    assert agreement["top1"]["value"] == pytest.approx(agreement["top1_two_way"]["value"])


def test_w_of_two_raters_is_half_of_one_and_their_correlation() -> None:
    first, second = [["a"], ["b"], ["c"]], [["c"], ["b"], ["a"]]
    assert [w_of(first, one) for one in (first, second, [["b"], ["a"], ["c"]])] == [1, 0, 0.75]


def test_every_figure_has_n_a_method_and_an_interval_or_the_reason_for_none(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        for number in (1, 2, 3):
            submit_ranking(cast.assignment(expert, number), (3,), (2,), (1,), (0,))
    close(cast.study)
    report = read_report(cast.study)
    assert {one["name"] for one in report["sections"]} >= {
        *("agreement", "shares", "stability", "membership", "rater_checks", "retest"),
    }
    for one in every_figure(report):
        assert one["n"] >= 0 and one["unit"] and one["method"]
        assert (one["low"] is None) == bool(one["interval_reason"])
        assert (one["value"] is None) == bool(one["reason"])
    shown = figures(report, "agreement")
    assert shown["kendall_w"]["value"] == 1 and shown["kendall_w"]["n"] == 3
    assert shown["top1_two_way"]["value"] == shown["kendall_w_two_way"]["value"] == 1
    assert figures(report, "stability")["same_top"]["value"] == 1
    assert str(cast.expert.id) not in json.dumps(report)


def test_an_open_study_shows_intervals_of_shares_alone() -> None:
    study, batches = make_study("Open", make_user("Ada"), questions=(12,), prior_ranks=(1, 2, 3))
    for name in ("Eve", "Cleo", "Fay"):
        expert = join_as_expert(study, batches, make_user(name))
        for assignment in Assignment.objects.filter(study=study, expert=expert):
            if assignment.question.number % 2 and name == "Eve":
                submit_ranking(assignment, (2,), (1,), (0,))
            else:
                write_answer(assignment, "agree")
    before = {section.name: section.figures for section in compute_statistics(study)}
    shown = {name for name, all_of in before.items() if any(one.low is not None for one in all_of)}
    assert shown == {"shares"}
    (tau_b,) = [one for one in before["agreement"] if one.name == "tau_b"]
    assert tau_b.value is not None and "once it is closed" in tau_b.interval_reason
    (changed,) = [one for one in before["shares"] if one.name == "changed_share"]
    assert changed.n == 12
    assert changed.value == pytest.approx(6 / 36)
    assert changed.label.endswith("mean over questions")
    assert changed.note == "Of all 36 answers: 0.17."
    close(study)
    study.refresh_from_db()
    after = {section.name: section.figures for section in compute_statistics(study)}
    assert any(one.low is not None for one in after["agreement"])


def test_a_share_of_an_open_study_names_the_share_of_all_answers_that_progress_shows() -> None:
    """One question has three answers, the others one each."""
    rows = [("q1", rater, True) for rater in "abc"] + [(f"q{at}", "a", False) for at in (2, 3)]
    figure = share_figure("changed", "Changed", rows, is_open=True, seed=1, basis="answers")
    assert figure.value == pytest.approx(1 / 3) and figure.n == 3
    assert figure.note == "Of all 5 answers: 0.60."
    closed = share_figure("changed", "Changed", rows, is_open=False, seed=1, basis="answers")
    assert (closed.value, closed.n, closed.label) == (0.6, 5, "Changed")


@pytest.mark.parametrize("hostile", ["no answers", "one rater", "not_sure", "skip"])
@pytest.mark.parametrize("status", ["open", "closed"])
def test_a_study_without_comparable_answers_has_reasons_and_no_numbers(
    cast: Cast, hostile: str, status: str
) -> None:
    if hostile == "one rater":
        submit_ranking(cast.assignment(), (3,), (2,), (1,), (0,))
    elif hostile != "no answers":
        for expert in (cast.expert, cast.colleague):
            write_answer(cast.assignment(expert), hostile)
    Study.objects.filter(id=cast.study.id).update(status=status)
    report = read_report(cast.study)
    assert all(one["value"] is None for one in figures(report, "agreement").values())
    assert all(one["reason"] for one in figures(report, "agreement").values())
    assert figures(report, "membership")["certain"]["value"] is None


@pytest.mark.parametrize("choice", [None, "not_sure", "tie", "both_bad"])
def test_pairs_without_a_decision_have_no_test(choice: str | None) -> None:
    cast = make_pair_cast(3)
    if choice:
        for assignment in Assignment.objects.filter(study=cast.study).select_related("expert"):
            choose(assignment, choice)
    close(cast.study)
    shown = figures(read_report(cast.study), "preference")
    for name in ("sign_test", "two_proportion_z", "share_of_pairs"):
        assert shown[name]["value"] is None and shown[name]["reason"]


def test_a_second_answer_to_a_question_is_a_retest_and_counts_nowhere_else(cast: Cast) -> None:
    first = cast.assignment()
    submit_ranking(first, (0,), (1,), (2,), (3,))
    second = Assignment.objects.create(
        study=cast.study,
        batch=first.batch,
        question=first.question,
        expert=cast.expert,
        occasion=2,
    )
    submit_ranking(second, (1,), (0,), (2,), (3,))
    close(cast.study)
    table = read_study_table(cast.study, get_kind_or_raise("ranking"), 1)
    assert (len(table.answers), len(table.repeats)) == (1, 1)
    shown = figures(read_report(cast.study), "retest")["retest_tau_b"]
    assert (shown["value"], shown["n"]) == (pytest.approx(4 / 6), 1)


def test_the_seed_decides_what_is_resampled_and_no_value() -> None:
    cast = make_pair_cast(8)
    for assignment in Assignment.objects.filter(study=cast.study).select_related("expert"):
        prefer(assignment, assignment.question.number % 3 == 0)
    close(cast.study)
    one, again, other = (read_report(cast.study, "--seed", seed) for seed in ("1", "1", "2"))
    assert one == again
    values = [[it["value"] for it in every_figure(report)] for report in (one, other)]
    assert values[0] == values[1]


def read_tab(cast: Cast) -> Any:
    answer = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/statistics")
    assert answer.status_code == 200
    return answer.json()


def test_a_worker_computes_the_statistics_that_coordinators_read(
    cast: Cast, run_queued_tasks: Callable[[], list[str]]
) -> None:
    empty_cache()
    write_answer(cast.assignment(), "agree")
    assert read_tab(cast) == {"sections": None, "computed_at": None, "stale": True}
    assert run_queued_tasks() == ["annotation.recompute_statistics"]
    shown = read_tab(cast)
    assert shown["computed_at"] and not shown["stale"]
    sections = compute_statistics(cast.study)
    assert shown["sections"] == json.loads(json.dumps([asdict(one) for one in sections]))
    recompute_statistics(cast.study.id)  # another request, which waited beside the first
    assert read_tab(cast)["computed_at"] == shown["computed_at"]
    write_answer(cast.assignment(cast.colleague), "agree")
    assert read_tab(cast)["stale"]
    recompute_statistics(cast.study.id)
    assert not read_tab(cast)["stale"]
    close(cast.study)
    assert read_tab(cast)["stale"]
    empty_cache()
    assert read_tab(cast)["sections"] is None
