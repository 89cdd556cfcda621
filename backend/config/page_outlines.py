"""Pages as HTML before and without scripts: the first paint of the front page, and tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import Error as DatabaseError
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotation.kinds.base import PracticeExample
from annotation.kinds.registry import study_kinds
from backend.common.errors import DomainError
from backend.config.page_heads import PageHead
from backend.leaderboard.overview import TrackOverview, list_overview
from backend.leaderboard.site_summary import get_summary

# What index.html has for the parts that are replaced; a test of the front end compares them.
TITLE = re.compile(r"<title>[^<]*</title>")
DESCRIPTION = re.compile(r'<meta name="description"[^>]*>\s*')
BARS = re.compile(r"(?:<i></i>\s*)+")
NO_SCRIPT = re.compile(r"<noscript>.*?</noscript>", re.DOTALL)
ALL_TRACKS_PATH = "/leaderboard"
LISTED_ENTRIES = 10  # of a track that is alone on its page


@dataclass(frozen=True)
class Preview:
    """A picture of 1,200 x 630 pixels in frontend/public, for previews of links."""

    file: str
    alt: str

    @property
    def type(self) -> str:
        return "image/png" if self.file.endswith(".png") else "image/jpeg"


FRONT_PREVIEW = Preview(
    "preview.png", "Serendib: four answers to a medical question, to be put in order"
)
LEADERBOARD_PREVIEW = Preview(
    "preview-leaderboard.jpg", "The leaderboard of Serendib: the best models of each task"
)
# Of the demo, by the first part of the address: nothing of what only some users may see.
PREVIEWS = {
    "explore": Preview("preview-explore.jpg", "A drug in a knowledge graph, with what it acts on"),
    "workbench": Preview(
        "preview-workbench.jpg", "The answers to a question by relevance, novelty and surprise"
    ),
    **dict.fromkeys(
        ("leaderboard", "models", "releases", "results", "tracks"), LEADERBOARD_PREVIEW
    ),
}


def _preview(path: str, head: PageHead) -> Preview:
    return PREVIEWS.get(path.split("/")[1], FRONT_PREVIEW) if head.exists else FRONT_PREVIEW


def fill_page(html: str, path: str, address: str, head: PageHead) -> str:
    """The built page with its head, its outline, and what it shows without scripts. address: the
    path with its escapes."""
    filled = _replace(TITLE, _head_tags(path, address, head), _replace(DESCRIPTION, "", html))
    if path == "/":
        filled = _replace(BARS, render_to_string("pages/front.html", _first_question()), filled)
    return _replace(NO_SCRIPT, _without_scripts(path, head), filled)


def _replace(pattern: re.Pattern[str], text: str, html: str) -> str:
    return pattern.sub(lambda _: text, html, count=1)


def _head_tags(path: str, address: str, head: PageHead) -> SafeString:
    site = settings.SITE_URL
    preview = _preview(path, head)
    context = {
        "head": head,
        "url": f"{site}{address}",
        "image": f"{site}/static/web/{preview.file}",
        "image_type": preview.type,
        "image_alt": preview.alt,
        "facts": {
            "contact": settings.CONTACT_EMAIL,
            "documentation": settings.DOCUMENTATION_URL,
            "source": settings.SOURCE_URL,
            "version": settings.VERSION,
        },
    }
    return render_to_string("pages/head.html", context)


def _first_question() -> dict[str, PracticeExample | None]:
    questions = (one for kind in study_kinds().values() for one in kind.practice_examples())
    return {"question": next(questions, None)}


def _without_scripts(path: str, head: PageHead) -> SafeString:
    context = {"head": head, "tracks": _listed_tracks(path), "contact": settings.CONTACT_EMAIL}
    return render_to_string("pages/noscript.html", context)


def _listed_tracks(path: str) -> Sequence[TrackOverview]:
    try:
        if path == "/":
            return get_summary().tracks
        if path == ALL_TRACKS_PATH:
            return list_overview()
        if path.startswith(f"{ALL_TRACKS_PATH}/"):
            track = path.removeprefix(f"{ALL_TRACKS_PATH}/")
            return [one for one in list_overview(LISTED_ENTRIES) if one.track == track]
    except (DomainError, DatabaseError):
        pass  # the page is served, without its tables
    return ()
