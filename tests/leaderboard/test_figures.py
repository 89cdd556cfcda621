"""The data of Figures 5 to 7: printed entries as in their tables, boards beside them."""

import csv
import io
from typing import Any

import pytest
from django.test import Client

from backend.benchmarks.models import Release
from backend.leaderboard.figures import (
    FigureBoard,
    build_figure,
    figure_rows,
    figures_of_track,
)
from backend.leaderboard.models import Standing, StandingRow
from backend.leaderboard.published_results import load_published

pytestmark = pytest.mark.django_db
SHAPES = ["one-hop", "two-hop", "multi-hop", "intersection"]


def read(track: str, figure: str, **query: str) -> dict[str, Any]:
    answer: dict[str, Any] = (
        Client().get(f"/api/v1/leaderboards/{track}/figures/{figure}", query).json()
    )
    return answer


def entry_of(data: dict[str, Any], name: str) -> dict[str, Any]:
    (entry,) = [one for one in data["entries"] if one["name"] == name]
    return dict(entry)


def values_of(entry: dict[str, Any]) -> dict[str, float]:
    return {value["axis"]: value["value"] for value in entry["values"]}


def make_board(track: str, rows: list[dict[str, Any]], partition: str = "") -> FigureBoard:
    release = Release.objects.create(
        slug=f"board-{track}",
        name="Board",
        track=track,
        test_share=1.0,
        seed=0,
        partition=partition,
    )
    standing = Standing.objects.create(release=release, split="test", digest="0" * 64, entries=3)
    StandingRow.objects.bulk_create(
        StandingRow(
            standing=standing,
            position=at,
            submission_id=f"00000000-0000-0000-0000-{at:012}",
            content=row | {"submission": f"00000000-0000-0000-0000-{at:012}"},
        )
        for at, row in enumerate(rows, start=1)
    )
    return FigureBoard(release.slug, standing.pk, partition)


def board_row(name: str | None, scores: dict[str, float], **fields: Any) -> dict[str, Any]:
    return {
        "model": {"name": name, "slug": name.casefold(), "parameters": 7} if name else None,
        "rank": {"best": 1, "worst": 2},
        "is_simulated": False,
        "provenance": "evaluated",
        "scores": {key: [value, value - 1, value + 1, 9] for key, value in scores.items()},
        **fields,
    }


def test_scores_by_complexity_are_those_of_the_printed_table() -> None:
    data = read("serenqa-retrieval", "complexity")
    assert [axis["slice"] for axis in data["axes"] if axis["metric"] == "f1"] == SHAPES
    assert [axis["metric"] for axis in data["axes"][:4]] == ["f1"] * 4  # the main one is first
    assert len(data["entries"]) == 13
    printed = {
        (one.model, f"serenqa-retrieval {one.metric} {one.slice}"): float(one.text)
        for one in load_published().reported_values
        if one.track == "serenqa-retrieval"
    }
    values = values_of(entry_of(data, "DeepSeek-V3"))
    assert values == {key: value for (name, key), value in printed.items() if name == "DeepSeek-V3"}
    assert values["serenqa-retrieval f1 one-hop"] == 78.71


def test_a_profile_has_a_models_metrics_of_every_track_of_its_paper() -> None:
    data = read("serenqa-exploration", "profile")
    labels = [(axis["track_title"], axis["label"], axis["slice"]) for axis in data["axes"]]
    assert labels == [
        ("Retrieval", "Hit rate", "one-hop"),
        ("Retrieval", "F1", "one-hop"),
        ("Retrieval", "Executability", "one-hop"),
        ("Reasoning", "Faithfulness", "expert"),
        ("Reasoning", "Comprehensiveness", "expert"),
        ("Reasoning", "SerenCov", "expert"),
        ("Exploration", "Relevance", "expert"),
        ("Exploration", "TypeMatch", "expert"),
        ("Exploration", "SerenHit", "expert"),
    ]
    entry = entry_of(data, "DeepSeek-V3")
    assert (entry["kind"], len(entry["values"])) == ("printed", 9)
    (hit,) = [one for one in entry["values"] if one["axis"].endswith("seren_hit expert")]
    # The better of two settings, which is named.
    assert (hit["value"], hit["setting"]) == (0.095, "Without summary")


def test_scale_has_the_entries_whose_size_is_known() -> None:
    data = read("serenqa-retrieval", "scale")
    assert entry_of(data, "DeepSeek-V3")["parameters"] == 671_000_000_000
    assert "GPT-4o" not in {one["name"] for one in data["entries"]}
    assert all(one["parameters"] for one in data["entries"])


