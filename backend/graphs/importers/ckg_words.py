"""The Clinical Knowledge Graph's vocabulary: labels, and which relation each of its files holds.

The column TYPE of its files is not the relationship: its builder gives that by the file's name,
as the rules here do. They follow its Cypher queries, with their one reversal: the files of
mentions begin with the publication, the relationship begins with what is mentioned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from backend.graphs.importers.sources import relation_table

OWN = "CKG."
"""The prefix of identifiers that are no other database's: 'CKG.Peptide:…'."""

PREFIXES = {
    "Amino_acid_sequence": OWN + "Sequence",
    "Biological_process": "GO",
    "Cellular_component": "GO",
    "Chromosome": OWN + "Chromosome",
    "Clinical_variable": "SNOMEDCT",
    "Clinically_relevant_variant": OWN + "Clinical_variant",
    "Complex": "CORUM",
    "Disease": "DOID",
    "Drug": "DRUGBANK",
    "Experiment": OWN + "Experiment",
    "Experimental_factor": "EFO",
    "Food": "FOODB",
    "Functional_region": "PFAM",
    "GWAS_study": "GCST",
    "Gene": "HGNC.SYMBOL",
    "Known_variant": OWN + "Variant",
    "Metabolite": "HMDB",
    "Modification": "MOD",
    "Modified_protein": OWN + "Modified_protein",
    "Molecular_function": "GO",
    "Pathway": "REACT",
    "Peptide": OWN + "Peptide",
    "Phenotype": "HP",
    "Protein": "UniProtKB",
    "Protein_structure": "PDB",
    "Publication": "PMID",
    "Tissue": "BTO",
    "Transcript": "REFSEQ",
    "Units": OWN + "Unit",
}
PLURALS = {"Publications": "Publication", "Protein_structures": "Protein_structure"}
SPLIT_BY_COMMA = {
    *("Biological_process", "Cellular_component", "Clinical_variable", "Complex", "Disease"),
    *("Experiment", "Experimental_factor", "Gene", "Modification", "Molecular_function"),
    *("Phenotype", "Protein", "Tissue"),
}
"""The labels whose synonyms its builder parts by commas; in other files a comma is a comma."""

