"""Files of queries: STaRK's CSV, which `make_release` reads, with what each query was made of."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.benchmarks.stark_queries.generation import StarkQuery
from backend.benchmarks.stark_queries.statistics import QueryRecord
from backend.common.errors import DomainError
from backend.tracks.item_table import Source
from backend.tracks.serenqa_graph_queries import pattern_to_graph_query
from backend.tracks.stark_prime.track import TRACK
from backend.tracks.stark_rows import QueryAnswer, QueryItem
from backend.validation.csv_escaping import csv_text
from backend.validation.row_files.faults import RowFaultList

COLUMNS = ("id", "query", "answer_ids")
DETAIL_COLUMNS = ("template", "relational_words", "textual_words", "phrase", "graph_query")


@dataclass(frozen=True)
class QueryLine:
    """answers: entity numbers. phrase: words of the textual requirements."""

    text: str
    answers: Sequence[int]
    template: str
    relational_words: int
    phrase: Sequence[str]
    graph_query: Mapping[str, object]


def line_of(query: StarkQuery) -> QueryLine:
    graph_query = pattern_to_graph_query(query.pattern)
    words = query.relational_words
    return QueryLine(query.text, query.answers, query.template, words, query.phrase, graph_query)


def write_queries(queries: Iterable[QueryLine], keys: Sequence[int | str | None]) -> bytes:
    """keys: how predictions name each entity; answers without a name are left out."""
    rows = [
        {
            "id": number,
            "query": one.text,
            "answer_ids": to_json([keys[it] for it in one.answers if keys[it] is not None]),
            "template": one.template,
            "relational_words": one.relational_words,
            "textual_words": len(one.phrase),
            "phrase": " ".join(one.phrase),
            "graph_query": to_json(one.graph_query),
        }
        for number, one in enumerate(queries)
    ]
    return csv_text(rows, (*COLUMNS, *DETAIL_COLUMNS)).encode()


def to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read_query_records(path: Path) -> list[QueryRecord]:
    """Raises DomainError with every fault of the file."""
    source: Source[QueryItem, QueryAnswer] = Source(faults=RowFaultList())
    try:
        with path.open("rb") as file:
            TRACK.read_source(file, path.name, source)
    except OSError as error:
        raise DomainError(f"{path.name} cannot be read: {error.strerror}.") from error
    if source.faults.total or not source.items:
        raise DomainError(
            f"{path.name} has {source.faults.total:,} faults. Correct these lines.",
            code="invalid_source",
            faults=[one.as_fault() for one in source.faults.listed],
            data={"faults_total": source.faults.total},
        )
    details = _read_details(path)
    return [
        QueryRecord(item.query, len(answer.answer_ids), *details.get(item.query_id, (None, None)))
        for item, answer in zip(source.items, source.answers, strict=True)
    ]


def _read_details(path: Path) -> dict[int, tuple[int, int]]:
    """Relational and textual words by query, of a CSV with these columns."""
    if path.suffix != ".csv":
        return {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if not {"id", *DETAIL_COLUMNS[1:3]} <= {*(rows.fieldnames or ())}:
            return {}
        return {
            int(row["id"]): (int(row["relational_words"]), int(row["textual_words"]))
            for row in rows
            if all(row[name].isdecimal() for name in ("id", *DETAIL_COLUMNS[1:3]))
        }
