"""A study as a dataset repository of Hugging Face: a card, a table, and the complete records."""

import json
from collections.abc import Iterator
from typing import IO

from django.utils.text import slugify

from annotation.exports import consistent_snapshot
from annotation.formats.base import StudyFormat
from annotation.formats.data_card import LICENCE, DataCard, describe_study
from annotation.formats.jsonl.writer import write_jsonl
from annotation.formats.parquet.writer import schema_of, write_parquet
from annotation.formats.zip_files import open_part, open_zip
from backend.studies.models import Study

TABLE = "data/answers.parquet"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def write_huggingface(study: Study, file: IO[bytes], with_names: bool) -> None:
    with open_zip(file) as archive, consistent_snapshot():
        with open_part(archive, "README.md") as part:
            part.write("\n".join(_card(describe_study(study))).encode())
        with open_part(archive, TABLE) as part:
            write_parquet(study, part, with_names)
        with open_part(archive, "study.jsonl") as part:
            write_jsonl(study, part, with_names)


def _card(card: DataCard) -> Iterator[str]:
    yield from ("---", *_front_matter(card), "---", "", f"# {_plain(card.head['name'])}", "")
    yield from (card.summary, "")
    if card.head["description"]:
        yield from (f"> {_plain(line)}" for line in card.head["description"].splitlines())
        yield ""
    yield from ("## How the answers were collected", "", *_items(card.protocol), "")
    yield from ("## Who answered", "", card.people, "")
    yield from ("## Agreement", "", *_items(card.agreement), "")
    yield from ("## Files", "", f"- `{TABLE}`: a row for each part of each submitted answer:")
    yield from (f"  - `{one.name}` ({one.type})" for one in schema_of(card.kind))
    yield from ("- `study.jsonl`: all records, with drafts and activity.", "")
    yield from ("## Licence", "", LICENCE, "")


def _front_matter(card: DataCard) -> Iterator[str]:
    """YAML, in which every JSON value is one as well."""
    size = next((name for most, name in SIZES if card.answers["answered"] < most), "100K<n<1M")
    values = {
        "pretty_name": card.head["name"],
        "license": "unknown",
        "annotations_creators": ["machine-generated" if card.is_simulated else "expert-generated"],
        "size_categories": [size],
        "tags": ["human-annotation", slugify(card.kind.title)],
        "configs": [{"config_name": "answers", "data_files": TABLE}],
    }
    for name, value in values.items():
        yield f"{name}: {json.dumps(value)}"


def _items(lines: Iterator[str]) -> Iterator[str]:
    return (f"- {_plain(line)}" for line in lines)


def _plain(text: str) -> str:
    """Text that is no Markdown and no HTML."""
    return "".join(f"\\{one}" if one in "\\`*_[]<>#|!" else one for one in text)


FORMAT = StudyFormat(
    name="huggingface",
    title="Hugging Face",
    description="A dataset repository: a card in README.md, a Parquet table and all records.",
    media_type="application/zip",
    extension="zip",
    write=write_huggingface,
)
