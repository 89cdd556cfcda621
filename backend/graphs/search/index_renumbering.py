"""The term index of a snapshot from that of another with the same entities under other numbers.

The same bytes as from `build_term_index`, without reading the entities again.
"""

import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.search.index_builder import publish_index
from backend.graphs.search.term_index import (
    Numbers,
    TermColumn,
    WordIndex,
    open_term_index,
    read_files,
)
from backend.graphs.snapshots import kernels
from backend.graphs.snapshots.format import I32
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.array_store.raw_folder import RawFolderWriter


def renumber_term_index(
    origin: Path, folder: Path, snapshot: Snapshot, number_of: NDArray[np.integer]
) -> None:
    """number_of: by the number at `origin`, that in the snapshot. No file is shared.

    Raises InvalidSnapshot if there is no such index, or it is damaged.
    """
    name = origin.name.removesuffix(".search")
    files, index = read_files(origin, name), open_term_index(origin, name, len(number_of))

    def write(writer: RawFolderWriter) -> None:
        write_column(writer, "identifiers", index.identifiers, number_of)
        term_of = write_column(writer, "names", index.names, number_of)
        if index.words is not None:
            writer.append("words.terms", renumber_words(index.words, term_of), I32)
        writer.finish()
        for name in files.keys() - writer.files.keys():
            shutil.copyfile(origin / name, writer.folder / name)
            writer.files[name] = files[name]

    publish_index(snapshot, folder, write)


def write_column(
    writer: RawFolderWriter, name: str, column: TermColumn, number_of: NDArray[np.integer]
) -> Numbers:
    """Terms are numbered in the order of entities, equal strings in that of their terms.

    Returns the number of each term by the one that it had.
    """
    entities = number_of[column.entities]
    order = np.argsort(entities, kind="stable")
    term_of = np.empty(len(order), np.int32)
    term_of[order] = np.arange(len(order), dtype=np.int32)
    groups = np.cumsum(~kernels.equals_previous(column.texts.pool, column.texts.offsets))
    numbers = term_of[column.numbers]
    writer.append(f"{name}.numbers", numbers[np.lexsort((numbers, groups))], I32)
    writer.append(f"{name}.entities", entities[order], I32)
    return term_of


def renumber_words(words: WordIndex, term_of: Numbers) -> Numbers:
    """The terms of each word in ascending order."""
    terms = term_of[words.terms]
    groups = np.repeat(np.arange(len(words.texts)), np.diff(words.starts))
    ordered: Numbers = terms[np.lexsort((terms, groups))]
    return ordered
