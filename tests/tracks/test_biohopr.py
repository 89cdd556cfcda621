"""Scores of BioHopR against hand cases and a slow oracle, with an embedder of known cosines."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.runtime.normal_form import normalize
from backend.tracks.biohopr import scoring
from backend.tracks.biohopr import track as track_module
from backend.tracks.biohopr.matching import precision_recall_f1
from backend.tracks.biohopr.rows import GoldEntity, HopAnswer, HopItem, NamesPrediction
from backend.tracks.biohopr.scoring import PLACES, decide
from backend.tracks.biohopr.track import BioHopR, NoEmbedder, name_embedder
from backend.tracks.item_table import Source
from backend.tracks.metrics import Floats
from backend.validation.row_files.faults import RowFaultList
from tests.tracks.releases import Release, json_lines

NAMES = ("Hepatotoxicity", "Liver injury", "Nausea", "Weight gain", "Oedema", "nothing of it")


@dataclass(frozen=True)
class PlaneEmbedder:
    """Texts are angles in degrees: the cosine of two is that of their difference."""

    name: str = "plane"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        angles = np.radians([float(text) if text.isdigit() else 180.0 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def gold(*names: str) -> HopAnswer:
    entities = [name.split("|") for name in names]
    return HopAnswer(tuple(GoldEntity(f"X:{one[0]}", one[0], tuple(one[1:])) for one in entities))


def item(key: str, partner: str = "", kind: str = "", query: str = "q") -> HopItem:
    """'2s-…' is a single-answer question of two hops, '1m-…' one of all answers over one hop."""
    hops: Any = int(key[0])
    kind = kind or {1: "Drug:Disease", 2: "Protein:Drug:Disease"}[hops]
    form: Any = {"s": "single", "m": "multiple"}[key[1]]
    return HopItem(key, f"Question {key}?", form, hops, kind, "A/>b/C", query, "Q", partner)


def release(
    items: Sequence[HopItem], answers: Sequence[HopAnswer], track: BioHopR | None = None
) -> Release:
    return Release(track or BioHopR(), items, answers)


def answered(*rows: tuple[str, Sequence[str]]) -> list[dict[str, Any]]:
    return [{"question_id": key, "answers": list(names)} for key, names in rows]


def test_names_synonyms_and_identifiers_match_in_normal_form() -> None:
    items = [item(f"2s-{n}") for n in range(5)]
    answers = [gold("Crohn's disease|regional enteritis", "β-Blocker")] * 5
    given = [
        "CROHNS  DISEASE",
        "Regional-Enteritis",
        "x:crohn's disease",
        "beta blocker",
        "colitis",
    ]
    values = release(items, answers).score(
        answered(*((one.question_id, [name]) for one, name in zip(items, given, strict=True)))
    )
    assert values["exact_hop2"] == 40
    assert values["match_hop2"] == 80
    assert values["match_hop1"] == 0
    assert values["adherence"] == 100


def test_the_first_of_several_answers_is_scored_and_is_not_adherent() -> None:
    sample = release([item("1s-a"), item("1s-b"), item("1s-c")], [gold("Nausea", "Oedema")] * 3)
    rows = answered(
        ("1s-a", ["rash", "Nausea"]), ("1s-b", ["Nausea", "rash"]), ("1s-c", ["nausea", "NAUSEA"])
    )
    values = sample.score(rows)
    assert values["match_hop1"] == pytest.approx(200 / 3)
    assert values["adherence"] == pytest.approx(100 / 3)  # a repeated answer is one


def test_a_hand_case_of_several_answers() -> None:
    # Of 3 answers 2 are right, of 4 true ones 2 are reached: P 2/3, R 1/2, F1 4/7.
    sample = release(
        [item("2m-a"), item("2m-b")],
        [gold("Nausea", "Oedema|edema", "Weight gain", "Rash"), gold("Nausea", "Rash")],
    )
    values = sample.score(answered(("2m-a", ["nausea", "Edema", "fever", "edema"]), ("2m-b", [])))
    assert values["match_precision_hop2"] == pytest.approx(100 * (2 / 3) / 2)
    assert values["match_recall_hop2"] == pytest.approx(25)
    assert values["match_f1_hop2"] == pytest.approx(100 * (4 / 7) / 2)


GRAPH = {"gout": ("X:7",), "podagra": ("X:7",), "fever": ("X:8", "X:9"), "pyrexia": ("X:8", "X:9")}


def score_resolved(
    one: HopItem, names: Sequence[str], true: HopAnswer, track: BioHopR | None = None
) -> dict[str, float]:
    track = track or BioHopR()
    resolved = track.resolve_names(
        NamesPrediction(one.question_id, [*names]), lambda name: GRAPH.get(name.casefold(), ())
    )
    return track.metric_values(track.score([one], [true], [resolved]), np.ones(1, dtype=np.bool_))


@pytest.mark.parametrize("wrong", [["gout", "Podagra"], ["fever", "pyrexia"], ["Gout"]])
def test_two_names_of_one_wrong_entity_count_once(wrong: list[str]) -> None:
    values = score_resolved(item("1m-a"), ["Nausea", *wrong], gold("Nausea"))
    assert (values["match_precision_hop1"], values["match_recall_hop1"]) == (50, 100)


def test_names_of_different_wrong_entities_count_each() -> None:
    values = score_resolved(item("1m-a"), ["Nausea", "gout", "fever", "other"], gold("Nausea"))
    assert values["match_precision_hop1"] == 25


def test_two_names_of_one_true_answer_count_once() -> None:
    true = gold("Oedema|edema", "Rash")
    values = score_resolved(item("1m-a"), ["edema", "oedema", "gout"], true)
    assert (values["match_precision_hop1"], values["match_recall_hop1"]) == (50, 50)


def test_a_name_of_a_true_answer_that_the_graph_alone_knows_is_no_further_answer() -> None:
    true = HopAnswer((GoldEntity("X:7", "gout"),))
    values = score_resolved(item("1m-a"), ["gout", "podagra"], true)
    assert values["match_precision_hop1"] == 100


def test_one_answer_under_two_of_its_names_is_adherent() -> None:
    assert score_resolved(item("1s-a"), ["gout", "podagra"], gold("Rash"))["adherence"] == 100
    assert score_resolved(item("1s-a"), ["gout", "fever"], gold("Rash"))["adherence"] == 0


def test_names_of_one_entity_count_once_by_the_cosine_too() -> None:
    values = score_resolved(item("1m-a"), ["0", "gout", "podagra"], gold("0"), embedded())
    assert values["similar_plane_precision_hop1"] == 50


def test_a_name_that_two_gold_entities_share_finds_both() -> None:
    sample = release([item("1m-a")], [gold("Alpha|shared", "Beta|shared")])
    values = sample.score(answered(("1m-a", ["Shared"])))
    assert (values["match_precision_hop1"], values["match_recall_hop1"]) == (100, 100)


def test_both_correct_and_both_wrong_are_over_the_pairs() -> None:
    items = [item("1s-a"), item("1s-b"), *(item(f"2s-{n}", p) for n, p in enumerate("aabb", 1))]
    items[2:] = [item(f"2s-{n}", f"1s-{p}") for n, p in enumerate("aabb", 1)]
    items.append(item("2s-lost", "1s-elsewhere"))
    sample = release(items, [gold("Nausea", "Rash")] * len(items))
    right = {"1s-a", "2s-1", "2s-3", "2s-lost"}
    rows = answered(
        *((one.question_id, ["Rash" if one.question_id in right else "x"]) for one in items)
    )
    values = sample.score(rows)
    # pairs: (1, a) both right; (2, a) one; (3, b) one; (4, b) none. 'lost' has no partner.
    assert (values["match_both_correct"], values["match_both_wrong"]) == (25, 25)
    assert values["match_hop2"] == 60


def test_the_order_of_the_file_does_not_decide_pairs() -> None:
    items = [item("2s-1", "1s-a"), item("1s-a")]
    sample = release(items, [gold("Nausea", "Rash")] * 2)
    rows = answered(("2s-1", ["Rash"]), ("1s-a", ["Rash"]))
    forwards, backwards = (sample.check(json_lines(order)) for order in (rows, rows[::-1]))
    assert forwards.digest == backwards.digest
    assert forwards.components is not None and backwards.components is not None
    assert (forwards.components == backwards.components).all()
    assert sample.score(rows)["match_both_correct"] == 100


@pytest.mark.parametrize(
    "rows", [[], answered(("2s-1", []), ("1s-a", []), ("2m-1", []))], ids=["missing", "empty"]
)
def test_missing_and_empty_predictions_have_the_worst_values(rows: list[Any]) -> None:
    items = [item("2s-1", "1s-a"), item("1s-a"), item("2m-1"), item("1m-x")]
    sample = release(items, [gold("Nausea", "Rash")] * 4)
    values = sample.score([*rows, *answered(("1m-x", []))])
    assert values.pop("match_both_wrong") == 100
    assert set(values.values()) == {0.0}


def test_a_constant_answer_is_worth_the_share_that_it_answers() -> None:
    items = [item(f"2s-{n}") for n in range(10)]
    sample = release(items, [gold("Nausea" if n < 3 else "Rash") for n in range(10)])
    assert (
        sample.score(answered(*((one.question_id, ["Nausea"]) for one in items)))["match_hop2"]
        == 30
    )


def slow_rates(given: Sequence[str], true: Sequence[GoldEntity]) -> tuple[float, float, float]:
    """Sets and loops, without a table. Names of one gold answer alone are one answer."""
    forms: list[str] = []
    for name in given:
        form = normalize(name, None) or name
        if form not in forms:
            forms.append(form)
    known = [{normalize(n, None) or n for n in (e.name, e.id, *e.synonyms)} for e in true]
    owners = [[at for at, names in enumerate(known) if form in names] for form in forms]
    alone = {true[own[0]].id for own in owners if len(own) == 1}
    several = sum(len(own) > 1 for own in owners)
    hits = len(alone) + several
    reached = [names for names in known if any(form in names for form in forms)]
    precision = hits / (hits + owners.count([])) if forms else 0.0
    recall = len(reached) / len(known)
    return precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0


spellings = st.sampled_from(
    [*NAMES, "nausea ", "NAUSEA", "Liver-Injury", "+", "++", "œdema", "X:Nausea"]
)
entities = st.builds(
    lambda name, more: GoldEntity(f"X:{name}", name, tuple(more)),
    spellings,
    st.lists(spellings, max_size=3),
)


@given(st.lists(spellings, max_size=6), st.lists(entities, min_size=1, max_size=5))
def test_rates_are_those_of_the_slow_oracle(names: list[str], true: list[GoldEntity]) -> None:
    sample = release([item("1m-a"), item("1s-a")], [HopAnswer(tuple(true))] * 2)
    values = sample.score(answered(("1m-a", names), ("1s-a", names)))
    expected = slow_rates(names, true)
    rates = [values[f"match_{rate}_hop1"] for rate in ("precision", "recall", "f1")]
    assert rates == pytest.approx([100 * value for value in expected])
    assert values["match_hop1"] == (100 if names and slow_rates(names[:1], true)[0] else 0)


def test_slices_are_the_groups_of_table_6() -> None:
    items = [
        item("2s-a", kind="Disease:Drug:Phenotype"),
        item("2s-b", kind="Disease:Drug:Protein"),
        item("1s-a", kind="Disease:Drug"),  # Query:Bridge of both
        item("1s-b", kind="Drug:Phenotype"),  # Bridge:Target alone
    ]
    masks = BioHopR().slices(items, [])
    assert {name: mask.tolist() for name, mask in masks.items()} == {
        "all": [True, True, True, True],
        "Disease:Drug:Phenotype": [True, False, True, False],
        "Disease:Drug:Protein": [False, True, True, False],
    }


def test_the_three_groups_of_table_6_are_slices_with_their_one_hop_questions() -> None:
    printed = {
        "same-query-and-bridge": [
            "Disease:Drug:Phenotype",
            "Disease:Drug:Protein",
            "Drug:Disease:Phenotype",
            "Drug:Disease:Protein",
        ],
        "same-query-and-target": [
            "Disease:Phenotype:Drug",
            "Disease:Protein:Drug",
            "Drug:Phenotype:Disease",
            "Drug:Protein:Disease",
        ],
        "others": [
            "Phenotype:Disease:Drug",
            "Phenotype:Drug:Disease",
            "Protein:Disease:Drug",
            "Protein:Drug:Disease",
        ],
    }
    kinds = [kind for group in printed.values() for kind in group]
    items = [item(f"2s-{at}", kind=kind) for at, kind in enumerate(kinds)]
    items += [item("1s-a", kind="Disease:Drug"), item("1s-b", kind="Drug:Protein")]
    masks = BioHopR().slices(items, [])
    assert list(masks)[:4] == ["all", *printed]
    for group, members in printed.items():
        inside = [one for one, is_in in zip(items, masks[group].tolist(), strict=True) if is_in]
        assert {one.relation_type for one in inside if one.hops == 2} == {*members}
    assert masks["same-query-and-bridge"][-2:].tolist() == [True, False]
    assert masks["same-query-and-target"][-2:].tolist() == [False, True]


def test_the_cluster_is_the_query_entity() -> None:
    items = [item("2s-a", query="x"), item("1s-a", query="y"), item("1s-b", query="x")]
    assert BioHopR().cluster_ids(items).tolist() == [0, 1, 0]


EMBEDDED = name_embedder("plane")()


def embedded() -> BioHopR:
    return EMBEDDED.with_embedder(PlaneEmbedder())


def components_of(sample: Release, rows: Sequence[Any]) -> Floats:
    checked = sample.check(json_lines(rows))
    assert checked.components is not None
    return checked.components


def test_similar_is_a_cosine_greater_than_the_threshold() -> None:
    # cos 25° = 0.906, cos 26° = 0.899
    items = [item("2s-a", "1s-a"), item("1s-a"), item("2m-a")]
    answers = [gold("100", "10"), gold("0"), gold("0", "90")]
    sample = release(items, answers, embedded())
    values = sample.score(answered(("2s-a", ["125"]), ("1s-a", ["26"]), ("2m-a", ["20", "45"])))
    assert values["similar_plane_hop2"] == 100
    assert values["similar_plane_hop1"] == 0
    assert (values["similar_plane_both_correct"], values["similar_plane_both_wrong"]) == (0, 0)
    assert values["similar_plane_precision_hop2"] == 50
    assert values["similar_plane_recall_hop2"] == 50
    assert values["match_hop2"] == 0


def test_a_cosine_equal_to_the_threshold_is_wrong() -> None:
    cosines = np.array([[0.9, np.nextafter(0.9, 1), np.nextafter(0.9, 0)]])
    assert decide(cosines, 0.9).tolist() == [[False, True, False]]


@given(st.lists(st.tuples(st.integers(0, 360), st.integers(0, 360)), min_size=1, max_size=20))
def test_the_sweep_never_rises_and_is_that_of_a_loop(pairs: list[tuple[int, int]]) -> None:
    items = [item(f"{1 + n % 2}s-{n}", f"1s-{n - 1}" if n % 2 else "") for n in range(len(pairs))]
    sample = release(items, [gold(str(true)) for _, true in pairs], embedded())
    rows = answered(
        *((one.question_id, [str(pair[0])]) for one, pair in zip(items, pairs, strict=True))
    )
    components = components_of(sample, rows)
    sweep = embedded().sweep(components)
    assert [row.threshold for row in sweep] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    for first, second in pairwise(sweep):
        assert all(first.values[name] >= value for name, value in second.values.items())
    cosines = [np.cos(np.radians(a - b)) for a, b in pairs]
    if all(abs(one - 0.5) > 1e-6 for one in cosines):
        of_two = [one > 0.5 for n, one in enumerate(cosines) if n % 2]
        expected = 100 * float(np.mean(of_two)) if of_two else 0.0
        assert sweep[4].values["similar_plane_hop2"] == pytest.approx(expected)
    everything = np.ones(len(items), dtype=np.bool_)
    values = sample.track.metric_values(components, everything)
    for name in ("hop1", "hop2", "both_correct"):
        name = f"similar_plane_{name}"
        assert sweep[-1].values[name] == pytest.approx(values[name])


def test_the_embedder_is_part_of_the_identity_of_metrics_and_evaluator() -> None:
    plain, other = BioHopR(), name_embedder("other")()
    ids = [{metric.id for metric in track.metrics} for track in (plain, EMBEDDED, other)]
    assert ids[1] & ids[2] == ids[0]
    assert len({track.version for track in (plain, EMBEDDED, other)}) == 3
    assert "plane" in next(one for one in EMBEDDED.metrics if "similar" in one.id).label
    assert "no embedder" in plain.documentation() and "`plane`" in EMBEDDED.documentation()


def test_without_its_embedder_or_with_another_nothing_is_scored() -> None:
    sample = release([item("1s-a")], [gold("0")], EMBEDDED)
    with pytest.raises(NoEmbedder):
        sample.score(answered(("1s-a", ["0"])))
    other = name_embedder("other")().with_embedder(PlaneEmbedder())
    with pytest.raises(NoEmbedder):
        release([item("1s-a")], [gold("0")], other).score(answered(("1s-a", ["0"])))


def test_outcomes_are_right_plausible_or_wrong() -> None:
    items = [item(f"1s-{n}") for n in range(5)]
    sample = release(
        items, [gold("0|zero"), gold("0|zero"), gold("0"), gold("0"), gold("0")], embedded()
    )
    rows = answered(("1s-0", ["0"]), ("1s-1", ["zero"]), ("1s-2", ["5"]), ("1s-3", ["90"]))
    outcomes = embedded().outcomes(components_of(sample, rows))
    assert outcomes == ["right", "plausible", "plausible", "wrong", "wrong"]
    assert PLACES["cosine"] < len(sample.track.components)


def test_the_file_of_the_constructor_is_read_and_a_repeated_question_is_a_fault() -> None:
    track, source = BioHopR(), Source[HopItem, HopAnswer]()
    line = track.source_example.encode()
    track.read_source(io.BytesIO(line + line), "hops.jsonl", source)
    assert source.items[0] == source.items[1] and len(source.answers[0].answers) == 1
    (fault,) = source.faults.listed
    assert (fault.line, fault.code) == (2, "duplicate_item")
    assert "answers" not in asdict(source.items[0])


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"question_id": "1s-a", "answers": "Nausea"}, "answers"),
        ({"question_id": "1s-a", "answers": [1]}, "answers"),
        ({"question_id": "1s-a", "answers": ["a\0b"]}, "answers"),
        ({"question_id": "1s-a", "answers": ["x"] * 1_001}, "answers"),
        ({"question_id": "1s-a"}, "answers"),
        ({"question_id": "1s-a", "answers": [], "gold": 1}, "gold"),
        ({"question_id": "../etc", "answers": []}, "question_id"),
        ({"question_id": 7, "answers": []}, "question_id"),
    ],
)
def test_faults_name_the_field(row: dict[str, Any], field: str) -> None:
    checked = release([item("1s-a")], [gold("x")]).check(json.dumps(row).encode())
    assert checked.faults.total
    assert checked.faults.listed[0].field.startswith(field)


def test_cells_of_tables_are_a_list_or_one_name() -> None:
    sample = release([item("1s-a"), item("1s-b"), item("1s-c")], [gold("Nausea, mild", "x")] * 3)
    text = 'question_id,answers\n1s-a,"[""Nausea, mild""]"\n1s-b,"Nausea, mild"\n1s-c,\n'
    checked = sample.check(text.encode(), "names.csv")
    assert checked.components is not None, checked.faults.listed
    everything = np.ones(3, dtype=np.bool_)
    values = sample.track.metric_values(checked.components, everything)
    assert values["match_hop1"] == pytest.approx(200 / 3)


def test_precision_recall_and_f1_of_nothing_are_0() -> None:
    assert precision_recall_f1(np.zeros((0, 3), dtype=np.bool_)) == (0, 0, 0)
    assert precision_recall_f1(np.zeros((2, 3), dtype=np.bool_)) == (0, 0, 0)


@dataclass(frozen=True)
class MeasuringEmbedder(PlaneEmbedder):
    """Records how many texts it gets at once."""

    sizes: list[int] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.sizes.append(len(texts))
        return super().embed(texts)


def test_names_are_embedded_in_bounded_groups_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    items = [item(f"2m-{at}") for at in range(40)]
    answers = [gold(str(at % 7), str(at % 5)) for at in range(40)]
    rows = [NamesPrediction(f"2m-{at}", [str(at % 3), str(at % 11)]) for at in range(40)]
    tables = []
    for most in (10**6, 9, 1):
        monkeypatch.setattr(scoring, "NAMES_AT_ONCE", most)
        embedder = MeasuringEmbedder()
        tables.append(EMBEDDED.with_embedder(embedder).score(items, answers, rows).tolist())
        assert max(embedder.sizes) <= max(most, 4)
        assert (len(embedder.sizes) > 1) == (most < 10**6)
    assert tables[0] == tables[1] == tables[2]


def test_a_file_with_too_many_names_is_a_fault_at_the_line_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(EMBEDDED), "most_texts", 5)
    items = [item(f"2m-{at}") for at in range(4)]
    sample = Release(embedded(), items, [gold("1")] * 4)
    rows = answered(*((f"2m-{at}", ["1", "2"]) for at in range(4)))
    (fault,) = sample.check(json_lines(rows)).faults.listed
    assert (fault.line, fault.field, fault.code) == (3, "answers", "too_many_names")
    # Of a question with one answer, the first alone is compared.
    singles = [item(f"2s-{at}") for at in range(4)]
    sample = Release(embedded(), singles, [gold("1")] * 4)
    rows = answered(*((f"2s-{at}", ["1", "2"]) for at in range(4)))
    checked = sample.check(json_lines(rows))
    assert (checked.faults.total, checked.texts) == (0, 4)


def test_a_release_with_too_many_names_for_the_embedder_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source: Source[HopItem, HopAnswer] = Source([item("2m-1")], [gold("1", "2", "3")])
    monkeypatch.setattr(track_module, "MOST_NAMES", 2)
    EMBEDDED.complete_source(source, lambda identifier, type_: ())
    assert [one.code for one in source.faults.listed] == ["too_many_names"]
    monkeypatch.setattr(track_module, "MOST_NAMES", 3)
    source.faults = RowFaultList()
    EMBEDDED.complete_source(source, lambda identifier, type_: ())
    assert source.faults.total == 0
