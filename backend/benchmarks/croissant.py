"""The data card of a release in Croissant 1.0: its public items, never their hidden answers."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from pydantic import TypeAdapter

from backend.benchmarks.citations import cite_release
from backend.benchmarks.models import Release
from backend.benchmarks.release_graph_lookup import (
    describe_queried_part,
    has_masked_graph,
    walked_graph,
)
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.graphs.literature.cutoff import YEARS_END

CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TEXTS_ARE_NOT_MASKED = (
    "Documents of entities and abstracts of papers are not masked: they may state a removed edge "
    "in words."
)
DATA_TYPES = {
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
    "string": "sc:Text",
}


def describe_release(
    release: Release, digests: Mapping[str, str], resolution: str = ""
) -> dict[str, Any]:
    """digests: SHA-256 of the file of public items, by split; splits without items are left out.

    resolution: what the items tell apart, in a sentence.
    """
    track = get_track_or_raise(release.track)
    page = f"{settings.SITE_URL}/leaderboard/{release.track}?release={release.slug}"
    card = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": release.slug,
        "description": f"{describe_contents(release, track.description)} {resolution}".strip(),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "url": page,
        "version": release.digest,
        "datePublished": (release.opens_at or release.created_at).date().isoformat(),
        "creator": {"@type": "sc:Organization", "name": "Serendib", "url": settings.SITE_URL},
        "license": release.licence or "not stated",
        "citeAs": cite_release(release),
        "keywords": [track.paper, track.title, "benchmark"],
        "distribution": [_file(release, split, digest) for split, digest in digests.items()],
        "recordSet": [_record_set(split, track.item_schema) for split in digests],
    }
    return {name: value for name, value in card.items() if value != ""}


def describe_contents(release: Release, about_track: str) -> str:
    """The organiser's words, and which graphs stand in place of the release's own."""
    walked = walked_graph(release)
    sentences = [
        release.data_card or about_track,
        describe_queried_part(release),
        f"Cut-off: {describe_cutoff(release)}; nothing later is evidence."
        if release.cutoff
        else "",
        "" if walked is None else f"Baselines walk {walked.version.graph.description}",
        TEXTS_ARE_NOT_MASKED if has_masked_graph(release) else "",
    ]
    return " ".join(filter(None, sentences))


def describe_cutoff(release: Release) -> str:
    """'PMID 36600000', 'year 2015': no PMID of the literature is as small as a year."""
    is_year = release.cutoff is not None and release.cutoff <= YEARS_END
    return f"{'year' if is_year else 'PMID'} {release.cutoff}"


def _file(release: Release, split: str, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{split}-items",
        "name": f"{release.slug}-{split}-items.jsonl",
        "description": f"The public items of the {split} split, without answers.",
        "contentUrl": f"{settings.SITE_URL}/api/v1/releases/{release.slug}/items?split={split}",
        "encodingFormat": "application/jsonlines",
        "sha256": digest,
    }


def _record_set(split: str, item_schema: Any) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": split,
        "name": split,
        "description": f"Items of the {split} split.",
        "field": list(_fields(split, TypeAdapter(item_schema).json_schema()["properties"])),
    }


def _fields(split: str, properties: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for name, described in properties.items():
        is_list = described.get("type") == "array"
        element = described.get("items", {}) if is_list else described
        field = {
            "@type": "cr:Field",
            "@id": f"{split}/{name}",
            "name": name,
            "description": described.get("description") or name.replace("_", " "),
            "dataType": DATA_TYPES.get(element.get("type", ""), "sc:Text"),
            "source": {"fileObject": {"@id": f"{split}-items"}, "extract": {"column": name}},
        }
        yield field | ({"repeated": True} if is_list else {})
