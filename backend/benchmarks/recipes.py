"""What the demo's questions ask: a pattern each, and how it is said in our own words.

A node is named ('Drug'), asked for ('Drug?') or unknown ('Protein*'); node 0 comes first. An
edge is 'start relation end'. In the sentence {1} is the name of node 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    type: str
    count: int
    category: str
    nodes: str
    edges: str
    text: str


RECIPES = (
    Recipe("1.1", 3, "treatment:uses of a drug", "Disease? Drug", "1 treats 0",
           "Which diseases is {1} used to treat?"),
    Recipe("1.1", 2, "safety:side effects of a drug", "Side_effect? Drug", "1 has_side_effect 0",
           "Which unwanted effects can {1} cause?"),
    Recipe("1.1", 2, "diagnosis:signs of a disease", "Phenotype? Disease", "1 has_phenotype 0",
           "Which signs and symptoms can {1} show?"),
    Recipe("1.1", 1, "mechanism:pathways", "Pathway? Protein", "1 takes_part_in 0",
           "In which pathways does {1} take part?"),
    Recipe("1.1", 1, "diagnosis:parts of the body", "Anatomy? Disease", "1 affects 0",
           "Which parts of the body does {1} affect?"),
    Recipe("1.2", 3, "treatment:drugs for a disease", "Drug? Disease", "0 treats 1",
           "Which drugs are used to treat {1}?"),
    Recipe("1.2", 2, "mechanism:drugs on a protein", "Drug? Protein", "0 inhibits 1",
           "Which drugs block or inhibit {1}?"),
    Recipe("1.2", 2, "diagnosis:diseases with a sign", "Disease? Phenotype", "0 has_phenotype 1",
           "Which diseases can show {1}?"),
    Recipe("1.2", 1, "safety:metabolism", "Drug? Protein", "0 is_metabolised_by 1",
           "Which drugs are broken down by {1}?"),
    Recipe("1.2", 1, "genetics:genes of a disease", "Gene? Disease", "0 is_linked_to 1",
           "Which genes are linked to {1}?"),
    Recipe("2.1", 3, "treatment:genetic disease", "Drug? Disease Gene",
           "0 treats 1; 2 is_linked_to 1",
           "Which drugs are used to treat {1}, a disease to which the gene {2} is linked?"),
    Recipe("2.1", 2, "mechanism:gene to drug", "Drug? Protein Gene", "0 inhibits 1; 2 encodes 1",
           "Which drugs block or inhibit {1}, which is encoded by the gene {2}?"),
    Recipe("2.1", 3, "treatment:uses by mechanism", "Disease? Drug Protein",
           "1 treats 0; 1 inhibits 2",
           "Which diseases are treated with {1}, a drug that blocks or inhibits {2}?"),
    Recipe("2.1", 1, "diagnosis:signs of a treated disease", "Phenotype? Disease Drug",
           "1 has_phenotype 0; 2 treats 1",
           "Which signs and symptoms can {1} show, a disease that {2} is used to treat?"),
    Recipe("3.1", 3, "mechanism:disease to drug", "Drug? Protein Gene Disease",
           "0 inhibits 1; 2 encodes 1; 2 is_linked_to 3",
           "Which drugs block or inhibit {1}, which is encoded by the gene {2}, which in turn is "
           "linked to {3}?"),
    Recipe("3.1", 3, "treatment:uses by pathway", "Disease? Drug Protein Pathway",
           "1 treats 0; 1 inhibits 2; 2 takes_part_in 3",
           "Which diseases are treated with {1}, which blocks or inhibits {2}, which takes part in "
           "the pathway '{3}'?"),
    Recipe("3.1", 2, "treatment:genetic disease", "Drug? Disease Gene Protein",
           "0 treats 1; 2 is_linked_to 1; 2 encodes 3",
           "Which drugs are used to treat {1}, to which the gene {2} is linked, which encodes "
           "{3}?"),
    Recipe("3.2", 3, "safety:treatment and side effect", "Drug? Disease Phenotype Side_effect",
           "0 treats 1; 1 has_phenotype 2; 0 has_side_effect 3",
           "Which drugs are used to treat {1}, which can show {2}, and can cause {3} as a side "
           "effect?"),
    Recipe("3.2", 3, "treatment:uses by pathway", "Drug? Protein Pathway Disease",
           "0 inhibits 1; 1 takes_part_in 2; 0 treats 3",
           "Which drugs block or inhibit {1}, which takes part in the pathway '{2}', and are used "
           "to treat {3}?"),
    Recipe("3.2", 2, "safety:metabolism", "Drug? Disease Anatomy Protein",
           "0 treats 1; 1 affects 2; 0 is_metabolised_by 3",
           "Which drugs are used to treat {1}, which affects the {2}, and are broken down by {3}?"),
    Recipe("3.3", 3, "treatment:signs and parts of the body", "Drug? Disease Phenotype Anatomy",
           "0 treats 1; 1 has_phenotype 2; 1 affects 3",
           "Which drugs are used to treat {1}, which can show {2} and affects the {3}?"),
    Recipe("3.3", 2, "mechanism:drugs on a complex", "Drug? Protein Pathway Complex",
           "0 inhibits 1; 1 takes_part_in 2; 1 is_part_of 3",
           "Which drugs block or inhibit {1}, which takes part in the pathway '{2}' and is part of "
           "the {3}?"),
    Recipe("3.3", 3, "treatment:uses by mechanism", "Disease? Drug Protein Side_effect",
           "1 treats 0; 1 inhibits 2; 1 has_side_effect 3",
           "Which diseases are treated with {1}, which blocks or inhibits {2} and can cause {3} as "
           "a side effect?"),
    Recipe("4.1", 4, "treatment:two diseases", "Drug? Disease Disease", "0 treats 1; 0 treats 2",
           "Which drugs are used to treat both {1} and {2}?"),
    Recipe("4.1", 2, "treatment:uses by mechanism", "Drug? Disease Protein",
           "0 treats 1; 0 inhibits 2",
           "Which drugs are used to treat {1} and block or inhibit {2}?"),
    Recipe("4.1", 2, "diagnosis:sign and part of the body", "Disease? Phenotype Anatomy",
           "0 has_phenotype 1; 0 affects 2", "Which diseases can show {1} and affect the {2}?"),
    Recipe("4.1", 2, "safety:treatment and side effect", "Drug? Disease Side_effect",
           "0 treats 1; 0 has_side_effect 2",
           "Which drugs are used to treat {1} and can cause {2} as a side effect?"),
    Recipe("4.2", 3, "safety:treatment, metabolism, side effect",
           "Drug? Disease Protein Side_effect",
           "0 treats 1; 0 is_metabolised_by 2; 0 has_side_effect 3",
           "Which drugs are used to treat {1}, are broken down by {2} and can cause {3} as a side "
           "effect?"),
    Recipe("4.2", 3, "safety:two diseases and a side effect", "Drug? Disease Disease Side_effect",
           "0 treats 1; 0 treats 2; 0 has_side_effect 3",
           "Which drugs are used to treat both {1} and {2} and can cause {3} as a side effect?"),
    Recipe("4.2", 2, "diagnosis:two signs and a part of the body",
           "Disease? Phenotype Phenotype Anatomy",
           "0 has_phenotype 1; 0 has_phenotype 2; 0 affects 3",
           "Which diseases can show {1} as well as {2} and affect the {3}?"),
    Recipe("4.2", 2, "treatment:two diseases by mechanism", "Drug? Disease Disease Protein",
           "0 treats 1; 0 treats 2; 0 inhibits 3",
           "Which drugs are used to treat both {1} and {2} and block or inhibit {3}?"),
    Recipe("4.3", 3, "treatment:two diseases and their signs", "Drug? Disease Disease Phenotype?",
           "0 treats 1; 0 treats 2; 1 has_phenotype 3; 2 has_phenotype 3",
           "Which drugs are used to treat both {1} and {2}, and which signs and symptoms can both "
           "diseases show?"),
    Recipe("4.3", 2, "treatment:two diseases and their place", "Drug? Disease Disease Anatomy?",
           "0 treats 1; 0 treats 2; 1 affects 3; 2 affects 3",
           "Which drugs are used to treat both {1} and {2}, and which parts of the body do both "
           "diseases affect?"),
    Recipe("4.3", 2, "safety:two drugs and their side effects",
           "Disease? Drug Drug Side_effect?",
           "1 treats 0; 2 treats 0; 1 has_side_effect 3; 2 has_side_effect 3",
           "Which diseases are treated with both {1} and {2}, and which unwanted effects can both "
           "drugs cause?"),
    Recipe("4.3", 2, "mechanism:treatment at the gene", "Drug? Disease Gene Protein*",
           "0 treats 1; 2 is_linked_to 1; 2 encodes 3; 0 inhibits 3",
           "Which drugs are used to treat {1} and block or inhibit a protein that is encoded by "
           "the gene {2}, which is linked to {1}?"),
)  # fmt: skip
