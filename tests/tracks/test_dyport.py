"""Scores of Dyport beside hand cases and scikit-learn, its slices, and how its source is read."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from backend.science.evaluation.cluster_sums import sum_by_cluster
from backend.science.evaluation.draws import ClusterDraws
from backend.science.evaluation.estimates import estimate_metrics
from backend.tracks.baseline_tasks import BaselineTask
from backend.tracks.dyport.baselines import BASELINES
from backend.tracks.dyport.rows import LinkAnswer, LinkItem
from backend.tracks.item_table import Source
from backend.tracks.registry import load_tracks
from backend.tracks.trained_scores import TRAINED_SCORES, UNTYPED_SCORES
from tests.tracks.baseline_graphs import MemoryGraph
from tests.tracks.releases import Release, Row, csv_file, json_lines

TRACK = load_tracks()["dyport"]
FIELDS = {"subject_type": "Drug", "object_type": "Disease", "year": 2016}


def positive(id_: str, subject: str, object_: str, **more: object) -> Row:
    return {"id": id_, "subject": subject, "object": object_, **FIELDS, **more}


def negative(id_: str, of: str, subject: str, object_: str, **more: object) -> Row:
    return positive(id_, subject, object_, negative_of=of, **more)


def world(seed: int = 1, subjects: int = 40, negatives: int = 10) -> list[Row]:
    """Two links a subject, in two years, with importance and degrees."""
    draw = np.random.default_rng(seed)
    rows: list[Row] = []
    for subject in range(subjects):
        for link in range(2):
            name, own = f"s{subject}", f"{subject}-{link}"
            more: dict[str, Any] = {
                "year": 2016 + subject % 2,
                "subject_type": ("Drug", "Gene; Protein")[link],
                "subject_degree": int(draw.integers(1, 50)),
            }
            rows.append(
                positive(
                    own,
                    name,
                    f"o{own}",
                    importance=float(draw.random()),
                    object_degree=int(draw.integers(5, 90)),
                    **more,
                )
            )
            rows += [
                negative(
                    f"{own}-{at}",
                    own,
                    name,
                    f"n{own}-{at % 7}",
                    object_degree=int(draw.integers(1, 60)),
                    **more,
                )
                for at in range(negatives)
            ]
    return rows


def read(content: bytes, name: str = "pairs.jsonl") -> Source[Any, Any]:
    source: Source[Any, Any] = Source()
    TRACK.read_source(io.BytesIO(content), name, source)
    if not source.faults.total:
        TRACK.complete_source(source, lambda type_, name: None)
    return source


def release_of(rows: list[Row]) -> Release:
    source = read(json_lines(rows))
    assert source.faults.listed == []
    return Release(TRACK, source.items, source.answers)


def predictions(release: Release, scores: Any) -> list[Row]:
    pairs = zip(release.items, scores, strict=True)
    return [{"id": item.id, "score": float(score)} for item, score in pairs]


def truth(release: Release) -> np.ndarray[Any, Any]:
    return np.array([answer.is_positive for answer in release.answers])


def slice_values(release: Release, rows: list[Row]) -> dict[str, dict[str, float]]:
    checked = release.check(json_lines(rows))
    assert checked.components is not None
    masks = TRACK.slices(release.items, release.answers)
    return {name: TRACK.metric_values(checked.components, mask) for name, mask in masks.items()}


HAND = [
    positive("a", "s", "x", subject_degree=1, object_degree=3),
    negative("b", "a", "s", "y", subject_degree=1, object_degree=3),
    negative("c", "a", "s", "z", subject_degree=1, object_degree=40),
    positive("d", "t", "x", subject_degree=1, object_degree=9),
    negative("e", "d", "t", "y", subject_degree=1, object_degree=2),
    negative("f", "d", "t", "z", subject_degree=1, object_degree=9),
]


def test_a_hand_case() -> None:
    release = release_of(HAND)
    values = release.score(predictions(release, [3, 3, 1, 2, 4, 2]))
    # a: above c and f, beside b; d: above c, beside f
    assert values["roc_auc"] == pytest.approx((2.5 + 1.5) / 8)
    assert values["roc_auc_strict"] == pytest.approx(3 / 8)
    # products 3, 3, 40, 9, 2, 9: a above e, beside b; d above b and e, beside f
    assert values["degree_product_auc"] == pytest.approx((1.5 + 2.5) / 8)
    # a with b alone (products 3 and 3), d with f alone (9 and 9): both tie
    assert values["degree_matched_auc"] == 0.5
    assert values["own_negatives_mrr"] == pytest.approx((1 / 1.5 + 1 / 2.5) / 2)
    assert values["own_negatives_hit1"] == 0
    assert values["own_negatives_hit3"] == 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("levels", [3, 10_000])
def test_values_of_every_slice_are_those_of_scikit_learn(seed: int, levels: int) -> None:
    release = release_of(world(seed))
    labels = truth(release)
    scores = np.random.default_rng(seed).integers(0, levels, len(labels)) + 2 * labels
    masks = TRACK.slices(release.items, release.answers)
    products = np.array([one.subject_degree * one.object_degree for one in release.items])
    for name, values in slice_values(release, predictions(release, scores)).items():
        of, given = labels[masks[name]], scores[masks[name]]
        assert values["roc_auc"] == pytest.approx(roc_auc_score(of, given), abs=1e-12)
        assert values["average_precision"] == pytest.approx(
            average_precision_score(of, given), abs=1e-12
        )
        expected = roc_auc_score(of, products[masks[name]])
        assert values["degree_product_auc"] == pytest.approx(expected, abs=1e-12)


def test_a_constant_is_one_half_and_as_printed_nothing() -> None:
    release = release_of(world())
    values = release.score(predictions(release, [7] * len(release.items)))
    assert (values["roc_auc"], values["roc_auc_strict"]) == (0.5, 0)
    assert values["degree_matched_auc"] == 0.5
    assert values["own_negatives_mrr"] == pytest.approx(1 / 6)
    assert values["own_negatives_hit1"] == values["own_negatives_hit3"] == 0


def test_missing_links_come_last_and_missing_negatives_first() -> None:
    release = release_of(HAND)
    rows = predictions(release, [3, 2, 1, 3, 2, 1])
    assert release.score(rows)["roc_auc"] == 1
    assert release.score(rows[1:])["roc_auc"] == 0.5
    assert release.score([row for row in rows if row["id"] != "b"])["roc_auc"] == 0.75
    components = TRACK.score(release.items, release.answers, [None] * 6)
    components = TRACK.complete(release.items, components)
    values = TRACK.metric_values(components, np.ones(6, dtype=np.bool_))
    assert (values["roc_auc"], values["roc_auc_strict"]) == (0, 0)
    assert values["average_precision"] == pytest.approx(2 / 6)


def test_degrees_that_are_not_known_are_in_no_metric() -> None:
    release = release_of([positive("a", "s", "x"), negative("b", "a", "s", "y")])
    checked = release.check(json_lines(predictions(release, [2, 1])))
    assert checked.components is not None
    for name in ("degree_product_auc", "degree_matched_auc"):
        assert not checked.components[:, TRACK.get_metric(name).counted].any()


def test_huge_and_tiny_scores_keep_their_order() -> None:
    release = release_of(HAND)
    scores = [1.7e308, -1.7e308, 5e-324, 1.7e308, 0, -1]
    checked = release.check(json_lines(predictions(release, scores)))
    assert checked.components is not None
    assert np.isfinite(checked.components).all()
    assert release.score(predictions(release, scores))["roc_auc"] == 1


def test_slices_take_the_negatives_of_their_links_along() -> None:
    release = release_of(world())
    masks = TRACK.slices(release.items, release.answers)
    assert list(masks)[:6] == [
        *("all", "importance low", "importance medium", "importance high", "2016", "2017")
    ]
    assert {*masks} >= {"Disease -- Drug", "Disease -- Gene", "Disease -- Protein"}
    for name, mask in masks.items():
        labels = truth(release)[mask]
        assert (~labels).sum() == 10 * labels.sum(), name
    bins = [int(masks[f"importance {name}"].sum()) for name in ("low", "medium", "high")]
    assert max(bins) - min(bins) <= 11


def test_a_model_that_memorised_a_year_is_at_chance_on_later_ones() -> None:
    release = release_of(world(subjects=400))
    labels = truth(release)
    years = np.array([item.year for item in release.items])
    noise = np.random.default_rng(4).random(len(labels))
    scores = np.where(years > 2016, noise, labels)
    values = slice_values(release, predictions(release, scores))
    assert values["2016"]["roc_auc"] == 1
    assert values["2017 and later"]["roc_auc"] == pytest.approx(0.5, abs=0.05)
    assert "2016 and later" not in values


def test_the_interval_is_over_subjects_and_holds_the_value() -> None:
    release = release_of(world(subjects=60))
    labels = truth(release)
    scores = np.random.default_rng(2).normal(labels, 1)
    checked = release.check(json_lines(predictions(release, scores)))
    assert checked.components is not None
    clusters = TRACK.cluster_ids(release.items)
    sums = sum_by_cluster(checked.components, clusters, 60)
    metrics = [metric.formula for metric in TRACK.metrics]
    (row,) = estimate_metrics(sums[None], [len(labels)], metrics, ClusterDraws(60, 1, 2_000))
    for estimate in row:
        assert estimate.low is not None and estimate.high is not None
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_the_order_of_items_does_not_reveal_which_are_true() -> None:
    ids = [item.id for item in release_of(world()[::-1]).items]
    assert ids == sorted(ids)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"negative_of": "none"}, "unknown_item"),
        ({"negative_of": "c"}, "unknown_item"),
        ({"subject": "t"}, "other_group"),
        ({"year": 2017}, "other_group"),
        ({"object_type": "Gene"}, "other_group"),
        ({"subject_type": "Gene"}, "other_group"),
        ({"subject": "s", "object": "x"}, "is_positive"),
        ({"object": "s"}, "same_entity"),
    ],
)
def test_a_negative_that_does_not_fit_is_a_fault(changes: Row, code: str) -> None:
    rows = [{**row, **changes} if row["id"] == "b" else row for row in HAND]
    assert code in {fault.code for fault in read(json_lines(rows)).faults.listed}


def test_links_that_come_twice_and_files_without_negatives_are_faults() -> None:
    twice = [*HAND, positive("g", "x", "s")]
    assert [one.code for one in read(json_lines(twice)).faults.listed] == ["duplicate_item"]
    again = [*HAND, HAND[0]]
    assert [one.code for one in read(json_lines(again)).faults.listed] == ["duplicate_item"]
    alone = [HAND[0], HAND[3]]
    assert [one.code for one in read(json_lines(alone)).faults.listed] == ["no_negatives"]


def test_tables_are_read_like_lines() -> None:
    rows = [{"negative_of": "", "importance": None, **row} for row in HAND]
    table = read(csv_file(rows), "pairs.csv")
    assert table.faults.listed == []
    lines = read(json_lines(rows))
    assert (table.items, table.answers) == (lines.items, lines.answers)


def test_scores_of_tables_are_numbers_and_nothing_else() -> None:
    release = release_of(HAND)
    rows = predictions(release, range(6))
    assert release.check(csv_file(rows), "a.csv").digest == release.check(json_lines(rows)).digest
    for given in ("high", "NaN", "", "1e999", "true"):
        changed = [*rows[1:], {**rows[0], "score": given}]
        assert release.check(csv_file(changed), "a.csv").faults.total == 1


def test_baselines_see_no_edge_of_any_pair_and_score_unknown_entities_as_nothing() -> None:
    graph = MemoryGraph(6, [(0, "binds", 2), (1, "binds", 2), (0, "binds", 3), (4, "binds", 3)])
    pairs = [("0", "1"), ("0", "4"), ("1", "4"), ("0", "9")]
    items = [
        LinkItem(str(at), one, other, "Drug", "Disease", 2016)
        for at, (one, other) in enumerate(pairs)
    ]
    hidden = LinkItem("4", "0", "3", "Drug", "Disease", 2016)
    task: BaselineTask[LinkItem, LinkAnswer] = BaselineTask(
        items, [*items, hidden], [], [], graph, 1
    )
    scores = [one.score for one in BASELINES["common-neighbours"](task)]
    assert scores == [1, 0, 0, 0]
    assert [one.id for one in BASELINES["random"](task)] == ["0", "1", "2", "3"]


@pytest.mark.parametrize("name", sorted({**TRAINED_SCORES, **UNTYPED_SCORES}))
def test_trained_baselines_read_no_edge_of_any_pair_and_repeat_their_scores(name: str) -> None:
    edges = [(at, "binds", 10 + (at + step) % 10) for at in range(10) for step in range(3)]
    types = ["Drug"] * 10 + ["Disease"] * 10
    hidden = [(0, "binds", 15), (16, "treats", 1), (0, "binds", 0)]
    pairs = [("0", "15"), ("1", "16"), ("0", "99"), ("2", "12")]
    items = [
        LinkItem(str(at), one, other, "Drug", "Disease", 2016)
        for at, (one, other) in enumerate(pairs)
    ]

    def scores(edges: list[tuple[int, str, int]], seed: int = 1) -> list[float]:
        graph = MemoryGraph(20, edges, type_names=types)
        task: BaselineTask[LinkItem, LinkAnswer] = BaselineTask(items, items, [], [], graph, seed)
        return [one.score for one in BASELINES[name](task)]

    without = scores(edges)
    # "binds" comes before "treats", so that the numbers of relations are the same.
    assert scores([*edges, *hidden]) == scores(edges) == without
    assert scores([*edges, (5, "binds", 19)]) != without
    assert len({*without[:2], without[3]}) == 3 and without[2] <= min(without)
    assert scores(edges, seed=2) != without
    assert scores(hidden) == [0, 0, 0, 0]


@pytest.mark.parametrize("name", sorted(TRAINED_SCORES))
def test_trained_baselines_score_by_relations_of_the_pairs_types_and_the_unlinked_lowest(
    name: str,
) -> None:
    """Ten drugs bind ten diseases; 20 and 21 are genes that nothing joins to them, 22 a drug
    without an edge."""
    edges = [(at, "binds", 10 + (at + step) % 10) for at in range(10) for step in range(3)]
    types = ["Drug"] * 10 + ["Disease"] * 10 + ["Gene"] * 2 + ["Drug"]
    edges += [(20, "interacts", 21)]
    ends = [(0, 15), (1, 16), (0, 20), (22, 10)]
    items = [
        LinkItem(str(at), str(one), str(other), "Drug", "Disease", 2016)
        for at, (one, other) in enumerate(ends)
    ]
    graph = MemoryGraph(23, edges, type_names=types)
    task: BaselineTask[LinkItem, LinkAnswer] = BaselineTask(items, items, [], [], graph, 1)
    linked, other, unjoined, unlinked = (one.score for one in BASELINES[name](task))
    assert unjoined == unlinked < min(linked, other)
    rows = [one.score for one in BASELINES[f"{name}-untyped"](task)]
    assert len({*rows}) == 4 and rows[3] == min(rows), "without types all others have scores"