def test_entries_of_a_board_are_told_from_printed_ones() -> None:
    scores = {"f1 all": 50.0, "f1 one-hop": 60.0, "f1 intersection": 40.0}
    board = make_board(
        "serenqa-retrieval",
        [
            board_row("Ours", scores),
            board_row("Noise", scores, is_simulated=True),
            board_row("Walk", scores, provenance="baseline"),
            board_row(None, scores),
            board_row("Sample", scores, rank=None),
        ],
    )
    data = build_figure("complexity", "serenqa-retrieval", {"serenqa-retrieval": board})
    assert data.left_out == 0
    kinds = [(one.name, one.kind) for one in data.entries if one.kind != "printed"]
    assert kinds == [
        ("Ours", "evaluated"),
        ("Noise", "simulated"),
        ("Walk", "baseline"),
        (None, "evaluated"),
    ]
    ours = next(one for one in data.entries if one.name == "Ours")
    assert [(value.slice, value.value, value.low, value.high) for value in ours.values] == [
        ("one-hop", 60.0, 59.0, 61.0),
        ("intersection", 40.0, 39.0, 41.0),
    ]


def test_a_profile_names_the_items_where_a_board_lacks_those_of_the_axis() -> None:
    board = make_board("serenqa-exploration", [board_row("Ours", {"seren_hit all": 0.5})])
    data = build_figure("profile", "serenqa-exploration", {"serenqa-exploration": board})
    ours = next(one for one in data.entries if one.name == "Ours")
    assert [(one.axis, one.slice) for one in ours.values] == [
        ("serenqa-exploration seren_hit expert", "all")
    ]


@pytest.mark.parametrize(("partition", "count"), [("", 1), ("expert", 1), ("rns", 0), ("llm", 0)])
def test_scores_of_another_partition_are_on_no_axis_of_the_printed_one(
    partition: str, count: int
) -> None:
    rows = [board_row("Ours", {"seren_hit all": 0.5})]
    board = make_board("serenqa-exploration", rows, partition)
    Release.objects.filter(slug=board.release).update(state="open")
    data = read("serenqa-exploration", "profile", release=board.release)
    assert [one["name"] for one in data["entries"] if one["kind"] != "printed"] == ["Ours"] * count


def test_each_value_of_a_profile_has_the_source_of_its_own_track() -> None:
    tracks = {"serenqa-exploration": "seren_hit all", "serenqa-reasoning": "seren_cov all"}
    boards = {
        track: make_board(track, [board_row("Ours", {score: 0.5})])
        for track, score in tracks.items()
    }
    data = build_figure("profile", "serenqa-exploration", boards)
    head, *rows = figure_rows(data)
    named = [dict(zip(head, row, strict=True)) for row in rows]
    sources = {
        (one["entry"], one["track"]): one["source"]
        for one in named
        if one["entry"] in ("Ours", "DeepSeek-V3")
    }
    for track in tracks:
        assert sources["Ours", track] == boards[track].release
    printed = [sources["DeepSeek-V3", f"serenqa-{one}"] for one in ("retrieval", "exploration")]
    assert printed[0] == "SerenQA, Table 2"
    assert printed[1] != printed[0]


def test_a_track_has_the_figures_that_its_metrics_and_slices_allow() -> None:
    assert figures_of_track("serenqa-retrieval") == ["scale", "profile", "complexity"]
    assert figures_of_track("serenqa-exploration") == ["scale", "profile"]
    assert figures_of_track("dyport") == ["scale"]
    unknown = Client().get("/api/v1/leaderboards/dyport/figures/profile")
    assert unknown.status_code == 404
    assert Client().get("/api/v1/leaderboards/none/figures/scale").status_code == 404


def test_the_table_of_a_figure_has_a_line_for_each_value() -> None:
    answer = Client().get("/api/v1/leaderboards/serenqa-retrieval/figures/complexity.csv")
    head, *rows = csv.reader(io.StringIO(answer.content.decode(), newline=""))
    assert head[:3] == ["entry", "kind", "setting"]
    assert len(rows) == 13 * 12
    first = dict(zip(head, rows[0], strict=True))
    assert (first["entry"], first["kind"], first["source"]) == (
        "DeepSeek-V3",
        "printed",
        "SerenQA, Table 2",
    )


def test_names_of_models_cannot_run_in_a_spreadsheet() -> None:
    board = make_board("serenqa-retrieval", [board_row("=1+1", {"f1 one-hop": 1.0})])
    data = build_figure("complexity", "serenqa-retrieval", {"serenqa-retrieval": board})
    assert any(row[0] == "=1+1" for row in figure_rows(data))  # escaped where it is written
    Release.objects.filter(slug=board.release).update(state="open")
    text = Client().get(
        "/api/v1/leaderboards/serenqa-retrieval/figures/complexity.csv", {"release": board.release}
    )
    assert b"\n'=1+1," in text.content
    other = Client().get(
        "/api/v1/leaderboards/serenqa-exploration/figures/scale", {"release": board.release}
    )
    assert (other.status_code, other.json()["code"]) == (422, "other_track")
