"""Scores of STaRK against hand cases and ir-measures, and the reading of its files."""

from __future__ import annotations

import io

import ir_measures
import numpy as np
import pytest
from ir_measures import RR, Qrel, R, ScoredDoc, Success

from backend.tracks.item_table import Source
from backend.tracks.predictions import check_predictions
from backend.tracks.registry import load_tracks
from backend.tracks.stark import StarkTrack
from backend.tracks.stark_rows import (
    QueryAnswer,
    QueryItem,
    RankedPrediction,
    parse_list,
    parse_number,
)
from tests.tracks.releases import json_lines, ranks, stark

PEERS = {"hit@1": Success @ 1, "hit@5": Success @ 5, "recall@20": R @ 20, "mrr": RR}


def test_a_hand_case() -> None:
    release = stark([[7, 8], [9], [1]])
    values = release.score(ranks([5, 7, 8], [9], [2, 3, 4, 5, 6, 1]))
    assert values == pytest.approx(
        {"hit@1": 1 / 3, "hit@5": 2 / 3, "recall@20": 1, "mrr": (1 / 2 + 1 + 1 / 6) / 3}
    )


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_ir_measures(seed: int) -> None:
    draw = np.random.default_rng(seed)
    gold = [draw.permutation(300)[: draw.integers(1, 21)].tolist() for _ in range(80)]
    lists = [draw.permutation(300)[: draw.integers(1, 101)].tolist() for _ in gold]
    values = stark(gold).score(ranks(*lists))
    judged = [Qrel(str(at), str(id_), 1) for at, ids in enumerate(gold) for id_ in ids]
    ranked = [
        ScoredDoc(str(at), str(id_), -place)
        for at, ids in enumerate(lists)
        for place, id_ in enumerate(ids)
    ]
    peers = ir_measures.calc_aggregate(PEERS.values(), judged, ranked)
    assert values == pytest.approx({name: peers[peer] for name, peer in PEERS.items()})


def test_a_repeated_id_counts_once_at_its_first_place() -> None:
    release = stark([[7]])
    assert release.score(ranks([5, 5, 5, 7, 7])) == release.score(ranks([5, 7]))
    repeated = release.check(json_lines(ranks([5, 5, 5, 7, 7])))
    assert repeated.digest == release.check(json_lines(ranks([5, 7]))).digest


def test_at_most_a_hundred_ids_are_read() -> None:
    release = stark([[100], [99]])
    values = release.score(ranks(range(200), range(200)))
    assert values["mrr"] == pytest.approx((0 + 1 / 100) / 2)


def test_short_empty_and_missing_lists_score_what_they_hit() -> None:
    release = stark([[1], [2], [3]])
    values = release.score(ranks([1], []))
    assert values == pytest.approx(
        {"hit@1": 1 / 3, "hit@5": 1 / 3, "recall@20": 1 / 3, "mrr": 1 / 3}
    )
    assert release.check(json_lines(ranks([1], []))).answered.tolist() == [True, True, False]


def test_no_prediction_scores_zero_everywhere() -> None:
    release = stark([[1], list(range(30))])
    components = release.track.score(release.items, release.answers, [None, None])
    values = release.track.metric_values(components, np.ones(2, dtype=np.bool_))
    assert set(values.values()) == {0.0}


def test_constant_lists_score_what_they_happen_to_hit() -> None:
    values = stark([[1], [2], [3], [4]]).score(ranks(*[[1, 2]] * 4))
    assert values == {"hit@1": 0.25, "hit@5": 0.5, "recall@20": 0.5, "mrr": 0.375}


def test_queries_with_more_than_twenty_answers_are_left_out_of_recall_alone() -> None:
    release = stark([[1, 2], list(range(21))])
    checked = release.check(json_lines(ranks([1], [0])))
    assert checked.components is not None
    values = release.track.metric_values(checked.components, np.ones(2, dtype=np.bool_))
    assert (values["recall@20"], values["hit@1"]) == (0.5, 1)
    each = release.track.item_values(checked.components)["recall@20"]
    np.testing.assert_array_equal(each, [0.5, np.nan])
    metric = next(one for one in release.track.metrics if one.id == "recall@20")
    assert checked.components.sum(axis=0)[metric.counted] == 1


def test_slices_are_by_the_number_of_answers() -> None:
    release = stark([[1], [1, 2], list(range(20)), list(range(21)), [4]])
    slices = release.track.slices(release.items, release.answers)
    assert {name: np.flatnonzero(mask).tolist() for name, mask in slices.items()} == {
        "all": [0, 1, 2, 3, 4],
        "answers-1": [0, 4],
        "answers-2-5": [1],
        "answers-6-20": [2],
        "answers-over-20": [3],
    }


