"""The files are the truth: what they print is what is shown, and a wrong line is named."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import settings

from backend.common.errors import NotFound
from backend.leaderboard.published_results import load_published, read_published
from backend.leaderboard.result_values import PublishedResultsFault, parse_reported_values
from backend.leaderboard.tables import ResultRow, ResultTable

FOLDER = Path(settings.FIXTURES) / "published"
RESULTS = (FOLDER / "results.csv").read_text(encoding="utf-8")


def table(track: str, table_id: str) -> ResultTable:
    tables = load_published().get_track_or_raise(track).tables
    return next(table for table in tables if table.id == table_id)


def row(result: ResultTable, model: str, setting: str | None = None) -> ResultRow:
    return next(r for r in result.rows if r.model == model and setting in (None, r.setting))


def marked(result: ResultTable, column: str, place: str) -> set[tuple[str, str]]:
    return {
        (r.model, r.setting)
        for r in result.rows
        for cell in r.cells
        if cell.column == column and cell.place == place
    }


def with_line(number: int, change: Callable[[list[str]], list[str]]) -> str:
    """The real file with the cells of one line changed."""
    lines = RESULTS.splitlines(keepends=True)
    (cells,) = csv.reader([lines[number - 1]])
    lines[number - 1] = ",".join(f'"{cell}"' for cell in change(cells)) + "\n"
    return "".join(lines)


def with_cell(number: int, place: int, word: str) -> str:
    return with_line(number, lambda cells: [*cells[:place], word, *cells[place + 1 :]])


def faults_of(content: str) -> list[tuple[str, str]]:
    with pytest.raises(PublishedResultsFault) as caught:
        parse_reported_values(content)
    return [(fault.place, fault.message) for fault in caught.value.faults]


def test_every_figure_of_the_file_is_shown_once_with_its_printed_text() -> None:
    shown = [
        (
            result.paper,
            result.table,
            track,
            r.model,
            r.setting,
            *cell.column.rsplit(".", 1),
            cell.text,
        )
        for track, results in load_published().tracks.items()
        for result in results.tables
        for r in result.rows
        for cell in r.cells
        if cell.text
    ]
    rows = list(csv.reader(RESULTS.splitlines()))[1:]
    assert len(rows) == 1134
    of_boards = [cells for cells in rows if cells[2] != "dyport-importance"]
    assert sorted(shown) == sorted(tuple(cells[:8]) for cells in of_boards)


def test_correlations_stay_in_the_file_and_are_no_board() -> None:
    assert "dyport-importance" in RESULTS
    assert "dyport-importance" not in load_published().tracks


def test_every_table_has_the_column_that_orders_its_rows() -> None:
    for results in load_published().tracks.values():
        for result in results.tables:
            assert result.main_column in {column.key for column in result.columns}
            assert result.year > 2020


def test_a_value_is_the_number_that_its_text_says() -> None:
    cells = [
        cell
        for results in load_published().tracks.values()
        for result in results.tables
        for r in result.rows
        for cell in r.cells
    ]
    assert all((cell.value is None) == (cell.text == "") for cell in cells)
    assert all(Decimal(repr(cell.value)) == Decimal(cell.text) for cell in cells if cell.text)


def test_rows_and_columns_keep_the_order_of_print() -> None:
    result = table("stark-prime", "stark-7")
    assert [column.metric for column in result.columns] == ["hit@1", "hit@5", "recall@20", "mrr"]
    assert [r.model for r in result.rows][:2] == ["Dense Retriever (roberta)", "QAGNN (roberta)"]


def test_best_and_second_follow_the_direction_of_the_metric() -> None:
    result = table("biohopr", "biohopr-5")
    assert marked(result, "all.acc_hop1", "best") == {("O3-mini", "single-answer")}
    assert marked(result, "all.both_wrong", "best") == {("O3-mini", "single-answer")}
    assert marked(result, "all.both_wrong", "second") == {("GPT4O", "single-answer")}
    waiting = table("stark-prime", "stark-9")
    assert marked(waiting, "all.latency", "best") == {("VSS (ada-002)", "latency")}


def test_entries_that_print_the_same_share_the_mark_and_leave_no_second() -> None:
    result = table("biohopr", "biohopr-5")
    best = {model for model, _ in marked(result, "all.acc_hop2", "best")}
    assert best == {"GPT4O-mini", "GPT4O", "O3-mini"}
    assert marked(result, "all.acc_hop2", "second") == set()


def test_marks_belong_to_entries_although_rows_share_a_model() -> None:
    result = table("serenqa-exploration", "serenqa-3-lower")
    assert marked(result, "rns.seren_hit", "best") == {("DeepSeek-V3", "without-summary")}
    assert marked(result, "rns.seren_hit", "second") == {("Llama-3.3-70B", "without-summary")}


def test_marks_agree_with_an_independent_count_over_the_printed_text() -> None:
    for results in load_published().tracks.values():
        for result in results.tables:
            for at, column in enumerate(result.columns):
                printed = [Decimal(r.cells[at].text) for r in result.rows if r.cells[at].text]
                sign = -1 if column.direction == "lower" else 1
                for r in result.rows:
                    cell = r.cells[at]
                    better = sum(sign * value > sign * Decimal(cell.text or 0) for value in printed)
                    competes = column.direction and cell.text and result.id != "dyport-4"
                    expected = {0: "best", 1: "second"}.get(better) if competes else None
                    assert cell.place == expected, (result.id, column.key, r.model)


def test_nothing_is_marked_where_rows_do_not_compete() -> None:
    result = table("dyport", "dyport-4")
    assert {cell.place for r in result.rows for cell in r.cells} == {None}
    assert result.note and not result.is_ranked


def test_the_note_counts_the_printed_pairs_that_the_papers_own_definition_rules_out() -> None:
    """With a recall or precision of h, F1 is at most 2h / (1 + h)."""
    result = table("serenqa-retrieval", "serenqa-2")
    at = {column.key: place for place, column in enumerate(result.columns)}
    parts = [key.removesuffix(".hit") for key in at if key.endswith(".hit")]
    pairs = [
        (float(r.cells[at[f"{part}.hit"]].text or 0), float(r.cells[at[f"{part}.f1"]].text or 0))
        for part in parts
        for r in result.rows
    ]
    beyond = sum(f1 > 200 * hit / (100 + hit) for hit, f1 in pairs)
    assert f"{beyond} of the {len(pairs)} printed pairs" in result.note


def test_figures_of_one_printed_table_that_measure_different_things_are_shown_apart() -> None:
    single, multi = table("biohopr", "biohopr-6-single"), table("biohopr", "biohopr-6-multi")
    assert row(single, "GPT4O").setting == "single-answer"
    assert row(multi, "GPT4O").setting == "multi-answer"
    assert all(cell.text for result in (single, multi) for r in result.rows for cell in r.cells)


def test_every_word_that_a_reader_sees_has_a_plain_label() -> None:
    for results in load_published().tracks.values():
        for result in results.tables:
            assert all(r.setting_label or not r.setting for r in result.rows)
            assert not [s.label for s in result.slices if "_" in s.label or "--" in s.label]
            assert not [r.model_label for r in result.rows if "_" in r.model_label]
            settings_shown = {r.setting_label for r in result.rows}
            assert len(settings_shown) == len({r.setting for r in result.rows})


def test_an_unknown_track_is_missing() -> None:
    with pytest.raises(NotFound):
        load_published().get_track_or_raise("serenqa")


@pytest.mark.parametrize(
    ("place", "word", "message"),
    [
        (2, "serenqa-cooking", "track 'serenqa-cooking' is not in the catalogue."),
        (0, "STaRK", "track 'serenqa-retrieval' belongs to SerenQA, not to 'STaRK'."),
        (6, "charm", "metric 'charm' is not in the catalogue."),
        (8, "fraction", "hit counts in percent, not in 'fraction'."),
        (7, "nan", "value 'nan' is not a plain decimal number."),
        (7, "1e1", "value '1e1' is not a plain decimal number."),
        (7, " 20.45", "value ' 20.45' is not a plain decimal number."),
        (7, "20,45", "value '20,45' is not a plain decimal number."),
        (7, "100.01", "value 100.01 is outside 0 to 100."),
        (3, "", "model and slice must be named."),
    ],
)
def test_a_wrong_line_is_named(place: int, word: str, message: str) -> None:
    assert faults_of(with_cell(2, place, word)) == [("results.csv, line 2", message)]


def test_a_line_of_another_length_is_named() -> None:
    content = with_line(5, lambda cells: cells[:-1])
    assert faults_of(content) == [("results.csv, line 5", "has 8 cells instead of 9.")]


def test_a_figure_that_is_there_twice_is_named_with_both_lines() -> None:
    content = RESULTS + RESULTS.splitlines(keepends=True)[1]
    assert faults_of(content) == [("results.csv, line 1136", "repeats the figure of line 2.")]


def test_all_faults_are_named_at_once() -> None:
    content = with_cell(2, 7, "x").replace(",percent\n", ",per cent\n", 3)
    assert [place for place, _ in faults_of(content)] == [
        f"results.csv, line {n}" for n in (2, 3, 4, 5)
    ]


def test_other_columns_are_refused() -> None:
    assert faults_of("a,b\n") == [
        (
            "results.csv, line 1",
            "the columns must be paper,table,track,model,setting,slice,metric,value,unit.",
        )
    ]


def folder_with(tmp_path: Path, results: str) -> Path:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / "results.csv").write_text(results, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("place", "word", "message"),
    [
        (1, "9", "belongs to 0 tables of tables.json instead of one."),
        (5, "no-hop", "serenqa-2 has no column for no-hop, hit."),
        (7, "20.4", "value 20.4 is not printed with 2 decimals."),
    ],
)
def test_a_line_without_a_table_is_reported(
    tmp_path: Path, place: int, word: str, message: str
) -> None:
    with pytest.raises(PublishedResultsFault) as caught:
        read_published(folder_with(tmp_path, with_cell(2, place, word)))
    assert [str(caught.value)] == [f"results.csv, line 2: {message}"]


def test_a_column_without_a_figure_is_named(tmp_path: Path) -> None:
    lines = RESULTS.splitlines(keepends=True)
    stored = [line for line in lines if ",latency,all,latency," not in line]
    with pytest.raises(PublishedResultsFault, match="no figure for all, latency"):
        read_published(folder_with(tmp_path, "".join(stored)))
