"""Write a snapshot as CSV files and statements from which the Cypher engine builds its tables.

Text is unchanged: every text cell is quoted, and a missing number is an empty unquoted cell.
"""

import csv
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.cell_encoding import join_list
from backend.graphs.cypher.label_names import make_labels, make_relation_names
from backend.graphs.cypher.schema import EDGE_COLUMNS, ENTITY_COLUMNS, EdgeGroup, edge_groups
from backend.graphs.snapshots.dated_view import get_edge_dates
from backend.graphs.snapshots.snapshot import Snapshot

ENTITY_SCHEMA = ", ".join(f"{name} STRING" for name in ENTITY_COLUMNS)
EDGE_SCHEMA = ", ".join(f"{name} {kind}" for name, kind in EDGE_COLUMNS.items())
COPY_OPTIONS = (
    r"""header=false, auto_detect=false, parallel=false, delim=',', quote='"', escape='"'"""
)


def write_tables(
    snapshot: Snapshot,
    folder: Path,
    *,
    both_directions: bool = False,
    linked_only: bool = False,
    until: int | None = None,
) -> tuple[str, ...]:
    """Write the files into a folder. Returns the statements that load them, in order.

    linked_only: without entities that have no edge. until: see `edge_groups`.
    """
    labels = make_labels(snapshot.types)
    names = make_relation_names([relation.name for relation in snapshot.relations], labels)
    groups = edge_groups(snapshot, both_directions=both_directions, until=until)
    numbers = linked_entities(snapshot) if linked_only else np.arange(snapshot.entity_count)
    ids = _write_entities(snapshot, numbers, labels, folder)
    files = [_write_edges(snapshot, group, ids, folder, n) for n, group in enumerate(groups)]
    return (
        *(f"CREATE NODE TABLE `{label}`({ENTITY_SCHEMA}, PRIMARY KEY(id))" for label in labels),
        *_relation_tables(groups, labels, names),
        *(
            f"COPY `{label}` FROM '{_entity_file(n)}' ({COPY_OPTIONS})"
            for n, label in enumerate(labels)
        ),
        *(
            f"COPY `{names[group.relation]}` FROM '{file}' "
            f"(from='{labels[group.source_type]}', to='{labels[group.target_type]}', "
            f"{COPY_OPTIONS})"
            for group, file in zip(groups, files, strict=True)
            if len(group.edges)
        ),
    )


def _relation_tables(
    groups: list[EdgeGroup], labels: tuple[str, ...], names: tuple[str, ...]
) -> Iterator[str]:
    pairs: dict[int, list[str]] = {}
    for group in groups:
        pair = f"FROM `{labels[group.source_type]}` TO `{labels[group.target_type]}`"
        pairs.setdefault(group.relation, []).append(pair)
    for relation, ends in pairs.items():
        each = ", ".join(dict.fromkeys(ends))
        yield f"CREATE REL TABLE `{names[relation]}`({each}, {EDGE_SCHEMA})"


def _entity_file(number: int) -> str:
    return f"entities-{number}.csv"


def linked_entities(snapshot: Snapshot) -> NDArray[np.int64]:
    """Numbers of the entities with an edge, ascending."""
    degrees = np.diff(snapshot.forward.offsets) + np.diff(snapshot.reverse.offsets)
    return np.flatnonzero(degrees)


def _write_entities(
    snapshot: Snapshot, numbers: NDArray[np.int64], labels: tuple[str, ...], folder: Path
) -> Mapping[int, str]:
    """Write the entities. Returns their ids by number, which the edges refer to."""
    ids = {}
    with ExitStack() as stack:
        writers = [
            csv.writer(
                stack.enter_context(
                    (folder / _entity_file(n)).open("w", encoding="utf-8", newline="")
                ),
                quoting=csv.QUOTE_ALL,
            )
            for n in range(len(labels))
        ]
        for entity in map(snapshot.entity, numbers.tolist()):
            ids[entity.number] = entity.id
            row = (entity.id, entity.name, entity.type, join_list(entity.synonyms))
            writers[int(snapshot.type_of[entity.number])].writerow(row)
    return ids


def _write_edges(
    snapshot: Snapshot, group: EdgeGroup, ids: Mapping[int, str], folder: Path, number: int
) -> str:
    name = f"edges-{number}.csv"
    with (folder / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerows(_edge_rows(snapshot, group, ids))
    return name


def _edge_rows(
    snapshot: Snapshot, group: EdgeGroup, ids: Mapping[int, str]
) -> Iterator[tuple[object, ...]]:
    numbers: list[int] = group.edges.tolist()
    dates = get_edge_dates(snapshot)
    for number in numbers:
        edge = snapshot.edge(number)
        ends = (edge.target, edge.source) if group.is_reversed else (edge.source, edge.target)
        yield (
            ids[ends[0]],
            ids[ends[1]],
            number,
            edge.score,
            edge.evidence,
            edge.level,
            edge.p_value,
            join_list(edge.publications),
            (int(dates.values[number]) or None) if dates is not None else None,
            edge.date_source,
        )
