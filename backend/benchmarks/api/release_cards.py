"""A release for other catalogues: its Croissant data card and its citation."""

import hashlib

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.benchmarks.api.releases import item_lines
from backend.benchmarks.citations import cite_release
from backend.benchmarks.croissant import describe_release
from backend.benchmarks.models import Item, Release
from backend.benchmarks.policies import get_release_or_raise
from backend.common.downloads import download_headers
from backend.common.openapi import operation


class ReleaseDataCard(APIView):
    permission_classes = [AllowAny]

    @operation("releases_croissant", {(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str) -> Response:
        """The data card in Croissant 1.0: the files of public items, with digests and fields."""
        release = get_release_or_raise(get_actor(request), slug)
        splits = Item.objects.filter(release=release).order_by("split").values_list("split")
        digests = {split: _digest(release, split) for (split,) in splits.distinct()}
        return Response(describe_release(release, digests))


def _digest(release: Release, split: str) -> str:
    """SHA-256 of the file of items, as the API sends it."""
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
