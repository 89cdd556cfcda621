"""PrimeKG's traps: bare identifiers, doubled edges, grouped diseases, rows of features."""

from pathlib import Path

import pytest

from backend.benchmarks.entity_keys import EntityKeys
from backend.graphs.importers.primekg.vocabulary import BY_ENDS, RELATIONS, VOCABULARY
from backend.graphs.importers.registry import OpenedGraph
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from tests.graphs.importers.factories import drop_reasons, edge_rows, node_rows, open_files

HEADER = (
    "relation,display_relation,x_index,x_id,x_type,x_name,x_source,"
    "y_index,y_id,y_type,y_name,y_source\n"
)
DRUG = "0,DB00945,drug,Aspirin,DrugBank"
GENE = "1,5742,gene/protein,PTGS1,NCBI"
OTHER = "2,5743,gene/protein,PTGS2,NCBI"
DISEASE = '3,5277_7_0005,disease,"migraine, grouped",MONDO_grouped'
SIGN = "4,2315,effect/phenotype,Headache,HPO"
PLACE = "5,955,anatomy,brain,UBERON"
PATHWAY = "6,R-HSA-109581,pathway,A pathway,REACTOME"
EXPOSURE = "7,D000082,exposure,A substance,CTD"
PAIRS = [
    ("drug_protein", "target", DRUG, GENE),
    ("protein_protein", "ppi", OTHER, GENE),
    ("indication", "indication", DRUG, DISEASE),
    ("disease_phenotype_positive", "phenotype present", DISEASE, SIGN),
    ("anatomy_protein_present", "expression present", GENE, PLACE),
    ("pathway_protein", "interacts with", PATHWAY, GENE),
    ("exposure_disease", "linked to", EXPOSURE, DISEASE),
]
ROWS = [f"{relation},{display},{x},{y}" for relation, display, x, y in PAIRS] + [
    f"{relation},{display},{y},{x}" for relation, display, x, y in PAIRS
]
KG = HEADER + "\n".join(ROWS) + "\n"
DRUGS = (
    "node_index,description,half_life,indication,mechanism_of_action,atc_1\n"
    '0,"An old drug.",3 hours,,Blocks an enzyme,"N, say"\n'
)
DISEASES = (
    "node_index,mondo_id,mondo_name,group_id_bert,group_name_bert,mondo_definition,"
    "umls_description,orphanet_clinical_description,mayo_see_doc\n"
    "3,5277,migraine,,,A headache.,,,\n"
    "3,7,other migraine,,,A headache.,Said by UMLS,,When it lasts\n"
)
GROUPS = (
    "node_id,node_name,group_id_bert,group_name_bert\n"
    '5277,migraine,5277_7_0005,"migraine, grouped"\n'
    '7,other migraine,5277_7_0005,"migraine, grouped"\n'
)


def prime(folder: Path, kg: str = KG) -> OpenedGraph:
    return open_files(
        folder,
        {
            "kg.csv": kg,
            "drug_features.csv": DRUGS,
            "disease_features.csv": DISEASES,
            "kg_grouped_diseases_bert_map.csv.gz": GROUPS,
        },
    )


def test_identifiers_without_prefix_become_curies_and_entities_are_unique(
    tmp_path: Path,
) -> None:
    graph = prime(tmp_path)
    assert graph.format.name == "primekg"
    assert graph.ignored_files == ()
    assert {row.id: row.type for row in node_rows(graph)} == {
        "DRUGBANK:DB00945": "drug",
        "NCBIGene:5742": "gene/protein",
        "NCBIGene:5743": "gene/protein",
        "MONDO:0005277": "disease",
        "HP:0002315": "effect/phenotype",
        "UBERON:0000955": "anatomy",
        "REACT:R-HSA-109581": "pathway",
        "MESH:D000082": "exposure",
    }
    assert len(node_rows(graph)) == 8


def test_a_grouped_disease_keeps_all_its_numbers_and_names(tmp_path: Path) -> None:
    [disease] = [row for row in node_rows(prime(tmp_path)) if row.type == "disease"]
    assert disease.name == "migraine, grouped"
    assert disease.xrefs == ("MONDO:0000007", "MONDO:0000005", "STARK:3")
    assert disease.synonyms == ("migraine", "other migraine")


