"""Links of the pages that the site generator does not build: README and its neighbours."""

import re
from pathlib import Path

import pytest

from tools.check import ROOT

PAGES = sorted(ROOT.glob("*.md"))
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def anchors_of(page: Path) -> set[str]:
    return {anchor(heading) for heading in HEADING.findall(page.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    broken = []
    for name, fragment in LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / name if name else page
        if not target.exists() or (fragment and fragment not in anchors_of(target)):
            broken.append(f"{name}#{fragment}")
    assert broken == []


def test_the_heading_of_a_link_is_compared() -> None:
    assert anchor("Questionnaire, in") == "questionnaire-in"
