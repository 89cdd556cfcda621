"""Surprises: a drug's usual use and the use that few drugs of its kind have."""

import csv
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.graphs.surprises import MAX_DRUG_USES, Surprises, find_surprises
from backend.runtime.cancellation import CancellationToken
from tests.graphs.snapshots.sources import SourceRows

DRUGS = ("Sildenafil", "Nitrate", "Beta blocker", "Ranolazine", "Bosentan", "Macitentan")
ANGINA_DRUGS = DRUGS[:4]
DEMO_GRAPH = Path(__file__).resolve().parents[2] / "fixtures" / "graph"
LUNG_DRUGS = ("Sildenafil", "Bosentan", "Macitentan")


def rows(treats: str = "treats", *, mechanism: bool = True) -> SourceRows:
    """Sildenafil is of the kind of the drugs for angina, and also treats another disease."""
    nodes = [NodeRow(name, "Drug", name) for name in DRUGS]
    nodes += [NodeRow(name, "Disease", name) for name in ("Angina", "Lung hypertension")]
    nodes += [NodeRow("PDE5", "Protein", "PDE5"), NodeRow("Vessel drugs", "Class", "Vessel drugs")]
    edges = [EdgeRow(drug, treats, "Angina", 0.9, "a label") for drug in ANGINA_DRUGS]
    edges += [EdgeRow(drug, treats, "Lung hypertension") for drug in LUNG_DRUGS]
    edges += [EdgeRow(drug, "belongs to", "Vessel drugs") for drug in ANGINA_DRUGS]
    if mechanism:
        edges.append(EdgeRow("Sildenafil", "inhibits", "PDE5"))
        edges.append(EdgeRow("PDE5", "drives", "Lung hypertension"))
    return SourceRows([*nodes], [*edges])


def surprises_of(source: SourceRows, folder: Path) -> Surprises:
    snapshot: Snapshot = open_snapshot(build_snapshot(source, folder).path)
    return find_surprises(snapshot, CancellationToken())


def test_the_use_of_its_kind_leads_to_the_use_of_others(tmp_path: Path) -> None:
    (one,) = surprises_of(rows(), tmp_path).surprises
    names = [entity.name for entity in (one.drug, one.usual, one.distant)]
    assert names == ["Sildenafil", "Angina", "Lung hypertension"]
    assert (one.usual_step.phrase, one.usual_step.forward) == ("treats", True)
    assert one.usual_step.evidence is not None


def test_the_mechanism_passes_neither_drugs_nor_diseases(tmp_path: Path) -> None:
    (one,) = surprises_of(rows(), tmp_path / "with").surprises
    assert one.mechanism is not None
    assert [it.name for it in one.mechanism.entities] == ["Sildenafil", "PDE5", "Lung hypertension"]
    (other,) = surprises_of(rows(mechanism=False), tmp_path / "without").surprises
    assert other.mechanism is None


def test_without_one_a_drug_with_the_same_target_links_it_to_the_use(tmp_path: Path) -> None:
    source = rows(mechanism=False)
    shared = [EdgeRow(drug, "inhibits", "PDE5") for drug in ("Sildenafil", "Bosentan")]
    graph = SourceRows(source.node_rows, [*source.edge_rows, *shared])
    (one,) = surprises_of(graph, tmp_path).surprises
    assert one.mechanism is not None
    names = [entity.name for entity in one.mechanism.entities]
    assert names == ["Sildenafil", "PDE5", "Bosentan", "Lung hypertension"]


def test_an_edge_between_two_uses_makes_them_no_surprise(tmp_path: Path) -> None:
    source = rows()
    kind = EdgeRow("Lung hypertension", "is a", "Angina")
    linked = SourceRows(source.node_rows, [*source.edge_rows, kind])
    assert surprises_of(linked, tmp_path).surprises == ()


@pytest.mark.parametrize("phrase", ["was tested in", "may treat", "is contraindicated in", "binds"])
def test_a_graph_without_treatments_has_no_uses(tmp_path: Path, phrase: str) -> None:
    result = surprises_of(rows(phrase), tmp_path)
    assert (result.uses, result.surprises, result.is_complete) == (0, (), True)


