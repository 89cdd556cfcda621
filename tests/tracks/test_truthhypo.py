"""Scores of TruthHypo against hand cases and scikit-learn, and the reading of its source."""

from __future__ import annotations

import io

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from backend.tracks.item_table import Source
from backend.tracks.registry import load_tracks
from backend.tracks.truthhypo.track import NO_RELATION, PairAnswer, PairItem
from tests.tracks.releases import json_lines, labels_of, truthhypo

TRACK = load_tracks()["truthhypo"]
HEADER = "x_id\ty_id\tx_type\ty_type\trel_type\trelation\tquestion\n"
FOUR = {"Disease & Gene": {"stimulate": 1, "inhibit": 1, NO_RELATION: 2}}


def test_a_hand_case() -> None:
    # links: one exact, one of another type; of two without a relation, one false link
    values = truthhypo(FOUR).score(
        labels_of(truthhypo(FOUR), ["stimulate", "stimulate", "inhibit", NO_RELATION])
    )
    assert values["relation_accuracy"] == 50
    assert values["link_accuracy"] == 75
    assert values["link_recall"] == 100
    assert values["link_precision"] == pytest.approx(200 / 3)
    assert values["link_f1"] == pytest.approx(80)


@pytest.mark.parametrize("seed", range(5))
def test_values_are_those_of_scikit_learn(seed: int) -> None:
    release = truthhypo()
    draw = np.random.default_rng(seed)
    given = [str(draw.choice(item.labels)) for item in release.items]
    values = release.score(labels_of(release, given))
    truth = [answer.label for answer in release.answers]
    true_links = [label != NO_RELATION for label in truth]
    given_links = [label != NO_RELATION for label in given]
    peer = precision_recall_fscore_support(true_links, given_links, average="binary")
    assert [values["link_precision"], values["link_recall"], values["link_f1"]] == pytest.approx(
        [100 * value for value in peer[:3]]
    )
    assert values["relation_accuracy"] == pytest.approx(100 * accuracy_score(truth, given))
    assert values["link_accuracy"] == pytest.approx(100 * accuracy_score(true_links, given_links))


def test_constant_predictions() -> None:
    release = truthhypo()
    nothing = release.score(labels_of(release, [NO_RELATION] * 2024))
    assert (nothing["link_precision"], nothing["link_recall"], nothing["link_f1"]) == (0, 0, 0)
    assert nothing["relation_accuracy"] == nothing["link_accuracy"]
    assert nothing["link_accuracy"] == pytest.approx(100 * 674 / 2024)
    links = release.score(labels_of(release, [item.labels[0] for item in release.items]))
    assert links["link_recall"] == 100
    assert links["link_precision"] == pytest.approx(100 * 1350 / 2024)


def test_missing_predictions_are_missed_or_false_links() -> None:
    release = truthhypo(FOUR)
    values = release.score(
        labels_of(release, ["stimulate", "inhibit", NO_RELATION, NO_RELATION])[:1]
    )
    assert values["link_recall"] == 50
    assert values["link_precision"] == pytest.approx(100 / 3)
    assert values["relation_accuracy"] == values["link_accuracy"] == 25


def test_no_prediction_scores_zero_everywhere() -> None:
    release = truthhypo(FOUR)
    components = TRACK.score(release.items, release.answers, [None] * 4)
    assert set(TRACK.metric_values(components, np.ones(4, dtype=np.bool_)).values()) == {0.0}


def test_slices_are_named_as_in_the_published_results() -> None:
    release = truthhypo()
    slices = TRACK.slices(release.items, release.answers)
    assert {name: int(mask.sum()) for name, mask in slices.items()} == {
        "average": 2024,
        "chemical-gene": 1209,
        "disease-gene": 268,
        "gene-gene": 547,
    }


def test_a_pair_and_its_reverse_are_one_cluster() -> None:
    rows = [("a", "b"), ("b", "a"), ("a", "c")]
    items = [PairItem(x, y, "Gene", "Gene", "Gene & Gene", "?", (NO_RELATION,)) for x, y in rows]
    assert TRACK.cluster_ids(items).tolist() == [0, 0, 1]


def test_values_of_items_are_those_of_means_alone() -> None:
    release = truthhypo(FOUR)
    labels = ["stimulate", "stimulate", "inhibit", NO_RELATION]
    checked = release.check(json_lines(labels_of(release, labels)))
    assert checked.components is not None
    values = TRACK.item_values(checked.components)
    assert {name: list(each) for name, each in values.items()} == {
        "relation_accuracy": [100, 0, 0, 100],
        "link_accuracy": [100, 100, 0, 100],
    }


def read(content: str) -> Source[PairItem, PairAnswer]:
    source: Source[PairItem, PairAnswer] = Source()
    TRACK.read_source(io.BytesIO(content.encode()), "edges_test.tsv", source)
    return source


def test_the_published_file_makes_items_and_hidden_answers() -> None:
    source = read(
        f'{HEADER}G|1\tG|2\tGene\tGene\tGene & Gene\tpositive_correlate\tHow "close"?\n'
        "D|1\tG|2\tDisease\tGene\tDisease & Gene\tinhibit\tHow?\n"
    )
    assert source.faults.total == 0
    assert source.answers == [PairAnswer("positive_correlate"), PairAnswer("inhibit")]
    assert source.items[0].question == 'How "close"?'
    assert [item.labels for item in source.items] == [
        (NO_RELATION, "positive_correlate"),
        ("inhibit", NO_RELATION),
    ]


def test_labels_of_a_relation_type_are_those_of_all_files() -> None:
    source = read(f"{HEADER}D|1\tG|2\tDisease\tGene\tDisease & Gene\tinhibit\tHow?\n")
    more = f"{HEADER}D|3\tG|2\tDisease\tGene\tDisease & Gene\tstimulate\tHow?\n"
    TRACK.read_source(io.BytesIO(more.encode()), "more.tsv", source)
    TRACK.complete_source(source, lambda type_, name: ())
    assert [item.labels for item in source.items] == [("inhibit", NO_RELATION, "stimulate")] * 2


def test_a_pair_that_is_given_twice_is_a_fault_of_the_source() -> None:
    row = "G|1\tG|2\tGene\tGene\tGene & Gene\tpositive_correlate\tHow?\n"
    (fault,) = read(HEADER + row + row).faults.listed
    assert (fault.line, fault.code) == (3, "duplicate_item")


def test_a_source_without_a_column_is_refused() -> None:
    (fault,) = read("x_id\ty_id\nG|1\tG|2\n").faults.listed
    assert (fault.line, fault.code) == (1, "wrong_header")
