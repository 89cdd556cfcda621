"""What a format of question files provides, and what its parser returns.

A format is a folder of `backend/benchmarks/formats` or of a plugin's `question_formats` whose
module `format` defines FORMAT, a QuestionFormat. `registry` finds it; no other file changes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.questionnaire import FilesInvalid, SourceFile
from backend.tracks.serenqa_patterns import Pattern
from backend.validation.faults import Fault, FaultList, printable


@dataclass(frozen=True)
class FileCandidate:
    id: str
    name: str


@dataclass(frozen=True)
class ParsedQuestion:
    """A question of a file.

    place: file and position, for faults. qid: unique in its set. record: the JSON object that is
    stored and exported again; its `graph_query`, if any, is the pattern as in SerenQA's files.
    type_label: the file's own label of the pattern's type.
    """

    place: str
    qid: str
    text: str
    answers: tuple[FileCandidate, ...]
    record: Mapping[str, object]
    pattern: Pattern | None = None
    category: str = ""
    cypher: str = ""
    type_label: str = ""


@dataclass(frozen=True)
class Split:
    """One partition: serendipitous and existing answers, by identifier.

    `method` is one of Partition.Method, `split` the part of the benchmark ('test'); `paths` lead
    from existing to serendipitous answers. `places` are those of the two sets in the record.
    """

    method: str
    serendipity: tuple[str, ...]
    existing: tuple[str, ...]
    split: str = ""
    paths: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    places: tuple[str, str] = field(default=("serendipity", "existing"), compare=False)


@dataclass(frozen=True)
class ParsedPartitions:
    """The partitions of one question in a file, and the record they came from."""

    place: str
    qid: str
    text: str
    splits: tuple[Split, ...]
    record: Mapping[str, object]


@dataclass(frozen=True)
class ParsedFiles:
    questions: tuple[ParsedQuestion, ...]
    partitions: tuple[ParsedPartitions, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class NewQuestion:
    """A generated question, to be written to a file."""

    qid: int
    text: str
    answers: Sequence[FileCandidate]
    pattern: Pattern
    category: str


class QuestionFilesInvalid(FilesInvalid):
    code = "questions_invalid"


SplitFactory = Callable[[Partition], Split]


@dataclass(frozen=True)
class QuestionFormat:
    """One format of question files.

    parse: raises QuestionFilesInvalid with every fault, those given included. export: files by
    name; None if the format can only be imported.
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    parse: Callable[[Sequence[SourceFile], Iterable[Fault]], ParsedFiles]
    export: Callable[[QuestionSet, SplitFactory], Mapping[str, bytes]] | None = None


def check_split_answers(
    record: ParsedPartitions,
    answers: Sequence[FileCandidate],
    faults: FaultList,
    add_notice: Callable[[str], None],
) -> None:
    """Answers of a split that the question lacks are faults; a split without all is a notice."""
    known = {one.id for one in answers}
    for split in record.splits:
        for place, identifiers in zip(
            split.places, (split.serendipity, split.existing), strict=True
        ):
            for one in identifiers:
                if one not in known:
                    message = f"'{printable(one)}' is not an answer of this question."
                    faults.add(
                        f"{record.place}, {place}", message, "an answer_argument", "no_answer"
                    )
        missing = len(known - {*split.serendipity, *split.existing})
        if missing:
            key = split.places[0].partition(".")[0]
            add_notice(f"{record.place}: {key} leaves out {missing} of the answers.")
