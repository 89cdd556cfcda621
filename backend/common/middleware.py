"""Headers that every answer carries."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from backend.common import handlers

# Everything comes from this server, its WebSockets included ('self' covers them). Drag and drop,
# charts and progress bars set styles on elements, hence 'unsafe-inline' for styles; scripts are
# files of the bundle only.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "worker-src 'self'",
    )
)
UNUSED_FEATURES = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class Gzip(GZipMiddleware):
    """What is streamed goes as it is: Django would compress each chunk for itself.

    Browsers read the first of these alone, so that a download would end after 64 kB.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        return response if response.streaming else super().process_response(request, response)


class SecurityHeaders:
    """Content-Security-Policy and Permissions-Policy; Django 5.2 sets the others itself."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Permissions-Policy", UNUSED_FEATURES)
        if request.path.startswith(handlers.FOR_PROGRAMS):
            # On a shared computer the back button must not show what a colleague read.
            response.headers.setdefault("Cache-Control", "no-store")
        return response
