"""The table of identifier schemes: how each is written, and where it can be read.

To add one: a row here, and a row in tests/graphs/test_identifiers.py. `page` is where a reader
is sent; {} takes the local part. `others` are further addresses under which files name it.
`digits` is the width to which a number that lost its zeros is filled up ('2' is UBERON:0000002).
"""

from __future__ import annotations

from dataclasses import dataclass

MONARCH = "https://monarchinitiative.org/"
PURL = "https://purl.obolibrary.org/obo/"
NCBI = "https://www.ncbi.nlm.nih.gov/"


@dataclass(frozen=True, slots=True)
class Scheme:
    prefix: str
    name: str
    pattern: str
    page: str
    others: tuple[str, ...] = ()
    spellings: tuple[str, ...] = ()
    digits: int = 0


def _ontology(prefix: str, name: str, page: str = "", *others: str, digits: int = 7) -> Scheme:
    """An ontology of the OBO kind: a number of fixed width, and a permanent address."""
    permanent = f"{PURL}{prefix}_{{}}"
    pages = (permanent, f"{MONARCH}{prefix}:{{}}", *others)
    return Scheme(prefix, name, rf"\d{{{digits}}}", page or permanent, pages, digits=digits)


DRUGS = (
    Scheme(
        "DRUGBANK",
        "DrugBank",
        r"DB\d{5}",
        "https://go.drugbank.com/drugs/{}",
        ("https://drugbank.ca/drugs/{}",),
    ),
    Scheme(
        "CHEMBL.COMPOUND",
        "ChEMBL",
        r"CHEMBL\d+",
        "https://www.ebi.ac.uk/chembl/explore/compound/{}",
        ("https://www.ebi.ac.uk/chembl/compound_report_card/{}",),
        ("CHEMBL",),
    ),
    Scheme(
        "CHEBI",
        "ChEBI",
        r"\d+",
        "https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:{}",
        (PURL + "CHEBI_{}", "https://www.ebi.ac.uk/chebi/CHEBI:{}"),
    ),
    Scheme(
        "PUBCHEM.COMPOUND",
        "PubChem",
        r"\d+",
        "https://pubchem.ncbi.nlm.nih.gov/compound/{}",
        spellings=("PUBCHEM", "PUBCHEM.CID", "PUBCHEM_COMPOUND", "CID"),
    ),
    Scheme(
        "RXCUI",
        "RxNorm",
        r"\d+",
        "https://mor.nlm.nih.gov/RxNav/search?searchBy=RXCUI&searchTerm={}",
        spellings=("RXNORM",),
    ),
    Scheme(
        "ATC",
        "ATC classification",
        r"[A-Z](\d{2}([A-Z]([A-Z](\d{2})?)?)?)?",
        "https://atcddd.fhi.no/atc_ddd_index/?code={}",
    ),
    Scheme("UNII", "UNII", r"[A-Z0-9]{10}", "https://precision.fda.gov/uniisearch/srs/unii/{}"),
    Scheme("CAS", "CAS", r"\d{2,7}-\d{2}-\d", "https://commonchemistry.cas.org/detail?cas_rn={}"),
    Scheme(
        "NDFRT",
        "NDF-RT",
        r"N\d{10}",
        "https://bioportal.bioontology.org/ontologies/NDFRT?p=classes&conceptid={}",
    ),
    Scheme(
        "HMDB",
        "Human Metabolome Database",
        r"HMDB\d{5}(\d{2})?",
        "https://hmdb.ca/metabolites/{}",
    ),
    Scheme("FOODB", "FooDB", r"FOOD\d{5}", "https://foodb.ca/foods/{}", spellings=("FOODB.FOOD",)),
)

