"""Reads `tables.json`: how the printed tables are laid out, titled, sourced and labelled."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypedDict, cast


class _Source(TypedDict):
    source: str
    url: str


class _Table(TypedDict):
    id: str
    name: str
    paper: str
    table: str
    title: str
    slices: list[str]
    metrics: list[str]
    settings: list[str]
    decimals: int
    main_slice: str
    ranked: bool
    note: str


class _File(TypedDict):
    papers: dict[str, _Source]
    labels: dict[str, str]
    tables: list[_Table]


@dataclass(frozen=True)
class TableLayout:
    """One table as we show it.

    `name` tells it from its neighbours in a few words.
    `settings` names the rows of a printed table that are shown apart (empty: all of them), and
    `main_slice` the part to show first (empty: the whole table). `ranked` is false where the
    rows do not compete.
    """

    id: str
    name: str
    paper: str
    table: str
    title: str
    slices: tuple[str, ...]
    metrics: tuple[str, ...]
    settings: frozenset[str]
    decimals: int
    main_slice: str
    ranked: bool
    note: str
    source: str
    url: str


@dataclass(frozen=True)
class Layout:
    tables: tuple[TableLayout, ...]
    labels: dict[str, str]

    def label(self, word: str) -> str:
        """The plain words for a word of the file; a name that needs none stands for itself."""
        return self.labels.get(word, word)


def read_layout(content: str) -> Layout:
    """Raises KeyError, TypeError or ValueError where the file lacks what a table needs."""
    file = cast(_File, json.loads(content))
    tables = tuple(_table(table, file["papers"][table["paper"]]) for table in file["tables"])
    return Layout(tables, file["labels"])


def _table(table: _Table, source: _Source) -> TableLayout:
    return TableLayout(
        id=table["id"],
        name=table["name"],
        paper=table["paper"],
        table=table["table"],
        title=table["title"],
        slices=tuple(table["slices"]),
        metrics=tuple(table["metrics"]),
        settings=frozenset(table["settings"]),
        decimals=table["decimals"],
        main_slice=table["main_slice"],
        ranked=table["ranked"],
        note=table["note"],
        source=source["source"],
        url=source["url"],
    )
