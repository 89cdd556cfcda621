"""A release for other catalogues: digests of its files and its citation."""

import hashlib

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.api.releases import item_lines
from backend.benchmarks.citations import cite_release
from backend.benchmarks.models import Item, Release
from backend.benchmarks.policies import get_release_or_raise
from backend.common.downloads import download_headers
from backend.common.openapi import operation


def digest_items(release: Release) -> dict[str, str]:
    """By split, SHA-256 of the file of items as the API sends it."""
    splits = Item.objects.filter(release=release).order_by("split").values_list("split", flat=True)
    return {split: _digest(release, split) for split in splits.distinct()}


def _digest(release: Release, split: str) -> str:
    digest = hashlib.sha256()
    for line in item_lines(release, split):
        digest.update(line.encode())
    return digest.hexdigest()


class ReleaseCitation(APIView):
    permission_classes = [AllowAny]

    @operation("releases_citation", {(200, "application/x-bibtex"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The release as a BibTeX entry, with the citation of its data."""
        release = get_release_or_raise(get_actor(request), slug)
        content_type = "application/x-bibtex; charset=utf-8"
        headers = download_headers(f"{release.slug}.bib")
        return HttpResponse(cite_release(release), content_type=content_type, headers=headers)