def test_the_three_tracks_differ_in_words_alone() -> None:
    tracks = [load_tracks()[f"stark-{name}"] for name in ("prime", "mag", "amazon")]
    assert all(isinstance(track, StarkTrack) for track in tracks)
    assert len({track.title for track in tracks}) == 3
    assert {id(track.metrics) for track in tracks} == {id(StarkTrack.metrics)}


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("[1, 2]", [1, 2]),
        (" ['1', 2] ", ["1", 2]),
        ("(1, 2)", "(1, 2)"),
        ("[1, 2", "[1, 2"),
        ("[" * 90_000, "[" * 90_000),
        ("[1 if 2 else 3]", "[1 if 2 else 3]"),
        ("[__import__('os')]", "[__import__('os')]"),
        ("[" + "-" * 5_000 + "1]", "[" + "-" * 5_000 + "1]"),
    ],
)
def test_a_cell_is_read_as_json_or_a_python_literal_and_never_run(cell: str, value: object) -> None:
    assert parse_list(cell) == value


def test_only_plain_digits_are_a_number() -> None:
    cells = ["12", " 12 ", "1_2", "1.0", "-1", "٣", "9" * 30]
    assert [parse_number(cell) for cell in cells] == [12, 12, *cells[2:]]


def read(content: str, name: str) -> Source[QueryItem, QueryAnswer]:
    source: Source[QueryItem, QueryAnswer] = Source()
    load_tracks()["stark-prime"].read_source(io.BytesIO(content.encode()), name, source)
    return source


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("qa.csv", 'id,query,answer_ids\n4,"Which one, then?","[7, 8]"\n'),
        ("qa.jsonl", '{"query_id": 4, "query": "Which one, then?", "answer_ids": [7, 8, 7]}\n'),
    ],
)
def test_queries_are_read_from_starks_csv_and_from_json_lines(name: str, content: str) -> None:
    source = read(content, name)
    assert source.items == [QueryItem(4, "Which one, then?")]
    assert source.answers == [QueryAnswer((7, 8))]


def test_a_wrong_header_names_both_names_of_a_column() -> None:
    (fault,) = read("query,answer_ids\n", "qa.csv").faults.listed
    assert fault.expected == "query_id (or id),query,answer_ids"


def test_a_query_that_is_given_twice_is_a_fault_of_the_source() -> None:
    (fault,) = read('id,query,answer_ids\n4,a,"[7]"\n4,b,"[7]"\n', "qa.csv").faults.listed
    assert (fault.line, fault.field, fault.code) == (3, "query_id", "duplicate_item")


def test_numbers_given_as_text_are_numbers() -> None:
    release = stark([[7]], candidates=10)
    as_text = release.check(json_lines(ranks(["7", 2])))
    assert as_text.digest == release.check(json_lines(ranks([7, 2]))).digest


def known_ids(candidates: frozenset[int | str], *lists: list[int | str]) -> list[tuple[str, str]]:
    """The unknown ids, each with its query."""
    release = stark([[1]] * len(lists))
    table = release.track.index_items(release.items, candidates)
    file = io.BytesIO(json_lines(ranks(*lists)))
    checked = check_predictions(release.track, file, "a.jsonl", table)
    return [(fault.item, fault.given) for fault in checked.faults.listed]


@pytest.mark.parametrize("candidates", [{"5716", "7124"}, {5716, 7124}])
def test_an_identifier_of_digits_is_known_as_text_and_as_a_number(
    candidates: set[int | str],
) -> None:
    """Also beside an unknown one, for which every id is looked at."""
    known = frozenset(candidates)
    assert known_ids(known, ["5716"], [7124]) == []
    assert known_ids(known, ["5716"], [7124, "x"]) == [("1", "x")]
    assert known_ids(known, ["05716"]) == [("0", "05716")]


def test_identifiers_that_begin_with_zeros_are_their_own() -> None:
    release = stark([[17]])
    (prediction,) = release.track.normalize([RankedPrediction(0, ["017", "17", 17, "0", "00"])])
    assert prediction.pred_rank == ["017", 17, 0, "00"]
    assert known_ids(frozenset({"017", "17"}), ["017", "17"]) == []
    assert release.score(ranks(["017"]))["hit@1"] == 0
    assert release.score(ranks(["017", "17"]))["mrr"] == 0.5
