"""Surprises: a drug's usual use and the use that few drugs of its kind have."""

from dataclasses import replace
from pathlib import Path

import pytest

from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.graphs.surprises import Surprises, find_surprises
from backend.runtime.cancellation import CancellationToken
from tests.graphs.snapshots.sources import SourceRows

DRUGS = ("Sildenafil", "Nitrate", "Beta blocker", "Bosentan", "Macitentan")
ANGINA_DRUGS = DRUGS[:3]
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
    ("usual", "distant", "source", "count"),
    [
        (1998, 2005, "a label", 1),
        (2005, 1998, "a label", 0),
        (1998, 1998, "a label", 1),
        (None, 1998, "a label", 1),
        (2005, 1998, "synthetic", 1),
    ],
)
def test_a_use_that_is_known_to_be_the_older_one_is_no_surprise(
    tmp_path: Path, usual: int | None, distant: int | None, source: str, count: int
) -> None:
    years = {"Angina": usual, "Lung hypertension": distant}
    plain = rows()
    dated = [
        replace(edge, first_year=years[edge.target], date_source=source)
        if isinstance(edge, EdgeRow) and edge.relation == "treats"
        else edge
        for edge in plain.edge_rows
    ]
    assert len(surprises_of(SourceRows(plain.node_rows, dated), tmp_path).surprises) == count
