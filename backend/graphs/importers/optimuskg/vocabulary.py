"""OptimusKG's vocabulary: types, relations with their phrases, identifiers as CURIEs."""

import re

from backend.graphs.identifiers import canonicalize, curie_from_url, get_scheme, make_curie
from backend.graphs.importers.common.base import RelationPhrases, relation_table
from backend.graphs.importers.common.text_cache import cache_short_texts
from backend.runtime.data_file import DataFile


class OptimuskgVocabulary(DataFile):
    relations: tuple[RelationPhrases, ...]
    synonyms: tuple[str, ...]
    sections: tuple[tuple[str, str], ...]
    scores: tuple[str, ...]
    levels: tuple[str, ...]
    references: tuple[str, ...]
    types: dict[str, str]


VOCABULARY = OptimuskgVocabulary.load(__file__)
TYPES = VOCABULARY.types
RELATIONS = relation_table(*VOCABULARY.relations)
WITHOUT_PREFIX = (
    (re.compile(r"ENS[A-Z]*\d{11}", re.ASCII), "ENSEMBL"),
    (re.compile(r"DB\d{5}", re.ASCII), "DRUGBANK"),
    (re.compile(r"CHEMBL\d+", re.ASCII), "CHEMBL.COMPOUND"),
    (re.compile(r"R-[A-Z]{3}-\d+", re.ASCII), "REACT"),
)
UNDERSCORED = re.compile(r"([A-Za-z]+)_(\w+)", re.ASCII)
TRIAL = re.compile(r"NCT\d{8}", re.ASCII)
PUBMED_NUMBER = re.compile(r"[1-9]\d{0,8}", re.ASCII)


@cache_short_texts(262_144)
def make_identifier(raw: str) -> str:
    """The CURIE of 'MONDO_0005148', 'NCBIGene:672', 'ENSG00000012048', 'DB00945', 'R-HSA-109581'.

    Other text has no scheme: it gets the prefix OPTIMUSKG.
    """
    if ":" in raw:
        return canonicalize(raw)
    for pattern, prefix in WITHOUT_PREFIX:
        if pattern.fullmatch(raw):
            return make_curie(prefix, raw)
    if match := UNDERSCORED.fullmatch(raw):
        return make_curie(match[1], match[2])
    return f"OPTIMUSKG:{raw}" if raw else ""


def make_xref(written: str, source: str = "") -> str:
    """The CURIE of a cross-reference that names its database, or has it beside it."""
    if source and ":" not in written:
        known = "UniProtKB" if source.casefold().startswith("uniprot") else source
        return make_curie(known, written) if get_scheme(known) else f"{source}:{written}"
    return canonicalize(written)


def make_publication(written: str, *, is_article: bool) -> str:
    """The CURIE of a trial or an article, a URL, or the text itself if it is neither.

    `is_article`: a number is one of PubMed.
    """
    if TRIAL.fullmatch(written):
        return make_curie("CLINICALTRIALS", written)
    if is_article and PUBMED_NUMBER.fullmatch(written):
        return make_curie("PMID", written)
    if "://" in written:
        return curie_from_url(written) or written
    return canonicalize(written)