GENES = (
    Scheme(
        "NCBIGene",
        "NCBI Gene",
        r"\d+",
        NCBI + "gene/{}",
        spellings=("ENTREZ", "ENTREZGENE", "GENEID", "NCBI"),
    ),
    Scheme(
        "ENSEMBL",
        "Ensembl",
        r"ENS[A-Z]*(E|FM|G|GT|P|R|T)\d{11}(\.\d+)?",
        "https://www.ensembl.org/id/{}",
        ("https://www.ensembl.org/Homo_sapiens/Gene/Summary?g={}",),
    ),
    Scheme(
        "HGNC",
        "HGNC",
        r"\d+",
        "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:{}",
    ),
    Scheme(
        "HGNC.SYMBOL",
        "HGNC symbol",
        r"[A-Za-z0-9][A-Za-z0-9._@-]{0,39}",
        "https://www.genecards.org/cgi-bin/carddisp.pl?gene={}",
        ("https://www.genenames.org/data/gene-symbol-report/#!/symbol/{}",),
        ("SYMBOL",),
    ),
    Scheme(
        "UniProtKB",
        "UniProt",
        r"([OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d([A-Z][A-Z0-9]{2}\d){1,2})(-\d+)?",
        "https://www.uniprot.org/uniprotkb/{}/entry",
        ("https://www.uniprot.org/uniprotkb/{}", "https://www.uniprot.org/uniprot/{}"),
        ("UNIPROT",),
    ),
    Scheme(
        "PFAM",
        "Pfam",
        r"PF\d{5}",
        "https://www.ebi.ac.uk/interpro/entry/pfam/{}/",
    ),
    Scheme(
        "InterPro", "InterPro", r"IPR\d{6}", "https://www.ebi.ac.uk/interpro/entry/InterPro/{}/"
    ),
    Scheme(
        "ComplexPortal",
        "Complex Portal",
        r"CPX-\d+",
        "https://www.ebi.ac.uk/complexportal/complex/{}",
    ),
    Scheme(
        "CORUM",
        "CORUM",
        r"\d+",
        "https://mips.helmholtz-muenchen.de/corum/?id={}",
    ),
    Scheme(
        "DBSNP",
        "dbSNP",
        r"rs\d+",
        NCBI + "snp/{}",
    ),
    Scheme(
        "CLINVAR",
        "ClinVar",
        r"\d+",
        NCBI + "clinvar/variation/{}",
    ),
    Scheme(
        "REFSEQ",
        "RefSeq",
        r"(A[CP]|N[CGMPRTWZ]|X[MPR]|YP)_\d+(\.\d+)?",
        NCBI + "nuccore/{}",
    ),
    Scheme("PDB", "Protein Data Bank", r"[0-9][A-Za-z0-9]{3}", "https://www.rcsb.org/structure/{}"),
    Scheme("GCST", "GWAS Catalog", r"GCST\d+", "https://www.ebi.ac.uk/gwas/studies/{}"),
)

DISEASES = (
    Scheme(
        "DOID",
        "Disease Ontology",
        r"\d+",
        "https://disease-ontology.org/?id=DOID:{}",
        (PURL + "DOID_{}", MONARCH + "DOID:{}", "https://disease-ontology.org/term/DOID:{}"),
    ),
    _ontology("MONDO", "Mondo", MONARCH + "MONDO:{}"),
    _ontology(
        "HP", "Human Phenotype Ontology", "https://hpo.jax.org/browse/term/HP:{}", MONARCH + "HP:{}"
    ),
    _ontology("EFO", "Experimental Factor Ontology", "https://www.ebi.ac.uk/efo/EFO_{}"),
    Scheme(
        "ORPHANET",
        "Orphanet",
        r"\d+",
        "https://www.orpha.net/en/disease/detail/{}",
        ("https://www.orpha.net/ORDO/Orphanet_{}",),
        ("ORPHA",),
    ),
    Scheme(
        "OMIM",
        "OMIM",
        r"\d{6}",
        "https://omim.org/entry/{}",
        spellings=("MIM",),
    ),
    Scheme(
        "SNOMEDCT",
        "SNOMED CT",
        r"\d{6,18}",
        "https://browser.ihtsdotools.org/?perspective=full&conceptId1={}",
        spellings=("SCTID", "SNOMED", "SNOMEDCT_US"),
    ),
    Scheme(
        "ICD10",
        "ICD-10",
        r"[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?",
        "https://icd.who.int/browse10/2019/en#/{}",
        spellings=("ICD10CM", "ICD-10"),
    ),
    Scheme(
        "MEDDRA",
        "MedDRA",
        r"\d{8}",
        "https://bioportal.bioontology.org/ontologies/MEDDRA?p=classes&conceptid={}",
    ),
    Scheme(
        "UMLS",
        "UMLS",
        r"C[N0-9]\d{6}",
        "https://uts.nlm.nih.gov/uts/umls/concept/{}",
        spellings=("UMLS_CUI", "CUI"),
    ),
    Scheme(
        "MESH",
        "MeSH",
        r"[A-Z]\d{6,9}",
        "https://meshb.nlm.nih.gov/record/ui?ui={}",
        ("https://id.nlm.nih.gov/mesh/{}",),
        ("MSH",),
    ),
    Scheme(
        "NCIT",
        "NCI Thesaurus",
        r"C\d+",
        "https://ncit.nci.nih.gov/ncitbrowser/pages/concept_details.jsf?code={}",
        (PURL + "NCIT_{}",),
        ("NCI",),
    ),
)

