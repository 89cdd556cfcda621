"""The Clinical Knowledge Graph: the file's name, not its TYPE, says what a row means."""

from pathlib import Path

import pytest

from backend.graphs.importers.ckg.vocabulary import (
    PREFIXES,
    RELATIONS,
    VOCABULARY,
    label_of_file,
    rule_of_file,
)
from backend.graphs.importers.registry import OpenedGraph
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from tests.graphs.importers.factories import drop_reasons, edge_rows, node_rows, open_files

ONTOLOGY = "ID\t:LABEL\tname\tdescription\ttype\tsynonyms\n"
PATHOLOGY = (
    "START_ID\tEND_ID\tTYPE\texpression_high\texpression_medium\texpression_low\tnot_detected\t"
    "positive_prognosis_logrank_pvalue\tnegative_prognosis_logrank_pvalue\tlinkout\tsource\n"
)
FILES: dict[str, str | bytes] = {
    "databases/Protein.tsv": (
        "ID\t:LABEL\taccession\tname\tsynonyms\tdescription\ttaxid\n"
        'P23219\tProtein\tPGH1_HUMAN\tPTGS1\tCOX1,PTGS1\t"A ""first"" one"\t9606\n'
    ),
    "databases/Gene.tsv": (
        "ID\t:LABEL\tname\tfamily\tsynonyms\ttaxid\nPTGS1\tGene\tcyclooxygenase 1\t\t\t9606\n"
    ),
    "databases/Drug.tsv": (
        "ID\t:LABEL\tname\tdescription\tsynonyms\tindication\n"
        "DB00945\tDrug\tAspirin\tOld.\t1,2-acid|ASA\tFor pain\n"
    ),
    "databases/Complex.tsv": (
        "ID\tname\torganism\tsynonyms\tsource\n12\tA complex\tHuman\t\tCORUM\n"
    ),
    "databases/smpdb_Pathway.tsv": (
        "ID\t:LABEL\tname\tdescription\torganism\tlinkout\tsource\n"
        "SMP0000083\tPathway\tAspirin pathway\t\tHuman\t\tSMPDB\n"
    ),
    "databases/Known_variant.tsv": (
        "ID\t:LABEL\tpvariant_id\texternal_id\talternative_names\n"
        "chr19:g.1C>T\tKnown_variant\tp.X1Y\trs7412\tE2\n"
    ),
    "databases/GWAS_study.tsv": "ID\t:LABEL\ttitle\tdate\nGCST000392\tGWAS_study\tA study\t2009\n",
    "databases/Publications.tsv": "ID\t:LABEL\tlinkout\tdoi\n1\tPublication\t\t10.1/x\n",
    "ontologies/Disease.tsv": ONTOLOGY
    + '"DOID:6364"\t"Disease"\t"migraine"\t"A headache."\t"-26"\t"migraine,hemicrania"\n',
    "databases/dgidb_targets.csv": (
        "START_ID\tEND_ID\tTYPE\tevidence\tresponse\tdisease\ttype\tsource\n"
        "DB00945\tPTGS1\tTARGETS\tNA\tNA\tNA\tinhibitor\tDGIdb: A\n"
    ),
    "databases/string_interacts_with.tsv": (
        "START_ID\tEND_ID\tTYPE\tinteraction_type\tsource\tevidence\tscores\tscore\n"
        "P23219\tP23219\tCOMPILED_INTERACTS_WITH\tassociation\tSTRING\ta,b\t1,2\t0.7\n"
    ),
    "databases/Protein_Disease_associated_with_integrated.tsv": (
        "START_ID\tEND_ID\tTYPE\tsource\tscore\tevidence_type\n"
        "P23219\tDOID:6364\tASSOCIATED_WITH_INTEGRATED\tDISEASES\t2.5\tKnowledge\n"
    ),
    "databases/hpa_protein_detected_in_pathology_sample.tsv": PATHOLOGY
    + "P23219\tDOID:6364\tX\t3.0\t5\t2\t1\t0\t0.004\thttps://hpa.example/1\tHPA\n",
    "databases/Protein_Publication_mentioned_in_publication.tsv": (
        "START_ID\tEND_ID\tTYPE\n1\tP23219\tMENTIONED_IN_PUBLICATION\n"
    ),
    "databases/GWAS_study_variant_found_in_gwas.tsv": (
        "START_ID\tEND_ID\tTYPE\tfrequency\tpvalue\todds_ratio\ttrait\tsource\n"
        "rs7412\tGCST000392\tX\tNR\t1e-8\tNR\tlipids\tGWAS Catalog\n"
    ),
    "databases/corum_protein_is_subunit_of.tsv": (
        "START_ID\tEND_ID\tTYPE\tcell_lines\tevidences\tpublication\tsource\n"
        "P23219\t12\tX\t\t\t1234\tCORUM\n"
    ),
    "databases/oncokb_associated_with.tsv": (
        "START_ID\tEND_ID\tTYPE\tscore\tevidence_type\tsource\tnumber_publications\n"
        "V600E\tDOID:6364\tX\tlevel 1\tknown\tOncoKB\t3\n"
    ),
    "users/users.tsv": "ID\tacronym\tname\nU1\tKB\tsomebody\n",
    "experiments/P1_subjects.tsv": "ID\texternal_id\nS1\tx\n",
    "experiments/P1_project.tsv": "START_ID\tEND_ID\tTYPE\nP1\tS1\tHAS_ENROLLED\n",
}


