"""The formats that a graph can be imported from, and which one some files are in.

To add one: a module beside this with `role_of` and an `open_…`, a row here, tests with small
files, and the shape of its files in docs/formats.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.graphs.importers import ckg, hetionet, kgx, nodelink, plain, primekg, pubtator, stark
from backend.graphs.importers.files import FileRefused, InputFile, Limits, input_files
from backend.graphs.importers.reading import OTHER_ENCODINGS, in_utf_16
from backend.graphs.importers.sources import Options, Roles, Sample
from backend.graphs.rows import GraphSource

PICKLES = tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6))
MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Format:
    """`needs`: any one of these sets of roles is a whole graph."""

    name: str
    title: str
    files: str
    needs: tuple[frozenset[str], ...]
    role_of: Callable[[Sample, Options], str | None]
    open: Callable[[Roles, Options], GraphSource]


def _needs(*sets: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(roles.split()) for roles in sets)


FORMATS = (
    Format(
        "hetionet",
        "Hetionet",
        "nodes.tsv with edges.sif, or hetionet-v1.0.json; also compressed",
        _needs("nodes edges", "json"),
        hetionet.role_of,
        hetionet.open_hetionet,
    ),
    Format(
        "primekg",
        "PrimeKG",
        "kg.csv; with drug_features.csv, disease_features.csv, kg_grouped_diseases_bert_map.csv",
        _needs("kg"),
        primekg.role_of,
        primekg.open_primekg,
    ),
    Format(
        "ckg",
        "Clinical Knowledge Graph",
        "the folder of its import files, each with its own name (Protein.tsv, dgidb_targets.tsv)",
        _needs("entities relationships"),
        ckg.role_of,
        ckg.open_ckg,
    ),
    Format(
        "pubtator",
        "PubTator 3 as in TruthHypo",
        "nodes.tsv with edges_train.tsv, with relation2pubtator3, or with both",
        _needs("nodes edges", "nodes relations"),
        pubtator.role_of,
        pubtator.open_pubtator,
    ),
    Format(
        "stark",
        "STaRK's semi-structured knowledge base",
        "the JSON lines that backend.graphs.importers.stark_convert writes",
        _needs("lines"),
        stark.role_of,
        stark.open_stark,
    ),
    Format(
        "kgx",
        "KGX (Biolink)",
        "nodes (id, category) and edges (subject, predicate, object), as TSV or JSON lines",
        _needs("nodes edges", "nodes_lines edges_lines", "nodes edges_lines", "nodes_lines edges"),
        kgx.role_of,
        kgx.open_kgx,
    ),
    Format(
        "json",
        "JSON as networkx writes it",
        "one object with nodes and edges",
        _needs("json"),
        nodelink.role_of,
        nodelink.open_nodelink,
    ),
    Format(
        "csv",
        "Tables (CSV or TSV)",
        "entities (id, name, type) and edges (source, relation, target); relations if you like",
        _needs("entities edges"),
        plain.role_of,
        plain.open_plain,
    ),
)
BY_NAME = {it.name: it for it in FORMATS}


@dataclass(frozen=True, slots=True)
class Opened:
    """A graph that can be read: in which format, from which files, and which were left alone."""

    format: Format
    source: GraphSource
    used: Mapping[str, str]
    ignored: tuple[str, ...]
    size: int


def open_source(
    paths: Sequence[Path],
    format_name: str = "",
    *,
    options: Options | None = None,
    limits: Limits | None = None,
    names: Mapping[Path, str] | None = None,
) -> Opened:
    """Open files and folders as a graph; without a format's name it is recognised."""
    options = options or Options()
    files = input_files(paths, limits, names)
    samples = [Sample(file.name, file.head()) for file in files]
    for sample in samples:
        _refuse_pickles(sample)
    candidates = (named_or_raise(format_name),) if format_name else FORMATS
    for candidate in candidates:
        roles = [candidate.role_of(sample, options) for sample in samples]
        if any(needed <= {*roles} for needed in candidate.needs):
            return _opened(candidate, files, roles, options)
    raise _not_recognised(candidates, samples)


def named_or_raise(name: str) -> Format:
    if name not in BY_NAME:
        known = ", ".join(BY_NAME)
        raise FileRefused("format", f"There is no format {name}.", code="format", expected=known)
    return BY_NAME[name]


def _opened(
    chosen: Format, files: list[InputFile], roles: list[str | None], options: Options
) -> Opened:
    by_role: dict[str, list[InputFile]] = {}
    for file, role in zip(files, roles, strict=True):
        if role:
            by_role.setdefault(role, []).append(file)
    used = {file.name: role for role, listed in by_role.items() for file in listed}
    ignored = tuple(file.name for file in files if file.name not in used)
    size = sum(file.size for file in files if file.name in used)
    return Opened(chosen, chosen.open(by_role, options), used, ignored, size)


def _refuse_pickles(sample: Sample) -> None:
    """A pickle can run anything when it is opened, so it is not opened here."""
    if sample.head.startswith(PICKLES) or sample.name.endswith((".pkl", ".pickle")):
        detail = (
            f"{sample.name} is a Python pickle, which is never opened here. Convert it on your own"
            " machine: python -m backend.graphs.importers.stark_convert FOLDER FILE.jsonl"
        )
        raise FileRefused(sample.name, detail, code="pickle", expected="JSON lines")


def _not_recognised(tried: Sequence[Format], samples: Sequence[Sample]) -> FileRefused:
    """Say what was found, beside what would have been understood."""
    for sample in samples:
        if sample.head.startswith(OTHER_ENCODINGS):
            return in_utf_16(sample.name)
    found = "; ".join(
        f"{sample.name} begins with {sample.first_line[:120]!r}" for sample in samples[:MOST_NAMED]
    )
    detail = f"These files are not known: {found}." if samples else "There are no files."
    expected = "; ".join(f"{it.title}: {it.files}" for it in tried)
    return FileRefused("files", detail, code="not_recognised", expected=expected)
