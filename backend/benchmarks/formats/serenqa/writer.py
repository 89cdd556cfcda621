"""SerenQA's files: written as valid JSON that is parsed again without a notice.

An imported record is written as in its file, unknown fields and number notation included. A new
record has every field of appendix A.3, in that order.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from backend.benchmarks.formats.serenqa.parser import METHOD_BY_FILE_KEY, parse_serenqa
from backend.benchmarks.lossless_json import format_json
from backend.benchmarks.patterns.cypher import pattern_to_cypher
from backend.benchmarks.question_format import NewQuestion, QuestionFilesInvalid, Split
from backend.benchmarks.questionnaire import SourceFile
from backend.graphs.edge_phrases import EntityRef
from backend.graphs.path_queries import ExplainedPath
from backend.tracks.serenqa_graph_queries import pattern_to_graph_query
from backend.tracks.serenqa_patterns import PATTERN_TYPES
from backend.validation.faults import FaultList

PATH_SEPARATOR = "--"
MISSING_NAME = "None"
FILE_KEY_BY_METHOD: Mapping[str, str] = MappingProxyType(
    {method: key for key, method in METHOD_BY_FILE_KEY.items()}
)
# The files number the types without an explanation, and the paper's example contradicts its
# table; we write the position in Table 4.
TYPE_NUMBERS: Mapping[str, int] = MappingProxyType(
    {name: place for place, name in enumerate(PATTERN_TYPES, start=1)}
)


def build_question_record(question: NewQuestion) -> dict[str, object]:
    pattern = question.pattern
    if pattern.type not in TYPE_NUMBERS:
        raise ValueError(f"The pattern of question {question.qid} is none of the nine types.")
    return {
        "qid": question.qid,
        "question": question.text,
        "answer": [
            {"answer_type": "Entity", "answer_argument": one.id, "entity_name": one.name}
            for one in question.answers
        ],
        "function": "none",
        "commonness": 0.0,
        "num_node": len(pattern.nodes),
        "num_edge": len(pattern.edges),
        "graph_query": pattern_to_graph_query(pattern),
        "pattern_type": TYPE_NUMBERS[pattern.type],
        "category": question.category,
        "cypher": pattern_to_cypher(pattern, by="name"),
    }


def build_partition_record(qid: object, text: str, splits: Iterable[Split]) -> dict[str, object]:
    """The partitions of one question, by the file's key of the method. qid: integer or text."""
    record: dict[str, object] = {"qid": qid, "question": text}
    for split in splits:
        record[FILE_KEY_BY_METHOD[split.method]] = {
            "serendipity_set": {"list": [*split.serendipity], "description": None},
            "explore_queries": {"paths": [*split.paths], "questions": [*split.questions]},
            "partition": split.split,
            "exact_matches": {"list": [*split.existing], "description": None},
        }
    return record


def serialize_records(
    records: Sequence[Mapping[str, object]], name: str = "questions.json"
) -> bytes:
    """A file of these records. Raises QuestionFilesInvalid if it cannot be parsed again."""
    content = (format_json(records) + "\n").encode()
    if not records:
        return content
    read = parse_serenqa([SourceFile(name, content)])
    if read.notices:
        faults = FaultList()
        for notice in read.notices:
            faults.add(name, notice)
        raise QuestionFilesInvalid.of(faults)
    return content


def format_path(path: ExplainedPath, identifiers: Mapping[int, str] | None = None) -> str:
    """A path in the notation of A.3: P07900--ACTS_ON--NOS2:Protein--BELONGS_TO_PROTEIN--P29474.

    Ends are identifiers (from `identifiers` by number, if the file has others than the graph),
    inner nodes name and type. The notation does not show the direction of edges.
    """
    first, *between, last = path.entities
    known = identifiers or {}
    parts = [known.get(first.number, first.id)]
    for step, entity in zip(path.steps, between, strict=False):
        parts += [step.relation, _format_entity(entity)]
    return PATH_SEPARATOR.join([*parts, path.steps[-1].relation, known.get(last.number, last.id)])


def _format_entity(entity: EntityRef) -> str:
    return f"{entity.name or MISSING_NAME}:{entity.type}"
