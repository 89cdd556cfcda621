"""STaRK's semi-structured knowledge base, as JSON lines.

STaRK publishes pickles, which can run code when they are loaded, so convert.py converts
them beforehand on the user's own machine. The file starts with a header line; each further line
has one entity or one edge:

    {"stark": 1, "name": "prime"}
    {"node": {"id": "NCBIGene:9796", "type": "gene/protein", "name": "PHYHIP", "document": [...]}}
    {"edge": {"source": "NCBIGene:9796", "relation": "protein_protein", "target": "…"}}
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from backend.graphs.cell_encoding import parse_sections
from backend.graphs.importers.common.base import (
    FileSample,
    FileSource,
    GraphFormat,
    ImportOptions,
    Roles,
    SourceRow,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.json_stream import read_json_lines
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.importers.primekg.vocabulary import RELATIONS
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow

NOT_A_RECORD = "neither entity nor edge: "
FIRST_LINE_START = '{"stark": 1,'
JsonObject = Mapping[str, object]


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    return "lines" if sample.first_line.startswith(FIRST_LINE_START) else None


def open_stark(roles: Roles, options: ImportOptions) -> FileSource:
    """The relations are those of STaRK-Prime; those of other knowledge bases have no phrases."""
    files = require_role(roles, "lines", "There is no converted file.")
    return FileSource(
        files,
        files,
        lambda file: _read_rows(file, "node", _build_node),
        lambda file: filter(_is_unreported, _read_rows(file, "edge", _build_edge)),
        lambda: RELATIONS,
    )


def _is_unreported(row: EdgeRow | MalformedRow) -> bool:
    """False for a line that is neither entity nor edge, which was reported with the entities."""
    return not (isinstance(row, MalformedRow) and row.detail.startswith(NOT_A_RECORD))


def _read_rows(
    file: InputFile,
    key: str,
    make: Callable[[RecordBuilder, int, JsonObject], SourceRow | MalformedRow],
) -> Iterator[SourceRow | MalformedRow]:
    maker = RecordBuilder(file.name, file.limits)
    for item in read_json_lines(file):
        if isinstance(item, MalformedRow):
            yield maker.malformed_row(item.line, item.reason, NOT_A_RECORD + item.detail)
            continue
        value: JsonObject = item.value if isinstance(item.value, dict) else {}
        record = value.get(key)
        if isinstance(record, dict):
            yield make(maker, item.line, record)
        elif key in value:
            yield maker.malformed_row(item.line, "json", str(item.value))
        elif not {"node", "edge", "stark"} & {*value}:
            yield maker.malformed_row(item.line, "json", NOT_A_RECORD + str(item.value))


def _build_node(maker: RecordBuilder, line: int, record: JsonObject) -> NodeRow | MalformedRow:
    texts = [record.get(key, "") for key in ("id", "type", "name")]
    lists = [record.get(key, []) for key in ("synonyms", "xrefs")]
    document = parse_sections(record.get("document", []))
    if document is None or not _are_texts(texts) or not all(map(_is_list_of_texts, lists)):
        return maker.malformed_row(line, "json", str(record))
    identifier, kind, name = map(str, texts)
    synonyms, xrefs = (tuple(it) if isinstance(it, list) else () for it in lists)
    return maker.build_node(
        line, identifier, kind, name, synonyms=synonyms, xrefs=xrefs, document=document
    )


def _build_edge(maker: RecordBuilder, line: int, record: JsonObject) -> EdgeRow | MalformedRow:
    texts = [record.get(key, "") for key in ("source", "relation", "target")]
    if not _are_texts(texts):
        return maker.malformed_row(line, "json", str(record))
    return maker.build_edge(line, *map(str, texts))


def _are_texts(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and _are_texts(value)


FORMAT = GraphFormat(
    name="stark",
    title="STaRK's semi-structured knowledge base",
    description="Convert the pickles on your own machine first; the server never loads a pickle.",
    file_hint=(
        "JSON lines from `python -m backend.graphs.importers.stark.convert FOLDER FILE.jsonl`"
    ),
    required_roles=role_sets("lines"),
    role_of=role_of,
    open=open_stark,
)
