"""Biolink's categories and predicates in words that a physician reads, and the way back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backend.graphs.importers.sources import relation_table

PREFIX = "biolink:"
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
TOO_GENERAL = {
    *("NamedThing", "Entity", "BiologicalEntity", "PhysicalEssence", "PhysicalEssenceOrOccurrent"),
    *("OntologyClass", "ThingWithTaxon", "Occurrent", "ChemicalOrDrugOrTreatment", "GenomicEntity"),
    *("GeneOrGeneProduct", "MacromolecularMachineMixin", "ChemicalEntityOrGeneOrGeneProduct"),
    *(
        "ChemicalEntityOrProteinOrPolypeptide",
        "DiseaseOrPhenotypicFeature",
        "SubjectOfInvestigation",
    ),
    *("BiologicalProcessOrActivity", "OrganismalEntity"),
}
TYPES = {
    "AnatomicalEntity": "Anatomy",
    "BiologicalProcess": "Biological process",
    "CellularComponent": "Cellular component",
    "ChemicalEntity": "Chemical",
    "GrossAnatomicalStructure": "Anatomy",
    "MacromolecularComplex": "Complex",
    "MolecularActivity": "Molecular function",
    "OrganismTaxon": "Organism",
    "PhenotypicFeature": "Phenotype",
    "SequenceVariant": "Variant",
}
CATEGORIES = {words.casefold(): name for name, words in reversed(TYPES.items())} | {
    "compound": "ChemicalEntity",
    "biological_process": "BiologicalProcess",
    "molecular_function": "MolecularActivity",
    "cellular_component": "CellularComponent",
    "gene/protein": "Gene",
    "effect/phenotype": "PhenotypicFeature",
    "symptom": "PhenotypicFeature",
    "side effect": "PhenotypicFeature",
    "tissue": "GrossAnatomicalStructure",
    "metabolite": "SmallMolecule",
    "exposure": "ChemicalExposure",
}
SAME_WORD = {"cell", "disease", "drug", "gene", "pathway", "protein", "publication", "transcript"}

RELATIONS = relation_table(
    ("actively_involved_in", "is actively involved in", "actively involves"),
    ("affects", "affects", "is affected by"),
    ("ameliorates_condition", "eases", "is eased by"),
    ("applied_to_treat", "is used to treat", "is treated with"),
    ("associated_with", "is associated with"),
    ("biomarker_for", "is a biomarker for", "has the biomarker"),
    ("binds", "binds"),
    ("broad_match", "is a broader match of", "is a narrower match of"),
    ("capable_of", "can do", "can be done by"),
    ("causes", "causes", "is caused by"),
    ("caused_by", "is caused by", "causes"),
    ("close_match", "nearly matches"),
    ("coexists_with", "coexists with"),
    ("coexpressed_with", "is expressed together with"),
    ("colocalizes_with", "is found together with"),
    ("composed_primarily_of", "consists mainly of", "is the main part of"),
    ("contraindicated_in", "is contraindicated in", "is a contraindication for"),
    ("contributes_to", "contributes to", "is contributed to by"),
    ("correlated_with", "is correlated with"),
    ("decreases_response_to", "lessens the response to", "has a response lessened by"),
    ("derives_from", "derives from", "gives rise to"),
    ("diagnoses", "diagnoses", "is diagnosed by"),
    ("directly_physically_interacts_with", "binds directly to"),
    ("disease_has_basis_in", "arises from", "is the basis of"),
    ("disease_has_location", "is located in", "is the site of"),
    ("disrupts", "disrupts", "is disrupted by"),
    ("enables", "has the function", "is a function of"),
    ("exact_match", "is the same as"),
    ("exacerbates_condition", "worsens", "is worsened by"),
    ("expressed_in", "is expressed in", "expresses"),
    ("expresses", "expresses", "is expressed in"),
    ("gene_associated_with_condition", "is associated with", "is associated with"),
    ("gene_product_of", "is a product of", "has the product"),
    ("genetically_associated_with", "is genetically associated with"),
    ("genetically_interacts_with", "interacts genetically with"),
    ("has_adverse_event", "can cause", "can be caused by"),
    ("has_contraindication", "has the contraindication", "is contraindicated with"),
    ("has_gene_product", "has the product", "is a product of"),
    ("has_metabolite", "is metabolised to", "is a metabolite of"),
    ("has_mode_of_inheritance", "is inherited as", "is the inheritance of"),
    ("has_part", "has the part", "is part of"),
    ("has_participant", "involves", "takes part in"),
    ("has_phenotype", "presents with", "is a feature of"),
    ("has_side_effect", "can cause", "can be caused by"),
    ("homologous_to", "is homologous to"),
    ("in_clinical_trials_for", "is in clinical trials for", "has in clinical trials"),
    ("in_taxon", "occurs in", "has"),
    ("increases_response_to", "strengthens the response to", "has a response strengthened by"),
    ("interacts_with", "interacts with"),
    ("is_sequence_variant_of", "is a variant of", "has the variant"),
    ("located_in", "is located in", "is the place of"),
    ("location_of", "is the place of", "is located in"),
    ("model_of", "is a model of", "is modelled by"),
    ("negatively_correlated_with", "is negatively correlated with"),
    ("occurs_in", "occurs in", "is the place of"),
    ("orthologous_to", "is orthologous to"),
    ("part_of", "is part of", "has the part"),
    ("participates_in", "takes part in", "involves"),
    ("physically_interacts_with", "binds to"),
    ("positively_correlated_with", "is positively correlated with"),
    ("precedes", "precedes", "follows"),
    ("predisposes_to_condition", "predisposes to", "is favoured by"),
    ("preventative_for_condition", "prevents", "is prevented by"),
    ("produces", "produces", "is produced by"),
    ("regulates", "regulates", "is regulated by"),
    ("related_to", "is related to"),
    ("risk_affected_by", "has a risk affected by", "affects the risk of"),
    ("same_as", "is the same as"),
    ("similar_to", "resembles"),
    ("studied_to_treat", "is studied as a treatment of", "has as a studied treatment"),
    ("subclass_of", "is a kind of", "includes"),
    ("superclass_of", "includes", "is a kind of"),
    ("target_for", "is a target for", "has the target"),
    ("temporally_related_to", "is related in time to"),
    ("transcribed_from", "is transcribed from", "is transcribed into"),
    ("transcribed_to", "is transcribed into", "is transcribed from"),
    ("translates_to", "is translated into", "is translated from"),
    ("treats", "treats", "is treated by"),
    ("treats_or_applied_or_studied_to_treat", "treats or may treat", "is or may be treated by"),
    ("xenologous_to", "is xenologous to"),
)
PREDICATES = {"interacts with": "interacts_with", "resembles": "similar_to"}


def type_of(categories: Sequence[str]) -> str:
    """The first category that says something, in words; the first of all if none does."""
    names = [category.removeprefix(PREFIX) for category in categories]
    telling = [name for name in names if name not in TOO_GENERAL] or names
    return _type_in_words(telling[0]) if telling else ""


def _type_in_words(name: str) -> str:
    if name in TYPES:
        return TYPES[name]
    words = CAMEL.split(name)
    return " ".join([words[0], *(word if word.isupper() else word.lower() for word in words[1:])])


def relation_of(predicate: str) -> str:
    return predicate.removeprefix(PREFIX)


def category_for(kind: str) -> str:
    """The category nearest to a type in words; the most general where there is none."""
    folded = kind.casefold()
    if folded in SAME_WORD:
        return PREFIX + folded.capitalize()
    return PREFIX + CATEGORIES.get(folded, "NamedThing")


def predicate_for(relation: str, forward: str) -> str:
    """The predicate that says the same as a relation or its phrase, or else `related_to`."""
    if relation in RELATIONS:
        return PREFIX + relation
    by_phrase = {info.forward: name for name, info in reversed(RELATIONS.items())}
    return PREFIX + (PREDICATES | by_phrase).get(forward, "related_to")
