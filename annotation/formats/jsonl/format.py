"""A study as JSON Lines, which can be imported again."""

from annotation.formats.base import StudyFormat
from annotation.formats.jsonl.reader import read_jsonl, read_objects
from annotation.formats.jsonl.writer import write_jsonl

FORMAT = StudyFormat(
    name="jsonl",
    title="JSON Lines",
    description="A record a line: questions and answers with times. It can be imported again.",
    media_type="application/jsonl",
    extension="jsonl",
    write=write_jsonl,
    read=read_jsonl,
    parts=read_objects,
)
