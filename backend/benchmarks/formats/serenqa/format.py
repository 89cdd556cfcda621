"""SerenQA's question files: questions with graph patterns, and partitions of their answers."""

from backend.benchmarks.formats.serenqa.export import export_files
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.question_format import QuestionFormat

FORMAT = QuestionFormat(
    name="serenqa",
    description="SerenQA's QA sets and partitions, as JSON or JSON lines",
    suffixes=(".json", ".jsonl"),
    parse=parse_serenqa,
    export=export_files,
)
