"""Compression and security headers of every response."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from backend.common import error_views

# Everything comes from this server, including its WebSockets ('self' covers them). Drag and drop,
# charts and progress bars set styles on elements, hence 'unsafe-inline' for styles; scripts are
# files of the bundle only.
CONTENT_SECURITY_POLICY = "; ".join(
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
FRAMEABLE_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class NonStreamingGzipMiddleware(GZipMiddleware):
    """Leaves streamed responses uncompressed: Django would compress each chunk by itself.

    Browsers decode only the first of such chunks, so a download would end after 64 kB.
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
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        if request.path.startswith(error_views.API_PREFIXES):
            # On a shared computer, the back button must not show what another user has read.
            response.headers.setdefault("Cache-Control", "no-store")
        return response
