"""PrimeKG's vocabulary: what its identifiers are, and its relations in words, both ways.

STaRK's copy of PrimeKG has the same vocabulary, so that both give the same graph.
"""

from __future__ import annotations

from functools import lru_cache

from backend.graphs.identifiers import curie
from backend.graphs.rows import RelationInfo

PREFIXES = {
    "NCBI": "NCBIGene",
    "DrugBank": "DRUGBANK",
    "HPO": "HP",
    "MONDO": "MONDO",
    "MONDO_grouped": "MONDO",
    "GO": "GO",
    "UBERON": "UBERON",
    "REACTOME": "REACT",
    "CTD": "MESH",
}
NUMBERED = {"NCBI", "HPO", "MONDO", "MONDO_grouped", "GO", "UBERON"}

GENE, DRUG, DISEASE, EFFECT = "gene/protein", "drug", "disease", "effect/phenotype"
PROCESS, FUNCTION, COMPONENT = "biological_process", "molecular_function", "cellular_component"
EXPOSURE, ANATOMY, PATHWAY = "exposure", "anatomy", "pathway"
PARENT = "is a broader or narrower term of"

# name, the file's display_relation, the types of both ends, and how it is said each way
SAID = (
    (
        "contraindication",
        "contraindication",
        DRUG,
        DISEASE,
        "is contraindicated in",
        "is a contraindication for",
    ),
    ("indication", "indication", DRUG, DISEASE, "is indicated for", "is an indication for"),
    (
        "off-label use",
        "off-label use",
        DRUG,
        DISEASE,
        "is used off-label for",
        "is treated off-label with",
    ),
    ("drug_protein_target", "target", DRUG, GENE, "targets", "is targeted by"),
    ("drug_protein_enzyme", "enzyme", DRUG, GENE, "has the enzyme", "is an enzyme for"),
    ("drug_protein_carrier", "carrier", DRUG, GENE, "has the carrier", "is a carrier of"),
    (
        "drug_protein_transporter",
        "transporter",
        DRUG,
        GENE,
        "has the transporter",
        "is a transporter of",
    ),
    ("drug_effect", "side effect", DRUG, EFFECT, "can cause", "can be caused by"),
    (
        "disease_protein",
        "associated with",
        DISEASE,
        GENE,
        "is associated with",
        "is associated with",
    ),
    (
        "phenotype_protein",
        "associated with",
        EFFECT,
        GENE,
        "is associated with",
        "is associated with",
    ),
    (
        "disease_phenotype_positive",
        "phenotype present",
        DISEASE,
        EFFECT,
        "presents with",
        "is a feature of",
    ),
    (
        "disease_phenotype_negative",
        "phenotype absent",
        DISEASE,
        EFFECT,
        "does not present with",
        "is not a feature of",
    ),
    (
        "anatomy_protein_present",
        "expression present",
        ANATOMY,
        GENE,
        "expresses",
        "is expressed in",
    ),
    (
        "anatomy_protein_absent",
        "expression absent",
        ANATOMY,
        GENE,
        "does not express",
        "is not expressed in",
    ),
    ("bioprocess_protein", "interacts with", GENE, PROCESS, "takes part in", "involves"),
    ("molfunc_protein", "interacts with", GENE, FUNCTION, "has the function", "is a function of"),
    ("cellcomp_protein", "interacts with", GENE, COMPONENT, "is active in", "is a place of"),
    ("pathway_protein", "interacts with", GENE, PATHWAY, "takes part in", "involves"),
    ("exposure_protein", "interacts with", EXPOSURE, GENE, "acts on", "is acted on by"),
    ("exposure_bioprocess", "interacts with", EXPOSURE, PROCESS, "affects", "is affected by"),
    ("exposure_molfunc", "interacts with", EXPOSURE, FUNCTION, "affects", "is affected by"),
    ("exposure_cellcomp", "interacts with", EXPOSURE, COMPONENT, "affects", "is affected by"),
    ("exposure_disease", "linked to", EXPOSURE, DISEASE, "is linked to", "is linked to"),
    ("protein_protein", "ppi", GENE, GENE, "interacts with", ""),
    ("drug_drug", "synergistic interaction", DRUG, DRUG, "interacts with", ""),
    ("disease_disease", "parent-child", DISEASE, DISEASE, PARENT, ""),
    ("phenotype_phenotype", "parent-child", EFFECT, EFFECT, PARENT, ""),
    ("bioprocess_bioprocess", "parent-child", PROCESS, PROCESS, PARENT, ""),
    ("molfunc_molfunc", "parent-child", FUNCTION, FUNCTION, PARENT, ""),
    ("cellcomp_cellcomp", "parent-child", COMPONENT, COMPONENT, PARENT, ""),
    ("anatomy_anatomy", "parent-child", ANATOMY, ANATOMY, PARENT, ""),
    ("pathway_pathway", "parent-child", PATHWAY, PATHWAY, PARENT, ""),
    ("exposure_exposure", "parent-child", EXPOSURE, EXPOSURE, PARENT, ""),
)
RELATIONS = {
    name: RelationInfo(name, forward, backward or forward, not backward)
    for name, _, _, _, forward, backward in SAID
}
BY_ENDS = {(display, x, y): name for name, display, x, y, _, _ in SAID}

DISEASE_SOURCES = {"mondo": "MONDO", "umls": "UMLS", "orphanet": "Orphanet", "mayo": "Mayo Clinic"}
NO_TEXT = {"mondo_id", "mondo_name", "group_id_bert", "group_name_bert", "node_index"}


@lru_cache(maxsize=65_536)
def identifiers_of(source: str, raw: str) -> tuple[str, ...]:
    """The CURIEs of a bare identifier: one, or those of a group; none if it has not the form."""
    prefix = PREFIXES.get(source)
    parts = raw.split("_") if source == "MONDO_grouped" else [raw]
    if prefix is None or not all(parts):
        return ()
    if source in NUMBERED and not all(part.isascii() and part.isdigit() for part in parts):
        return ()
    return tuple(dict.fromkeys(curie(prefix, part) for part in parts))


def relation_between(display: str, kind: str, other: str) -> tuple[str, bool] | None:
    """The relation's name, and whether it is said from the second end; None if there is none."""
    if name := BY_ENDS.get((display, kind, other)):
        return name, False
    name = BY_ENDS.get((display, other, kind))
    return (name, True) if name else None


def directed(name: str, source: str, target: str, *, swapped: bool) -> tuple[str, str]:
    """The ends of an edge in the one order in which it is stored."""
    if RELATIONS[name].symmetric:
        return min(source, target), max(source, target)
    return (target, source) if swapped else (source, target)
