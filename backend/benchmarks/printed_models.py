"""The models of the published figures, from `fixtures/published/models.csv`.

Several printed names may be one model. What has no line there, such as a measure of importance, is
no model.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.text import slugify


@dataclass(frozen=True)
class PublishedModel:
    slug: str
    name: str
    organisation: str
    family: str
    parameters: int | None
    licence: str


def read_published_rows(name: str) -> Iterator[dict[str, str]]:
    with (settings.FIXTURES / "published" / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@cache
def models_by_printed_name() -> dict[str, tuple[PublishedModel, str]]:
    """The model of each printed name, and the part of the items that this name is over."""
    return {
        row["name"]: (_read_model(row), row["sample"]) for row in read_published_rows("models.csv")
    }


@cache
def printed_slugs() -> frozenset[str]:
    return frozenset(model.slug for model, _ in models_by_printed_name().values())


def _read_model(row: dict[str, str]) -> PublishedModel:
    return PublishedModel(
        slug=slugify(row["model"]),
        name=row["model"],
        organisation=row["organisation"],
        family=row["family"],
        parameters=int(row["parameters"]) if row["parameters"] else None,
        licence=row["licence"],
    )
