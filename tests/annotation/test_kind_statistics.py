"""Statistics of claims and of ratings: shares, agreement and what each claim is."""

import json
from itertools import combinations
from statistics import fmean
from typing import Any

import krippendorff
import numpy as np
import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from annotation.imports import import_study
from annotation.methods_section import write_methods
from annotation.models import Assignment
from annotation.study_releases import freeze_study
from backend.benchmarks.questionnaire import SourceFile
from backend.studies.models import Study
from tests.annotation.claim_study import claim_entry, claim_file, decide
from tests.annotation.pair_study import close
from tests.annotation.personas import join_as_expert, make_user
from tests.annotation.test_ratings import answer_of, assignment_of, entry, submit
from tests.annotation.test_study_statistics import every_figure, figures, read_report

pytestmark = pytest.mark.django_db

VERDICTS = {"s": "supported", "c": "contradicted", "n": "not_enough", "?": "not_sure"}
RATERS = ("Eve", "Cleo", "Fay", "Gil")
# A column for each claim, a row for each rater; Gil differs from the others.
TABLE = ("sssscccnns", "sssscccnn?", "ssssccsnns", "scsnccncns")


def make_claims(table: tuple[str, ...] = TABLE) -> Study:
    entries = [claim_entry(number, because="optional") for number in range(1, len(table[0]) + 1)]
    study = import_study(
        actor=make_user("Ada"), name="Claims", sources=claim_file(*entries), kind="claims"
    ).study
    for name, row in zip(RATERS, table, strict=False):
        join_as_expert(study, list(study.batches.all()), make_user(name))
        for number, verdict in enumerate(row, 1):
            if verdict != ".":
                decide(assignment_of(study, name, number), VERDICTS[verdict])
    return study


