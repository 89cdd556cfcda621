"""Rendered pages of boards in memory: a standing never changes, and many visitors read the same."""

import gzip
from collections.abc import Callable, Hashable

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

MAX_PAGES = 512  # of a process, compressed: about 20 kB each

# The latest are at the end. A race between threads renders a page twice, and costs nothing else.
_pages: dict[Hashable, bytes] = {}


def rendered_response(
    request: Request, key: Hashable, render: Callable[[], tuple[bytes, bool]]
) -> HttpResponse:
    """The page under a key that names everything it depends on.

    render: the page, and whether it stays as it is.
    """
    page, is_constant = _pages.pop(key, None), True
    if page is None:
        plain, is_constant = render()
        page = gzip.compress(plain, compresslevel=6, mtime=0)
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
