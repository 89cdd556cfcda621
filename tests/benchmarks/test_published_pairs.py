"""Dyport's published pair files as releases: true links, negatives of their types, importance."""

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command, execute_from_command_line

from backend.benchmarks.models import HiddenAnswer, Item

pytestmark = pytest.mark.django_db
# The header and three lines of the README of github.com/IlyaTyagin/Dyport.
HEADER = (
    ",source,target,source_st,target_st,origin_db,mentions_diff,sem_scholar_cit,ig,jac_2nd_train,"
    "eig_cent_diff,betw_cent,IMP_manh"
)
DRUG, DISEASE = "Pharmacologic Substance; Organic Chemical", "Disease or Syndrome"
KNOWN_LINES = (
    f"42241,C4078312__acalabrutinib,C4079830__venetoclax,{DRUG},{DRUG},rxnav,"
    "62,975.0,0.074084,0.077561,0.000203,0.000019,0.956588",
    "22993,C2353951__dapagliflozin,C4524093__Euglycaemic diabetic ketoacidosis,"
    f"{DRUG},{DISEASE},drugcentral,30,427.0,0.103463,0.041605,0.000261,0.000050,0.965584",
    f"8080,C1335212__PIK3CA gene,C4049141__copanlisib,Gene or Genome,{DRUG},drugcentral; kegg,"
    "17,1066.0,0.067049,0.025928,0.000923,0.000018,0.974659",
)
KNOWN = "\n".join([HEADER, *KNOWN_LINES, ""])


def pair_file(folder: Path, more: int = 30) -> Path:
    """The known lines, and drugs with a disease each."""
    text = io.StringIO()
    table = csv.writer(text)
    for at in range(more):
        numbers = [at % 7, "" if at % 5 == 0 else at, at / 100, (at * 7 % 30) / 30, at - 9, at / 9]
        ends = f"C10000{at:02}__drug {at}", f"C20000{at:02}__disease {at}"
        table.writerow([at, *ends, DRUG, DISEASE, "kegg", *numbers, f"{at / more:.3f}"])
    path = folder / "benchmark_pos_pairs_importance_test2016_imp2022_df.csv"
    path.write_text(KNOWN + text.getvalue())
    return path


