"""Every scheme has an example here: how it is written, and which page it leads to."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.identifier_schemes import SCHEMES
from backend.graphs.identifiers import (
    canonicalize,
    curie_from_url,
    identifier_url,
    make_curie,
    scheme_of_curie,
)

# prefix and what a file writes, the CURIE, the page
EXAMPLES = [
    ("DrugBank", "DB00945", "DRUGBANK:DB00945", "https://go.drugbank.com/drugs/DB00945"),
    (
        "ChEMBL",
        "CHEMBL25",
        "CHEMBL.COMPOUND:CHEMBL25",
        "https://www.ebi.ac.uk/chembl/explore/compound/CHEMBL25",
    ),
    (
        "ChEBI",
        "CHEBI:15365",
        "CHEBI:15365",
        "https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:15365",
    ),
    (
        "PubChem",
        "2244",
        "PUBCHEM.COMPOUND:2244",
        "https://pubchem.ncbi.nlm.nih.gov/compound/2244",
    ),
    (
        "RxNorm",
        "1191",
        "RXCUI:1191",
        "https://mor.nlm.nih.gov/RxNav/search?searchBy=RXCUI&searchTerm=1191",
    ),
    ("ATC", "N02BA01", "ATC:N02BA01", "https://atcddd.fhi.no/atc_ddd_index/?code=N02BA01"),
    (
        "UNII",
        "R16CO5Y76E",
        "UNII:R16CO5Y76E",
        "https://precision.fda.gov/uniisearch/srs/unii/R16CO5Y76E",
    ),
    ("CAS", "50-78-2", "CAS:50-78-2", "https://commonchemistry.cas.org/detail?cas_rn=50-78-2"),
    (
        "NDFRT",
        "N0000175722",
        "NDFRT:N0000175722",
        "https://bioportal.bioontology.org/ontologies/NDFRT?p=classes&conceptid=N0000175722",
    ),
    ("HMDB", "HMDB0001879", "HMDB:HMDB0001879", "https://hmdb.ca/metabolites/HMDB0001879"),
    ("FooDB", "FOOD00004", "FOODB:FOOD00004", "https://foodb.ca/foods/FOOD00004"),
    ("Entrez", "1673", "NCBIGene:1673", "https://www.ncbi.nlm.nih.gov/gene/1673"),
    (
        "Ensembl",
        "ENSG00000095303",
        "ENSEMBL:ENSG00000095303",
        "https://www.ensembl.org/id/ENSG00000095303",
    ),
    (
        "HGNC",
        "HGNC:9604",
        "HGNC:9604",
        "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:9604",
    ),
    (
        "hgnc.symbol",
        "PTGS1",
        "HGNC.SYMBOL:PTGS1",
        "https://www.genecards.org/cgi-bin/carddisp.pl?gene=PTGS1",
    ),
    (
        "UniProt",
        "P23219",
        "UniProtKB:P23219",
        "https://www.uniprot.org/uniprotkb/P23219/entry",
    ),
    ("Pfam", "PF00653", "PFAM:PF00653", "https://www.ebi.ac.uk/interpro/entry/pfam/PF00653/"),
    (
        "INTERPRO",
        "IPR000001",
        "InterPro:IPR000001",
        "https://www.ebi.ac.uk/interpro/entry/InterPro/IPR000001/",
    ),
    (
        "complexportal",
        "CPX-2158",
        "ComplexPortal:CPX-2158",
        "https://www.ebi.ac.uk/complexportal/complex/CPX-2158",
    ),
    ("Corum", "100", "CORUM:100", "https://mips.helmholtz-muenchen.de/corum/?id=100"),
    ("dbSNP", "rs7412", "DBSNP:rs7412", "https://www.ncbi.nlm.nih.gov/snp/rs7412"),
    ("ClinVar", "17864", "CLINVAR:17864", "https://www.ncbi.nlm.nih.gov/clinvar/variation/17864"),
    (
        "RefSeq",
        "NM_000962.4",
        "REFSEQ:NM_000962.4",
        "https://www.ncbi.nlm.nih.gov/nuccore/NM_000962.4",
    ),
    ("PDB", "1CQE", "PDB:1CQE", "https://www.rcsb.org/structure/1CQE"),
    ("GCST", "GCST000392", "GCST:GCST000392", "https://www.ebi.ac.uk/gwas/studies/GCST000392"),
    ("DOID", "DOID:1612", "DOID:1612", "https://disease-ontology.org/?id=DOID:1612"),
    ("MONDO", "5148", "MONDO:0005148", "https://monarchinitiative.org/MONDO:0005148"),
    ("HP", "HP_0002315", "HP:0002315", "https://hpo.jax.org/browse/term/HP:0002315"),
    ("EFO", "0000270", "EFO:0000270", "https://www.ebi.ac.uk/efo/EFO_0000270"),
    ("Orpha", "586", "ORPHANET:586", "https://www.orpha.net/en/disease/detail/586"),
    ("MIM", "219700", "OMIM:219700", "https://omim.org/entry/219700"),
    (
        "SNOMEDCT_US",
        "38341003",
        "SNOMEDCT:38341003",
        "https://browser.ihtsdotools.org/?perspective=full&conceptId1=38341003",
    ),
    ("ICD10CM", "E11.9", "ICD10:E11.9", "https://icd.who.int/browse10/2019/en#/E11.9"),
    (
        "MedDRA",
        "10019211",
        "MEDDRA:10019211",
        "https://bioportal.bioontology.org/ontologies/MEDDRA?p=classes&conceptid=10019211",
    ),
    ("UMLS_CUI", "C0018681", "UMLS:C0018681", "https://uts.nlm.nih.gov/uts/umls/concept/C0018681"),
    ("MSH", "D001241", "MESH:D001241", "https://meshb.nlm.nih.gov/record/ui?ui=D001241"),
    (
        "NCI",
        "C287",
        "NCIT:C287",
        "https://ncit.nci.nih.gov/ncitbrowser/pages/concept_details.jsf?code=C287",
    ),
    ("GO", "6954", "GO:0006954", "https://www.ebi.ac.uk/QuickGO/term/GO:0006954"),
    ("UBERON", "948", "UBERON:0000948", "https://purl.obolibrary.org/obo/UBERON_0000948"),
    (
        "BTO",
        "BTO:0000562",
        "BTO:0000562",
        "https://www.brenda-enzymes.org/ontology.php?ontology_id=3&nodeId=BTO:0000562",
    ),
    ("CL", "0000236", "CL:0000236", "https://purl.obolibrary.org/obo/CL_0000236"),
    ("MOD", "46", "MOD:00046", "https://purl.obolibrary.org/obo/MOD_00046"),
    (
        "taxid",
        "9606",
        "NCBITaxon:9606",
        "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id=9606",
    ),
    ("Cellosaurus", "CVCL_0030", "CVCL:0030", "https://www.cellosaurus.org/CVCL_0030"),
    (
        "Reactome",
        "R-HSA-109581",
        "REACT:R-HSA-109581",
        "https://reactome.org/content/detail/R-HSA-109581",
    ),
    ("SMPDB", "SMP0000083", "SMPDB:SMP0000083", "https://smpdb.ca/view/SMP0000083"),
    ("WP", "WP98", "WIKIPATHWAYS:WP98", "https://www.wikipathways.org/instance/WP98"),
    ("kegg.pathway", "hsa04370", "KEGG:hsa04370", "https://www.genome.jp/entry/hsa04370"),
    ("PC7", "PC7_10399", "PC7:10399", None),
    ("PubMed", "1", "PMID:1", "https://pubmed.ncbi.nlm.nih.gov/1/"),
    ("PMCID", "PMC13900", "PMC:PMC13900", "https://pmc.ncbi.nlm.nih.gov/articles/PMC13900/"),
    (
        "doi",
        "10.1000/A(b)<c>",
        "DOI:10.1000/A(b)<c>",
        "https://doi.org/10.1000/A(b)%3Cc%3E",
    ),
    (
        "ClinicalTrials",
        "NCT00000102",
        "CLINICALTRIALS:NCT00000102",
        "https://clinicaltrials.gov/study/NCT00000102",
    ),
]


@pytest.mark.parametrize(("prefix", "raw", "written", "page"), EXAMPLES)
def test_a_scheme_has_one_spelling_and_links_to_its_page(
    prefix: str, raw: str, written: str, page: str | None
) -> None:
    assert make_curie(prefix, raw) == written
    assert canonicalize(written) == written
    assert identifier_url(written) == page
    if page:
        assert curie_from_url(page) == written


def test_every_scheme_of_the_table_has_an_example() -> None:
    with_example = {written.partition(":")[0] for _, _, written, _ in EXAMPLES}
    assert with_example == {scheme.prefix for scheme in SCHEMES}


def test_no_two_schemes_share_a_spelling() -> None:
    spellings = [name.casefold() for scheme in SCHEMES for name in (scheme.prefix, *scheme.aliases)]
    assert len(spellings) == len(set(spellings))


LINKS = [
    ("https://www.uniprot.org/uniprotkb/Q9GZT9-2/entry", "UniProtKB:Q9GZT9-2"),
    ("https://www.uniprot.org/uniprot/P23219", "UniProtKB:P23219"),
    ("https://www.genecards.org/cgi-bin/carddisp.pl?gene=PIK3CA", "HGNC.SYMBOL:PIK3CA"),
    ("https://reactome.org/PathwayBrowser/#/R-HSA-110314", "REACT:R-HSA-110314"),
    ("https://monarchinitiative.org/HP:0011974", "HP:0011974"),
    ("https://monarchinitiative.org/MONDO%3A0005148", "MONDO:0005148"),
    ("http://smpdb.ca/view/SMP0020687", "SMPDB:SMP0020687"),
    ("http://purl.obolibrary.org/obo/GO_0006954", "GO:0006954"),
    ("https://identifiers.org/doid:1612", "DOID:1612"),
    ("https://identifiers.org/pubmed/1", "PMID:1"),
    ("http://europepmc.org/abstract/MED/8616716", "PMID:8616716"),
    ("https://doi.org/10.1000/xyz%2F1", "DOI:10.1000/xyz/1"),
]


@pytest.mark.parametrize(("address", "written"), LINKS)
def test_a_url_gives_its_identifier(address: str, written: str) -> None:
    assert curie_from_url(address) == written


@pytest.mark.parametrize(
    "address",
    [
        "",
        "DRUGBANK:DB00945",
        "javascript:alert(1)",
        "ftp://go.drugbank.com/drugs/DB00945",
        "https://go.drugbank.com.evil.example/drugs/DB00945",
        "https://evil@go.drugbank.com/drugs/DB00945",
        "https://go.drugbank.com/drugs/DB00945%0A",
        "https://go.drugbank.com/drugs/",
        "https://go.drugbank.com/drugs/DB9",
        "https://identifiers.org/nothing:1",
        "https://[",
    ],
)
def test_an_unknown_url_gives_no_identifier(address: str) -> None:
    assert curie_from_url(address) is None


@pytest.mark.parametrize(
    "identifier",
    [
        "DB00945",
        "DRUGBANK:",
        "DRUGBANK:DB1",
        "DRUGBANK:DB00945\n",
        "DRUGBANK:DB0094५",
        "UNKNOWN:1",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://name@host.example/",
        "https://host.example/a b",
        "https://",
        "http://host.example:port/",
    ],
)
def test_a_malformed_identifier_has_no_url(identifier: str) -> None:
    assert identifier_url(identifier) is None


def test_a_publication_may_be_a_url() -> None:
    address = "https://www.example.org/paper?id=1#part"
    assert identifier_url(address) == address


def test_an_unknown_prefix_is_unchanged() -> None:
    assert make_curie("myLab", "Ä 1") == "myLab:Ä 1"
    assert make_curie("myLab", "myLab:7") == "myLab:7"
    assert scheme_of_curie("myLab:7") is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_identifier_gives_a_url_other_than_http(prefix: str, raw: str) -> None:
    for identifier in (raw, make_curie(prefix, raw), f"DOI:{raw}"):
        link = identifier_url(identifier)
        assert link is None or link[:8].casefold().startswith(("http://", "https://"))
        curie_from_url(raw)


@given(st.sampled_from(SCHEMES), st.data())
def test_normalizing_an_identifier_is_idempotent(scheme: Any, data: Any) -> None:
    local = data.draw(st.from_regex(scheme.pattern, fullmatch=True))
    written = make_curie(scheme.prefix, local)
    assert make_curie(scheme.prefix, written) == canonicalize(written) == written


@pytest.mark.skipif("SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder")
def test_every_link_of_the_published_questionnaire_gives_an_identifier() -> None:
    links = [
        candidate["entity_link"]
        for file in (Path(os.environ["SERENDIB_DATA"]) / "serenqa").glob("batch[0-9]*.json")
        for question in json.loads(file.read_text(encoding="utf-8"))
        for candidate in (*question["llm_ranking"], *question["resource"])
    ]
    assert len(links) > 6_000
    unread = sorted({link for link in links if link and not curie_from_url(link)})
    assert unread == []
