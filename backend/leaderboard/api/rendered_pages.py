"""Pages of boards in memory: a standing never changes, and many visitors read the same."""

import gzip
import struct
import zlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

from backend.leaderboard.standing_pages import LEVEL, RAW_DEFLATE

MAX_PAGES = 512  # of a process, compressed: about 20 kB each
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

# The latest are at the end. A race between threads renders a page twice, and costs nothing else.
_pages: dict[Hashable, bytes] = {}


@dataclass(frozen=True)
class RenderedPage:
    """A page as JSON. rows: from the first row on, as raw DEFLATE.

    is_constant: whether it stays so.
    """

    head: bytes
    rows: bytes
    is_constant: bool

    def to_gzip(self) -> bytes:
        """One member, since browsers read no further: its blocks are those of head and rows."""
        compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW_DEFLATE)
        head = compressor.compress(self.head) + compressor.flush(zlib.Z_SYNC_FLUSH)
        plain = self.head + zlib.decompress(self.rows, RAW_DEFLATE)
        return GZIP_HEADER + head + self.rows + struct.pack("<LL", zlib.crc32(plain), len(plain))


def rendered_response(
    request: Request, key: Hashable, render: Callable[[], RenderedPage]
) -> HttpResponse:
    """The page under a key that names everything it depends on."""
    page, is_constant = _pages.pop(key, None), True
    if page is None:
        rendered = render()
        page, is_constant = rendered.to_gzip(), rendered.is_constant
        for oldest in list(_pages)[: max(0, len(_pages) + 1 - MAX_PAGES)]:
            _pages.pop(oldest, None)
    if is_constant:
        _pages[key] = page
    is_compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    body = page if is_compressed else gzip.decompress(page)
    response = HttpResponse(body, content_type="application/json")
    if is_compressed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