def test_a_treatment_may_be_written_from_the_disease(tmp_path: Path) -> None:
    source = rows()
    turned = [
        EdgeRow(edge.target, "is treated by", edge.source)
        for edge in source.edge_rows
        if isinstance(edge, EdgeRow) and edge.relation == "treats"
    ]
    kinds = [EdgeRow(drug, "belongs to", "Vessel drugs") for drug in ANGINA_DRUGS]
    (one,) = surprises_of(SourceRows(source.node_rows, [*turned, *kinds]), tmp_path).surprises
    assert (one.drug.name, one.usual_step.forward) == ("Sildenafil", False)


@pytest.mark.parametrize(
    ("usual", "distant", "source", "is_surprise", "is_later"),
    [
        (1998, 2005, "a label", True, True),
        (2005, 1998, "a label", False, False),
        (1998, 1998, "a label", False, False),
        (None, 1998, "a label", True, False),
        (2005, 1998, "synthetic", True, False),
    ],
)
def test_a_use_that_is_not_the_later_one_is_no_surprise(
    tmp_path: Path,
    usual: int | None,
    distant: int | None,
    source: str,
    is_surprise: bool,
    is_later: bool,
) -> None:
    dated = date_uses(rows(), {"Angina": usual, "Lung hypertension": distant}, source)
    pairs = [(one.distant.name, one.is_later) for one in surprises_of(dated, tmp_path).surprises]
    assert pairs == ([("Lung hypertension", is_later)] if is_surprise else [])


def date_uses(
    plain: SourceRows, years: Mapping[str, int | None], source: str = "a label"
) -> SourceRows:
    edges = [
        replace(edge, first_year=years.get(edge.target), date_source=source)
        if isinstance(edge, EdgeRow) and edge.relation == "treats"
        else edge
        for edge in plain.edge_rows
    ]
    return SourceRows(plain.node_rows, edges)


def test_a_use_between_two_dated_ones_is_not_the_first(tmp_path: Path) -> None:
    """The usual use of an order in time is the drug's first."""
    source = rows()
    other = [NodeRow("Cough", "Disease", "Cough"), NodeRow("Codeine", "Drug", "Codeine")]
    uses = [EdgeRow(drug, "treats", "Cough") for drug in ("Sildenafil", "Codeine")]
    graph = SourceRows([*source.node_rows, *other], [*source.edge_rows, *uses])
    dated = date_uses(graph, {"Angina": 1998, "Lung hypertension": 2005, "Cough": 2001})
    for one in surprises_of(dated, tmp_path).surprises:
        assert one.usual.name == "Angina"


def test_uses_with_an_order_in_time_come_first(tmp_path: Path) -> None:
    """The undated uses have more drugs of their kind, so a stronger reason."""
    dated = date_uses(rows(), {"Angina": 1998, "Lung hypertension": 2005})
    kin = [f"Kin {number}" for number in range(9)]
    nodes = [NodeRow(name, "Drug", name) for name in ("Old", *kin, "Odd 1", "Odd 2")]
    nodes += [NodeRow(name, "Disease", name) for name in ("Fever", "Gout")]
    edges = [EdgeRow(drug, "treats", "Fever") for drug in ("Old", *kin)]
    edges += [EdgeRow(drug, "treats", "Gout") for drug in ("Old", "Odd 1", "Odd 2")]
    edges += [EdgeRow(drug, "belongs to", "Heat drugs") for drug in ("Old", *kin)]
    nodes.append(NodeRow("Heat drugs", "Class", "Heat drugs"))
    both = SourceRows([*dated.node_rows, *nodes], [*dated.edge_rows, *edges])
    first, second = surprises_of(both, tmp_path).surprises
    assert (first.drug.name, first.is_later) == ("Sildenafil", True)
    assert (second.drug.name, second.is_later) == ("Old", False)
    assert second.reason.gap > first.reason.gap


