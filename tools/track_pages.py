"""A hook of mkdocs: adds the page that each track has in its folder."""

from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from backend.tracks.registry import load_tracks


def page_path(slug: str) -> str:
    return f"reference/tracks/{slug}.md"


def on_config(config: MkDocsConfig) -> None:
    sections: list[dict[str, Any]] = config.nav or []
    reference = next(section["Reference"] for section in sections if "Reference" in section)
    reference.append({"Tracks": [page_path(slug) for slug in load_tracks()]})


def on_files(files: Files, config: MkDocsConfig) -> None:
    for slug, track in load_tracks().items():
        page = File.generated(config, page_path(slug), content=track.documentation())
        files.append(page)
