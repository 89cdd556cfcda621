"""What BioC's XML and JSON share: a document's passages, and which of them are title and abstract.

Passages of PubTator have the type `title` or `abstract`; those of full texts have `front` with the
section TITLE, and `abstract` with the section ABSTRACT. Other passages are not read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.graphs.literature.paper_records import PaperFault, PaperRecord, check_paper
from backend.validation.faults import printable

Infons = Mapping[str, str]
PMC_NAME = re.compile(r"(article-id_)?pmc(id|aid)?", re.IGNORECASE)
PMC_ID = re.compile(r"(?<![0-9])([0-9]{1,18})(?![0-9])")  # the first: a version may follow it
DAY = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


@dataclass(frozen=True, slots=True)
class Passage:
    infons: Infons
    text: str

    @property
    def role(self) -> str:
        """`title`, `abstract` or another."""
        kind = self.infons.get("type", "").lower()
        section = self.infons.get("section_type", "").lower()
        if kind in ("title", "abstract"):
            return kind
        return "title" if (kind, section) == ("front", "title") else section


def parse_document(
    identifier: str, date: str, infons: Infons, passages: Sequence[Passage]
) -> PaperRecord | PaperFault:
    """date: of the document, where the file has one; else the year of a passage."""
    pmid = find_pmid(identifier, infons, passages)
    if isinstance(pmid, PaperFault):
        return pmid
    facts = [infons, *(it.infons for it in passages)]
    titles = [it.text.strip() for it in passages if it.role == "title"]
    abstracts = [it.text.strip() for it in passages if it.role == "abstract"]
    return check_paper(
        {
            "id": pmid,
            "date": read_day(date) or first_value(facts, "year"),
            "title": titles[0] if titles else "",
            "abstract": "\n".join(filter(None, abstracts)),
        }
    )


def find_pmid(identifier: str, infons: Infons, passages: Sequence[Passage]) -> str | PaperFault:
    """The PMID that is stated, else the document's own identifier, unless that is a number of PMC:
    taken for a PMID it would place the paper years too early, before cut-offs that it is after."""
    inner = [it.infons for it in passages]
    stated = first_value([infons, *inner], "article-id_pmid") or first_value([infons], "pmid")
    if stated:
        return stated
    if not is_of_pmc(identifier, [infons, *inner]):
        return identifier if identifier.isdecimal() else first_value(inner, "pmid") or identifier
    return first_value(inner, "pmid") or PaperFault(
        f"The document {printable(identifier, 40)} states a PMC id and no PMID.",
        "its PMID as article-id_pmid",
        "identifier",
    )


def is_of_pmc(identifier: str, facts: Sequence[Infons]) -> bool:
    """Whether its number is one of PMC: it begins so, or is that of a PMC id that is stated.
    Abstracts of PubTator state the PMC id of their full text beside a PMID of their own."""
    if not identifier.isdecimal():
        return identifier.upper().startswith("PMC")
    stated = (it[name] for it in facts for name in it if PMC_NAME.fullmatch(name))
    return int(identifier) in {int(number[1]) for text in stated if (number := PMC_ID.search(text))}


def first_value(facts: Sequence[Infons], name: str) -> str:
    return next((it[name].strip() for it in facts if it.get(name, "").strip()), "")


def read_day(text: str) -> str:
    """'2019-04-01' of '2019-04-01T00:00:00Z', '' of anything that begins otherwise."""
    match = DAY.match(text.strip())
    return match[0] if match else ""