def run(path: Path, into: Path, *more: object) -> Any:
    out = io.StringIO()
    arguments = (path, "--year", 2016, "--into", into, *more)
    call_command("read_dyport_pairs", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def rows_of(into: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in into.read_bytes().splitlines()]


def test_pairs_get_negatives_of_their_subject_and_types_and_keep_their_importance(
    tmp_path: Path,
) -> None:
    into = tmp_path / "pairs.jsonl"
    report = run(pair_file(tmp_path), into, "--negatives", 5)
    rows = rows_of(into)
    positives = {row["id"]: row for row in rows if not row["negative_of"]}
    # Drugs of the file: the 30, and those of the first and third known line.
    assert (report["links"], report["negatives"], report["dropped"]) == (33, 165, {})
    assert len(rows) == 33 * 6
    links = {frozenset((row["subject"], row["object"])) for row in positives.values()}
    types = {row["object"]: row["object_type"] for row in positives.values()}
    for row in rows:
        if own := positives.get(row["negative_of"]):
            assert (row["subject"], row["object_type"]) == (own["subject"], own["object_type"])
            assert types.get(row["object"], DRUG) == row["object_type"]
            assert frozenset((row["subject"], row["object"])) not in links
    [one] = [row for row in positives.values() if row["object"] == "C4079830"]
    assert (one["subject_name"], one["object_name"]) == ("acalabrutinib", "venetoclax")
    assert (one["importance"], one["year"]) == (0.956588, 2016)
    assert one["components"]["mentions"] == 1  # the most of all
    assert len(one["components"]) == 6
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    again = tmp_path / "again.jsonl"
    run(pair_file(tmp_path), again, "--negatives", 5)
    assert again.read_bytes() == into.read_bytes()
    run(pair_file(tmp_path), again, "--negatives", 5, "--seed", 2)
    assert again.read_bytes() != into.read_bytes()


def test_negatives_of_a_subject_repeat_only_once_all_others_were_drawn(tmp_path: Path) -> None:
    """Of three links with four negatives each, from six diseases: each disease twice."""
    path, into = tmp_path / "pairs.csv", tmp_path / "pairs.jsonl"
    ends = [("C1000000__drug 0", f"C20000{at:02}__disease {at}") for at in range(3)]
    ends += [(f"C10000{at:02}__drug {at}", f"C20000{at:02}__disease {at}") for at in range(3, 9)]
    lines = [
        f"{at},{one},{other},{DRUG},{DISEASE},kegg,{at},1,1,1,1,1,0.5"
        for at, (one, other) in enumerate(ends)
    ]
    path.write_text("\n".join([HEADER, *lines, ""]))
    run(path, into, "--negatives", 4)
    own = [row for row in rows_of(into) if row["negative_of"] and row["subject"] == "C1000000"]
    assert Counter(row["object"] for row in own) == {f"C20000{at:02}": 2 for at in range(3, 9)}
    of_link = Counter((row["negative_of"], row["object"]) for row in own)
    assert len(of_link) == 12


def test_a_release_is_made_of_them(tmp_path: Path) -> None:
    into = tmp_path / "pairs.jsonl"
    run(pair_file(tmp_path), into)
    call_command("make_release", "dyport", str(into), "--name", "Published", stdout=io.StringIO())
    assert Item.objects.count() == 33 * 11
    answers = HiddenAnswer.objects.values_list("content", flat=True)
    bins = [one["importance_bin"] for one in answers if one["is_positive"]]
    assert {name: bins.count(name) for name in {*bins}} == {"low": 11, "medium": 11, "high": 11}


def test_pairs_that_come_twice_or_have_too_few_negatives_are_counted(tmp_path: Path) -> None:
    path = pair_file(tmp_path)
    turned = f"1,C4079830__venetoclax,C4078312__acalabrutinib,{DRUG},{DRUG},x,1,1,1,1,1,1,0.5\n"
    same = f"2,C1000000__drug 0,C1000000__drug 0,{DRUG},{DRUG},x,1,1,1,1,1,1,0.5\n"
    rare = f"3,C1000000__drug 0,C3000000__cell,{DRUG},Cell,x,1,1,1,1,1,1,0.5\n"
    path.write_text(path.read_text() + turned + same + rare)
    report = run(path, tmp_path / "pairs.jsonl")
    assert report["links"] == 33
    assert report["dropped"] == {"repeated": 1, "same_entity": 1, "too_few_negatives": 1}


@pytest.mark.parametrize("year", ["0", "10000", "-2016", "2016.5", "٢٠١٦"])
def test_a_year_that_no_item_can_have_is_refused_before_the_file_is_read(
    year: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into = tmp_path / "pairs.jsonl"
    arguments = ["read_dyport_pairs", str(pair_file(tmp_path)), f"--year={year}", f"--into={into}"]
    with pytest.raises(SystemExit, match="2"):
        execute_from_command_line(["manage.py", *arguments])
    assert "a year from 1 to 9,999 is expected" in capsys.readouterr().err
    assert not into.exists()


def test_other_files_are_refused_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text(f"{HEADER}\n1,aspirin,C2000001__x,Drug,Disease,x,many,1,1,1,1,1,2\n")
    out = io.StringIO()
    arguments = (path, "--year", "2016", "--into", tmp_path / "pairs.jsonl", "--json")
    with pytest.raises(SystemExit, match="1"):
        call_command("read_dyport_pairs", *map(str, arguments), stdout=out)
    places = [fault["place"] for fault in json.loads(out.getvalue())["faults"]]
    assert [place.split(",")[0] for place in places] == ["line 2"] * 3
    with pytest.raises(SystemExit, match="1"):
        call_command("read_dyport_pairs", str(tmp_path / "none.csv"), *map(str, arguments[1:]))