def test_the_reason_counts_the_other_drugs_that_share_a_class(tmp_path: Path) -> None:
    (one,) = surprises_of(rows(), tmp_path).surprises
    assert one.reason_entity.name == "Vessel drugs"
    counted = (one.reason.basis, one.reason.drugs, one.reason.usual, one.reason.distant)
    assert counted == ("link", 3, 3, 0)


def test_few_drugs_of_its_kind_are_no_reason_without_years(tmp_path: Path) -> None:
    source = rows()
    fewer = [
        edge
        for edge in source.edge_rows
        if not (isinstance(edge, EdgeRow) and edge.source == "Ranolazine")
    ]
    few = SourceRows(source.node_rows, fewer)
    assert surprises_of(few, tmp_path / "undated").surprises == ()
    dated = date_uses(few, {"Angina": 1998, "Lung hypertension": 2005})
    assert len(surprises_of(dated, tmp_path / "dated").surprises) == 1


def test_a_use_that_drugs_of_its_kind_have_too_is_none(tmp_path: Path) -> None:
    source = rows()
    same = [EdgeRow(drug, "treats", "Lung hypertension") for drug in ANGINA_DRUGS[1:]]
    graph = SourceRows(source.node_rows, [*source.edge_rows, *same])
    assert surprises_of(graph, tmp_path).surprises == ()


def test_a_drug_for_everything_surprises_nobody(tmp_path: Path) -> None:
    source = rows()
    many = [f"Disease {number}" for number in range(MAX_DRUG_USES)]
    nodes = [NodeRow(name, "Disease", name) for name in many]
    uses = [EdgeRow("Sildenafil", "treats", name) for name in many]
    graph = SourceRows([*source.node_rows, *nodes], [*source.edge_rows, *uses])
    assert surprises_of(graph, tmp_path).surprises == ()


def test_enzymes_and_genes_that_a_drug_regulates_make_no_kind(tmp_path: Path) -> None:
    source = rows()
    edges = [
        replace(edge, relation="is metabolised by")
        if isinstance(edge, EdgeRow) and edge.relation == "belongs to"
        else edge
        for edge in source.edge_rows
    ]
    assert surprises_of(SourceRows(source.node_rows, edges), tmp_path).surprises == ()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Snapshot, Surprises]:
    source = open_source([DEMO_GRAPH], "csv").source
    snapshot = open_snapshot(build_snapshot(source, tmp_path_factory.mktemp("demo")).path)
    return snapshot, find_surprises(snapshot, CancellationToken(), seconds=120)


def test_the_ten_of_the_demo_are_later_uses_by_years_that_are_not_made_up(
    demo: tuple[Snapshot, Surprises],
) -> None:
    surprises = demo[1].surprises
    assert len(surprises) == 10
    for one in surprises:
        steps = one.usual_step, one.distant_step
        usual, distant = ((step.evidence or {})["first_seen"] for step in steps)
        assert one.is_later and usual["value"] < distant["value"]
        assert "synthetic" not in {usual["source"], distant["source"]}


def test_the_counts_of_the_demo_are_those_of_its_file(demo: tuple[Snapshot, Surprises]) -> None:
    with (DEMO_GRAPH / "edges.csv").open(encoding="utf-8", newline="") as stream:
        edges = [(row["source"], row["relation"], row["target"]) for row in csv.DictReader(stream)]
    drugs_for = defaultdict[str, set[str]](set)
    linked = defaultdict[str, set[str]](set)
    for source, relation, target in edges:
        (drugs_for if relation == "treats" else linked)[target].add(source)
    for one in demo[1].surprises:
        group = linked if one.reason.basis == "link" else drugs_for
        others = group[one.reason_entity.id] - {one.drug.id}
        assert one.reason.drugs == len(others)
        assert one.reason.usual == len(others & drugs_for[one.usual.id])
        assert one.reason.distant == len(others & drugs_for[one.distant.id])


def test_the_same_graph_has_the_same_surprises(demo: tuple[Snapshot, Surprises]) -> None:
    again = find_surprises(demo[0], CancellationToken(), seconds=120)
    assert again == demo[1]
