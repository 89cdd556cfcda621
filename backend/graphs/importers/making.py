"""Makes rows out of cells, and says in one of a few words why a row cannot be made."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from backend.graphs.importers.files import FileRefused, Limits
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, RelationInfo, Section

REASONS = {
    "columns": "The row has more or fewer cells than the header.",
    "quotes": "A quotation mark is opened and not closed, or closed and not ended.",
    "encoding": "The text is not UTF-8.",
    "nul": "The text has a NUL character, which no database keeps.",
    "too_long": "A cell or line is longer than is taken.",
    "missing": "A cell that must be filled is empty.",
    "number": "A number cannot be read, or is not a number that this column can have.",
    "identifier": "The identifier does not have the form that this format has.",
    "relation": "The format has no such relation between these types.",
    "json": "The line is not JSON, or not of this format's form.",
    "literal": "The list of mentions is not one that can be read.",
}
LONGEST_DETAIL = 200
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
SURROGATE = re.compile(r"[\ud800-\udfff]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
LONGEST_NUMBER = 60


def excerpt(text: str) -> str:
    """The beginning of a text from a file, fit to be shown: nothing invisible in it."""
    short = text if len(text) <= LONGEST_DETAIL else text[: LONGEST_DETAIL - 1] + "…"
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", short)


def number(text: str) -> float | None:
    """A finite number; None for an empty cell; ValueError for anything else."""
    if not text:
        return None
    if len(text) > LONGEST_NUMBER or not NUMBER.fullmatch(text):
        raise ValueError(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the rows of one file."""

    file: str
    limits: Limits

    def drop(self, line: int, reason: str, detail: str) -> Malformed:
        return Malformed(self.file, line, reason, excerpt(detail))

    def node(
        self,
        line: int,
        identifier: str,
        kind: str,
        name: str,
        *,
        synonyms: tuple[str, ...] = (),
        xrefs: tuple[str, ...] = (),
        document: tuple[Section, ...] = (),
    ) -> NodeRow | Malformed:
        """An entity; one without a name that can be seen is called by its identifier."""
        fault = (
            self._identifier_fault(identifier)
            or self._word_fault(kind)
            or self._texts_fault((name, *synonyms, *xrefs), self.limits.name)
            or self._texts_fault(_texts(document), self.limits.text)
        )
        if fault:
            return self.drop(line, *fault)
        shown = name if name.strip() else identifier
        return NodeRow(identifier, kind, shown, synonyms, xrefs, document)

    def edge(
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
    ) -> EdgeRow | Malformed:
        fault = (
            self._identifier_fault(source)
            or self._identifier_fault(target)
            or self._word_fault(relation)
            or self._texts_fault((evidence, level, *publications), self.limits.name)
        )
        if fault:
            return self.drop(line, *fault)
        try:
            strength, chance = _value(score), _probability(p_value)
        except ValueError as error:
            return self.drop(line, "number", str(error))
        said = (source, relation, target, strength, evidence, level, chance, publications)
        return EdgeRow(*said, line=line)

    def relation(self, line: int, info: RelationInfo) -> RelationInfo:
        """How a relation is said: not dropped, for it would be wrong on every screen."""
        fault = self._word_fault(info.name) or self._texts_fault(
            (info.forward, info.backward), self.limits.identifier
        )
        if fault:
            reason, detail = fault
            said = f"{self.file}, line {line}: {REASONS[reason]} {excerpt(detail)}"
            raise FileRefused(self.file, said, code=reason)
        return info

    def _identifier_fault(self, text: str) -> tuple[str, str] | None:
        if not text:
            return "missing", "an identifier"
        if len(text) > self.limits.identifier:
            return "too_long", text
        if not text.isprintable():
            return _unfit(text) or ("identifier", text)
        return None

    def _word_fault(self, text: str) -> tuple[str, str] | None:
        if not text:
            return "missing", "a type or relation"
        if len(text) > self.limits.identifier:
            return "too_long", text
        return None if text.isprintable() else _unfit(text) or ("identifier", text)

    def _texts_fault(self, texts: tuple[str, ...], longest: int) -> tuple[str, str] | None:
        if len(texts) > self.limits.items:
            return "too_long", f"{len(texts):,} items"
        for text in texts:
            if len(text) > longest:
                return "too_long", text
            if not text.isascii() or "\0" in text:
                unfit = _unfit(text)
                if unfit:
                    return unfit
        return None


def _unfit(text: str) -> tuple[str, str] | None:
    if "\0" in text:
        return "nul", text
    return ("encoding", text) if SURROGATE.search(text) else None


def _texts(document: tuple[Section, ...]) -> tuple[str, ...]:
    return tuple(
        text for section in document for text in (section.title, section.text, section.source)
    )


def _value(given: str | float | None) -> float | None:
    """A whole number of JSON may have thousands of digits, more than any float."""
    if isinstance(given, str):
        return number(given)
    try:
        value = None if given is None else float(given)
    except OverflowError as error:
        raise ValueError(str(given)) from error
    if value is not None and not math.isfinite(value):
        raise ValueError(str(given))
    return value


def _probability(given: str | float | None) -> float | None:
    value = _value(given)
    if value is not None and not 0 <= value <= 1:
        raise ValueError(f"{value} is no probability")
    return value
