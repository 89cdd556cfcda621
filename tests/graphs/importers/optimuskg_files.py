"""A small graph in both layouts of OptimusKG's files.

Facts: imatinib inhibits ABL1 (Druker et al. 1996, PMID 8616716) and is indicated for chronic
myeloid leukaemia (trial NCT00006343); FBN1 causes Marfan syndrome (Dietz et al. 1991, PMID
1852208), of which ectopia lentis is a feature (Loeys et al. 2010, PMID 20591885); identifiers of
ChEMBL, Ensembl, Mondo, HPO, Uberon, Gene Ontology and MeSH. The scores are made up.
"""

import io
import json
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

Row = dict[str, object]


def sources(*direct: str, indirect: Sequence[str] = ()) -> Row:
    return {"direct": [*direct], "indirect": [*indirect]}


def labelled(*names: str) -> list[Row]:
    return [{"label": name, "source": "HGNC"} for name in names]


NODES: dict[str, list[Row]] = {
    "drug": [
        {
            "id": "CHEMBL941",
            "label": "DRG",
            "properties": {
                "name": "IMATINIB",
                "synonyms": ["Imatinib", "STI-571"],
                "trade_names": ["Gleevec"],
                "description": "A tyrosine kinase inhibitor.",
                "sources": sources("OPEN_TARGETS"),
                "cd_mol_weight": 493.6,
            },
        },
        {"id": "CHEMBL1642", "label": "DRG", "properties": None},
    ],
    "gene": [
        {
            "id": "ENSG00000097007",
            "label": "GEN",
            "properties": {
                "sources": sources("OPEN_TARGETS", "BGEE"),
                "symbol": "ABL1",
                "name": "ABL proto-oncogene 1, non-receptor tyrosine kinase",
                "symbol_synonyms": labelled("ABL"),
                "function_descriptions": ["Tyrosine kinase.", "Acts in cell division."],
                "associated_proteins": [{"id": "P00519", "source": "uniprot_swissprot"}],
                "xrefs": [{"id": "76", "source": "HGNC"}, {"id": "x9", "source": "Elsewhere"}],
            },
        },
        {
            "id": "ENSG00000166147",
            "label": "GEN",
            "properties": {"sources": sources("BGEE"), "symbol": "FBN1", "name": "fibrillin 1"},
        },
    ],
    "disease": [
        {
            "id": "MONDO_0011996",
            "label": "DIS",
            "properties": {
                "sources": sources("OPEN_TARGETS", "MONDO"),
                "name": "chronic myelogenous leukemia, BCR-ABL1 positive",
                "exact_synonyms": ["CML"],
                "xrefs": ["OMIM:608232", "ICD10CM:C92.1"],
                "umls_cui": "C0279543",
            },
        },
        {"id": "MONDO_0007947", "label": "DIS", "properties": {"name": "Marfan syndrome"}},
    ],
    "phenotype": [
        {"id": "HP_0001083", "label": "PHE", "properties": {"name": "Ectopia lentis"}},
    ],
    "anatomy": [
        {"id": "UBERON_0000948", "label": "ANA", "properties": {"name": "heart"}},
    ],
    "biological_process": [
        {"id": "GO_0006915", "label": "BPO", "properties": {"name": "apoptotic process"}},
        {"id": "GO_0012501", "label": "BPO", "properties": {"name": "programmed cell death"}},
    ],
    "exposure": [
        {"id": "MESH:D001151", "label": "EXP", "properties": {"name": "Arsenic"}},
    ],
}


def edge(source: str, relation: str, target: str, label: str, **properties: object) -> Row:
    return {
        "from": source,
        "to": target,
        "label": label,
        "relation": relation,
        "undirected": label in {"DRG-DIS", "DIS-GEN", "DIS-PHE", "ANA-GEN"},
        "properties": properties,
    }


EDGES: dict[str, list[Row]] = {
    "drug_disease": [
        edge(
            "CHEMBL941",
            "INDICATION",
            "MONDO_0011996",
            "DRG-DIS",
            sources=sources("OPEN_TARGETS", indirect=["CLINICAL_TRIALS", "DAILY_MED"]),
            reference_ids=["NCT00006343", "setid 1"],
            highest_clinical_trial_phase=4.0,
        )
    ],
    "drug_gene": [
        edge(
            "CHEMBL941",
            "INHIBITOR",
            "ENSG00000097007",
            "DRG-GEN",
            sources=sources("OPEN_TARGETS", indirect=["PUBMED"]),
            source_ids=["8616716"],
            source_urls=[
                "http://europepmc.org/abstract/MED/8616716",
                "https://example.org/label.pdf",
            ],
        )
    ],
    "disease_gene": [
        edge(
            "MONDO_0007947",
            "ASSOCIATED_WITH",
            "ENSG00000166147",
            "DIS-GEN",
            sources=sources("DISGENET", "OPEN_TARGETS"),
            evidence_score=0.875,
            disgenet_score=0.5,
            year_initial="1991",
            year_final="2020",
        )
    ],
    "disease_phenotype": [
        edge(
            "MONDO_0007947",
            "PHENOTYPE_PRESENT",
            "HP_0001083",
            "DIS-PHE",
            sources=sources("OPEN_TARGETS", indirect=["HPO"]),
            evidence_type=["PCS", "TAS"],
            references=["PMID:20591885", "OMIM:154700"],
            qualifier_not=False,
        )
    ],
    "anatomy_gene": [
        edge(
            "UBERON_0000948",
            "EXPRESSION_PRESENT",
            "ENSG00000166147",
            "ANA-GEN",
            sources=sources("BGEE"),
            call_quality="gold quality",
            expression_rank=1200,
        )
    ],
    "biological_process_biological_process": [
        edge("GO_0006915", "IS_A", "GO_0012501", "BPO-BPO", sources=sources("GO"))
    ],
    "exposure_biological_process": [
        edge(
            "MESH:D001151",
            "INTERACTS_WITH",
            "GO_0006915",
            "EXP-BPO",
            sources=sources("CTD", "OPEN_TARGETS"),
            references=["17431484"],
        )
    ],
    "drug_drug": [
        edge("CHEMBL941", "PARENT", "CHEMBL1642", "DRG-DRG", sources=sources("OPEN_TARGETS"))
    ],
}


def as_parquet(rows: Sequence[Mapping[str, object]], **options: object) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([*rows]), file, **options)
    return file.getvalue()


def with_json(rows: Sequence[Row]) -> list[Row]:
    """`properties` as in the consolidated files."""
    return [
        {**row, "properties": None if row["properties"] is None else json.dumps(row["properties"])}
        for row in rows
    ]


def consolidated(
    nodes: Mapping[str, Sequence[Row]] = NODES, edges: Mapping[str, Sequence[Row]] = EDGES
) -> dict[str, str | bytes]:
    return {
        "nodes.parquet": as_parquet(with_json([row for rows in nodes.values() for row in rows])),
        "edges.parquet": as_parquet(with_json([row for rows in edges.values() for row in rows])),
    }


def by_type() -> dict[str, str | bytes]:
    files = {f"nodes/{name}.parquet": as_parquet(rows) for name, rows in NODES.items()}
    return {**files, **{f"edges/{name}.parquet": as_parquet(rows) for name, rows in EDGES.items()}}
