"""A study as Croissant 1.0 with the fields of its extension for responsible AI (RAI 1.0)."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from typing import IO, Any

import pyarrow as pa
from django.conf import settings

from annotation.exports import consistent_snapshot
from annotation.formats.base import StudyFormat
from annotation.formats.data_card import LICENCE, DataCard, describe_study
from annotation.formats.parquet.writer import schema_of, write_parquet
from annotation.formats.zip_files import open_part, open_zip
from backend.benchmarks.croissant import CONTEXT
from backend.studies.models import Study

TABLE = "answers.parquet"
RAI = "http://mlcommons.org/croissant/RAI/"
DATA_TYPES = {
    pa.int64(): "sc:Integer",
    pa.float64(): "sc:Float",
    pa.bool_(): "sc:Boolean",
    pa.string(): "sc:Text",
}


def write_croissant(study: Study, file: IO[bytes], with_names: bool) -> None:
    with open_zip(file) as archive, consistent_snapshot(), tempfile.TemporaryFile() as table:
        write_parquet(study, table, with_names)
        card = describe_croissant(describe_study(study), _digest(table), with_names)
        with open_part(archive, "croissant.json") as part:
            part.write(json.dumps(card, indent=2, ensure_ascii=False).encode())
        with open_part(archive, TABLE) as part:
            shutil.copyfileobj(table, part)


def _digest(table: IO[bytes]) -> str:
    table.seek(0)
    digest = hashlib.sha256()
    while chunk := table.read(1 << 20):
        digest.update(chunk)
    table.seek(0)
    return digest.hexdigest()


def describe_croissant(card: DataCard, digest: str, with_names: bool) -> dict[str, Any]:
    return {
        "@context": {**CONTEXT, "rai": RAI},
        "@type": "sc:Dataset",
        "name": card.head["name"],
        "description": "\n\n".join(filter(None, (card.summary, card.head["description"]))),
        "conformsTo": ["http://mlcommons.org/croissant/1.0", f"{RAI}1.0"],
        "url": settings.SITE_URL,
        "version": "1.0.0",
        "datePublished": str(card.last_at or card.head["created_at"])[:10],
        "creator": {"@type": "sc:Organization", "name": "Serendib", "url": settings.SITE_URL},
        "license": LICENCE,
        "keywords": [card.kind.title, "human annotation"],
        **_responsible_ai(card, with_names),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "table",
                "name": TABLE,
                "description": "A row for each part of each submitted answer.",
                "contentUrl": TABLE,
                "encodingFormat": "application/x-parquet",
                "sha256": digest,
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "answers",
                "name": "answers",
                "description": "Submitted answers.",
                "field": list(_fields(card)),
            }
        ],
    }


def _responsible_ai(card: DataCard, with_names: bool) -> dict[str, Any]:
    overlap = card.head["design"]["overlap"]
    by = "Software Collection" if card.is_simulated else "Manual Human Curator"
    names = "names" if with_names else "pseudonyms, which differ between studies"
    fields = {
        "dataCollection": card.summary,
        "dataCollectionType": [by, "Others: judgement of experts"],
        "dataCollectionMissingData": "Skipped and unanswered questions are rows of their own.",
        "dataCollectionTimeFrame": [
            one.isoformat() for one in (card.first_at, card.last_at) if one is not None
        ],
        "dataAnnotationProtocol": list(card.protocol),
        "dataAnnotationPlatform": ["Serendib"],
        "dataAnnotationAnalysis": list(card.agreement),
        "annotationsPerItem": "as assigned" if overlap is None else str(overlap),
        "annotatorDemographics": [card.people],
        "personalSensitiveInformation": [f"Experts are listed with {names}."],
    }
    return {f"rai:{name}": value for name, value in fields.items() if value}


def _fields(card: DataCard) -> Iterator[dict[str, Any]]:
    for one in schema_of(card.kind):
        yield {
            "@type": "cr:Field",
            "@id": f"answers/{one.name}",
            "name": one.name,
            "description": one.name.replace("_", " "),
            "dataType": DATA_TYPES.get(one.type, "sc:DateTime"),
            "source": {"fileObject": {"@id": "table"}, "extract": {"column": one.name}},
        }


FORMAT = StudyFormat(
    name="croissant",
    title="Croissant",
    description="A Parquet table with a machine-readable card: protocol, agreement, experts.",
    media_type="application/zip",
    extension="zip",
    write=write_croissant,
)
