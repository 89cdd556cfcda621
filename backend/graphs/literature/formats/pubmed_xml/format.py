"""PubMed's XML, as the yearly baseline, the daily updates and efetch have it."""

import re
from collections.abc import Iterator

from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.literature.formats.base import PaperFormat
from backend.graphs.literature.paper_records import ReadPaper, check_paper
from backend.graphs.literature.xml_records import XmlElement, read_records

ROOT, RECORD = "PubmedArticleSet", "PubmedArticle"
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")


def read_papers(file: InputFile) -> Iterator[ReadPaper]:
    for record in read_records(file, ROOT, RECORD):
        citation = next(iter(record.find_all("MedlineCitation")), record)
        paper = check_paper(
            {
                "id": citation.find_text("PMID"),
                "date": read_date(citation),
                "title": citation.find_text("Article", "ArticleTitle"),
                "abstract": read_abstract(citation),
            }
        )
        yield ReadPaper(record.line, paper)


def read_abstract(citation: XmlElement) -> str:
    """Its parts, each behind its label."""
    parts = []
    for part in citation.find_all("Article", "Abstract", "AbstractText"):
        label, text = part.attributes.get("Label", ""), part.text.strip()
        parts.append(f"{label}: {text}" if label else text)
    return "\n".join(part for part in parts if part)


def read_date(citation: XmlElement) -> str:
    """Of the issue, else of the article on the web; of several years, the last."""
    issues = citation.find_all("Article", "Journal", "JournalIssue", "PubDate")
    for place in (*issues, *citation.find_all("Article", "ArticleDate")):
        if written := format_date(place):
            return written
    return ""


def format_date(place: XmlElement) -> str:
    """'' where there is no year. A month or day that cannot be read is left out."""
    year, month = place.find_text("Year"), parse_month(place.find_text("Month"))
    if not YEAR.fullmatch(year):
        return max(YEAR.findall(place.find_text("MedlineDate")), default="")
    if not month:
        return year
    day = place.find_text("Day")
    is_day = day.isascii() and day.isdecimal() and 1 <= int(day[:4]) <= 31
    return f"{year}-{month:02d}-{int(day):02d}" if is_day else f"{year}-{month:02d}"


def parse_month(text: str) -> int | None:
    """Of 'Mar' or '03'."""
    if text[:3].lower() in MONTHS:
        return MONTHS.index(text[:3].lower()) + 1
    is_number = text.isascii() and text.isdecimal() and len(text) <= 2
    return int(text) if is_number and 1 <= int(text) <= 12 else None


FORMAT = PaperFormat(
    name="pubmed-xml",
    title="PubMed XML",
    file_hint=f"<{ROOT}> with <{RECORD}> elements",
    recognizes=lambda head: head.startswith("<") and f"<{ROOT}" in head,
    read=read_papers,
)
