"""Pages of boards in memory: a standing never changes, and many visitors read the same."""

import gzip
import struct
import zlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

from backend.leaderboard.anonymity import ShownNames
from backend.leaderboard.standing_pages import LEVEL, RAW_DEFLATE

MAX_PAGES = 512  # of a process, compressed: about 20 kB each
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

# The latest are at the end. A race between threads renders a page twice, and costs nothing else.
_pages: dict[Hashable, tuple[bytes, ShownNames]] = {}


@dataclass(frozen=True)
class RenderedPage:
    """A page as JSON. rows: from the first row on, as raw DEFLATE. The page is of these names."""

    head: bytes
    rows: bytes
    names: ShownNames = field(default_factory=ShownNames)

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
    page, names = _pages.pop(key, (None, ShownNames()))
    if page is None or not names.are_still_right():
        rendered = render()
        page, names = rendered.to_gzip(), rendered.names
        for oldest in list(_pages)[: max(0, len(_pages) + 1 - MAX_PAGES)]:
            _pages.pop(oldest, None)
    _pages[key] = page, names
    is_compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    body = page if is_compressed else gzip.decompress(page)
    response = HttpResponse(body, content_type="application/json")
    if is_compressed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response