@pytest.fixture(scope="module")
def reports(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> tuple[Any, Any]:
    """Of the claims of the table: while their study is open, and closed. It is gone again."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = make_claims()
        is_open = read_report(study)
        close(study)
        is_closed = read_report(study)
        transaction.set_rollback(True)
    return is_open, is_closed


def nominal_alpha(table: tuple[str, ...]) -> float:
    codes = [["scn".index(one) if one in "scn" else np.nan for one in row] for row in table]
    return float(krippendorff.alpha(codes, level_of_measurement="nominal"))


def test_a_study_of_claims_has_shares_agreement_and_a_verdict_of_each_claim(
    reports: tuple[Any, Any],
) -> None:
    _, report = reports
    shares = figures(report, "shares")
    answers = "".join(TABLE)
    for name, verdict in VERDICTS.items():
        share = shares[f"{verdict}_share"]
        assert share["value"] == pytest.approx(answers.count(name) / len(answers))
        assert share["n"] == 40 and share["low"] < share["value"] < share["high"]
    assert shares["supported_of_decided"]["value"] == pytest.approx(
        answers.count("s") / (answers.count("s") + answers.count("c"))
    )
    agreement = figures(report, "agreement")
    assert agreement["alpha_nominal"]["value"] == pytest.approx(nominal_alpha(TABLE))
    pairs = [
        fmean(one == other for one, other in combinations(column.replace("?", ""), 2))
        for column in map("".join, zip(*TABLE, strict=True))
    ]
    assert agreement["same_verdict"]["value"] == pytest.approx(fmean(pairs))
    for name in ("alpha_nominal", "same_verdict", "kappa_verdict", "ac1_verdict"):
        one = agreement[name]
        assert one["low"] < one["value"] < one["high"] and "Owen" in one["method"]
    claims = figures(report, "claims")
    counts = [claims[f"claims_{name}"]["value"] for name in list(VERDICTS.values())[:3]]
    assert counts == [5, 3, 2] and claims["claims_split"]["value"] == 0
    model = [claims[f"model_{name}"] for name in list(VERDICTS.values())[:3]]
    assert sum(one["value"] for one in model) == pytest.approx(1)
    assert all(one["low"] <= one["value"] <= one["high"] for one in model)
    assert claims["claims_supported"]["label"] == "Claims by majority: Supported"
    assert model[0]["label"] == "Share of claims by Dawid and Skene's model: Supported"


def test_each_claim_has_the_chance_of_its_verdict(reports: tuple[Any, Any]) -> None:
    _, report = reports
    (section,) = [one for one in report["sections"] if one["name"] == "posteriors"]
    assert len(section["figures"]) == 10
    values = [one["value"] for one in section["figures"]]
    assert values == sorted(values) and all(1 / 3 < one <= 1 for one in values)
    verdicts = {one["label"].split(": ")[0]: one["name"] for one in section["figures"]}
    assert verdicts["batch 1, question 1"] == "p_supported"
    assert verdicts["batch 1, question 5"] == "p_contradicted"
    assert all(one["question"] and one["interval_reason"] for one in section["figures"])


def test_alpha_without_each_rater_names_who_lowers_it(reports: tuple[Any, Any]) -> None:
    _, report = reports
    (section,) = [one for one in report["sections"] if one["name"] == "leave_one_out"]
    by_name = {one["name"]: one for one in section["figures"] if not one["expert"]}
    without = [nominal_alpha(TABLE[:at] + TABLE[at + 1 :]) for at in range(4)]
    assert by_name["alpha_without_lowest"]["value"] == pytest.approx(min(without))
    assert by_name["alpha_without_highest"]["value"] == pytest.approx(max(without))
    single = [one["value"] for one in section["figures"] if one["expert"]]
    assert sorted(single) == pytest.approx(sorted(without))
    # Claim 7 has c, c, s and n: without one of its c no verdict has more than the others.
    assert (by_name["same_majority"]["value"], by_name["same_majority"]["n"]) == (9, 10)


def test_an_open_study_of_claims_shows_no_interval_for_one_look(
    reports: tuple[Any, Any],
) -> None:
    report, _ = reports
    with_interval = {one["name"] for one in every_figure(report) if one["low"] is not None}
    assert with_interval == {*(f"{one}_share" for one in VERDICTS.values())}
    assert figures(report, "agreement")["alpha_nominal"]["value"] is not None
    assert "once it is closed" in figures(report, "claims")["model_supported"]["interval_reason"]


@pytest.mark.parametrize("table", [("....",), ("??",), ("s",), ("sc", "..")])
def test_claims_without_two_answers_have_reasons(table: tuple[str, ...]) -> None:
    study = make_claims(table)
    close(study)
    report = read_report(study)
    for one in every_figure(report):
        assert one["n"] >= 0 and one["unit"] and one["method"]
        assert (one["value"] is None) == bool(one["reason"])
        assert (one["low"] is None) == bool(one["interval_reason"])
    assert figures(report, "agreement")["alpha_nominal"]["value"] is None
    assert figures(report, "posteriors")["verdict"]["value"] is None


def test_the_methods_of_claims_have_their_agreement() -> None:
    study = make_claims()
    close(study)
    text = write_methods(freeze_study(actor=None, study_id=study.pk, slug="claims-1"))
    _, results = text.split("## Agreement and results")
    for label in ("Alpha of verdicts", "AC1 of verdicts", "Same verdict", "Share of claims"):
        assert label in results
    assert "Krippendorff K (2011)" in results and "Gwet KL (2008)" in results
    assert "Dawid AP, Skene AM (1979)" in results
    assert "batch 1, question 1" not in results


LEVELS = ((5, 4, 2, 1, 3, 5), (4, 4, 1, 2, 3, 5), (5, 3, 2, 1, 4, 4))


def make_ratings() -> Study:
    files = [SourceFile("batch1.json", json.dumps([entry(at) for at in range(1, 7)]).encode())]
    study = import_study(actor=make_user("Ada"), name="Q", sources=files, kind="ratings").study
    for name, row in zip(RATERS, LEVELS, strict=False):
        join_as_expert(study, list(study.batches.all()), make_user(name))
        for number, level in enumerate(row, 1):
            answer: dict[str, Any] = answer_of(level, 6 - level)
            if (name, number) == ("Eve", 1):
                answer["levels"]["naturalness"] = None
                answer["unsure"] = {"naturalness": "other"}
            assert submit(assignment_of(study, name, number), answer).status_code == 200
    return study


def test_a_study_of_ratings_has_rates_and_agreement_of_each_scale() -> None:
    study = make_ratings()
    close(study)
    report = read_report(study)
    rates, levels = figures(report, "rates"), np.array(LEVELS)
    shares = {"positive": levels > 3, "tie": levels == 3, "negative": levels < 3}
    for name, members in shares.items():
        one = rates[f"practicality.{name}"]
        assert one["value"] == pytest.approx(members.mean()) and one["n"] == 18
        assert one["low"] < one["value"] < one["high"]
    assert rates["naturalness.positive"]["n"] == 17
    assert rates["not_sure_share"]["value"] == 0
    agreement = figures(report, "agreement")
    alpha = agreement["practicality.alpha_ordinal"]
    expected = krippendorff.alpha(levels, level_of_measurement="ordinal", value_domain=range(1, 6))
    assert alpha["value"] == pytest.approx(expected)
    assert alpha["low"] < alpha["value"] < alpha["high"]
    verdicts = np.sign(levels - 3)
    pairs = [fmean(x == y for x, y in combinations(column, 2)) for column in verdicts.T.tolist()]
    assert agreement["practicality.same_verdict"]["value"] == pytest.approx(fmean(pairs))
    assert {one.split(".")[1] for one in agreement} == {
        *("alpha_ordinal", "kappa_level", "ac2_level"),
        *("same_verdict", "kappa_verdict", "ac1_verdict"),
    }
    without = figures(report, "leave_one_out")
    assert without["practicality.alpha_without_lowest"]["n"] == 3
    assert "practicality.retest_same" in figures(report, "retest")


def test_ratings_without_answers_have_reasons_and_no_numbers() -> None:
    files = [SourceFile("batch1.json", json.dumps([entry(1)]).encode())]
    study = import_study(actor=make_user("Ada"), name="Q", sources=files, kind="ratings").study
    join_as_expert(study, list(study.batches.all()), make_user("Eve"))
    report = read_report(study)
    assert all(one["value"] is None and one["reason"] for one in every_figure(report))
    assert Assignment.objects.filter(study=study).count() == 1
