"""Build validated rows from cells; an invalid row becomes a MalformedRow with a reason code."""

import math
import re
from dataclasses import dataclass

from backend.graphs.importers.common.input_files import FileRefused, ReadLimits
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, RelationInfo, Section

DROP_REASONS = {
    "columns": "The row has more or fewer cells than the header.",
    "quotes": "A quoted cell is not closed, or text follows its closing quotation mark.",
    "encoding": "The text is not UTF-8.",
    "nul": "The text contains a NUL character, which the database cannot store.",
    "too_long": "A cell or line is longer than allowed.",
    "missing": "A required cell is empty.",
    "number": "A number is invalid or outside the range of its column.",
    "identifier": "The identifier does not match the form that this format requires.",
    "relation": "The format has no such relation between these types.",
    "json": "The line is not valid JSON, or lacks the fields of this format.",
    "literal": "The list of mentions is not a valid Python literal.",
    "repeated": "The paper was given before.",
}
MAX_EXCERPT_LENGTH = 200
CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
SURROGATE = re.compile(r"[\ud800-\udfff]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MAX_NUMBER_LENGTH = 60
MAX_PMID, MAX_YEAR = 999_999_999, 9_999


def excerpt(text: str) -> str:
    """The beginning of a text for display, with control characters escaped."""
    short = text if len(text) <= MAX_EXCERPT_LENGTH else text[: MAX_EXCERPT_LENGTH - 1] + "…"
    return CONTROL_CHARACTERS.sub(lambda match: f"\\x{ord(match[0]):02x}", short)


def parse_number(text: str) -> float | None:
    """Parse a finite number; None for an empty cell. Raises ValueError."""
    if not text:
        return None
    if len(text) > MAX_NUMBER_LENGTH or not NUMBER.fullmatch(text):
        raise ValueError(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


@dataclass(frozen=True, slots=True)
class RecordBuilder:
    file: str
    limits: ReadLimits

    def malformed_row(self, line: int, reason: str, detail: str) -> MalformedRow:
        return MalformedRow(self.file, line, reason, excerpt(detail))

    def build_node(
        self,
        line: int,
        identifier: str,
        kind: str,
        name: str,
        *,
        synonyms: tuple[str, ...] = (),
        xrefs: tuple[str, ...] = (),
        document: tuple[Section, ...] = (),
    ) -> NodeRow | MalformedRow:
        """Build an entity; a blank name is replaced by the identifier."""
        fault = (
            self._word_fault(identifier, "an identifier")
            or self._word_fault(kind)
            or self._texts_fault((name, *synonyms, *xrefs), self.limits.name)
            or self._texts_fault(_section_texts(document), self.limits.text)
        )
        if fault:
            return self.malformed_row(line, *fault)
        shown = name if name.strip() else identifier
        return NodeRow(identifier, kind, shown, synonyms, xrefs, document)

    def build_edge(
        self,
        line: int,
        source: str,
        relation: str,
        target: str,
        *,
        score: str | float | None = None,
        evidence: str = "",
        level: str = "",
        p_value: str | float | None = None,
        publications: tuple[str, ...] = (),
        first_pmid: str | float | None = None,
        first_year: str | float | None = None,
        first_seen: str | float | None = None,
        date_source: str = "",
    ) -> EdgeRow | MalformedRow:
        """Build an edge. first_seen: `first_year` up to 9,999, `first_pmid` above."""
        fault = (
            self._word_fault(source, "an identifier")
            or self._word_fault(target, "an identifier")
            or self._word_fault(relation)
            or self._texts_fault((evidence, level, *publications), self.limits.name)
            or (self._texts_fault((date_source,), self.limits.name) if date_source else None)
        )
        if fault:
            return self.malformed_row(line, *fault)
        try:
            strength, chance = _parse_value(score), _parse_probability(p_value)
            first = _parse_dates(first_pmid, first_year, first_seen)
        except ValueError as error:
            return self.malformed_row(line, "number", str(error))
        values = (source, relation, target, strength, evidence, level, chance, publications, *first)
        return EdgeRow(*values, date_source=date_source, line=line)

    def check_relation(self, line: int, info: RelationInfo) -> RelationInfo:
        """Check a relation. Raises FileRefused: a wrong phrase would appear on every screen."""
        fault = self._word_fault(info.name) or self._texts_fault(
            (info.forward, info.backward), self.limits.identifier
        )
        if fault:
            reason, detail = fault
            detail_text = f"{self.file}, line {line}: {DROP_REASONS[reason]} {excerpt(detail)}"
            raise FileRefused(self.file, detail_text, code=reason)
        return info

    def _word_fault(self, text: str, what: str = "a type or relation") -> tuple[str, str] | None:
        if not text:
            return "missing", what
        if len(text) > self.limits.identifier:
            return "too_long", text
        return None if text.isprintable() else _text_fault(text) or ("identifier", text)

    def _texts_fault(self, texts: tuple[str, ...], longest: int) -> tuple[str, str] | None:
        if len(texts) > self.limits.items:
            return "too_long", f"{len(texts):,} items"
        for text in texts:
            if len(text) > longest:
                return "too_long", text
            if not text.isascii() or "\0" in text:
                unfit = _text_fault(text)
                if unfit:
                    return unfit
        return None


def _text_fault(text: str) -> tuple[str, str] | None:
    if "\0" in text:
        return "nul", text
    return ("encoding", text) if SURROGATE.search(text) else None


def _section_texts(document: tuple[Section, ...]) -> tuple[str, ...]:
    return tuple(
        text for section in document for text in (section.title, section.text, section.source)
    )


def _parse_value(given: str | float | None) -> float | None:
    """Parse a number; an integer in JSON may be too large for a float."""
    if isinstance(given, str):
        return parse_number(given)
    try:
        value = None if given is None else float(given)
    except OverflowError as error:
        raise ValueError(str(given)) from error
    if value is not None and not math.isfinite(value):
        raise ValueError(str(given))
    return value


def _parse_probability(given: str | float | None) -> float | None:
    value = _parse_value(given)
    if value is not None and not 0 <= value <= 1:
        raise ValueError(f"{value} is not a probability")
    return value


def _parse_dates(
    pmid: str | float | None, year: str | float | None, either: str | float | None
) -> tuple[int | None, int | None]:
    """The PMID and the year in which an edge was first seen."""
    dates = _parse_count(pmid, MAX_PMID), _parse_count(year, MAX_YEAR)
    date = _parse_count(either, MAX_PMID)
    if date is None:
        return dates
    if dates != (None, None):
        raise ValueError("first_seen beside first_pmid or first_year")
    return (None, date) if date <= MAX_YEAR else (date, None)


def _parse_count(given: str | float | None, most: int) -> int | None:
    value = _parse_value(given)
    if value is None:
        return None
    if not 1 <= value <= most or value != int(value):
        raise ValueError(f"{given} is not a whole number from 1 to {most:,}")
    return int(value)
