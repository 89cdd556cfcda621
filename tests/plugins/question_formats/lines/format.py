"""One question a line, with its answers by identifier: `q1 | Which drugs? | DB01, DB02`."""

from collections.abc import Iterable, Mapping, Sequence

from backend.benchmarks.models import QuestionSet
from backend.benchmarks.question_format import (
    FileCandidate,
    ParsedFiles,
    ParsedQuestion,
    QuestionFilesInvalid,
    QuestionFormat,
    SplitFactory,
)
from backend.benchmarks.questionnaire import SourceFile
from backend.validation.faults import Fault, FaultList


def parse_lines(files: Sequence[SourceFile], faults: Iterable[Fault] = ()) -> ParsedFiles:
    questions, listed = [], FaultList.of(faults)
    for file in files:
        for number, line in enumerate(file.content.decode().splitlines(), start=1):
            place, parts = f"{file.name}, line {number}", [it.strip() for it in line.split("|")]
            if len(parts) != 3:
                listed.add(place, "This line does not have three parts.", "qid | text | answers")
                continue
            answers = tuple(FileCandidate(it.strip(), "") for it in parts[2].split(","))
            record = {"qid": parts[0], "line": line}
            questions.append(ParsedQuestion(place, parts[0], parts[1], answers, record))
    if listed.total:
        raise QuestionFilesInvalid.of(listed)
    return ParsedFiles(tuple(questions))


def export_lines(question_set: QuestionSet, _split: SplitFactory) -> Mapping[str, bytes]:
    rows = question_set.questions.order_by("number").prefetch_related("candidates")
    lines = [
        f"{row.file_id} | {row.text} | {', '.join(it.identifier for it in row.candidates.all())}\n"
        for row in rows
    ]
    return {"questions.txt": "".join(lines).encode()}


FORMAT = QuestionFormat("lines", "one question a line", (".txt",), parse_lines, export_lines)
