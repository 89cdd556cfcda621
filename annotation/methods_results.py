"""The results of a frozen study in words, from the figures of its record."""

import re
from collections.abc import Iterator
from typing import Any

from annotation.kinds.figures import REASONS
from annotation.references import list_references

Record = dict[str, Any]
# Sections about single experts or candidates are no part of a paper's methods.
LEFT_OUT_SECTIONS = ("membership", "rater_checks", "stability", "fatigue", "posteriors")
# Advice for readers of the page, in notes of records of before notes were statements alone.
ADVICE = re.compile(r" ?(?:Believe [^.]*|A flag is a reason to look at a question, no verdict)\.")


def write_results(record: Record) -> Iterator[str]:
    """A paragraph of each section, as Markdown."""
    percent = record["interval_percent"]
    for section, figures in _shown_sections(record):
        lines = "\n".join(f"- {_figure(one, percent)}" for one in figures)
        yield f"**{section['title']}.**{_note(section)}\n\n{lines}"


def cited_papers(record: Record) -> list[str]:
    """Of what is shown: each paper is cited in this text."""
    shown = _shown_sections(record)
    return list_references(one["method"] for _, figures in shown for one in figures)


def number_text(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _shown_sections(record: Record) -> Iterator[tuple[Record, list[Record]]]:
    """With their figures that are not about one expert or one question."""
    for section in record["statistics"]:
        figures = [
            one for one in section["figures"] if not one["expert"] and not one.get("question")
        ]
        if section["name"] not in LEFT_OUT_SECTIONS and figures:
            yield section, figures


def _figure(figure: Record, percent: int) -> str:
    label = f"{figure['label']} ({figure['method']})"
    if figure["value"] is None:
        return f"{label}: not estimated ({_clause(figure['reason'])}).{_note(figure)}"
    parts = [number_text(figure["value"]), *_interval(figure, percent)]
    if figure["p_value"] is not None:
        parts.append(f"p = {figure['p_value']:.4f}")
    return f"{label}: {', '.join(parts)}; n = {figure['n']:,} {figure['unit']}.{_note(figure)}"


def _interval(figure: Record, percent: int) -> Iterator[str]:
    """Or why there is none. Counts and statistics of tests have none by what they are."""
    if figure["low"] is not None:
        low, high = number_text(figure["low"]), number_text(figure["high"])
        yield f"{percent} % interval {low} to {high}"
    elif figure["interval_reason"] in REASONS.values():
        yield f"no interval ({_clause(figure['interval_reason'])})"


def _clause(sentence: str) -> str:
    """'There are too few answers.' within a sentence."""
    return f"{sentence[:1].lower()}{sentence[1:]}".removesuffix(".")


def _note(described: Record) -> str:
    note = ADVICE.sub("", described.get("note") or "").strip()
    return f" {note}" if note else ""