def test_every_node_keeps_the_number_by_which_stark_names_it(tmp_path: Path) -> None:
    twin = f"x,target,{DRUG},8,5742,gene/protein,PTGS1,NCBI"
    graph = prime(tmp_path, f"{KG}{twin}\n")
    keys = EntityKeys.of_identifiers((row.id, *row.xrefs) for row in node_rows(graph))
    assert keys.candidates == range(9)
    merged = EntityKeys.of_identifiers([("NCBIGene:5742", "STARK:10", "STARK:9")])
    assert merged.keys == [9]  # identifiers are in the order of texts where rows of a node merge
    numbers = {row.xrefs[-1]: row.id for row in node_rows(graph)}
    assert numbers["STARK:0"] == "DRUGBANK:DB00945"
    assert numbers["STARK:1"] == numbers["STARK:8"] == "NCBIGene:5742"


def test_every_row_of_features_is_kept_each_sentence_once(tmp_path: Path) -> None:
    documents = {row.type: row.document for row in node_rows(prime(tmp_path))}
    assert documents["disease"] == (
        Section("Definition", "A headache.", "MONDO"),
        Section("Description", "Said by UMLS", "UMLS"),
        Section("See doc", "When it lasts", "Mayo Clinic"),
    )
    assert documents["drug"] == (
        Section("Description", "An old drug.", "DrugBank"),
        Section("Half-life", "3 hours", "DrugBank"),
        Section("Mechanism of action", "Blocks an enzyme", "DrugBank"),
        Section("ATC 1", "N, say", "DrugBank"),
    )
    assert documents["anatomy"] == ()


def test_both_rows_of_an_edge_are_equal_so_that_they_fold(tmp_path: Path) -> None:
    edges = edge_rows(prime(tmp_path))
    half = len(edges) // 2
    assert edges[:half] == edges[half:]
    assert edges[:half] == [
        EdgeRow("DRUGBANK:DB00945", "drug_protein_target", "NCBIGene:5742"),
        EdgeRow("NCBIGene:5742", "protein_protein", "NCBIGene:5743"),
        EdgeRow("DRUGBANK:DB00945", "indication", "MONDO:0005277"),
        EdgeRow("MONDO:0005277", "disease_phenotype_positive", "HP:0002315"),
        EdgeRow("UBERON:0000955", "anatomy_protein_present", "NCBIGene:5742"),
        EdgeRow("NCBIGene:5742", "pathway_protein", "REACT:R-HSA-109581"),
        EdgeRow("MESH:D000082", "exposure_disease", "MONDO:0005277"),
    ]


def test_every_relation_has_phrases_in_both_directions() -> None:
    assert len(RELATIONS) == len(BY_ENDS) == len(VOCABULARY.relations) == 33
    assert all(info.forward and info.backward for info in RELATIONS.values())
    assert RELATIONS["protein_protein"].symmetric
    assert RELATIONS["disease_disease"].symmetric
    assert RELATIONS["indication"].backward == "is an indication for"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (f"x,target,{DRUG},{SIGN}", "relation"),
        (f"x,target,{DRUG},9,57x42,gene/protein,PTGS1,NCBI", "identifier"),
        (f"x,target,{DRUG},9,,gene/protein,PTGS1,NCBI", "identifier"),
        (f"x,target,{DRUG},9,1,gene/protein,PTGS1,NOWHERE", "identifier"),
        (f"x,linked to,{EXPOSURE},9,7__5,disease,x,MONDO_grouped", "identifier"),
        (f"x,target,{DRUG}", "columns"),
    ],
)
def test_a_malformed_row_is_reported_once(tmp_path: Path, row: str, reason: str) -> None:
    assert drop_reasons(prime(tmp_path, f"{KG}{row}\n")) == [("kg.csv", 16, reason)]


def test_an_unnamed_index_column_is_ignored(tmp_path: Path) -> None:
    numbered = [f"{number},{line}" for number, line in enumerate(KG.splitlines())]
    kg = "\n".join(["," + HEADER.strip(), *numbered[1:]])
    assert edge_rows(prime(tmp_path, kg)) == edge_rows(prime(tmp_path))


def test_an_entity_without_features_is_read(tmp_path: Path) -> None:
    graph = open_files(tmp_path, {"kg.csv": KG})
    assert node_rows(graph)[0] == NodeRow("DRUGBANK:DB00945", "drug", "Aspirin", xrefs=("STARK:0",))
