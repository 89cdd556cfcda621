"""BibTeX entries. Text from users is escaped, so that an entry is always well formed."""

import re
from collections.abc import Mapping

from django.conf import settings

from backend.benchmarks.models import Release

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
}
SPECIAL_CHARACTERS = re.compile("[" + re.escape("".join(SPECIAL)) + "]")


def escape_bibtex(text: str) -> str:
    escaped = SPECIAL_CHARACTERS.sub(lambda match: SPECIAL[match[0]], text)
    return " ".join(escaped.split())


def bibtex_entry(key: str, fields: Mapping[str, str], url: str) -> str:
    """An entry `@misc`; empty fields are left out."""
    lines = [
        f"  {name} = {{{escape_bibtex(value)}}}" for name, value in fields.items() if value.strip()
    ]
    return f"@misc{{{key},\n" + ",\n".join([*lines, f"  url = {{{url}}}"]) + "\n}\n"


def cite_release(release: Release) -> str:
    """The release, and after it the citation of its data where that is BibTeX itself."""
    is_bibtex = release.citation.lstrip().startswith("@")
    entry = bibtex_entry(
        f"serendib-{release.slug}",
        {
            "title": f"{release.name}: a release of {release.track}",
            "publisher": "Serendib",
            "year": str(release.created_at.year),
            "version": release.digest,
            "note": "" if is_bibtex else release.citation,
        },
        f"{settings.SITE_URL}/leaderboard/{release.track}?release={release.slug}",
    )
    return f"{entry}\n{release.citation.strip()}\n" if is_bibtex else entry
