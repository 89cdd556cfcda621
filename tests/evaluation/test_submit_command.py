"""From the files of a track to scores, by commands."""

import hashlib
import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django import Settings

from backend.benchmarks.models import HiddenAnswer, Item, Release
from backend.evaluation.models import Evaluation, Submission
from tests.evaluation.truthhypo_files import HEADER, prediction_lines, write_source
from tests.tracks.releases import json_lines, labels_of, truthhypo
from tests.tracks.test_published_tables import ROUNDING, built_labels, printed_rows

pytestmark = pytest.mark.django_db
AVERAGE_F1 = ("average", "link_f1")  # which is link accuracy


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def make_release(folder: Path, *options: object, pairs: int = 60) -> Any:
    return run("make_release", "truthhypo", write_source(folder, pairs), "--name", "th", *options)


def submit(
    folder: Path, text: str, name: str = "predictions.jsonl", model: str = "M", *options: str
) -> Any:
    file = folder / name
    file.write_text(text)
    return run("submit", file, "--release", "th", "--model", model, *options)


def test_a_release_freezes_items_and_hides_their_answers(tmp_path: Path) -> None:
    result = make_release(tmp_path)
    assert result["items"] == {"dev": 0, "test": 60}
    release = Release.objects.get()
    assert (release.slug, release.state, release.digest) == ("th", "draft", result["digest"])
    assert HiddenAnswer.objects.count() == Item.objects.count() == 60
    public = json.dumps(list(Item.objects.values_list("key", "content")))
    assert all("relation" not in content for content in Item.objects.values_list("content"))
    assert '"label"' not in public


def test_a_release_allows_the_queries_that_its_organiser_chooses(tmp_path: Path) -> None:
    make_release(tmp_path, "--queries", 4, "--queries-per-day", 2)
    release = Release.objects.get()
    assert (release.queries, release.queries_per_day) == (4, 2)


def test_the_share_and_seed_decide_the_split_and_the_digest(tmp_path: Path) -> None:
    result = make_release(tmp_path, "--test-share", 0.75, "--seed", 3)
    assert result["items"] == {"dev": 15, "test": 45}
    Release.objects.update(slug="other")
    assert make_release(tmp_path, "--test-share", 0.75, "--seed", 3) == {**result, "release": "th"}
    Release.objects.filter(slug="th").update(slug="another")
    assert make_release(tmp_path, "--test-share", 0.75)["digest"] != result["digest"]


def test_answers_cannot_be_tried_against_the_public_digest(
    tmp_path: Path, settings: Settings
) -> None:
    public = make_release(tmp_path)["digest"]
    guessed = hashlib.sha256(b"truthhypo")
    for item in Item.objects.select_related("hidden_answer"):
        row = [item.content, item.hidden_answer.content, item.split]
        guessed.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    assert public != guessed.hexdigest()
    Release.objects.update(slug="other")
    settings.SECRET_KEY = "of another server"
    assert make_release(tmp_path)["digest"] not in (public, guessed.hexdigest())


def test_predictions_are_scored_with_intervals_by_slice(tmp_path: Path) -> None:
    make_release(tmp_path)
    result = submit(tmp_path, prediction_lines(range(54), wrong=range(6)))
    scores = {(one["metric"], one["slice"]): one for one in result["scores"]}
    assert result["state"] == "scored"
    accuracy = scores["relation_accuracy", "average"]
    assert accuracy["value"] == pytest.approx(100 * 48 / 60)
    assert accuracy["low"] < accuracy["value"] < accuracy["high"]
    assert (accuracy["n"], accuracy["coverage"]) == (60, 0.9)
    assert scores["link_f1", "gene-gene"]["n"] == 20
    evaluation = Evaluation.objects.get()
    assert (evaluation.items, evaluation.answered, evaluation.key) == (60, 54, result["key"])


def test_files_built_to_table_6_score_as_printed(tmp_path: Path) -> None:
    """All 16 rows of TruthHypo's Tables 2 and 6, on items with the counts of its Table 1."""
    pairs = truthhypo()
    labels = [answer.label for answer in pairs.answers]
    rows = [
        {**asdict(item), "relation": label} for item, label in zip(pairs.items, labels, strict=True)
    ]
    columns = HEADER.split()
    lines = ["\t".join(row[name] for name in columns) for row in rows]
    source = tmp_path / "edges_test.tsv"
    source.write_text(HEADER + "".join(f"{line}\n" for line in lines))
    run("make_release", "truthhypo", source, "--name", "th")
    for model, printed in printed_rows().items():
        text = json_lines(labels_of(pairs, list(built_labels(printed)))).decode()
        scores = {
            (one["slice"], one["metric"]): one["value"]
            for one in submit(tmp_path, text, model=" ".join(model))["scores"]
        }
        expected = {key: value for key, value in printed.items() if key != AVERAGE_F1}
        expected["average", "link_accuracy"] = printed[AVERAGE_F1]
        assert {key: scores[key] for key in expected} == pytest.approx(expected, abs=ROUNDING)
    assert Submission.objects.count() == 16


def test_equal_predictions_are_one_evaluation_and_one_submission_of_a_model(
    tmp_path: Path,
) -> None:
    make_release(tmp_path)
    text = prediction_lines(range(60))
    first = submit(tmp_path, text)
    backwards = "".join(f"{line}\n" for line in reversed(text.splitlines()))
    assert submit(tmp_path, backwards, "again.jsonl") == first
    other = submit(tmp_path, backwards, "other.jsonl", model="N")
    assert (other["key"], other["scores"]) == (first["key"], first["scores"])
    assert Submission.objects.count() == 2
    assert Evaluation.objects.count() == 1
    assert Submission.objects.filter(is_standing=True).count() == 2


@pytest.mark.parametrize("provenance", ["reproduced", "self_reported"])
def test_an_operator_marks_how_predictions_came_to_be(tmp_path: Path, provenance: str) -> None:
    make_release(tmp_path)
    file = (tmp_path, prediction_lines(range(60)), "predictions.jsonl", "M")
    first, again = submit(*file), submit(*file, f"--provenance={provenance}")
    assert (again["key"], again["scores"]) == (first["key"], first["scores"])
    (standing,) = Submission.objects.filter(is_standing=True)
    assert (str(standing.pk), standing.provenance) == (again["submission"], provenance)
    assert submit(*file, f"--provenance={provenance}")["submission"] == again["submission"]


def test_a_file_with_faults_is_refused_with_all_of_them(tmp_path: Path) -> None:
    make_release(tmp_path)
    lines = prediction_lines(range(60)).splitlines()
    lines[3] = lines[3].replace('"label"', '"lable"')
    lines[7] = "{"
    lines[9] = lines[8]
    out = io.StringIO()
    file = tmp_path / "bad.jsonl"
    file.write_text("\n".join(lines))
    with pytest.raises(SystemExit, match="1"):
        call_command("submit", str(file), "--release", "th", "--model", "M", "--json", stdout=out)
    answer = json.loads(out.getvalue())
    assert {fault["place"].split(",")[0] for fault in answer["faults"]} == {
        "line 4",
        "line 8",
        "line 10",
    }
    assert answer["total"] == len(answer["faults"])
    assert not Submission.objects.exists()