def ckg(folder: Path, **more: str) -> OpenedGraph:
    return open_files(folder, {**FILES, **{f"databases/{k}.tsv": v for k, v in more.items()}})


def test_labels_and_identifiers_come_from_the_names_of_the_files(tmp_path: Path) -> None:
    graph = ckg(tmp_path)
    assert graph.format.name == "ckg"
    assert {row.id: row.type for row in node_rows(graph)} == {
        "UniProtKB:P23219": "Protein",
        "HGNC.SYMBOL:PTGS1": "Gene",
        "DRUGBANK:DB00945": "Drug",
        "CORUM:12": "Complex",
        "SMPDB:SMP0000083": "Pathway",
        "CKG.Variant:chr19:g.1C>T": "Known_variant",
        "GCST:GCST000392": "GWAS_study",
        "PMID:1": "Publication",
        "DOID:6364": "Disease",
    }
    assert drop_reasons(graph) == []


def test_projects_subjects_and_users_are_ignored(tmp_path: Path) -> None:
    ignored = {name.rsplit("/", 1)[-1] for name in ckg(tmp_path).ignored_files}
    assert ignored == {"users.tsv", "P1_subjects.tsv", "P1_project.tsv"}


def test_an_entity_has_synonyms_cross_references_and_descriptions(tmp_path: Path) -> None:
    rows = {row.type: row for row in node_rows(ckg(tmp_path))}
    assert rows["Protein"].synonyms == ("COX1", "PGH1_HUMAN")
    assert rows["Protein"].document == (Section("Description", 'A "first" one', "UniProt"),)
    assert rows["Drug"].synonyms == ("1,2-acid", "ASA")
    assert [it.title for it in rows["Drug"].document] == ["Description", "Indication"]
    assert rows["Disease"].synonyms == ("hemicrania",)
    assert rows["Known_variant"].xrefs == ("DBSNP:rs7412",)
    assert rows["GWAS_study"].name == "A study"
    assert rows["Publication"] == NodeRow("PMID:1", "Publication", "PMID:1", xrefs=("DOI:10.1/x",))


def test_the_relation_does_not_come_from_the_type_column(tmp_path: Path) -> None:
    protein, disease = "UniProtKB:P23219", "DOID:6364"
    edges = {
        row.relation: row for row in edge_rows(ckg(tmp_path)) if row.evidence != "OncoKB (known)"
    }
    assert edges == {
        "CURATED_TARGETS": EdgeRow(
            "DRUGBANK:DB00945", "CURATED_TARGETS", "HGNC.SYMBOL:PTGS1", evidence="DGIdb: A"
        ),
        "COMPILED_INTERACTS_WITH": EdgeRow(
            protein, "COMPILED_INTERACTS_WITH", protein, 0.7, "STRING"
        ),
        "ASSOCIATED_WITH": EdgeRow(
            protein, "ASSOCIATED_WITH", disease, 2.5, "DISEASES (Knowledge)"
        ),
        "DETECTED_IN_PATHOLOGY_SAMPLE": EdgeRow(
            protein,
            "DETECTED_IN_PATHOLOGY_SAMPLE",
            disease,
            evidence="HPA (unfavourable prognosis)",
            level="high 3, medium 5, low 2, not detected 1",
            p_value=0.004,
            publications=("https://hpa.example/1",),
        ),
        "MENTIONED_IN_PUBLICATION": EdgeRow(protein, "MENTIONED_IN_PUBLICATION", "PMID:1"),
        "VARIANT_FOUND_IN_GWAS": EdgeRow(
            "CKG.Variant:chr19:g.1C>T",
            "VARIANT_FOUND_IN_GWAS",
            "GCST:GCST000392",
            evidence="GWAS Catalog",
            p_value=1e-8,
        ),
        "IS_SUBUNIT_OF": EdgeRow(
            protein,
            "IS_SUBUNIT_OF",
            "CORUM:12",
            evidence="CORUM",
            publications=("PMID:1234",),
        ),
    }