RELATIONS = relation_table(
    ("ACTS_ON", "acts on", "is acted on by"),
    ("ANNOTATED_IN_PATHWAY", "takes part in", "involves"),
    ("ASSOCIATED_WITH", "is associated with", "is associated with"),
    ("BELONGS_TO_PROTEIN", "belongs to", "contains"),
    ("COMPILED_INTERACTS_WITH", "interacts with (compiled evidence)"),
    ("COMPILED_TARGETS", "targets (compiled evidence)", "is targeted by (compiled evidence)"),
    (
        "CURATED_AFFECTS_INTERACTION_WITH",
        "affects the interaction with",
        "has an interaction affected by",
    ),
    ("CURATED_INTERACTS_WITH", "interacts with (curated)"),
    ("CURATED_TARGETS", "targets (curated)", "is targeted by (curated)"),
    ("DETECTED_IN_PATHOLOGY_SAMPLE", "is detected in samples of", "has samples that show"),
    ("FOUND_IN_PROTEIN", "is found in", "contains"),
    ("HAS_CONTENT", "contains", "is contained in"),
    ("HAS_MODIFICATION", "has the modification", "is a modification of"),
    ("HAS_MODIFIED_SITE", "has the modified site", "is a modified site of"),
    ("HAS_PARENT", "is a kind of", "includes"),
    ("HAS_SEQUENCE", "has the sequence", "is the sequence of"),
    ("HAS_SIDE_EFFECT", "can cause", "can be caused by"),
    ("HAS_STRUCTURE", "has the structure", "is the structure of"),
    ("INTERACTS_WITH", "interacts with"),
    ("IS_BIOMARKER_OF_DISEASE", "is a biomarker of", "has the biomarker"),
    ("IS_INDICATED_FOR", "is indicated for", "is an indication for"),
    ("IS_QCMARKER_IN_TISSUE", "is a quality marker in", "has the quality marker"),
    ("IS_SUBSTRATE_OF", "is a substrate of", "has the substrate"),
    ("IS_SUBUNIT_OF", "is a subunit of", "has the subunit"),
    ("LOCATED_IN", "is located in", "is the place of"),
    ("MAPS_TO", "corresponds to", "corresponds to"),
    ("MENTIONED_IN_PUBLICATION", "is mentioned in", "mentions"),
    ("PUBLISHED_IN", "is published in", "publishes"),
    ("STUDIES_TRAIT", "studies", "is studied in"),
    (
        "TARGETS_CLINICALLY_RELEVANT_VARIANT",
        "targets the variant",
        "is a variant targeted by",
    ),
    ("TRANSCRIBED_INTO", "is transcribed into", "is transcribed from"),
    ("TRANSLATED_INTO", "is translated into", "is translated from"),
    ("VARIANT_FOUND_IN_CHROMOSOME", "is found in", "has the variant"),
    ("VARIANT_FOUND_IN_GENE", "is found in", "has the variant"),
    ("VARIANT_FOUND_IN_GWAS", "is found in the study", "found the variant"),
    ("VARIANT_FOUND_IN_PROTEIN", "is found in", "has the variant"),
    ("VARIANT_IS_CLINICALLY_RELEVANT", "is the clinical variant", "is the known variant"),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What the rows of a file say. `swapped`: the file has the relationship's end first.

    `alias` names the column of the known variants by which this file calls them.
    """

    relation: str
    start: str
    end: str
    swapped: bool = False
    alias: str = ""


LABEL = "|".join(sorted(PREFIXES, key=len, reverse=True))
START, END = f"(?P<start>{LABEL})", f"(?P<end>{LABEL})"
KINDS = {"protein": "Protein", "disease": "Disease", "tissue": "Tissue", "drug": "Drug"} | {
    "metabolite": "Metabolite",
    "peptide": "Peptide",
    "gene": "Gene",
    "chromosome": "Chromosome",
}
SMALL = "|".join(KINDS)

# The first pattern that fits the whole name of a file counts; \w+ is the name of a resource.
PATTERNS: tuple[tuple[str, Rule], ...] = (
    (rf"{START}_has_parent", Rule("HAS_PARENT", "", "=")),
    (rf"{START}_maps_to_{END}", Rule("MAPS_TO", "", "")),
    (
        r"Protein_HAS_Sequence_Amino_acid_sequence",
        Rule("HAS_SEQUENCE", "Protein", "Amino_acid_sequence"),
    ),
    (r"Peptide_belongs_to_protein", Rule("BELONGS_TO_PROTEIN", "Peptide", "Protein")),
    (r"Protein_gene_translated_into", Rule("TRANSLATED_INTO", "Gene", "Protein")),
    (r"Protein_transcript_translated_into", Rule("TRANSLATED_INTO", "Transcript", "Protein")),
    (
        r"Functional_region_found_in_protein",
        Rule("FOUND_IN_PROTEIN", "Functional_region", "Protein"),
    ),
    (
        rf"{START}_Publication_mentioned_in_publication",
        Rule("MENTIONED_IN_PUBLICATION", "", "Publication", swapped=True),
    ),
    (rf"{START}_mentioned_in_publication", Rule("MENTIONED_IN_PUBLICATION", "", "Publication")),
    (rf"{START}_published_in_publication", Rule("PUBLISHED_IN", "", "Publication")),
    (
        r"\w+_modified_protein_has_modification",
        Rule("HAS_MODIFICATION", "Modified_protein", "Modification"),
    ),
    (r"\w+_protein_has_modified_site", Rule("HAS_MODIFIED_SITE", "Protein", "Modified_protein")),
    (r"\w+_peptide_has_modified_site", Rule("HAS_MODIFIED_SITE", "Peptide", "Modified_protein")),
    (r"\w+_substrate_is_substrate_of", Rule("IS_SUBSTRATE_OF", "Modified_protein", "Protein")),
    (
        r"Cellular_component_associated_with",
        Rule("ASSOCIATED_WITH", "Protein", "Cellular_component"),
    ),
    (
        r"Molecular_function_associated_with",
        Rule("ASSOCIATED_WITH", "Protein", "Molecular_function"),
    ),
    (
        r"Biological_process_associated_with",
        Rule("ASSOCIATED_WITH", "Protein", "Biological_process"),
    ),
    (
        r"corum_biological_process_associated_with",
        Rule("ASSOCIATED_WITH", "Complex", "Biological_process"),
    ),
    (
        r"\w+_biological_process_associated_with",
        Rule("ASSOCIATED_WITH", "Modified_protein", "Biological_process"),
    ),
    (r"\w+_disease_associated_with", Rule("ASSOCIATED_WITH", "Modified_protein", "Disease")),
    (
        r"\w+_protein_detected_in_pathology_sample",
        Rule("DETECTED_IN_PATHOLOGY_SAMPLE", "Protein", "Disease"),
    ),
    (r"\w+_protein_is_subunit_of", Rule("IS_SUBUNIT_OF", "Protein", "Complex")),
    (r"Protein_has_structure", Rule("HAS_STRUCTURE", "Protein", "Protein_structure")),
    (r"refseq_located_in", Rule("LOCATED_IN", "Transcript", "Chromosome")),
    (r"refseq_transcribed_into", Rule("TRANSCRIBED_INTO", "Gene", "Transcript")),
    (r"string_interacts_with", Rule("COMPILED_INTERACTS_WITH", "Protein", "Protein")),
    (r"\w+_interacts_with", Rule("CURATED_INTERACTS_WITH", "Protein", "Protein")),
    (rf"{START}_{END}_associated_with_integrated", Rule("ASSOCIATED_WITH", "", "")),
    (
        r"GWAS_study_variant_found_in_gwas",
        Rule("VARIANT_FOUND_IN_GWAS", "Known_variant", "GWAS_study", alias="external_id"),
    ),
    (r"GWAS_study_studies_trait", Rule("STUDIES_TRAIT", "GWAS_study", "Experimental_factor")),
    (rf"{START}_[a-z]\w*_associated_with", Rule("ASSOCIATED_WITH", "", "Disease")),
    (r"\w+_interacts_with_drug", Rule("INTERACTS_WITH", "Drug", "Drug")),
    (
        r"\w+_targets_clinically_relevant_variant",
        Rule("TARGETS_CLINICALLY_RELEVANT_VARIANT", "Drug", "Clinically_relevant_variant"),
    ),
    (r"\w+_targets", Rule("CURATED_TARGETS", "Drug", "Gene")),
    (r"stitch_associated_with", Rule("COMPILED_TARGETS", "Drug", "Protein")),
    (
        r"(oncokb|cgi)_associated_with",
        Rule("ASSOCIATED_WITH", "Clinically_relevant_variant", "Disease"),
    ),
    (r"\w+_protein_acts_on_protein", Rule("ACTS_ON", "Protein", "Protein")),
    (r"\w+_drug_acts_on_protein", Rule("ACTS_ON", "Drug", "Protein")),
    (r"\w+_has_side_effect", Rule("HAS_SIDE_EFFECT", "Drug", "Phenotype")),
    (r"\w+_is_indicated_for", Rule("IS_INDICATED_FOR", "Drug", "Phenotype")),
    (
        rf"\w+_(?P<start>{SMALL})_annotated_to_pathway",
        Rule("ANNOTATED_IN_PATHWAY", "", "Pathway"),
    ),
    (rf"(\w+_)?associated_with_(?P<end>{SMALL})", Rule("ASSOCIATED_WITH", "Metabolite", "")),
    (r"\w+_food_has_content", Rule("HAS_CONTENT", "Food", "Metabolite")),
    (r"protein_is_biomarker_of_disease", Rule("IS_BIOMARKER_OF_DISEASE", "Protein", "Disease")),
    (r"protein_is_qcmarker_in_tissue", Rule("IS_QCMARKER_IN_TISSUE", "Protein", "Tissue")),
    (
        r"Chromosome_known_variant_found_in_chromosome",
        Rule("VARIANT_FOUND_IN_CHROMOSOME", "Known_variant", "Chromosome"),
    ),
    (
        r"Gene_known_variant_found_in_gene",
        Rule("VARIANT_FOUND_IN_GENE", "Known_variant", "Gene"),
    ),
    (
        r"Protein_known_variant_found_in_protein",
        Rule("VARIANT_FOUND_IN_PROTEIN", "Known_variant", "Protein"),
    ),
    (
        r"mutation_curated_affects_interaction_with",
        Rule("CURATED_AFFECTS_INTERACTION_WITH", "Known_variant", "Protein", alias="pvariant_id"),
    ),
    (
        r"\w+_known_variant_is_clinically_relevant",
        Rule(
            "VARIANT_IS_CLINICALLY_RELEVANT",
            "Known_variant",
            "Clinically_relevant_variant",
            alias="pvariant_id",
        ),
    ),
)
COMPILED = tuple((re.compile(pattern), rule) for pattern, rule in PATTERNS)
ENTITY = re.compile(rf"(\w+_)?(?P<label>{LABEL}|{'|'.join(PLURALS)})")
SUFFIXES = re.compile(r"(\.(tsv|csv|txt|gz|bz2|xz))+$")


def stem_of(name: str) -> str:
    """The name of a file without folder and endings: 'dgidb_targets'."""
    return SUFFIXES.sub("", name.rsplit("/", 1)[-1])


def label_of(name: str) -> str | None:
    """The label of the entities that a file lists: 'smpdb_Pathway.tsv' has pathways."""
    found = ENTITY.fullmatch(stem_of(name))
    return PLURALS.get(found["label"], found["label"]) if found else None


def rule_of(name: str) -> Rule | None:
    """What the relationships of a file are, by its name."""
    for pattern, rule in COMPILED:
        if found := pattern.fullmatch(stem_of(name)):
            groups = found.groupdict()
            start = rule.start or _named(groups.get("start"))
            end = start if rule.end == "=" else rule.end or _named(groups.get("end"))
            return Rule(rule.relation, start, end, rule.swapped, rule.alias)
    return None


def _named(word: str | None) -> str:
    return KINDS.get(word or "", word or "")