BIOLOGY = (
    _ontology("GO", "Gene Ontology", "https://www.ebi.ac.uk/QuickGO/term/GO:{}"),
    _ontology("UBERON", "Uberon"),
    _ontology(
        "BTO",
        "BRENDA Tissue Ontology",
        "https://www.brenda-enzymes.org/ontology.php?ontology_id=3&nodeId=BTO:{}",
    ),
    _ontology("CL", "Cell Ontology"),
    _ontology("MOD", "PSI-MOD", digits=5),
    Scheme(
        "NCBITaxon",
        "NCBI Taxonomy",
        r"\d+",
        NCBI + "Taxonomy/Browser/wwwtax.cgi?id={}",
        (PURL + "NCBITaxon_{}",),
        ("TAXON", "TAXID"),
    ),
    Scheme(
        "CVCL",
        "Cellosaurus",
        r"[A-Z0-9]{4}",
        "https://www.cellosaurus.org/CVCL_{}",
        spellings=("CELLOSAURUS",),
    ),
)

PATHWAYS = (
    Scheme(
        "REACT",
        "Reactome",
        r"R-[A-Z]{3}-\d+(\.\d+)?",
        "https://reactome.org/content/detail/{}",
        ("https://reactome.org/PathwayBrowser/#/{}",),
        ("REACTOME",),
    ),
    Scheme("SMPDB", "SMPDB", r"SMP\d{5}(\d{2})?", "https://smpdb.ca/view/{}"),
    Scheme(
        "WIKIPATHWAYS",
        "WikiPathways",
        r"WP\d+(_r\d+)?",
        "https://www.wikipathways.org/instance/{}",
        (
            "https://www.wikipathways.org/pathways/{}.html",
            "https://www.wikipathways.org/pathways/{}",
        ),
        ("WP",),
    ),
    Scheme(
        "KEGG",
        "KEGG",
        r"[a-z]{2,4}\d{5}|[CDGHKMR]\d{5}|[a-z]{3,4}:\d+",
        "https://www.genome.jp/entry/{}",
        ("https://www.kegg.jp/entry/{}", "https://www.genome.jp/dbget-bin/www_bget?{}"),
        ("KEGG.PATHWAY", "KEGG.COMPOUND", "KEGG.DRUG", "KEGG.DISEASE"),
    ),
    # Hetionet's pathways of Pathway Commons, version 7: its numbers lead to no page of today.
    Scheme("PC7", "Pathway Commons 7", r"\d+", ""),
)

PUBLICATIONS = (
    Scheme(
        "PMID",
        "PubMed",
        r"[1-9]\d{0,8}",
        "https://pubmed.ncbi.nlm.nih.gov/{}/",
        (NCBI + "pubmed/{}",),
        ("PUBMED",),
    ),
    Scheme(
        "PMC",
        "PubMed Central",
        r"PMC\d+",
        "https://pmc.ncbi.nlm.nih.gov/articles/{}/",
        (NCBI + "pmc/articles/{}/",),
        ("PMCID",),
    ),
    Scheme(
        "DOI",
        "DOI",
        r"10\.\d{4,9}/[^\s\x00-\x1f]{1,400}",
        "https://doi.org/{}",
        ("https://dx.doi.org/{}",),
    ),
    Scheme(
        "CLINICALTRIALS",
        "ClinicalTrials.gov",
        r"NCT\d{8}",
        "https://clinicaltrials.gov/study/{}",
        ("https://clinicaltrials.gov/ct2/show/{}",),
        ("NCT", "CLINICALTRIAL"),
    ),
)

SCHEMES = (*DRUGS, *GENES, *DISEASES, *BIOLOGY, *PATHWAYS, *PUBLICATIONS)
