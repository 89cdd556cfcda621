"""What BioC's XML and JSON share: a document's passages, and which of them are title and abstract.

Passages of PubTator have the type `title` or `abstract`; those of full texts have `front` with the
section TITLE, and `abstract` with the section ABSTRACT. Other passages are not read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.graphs.literature.paper_records import PaperFault, PaperRecord, check_paper

Infons = Mapping[str, str]
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
    facts = [infons, *(it.infons for it in passages)]
    pmid = identifier
    if not identifier.isdecimal():
        pmid = first_value(facts, "article-id_pmid") or first_value(facts, "pmid") or identifier
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


def first_value(facts: Sequence[Infons], name: str) -> str:
    return next((it[name].strip() for it in facts if it.get(name, "").strip()), "")


def read_day(text: str) -> str:
    """'2019-04-01' of '2019-04-01T00:00:00Z', '' of anything that begins otherwise."""
    match = DAY.match(text.strip())
    return match[0] if match else ""