def test_the_grade_of_a_variant_is_not_a_number(tmp_path: Path) -> None:
    [edge] = [row for row in edge_rows(ckg(tmp_path)) if row.evidence == "OncoKB (known)"]
    assert (edge.source, edge.score, edge.level) == ("CKG.Clinical_variant:V600E", None, "level 1")


def test_a_row_without_an_end_or_with_a_text_score_is_dropped(tmp_path: Path) -> None:
    header = "START_ID\tEND_ID\tTYPE\taction\tdirectionality\tscore\tsource\n"
    rows = "P1\tNA\tX\t\t\t1\ts\nP1\tP2\tX\t\t\thigh\ts\nP1\tP2\tX\t\t\tNA\ts\nP1\tP2\n"
    graph = ckg(tmp_path, string_protein_acts_on_protein=header + rows)
    assert [(line, why) for _, line, why in drop_reasons(graph)] == [
        (2, "missing"),
        (3, "number"),
        (5, "columns"),
    ]


@pytest.mark.parametrize(
    ("name", "relation", "start", "end"),
    [
        ("Disease_has_parent.tsv", "HAS_PARENT", "Disease", "Disease"),
        ("Experimental_factor_maps_to_Disease.tsv", "MAPS_TO", "Experimental_factor", "Disease"),
        ("intact_interacts_with.tsv", "CURATED_INTERACTS_WITH", "Protein", "Protein"),
        ("stitch_associated_with.tsv.gz", "COMPILED_TARGETS", "Drug", "Protein"),
        ("Protein_disgenet_associated_with.tsv", "ASSOCIATED_WITH", "Protein", "Disease"),
        ("cgi_targets.tsv", "CURATED_TARGETS", "Drug", "Gene"),
        (
            "psp_biological_process_associated_with.tsv",
            "ASSOCIATED_WITH",
            "Modified_protein",
            "Biological_process",
        ),
        (
            "Biological_process_associated_with.tsv",
            "ASSOCIATED_WITH",
            "Protein",
            "Biological_process",
        ),
        ("associated_with_disease.tsv", "ASSOCIATED_WITH", "Metabolite", "Disease"),
        ("hmdb_associated_with_tissue.tsv", "ASSOCIATED_WITH", "Metabolite", "Tissue"),
        (
            "reactome_metabolite_annotated_to_pathway.tsv",
            "ANNOTATED_IN_PATHWAY",
            "Metabolite",
            "Pathway",
        ),
        ("drugbank_interacts_with_drug.tsv", "INTERACTS_WITH", "Drug", "Drug"),
        ("sider_has_side_effect.tsv", "HAS_SIDE_EFFECT", "Drug", "Phenotype"),
    ],
)
def test_the_file_name_determines_the_relation(
    name: str, relation: str, start: str, end: str
) -> None:
    rule = rule_of_file(f"imports/databases/{name}")
    assert rule is not None
    assert (rule.relation, rule.start, rule.end) == (relation, start, end)


def test_every_rule_has_labels_and_phrases() -> None:
    assert {rule.relation for rule in VOCABULARY.file_rules} == {*RELATIONS}
    for rule in VOCABULARY.file_rules:
        assert {rule.start, rule.end} <= {*PREFIXES, "", "="}
    assert all(info.forward and info.backward for info in RELATIONS.values())
    assert label_of_file("oncokb_Clinically_relevant_variant.tsv") == "Clinically_relevant_variant"
    assert label_of_file("users.tsv") is None
