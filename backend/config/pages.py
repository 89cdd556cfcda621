"""The single page, its service worker, and two checks of health."""

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

NOT_BUILT = "The pages are not built yet. Run 'make run', or 'npm run build' in frontend/."


def bundle_file(name: str, content_type: str) -> HttpResponse:
    path = settings.BUNDLE / name
    if not path.is_file():
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain; charset=utf-8")
    response = HttpResponse(path.read_bytes(), content_type=content_type)
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@ensure_csrf_cookie
def index(request: HttpRequest) -> HttpResponse:
    return bundle_file("index.html", "text/html; charset=utf-8")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    return bundle_file("sw.js", "text/javascript; charset=utf-8")


@require_safe
def alive(request: HttpRequest) -> HttpResponse:
    """204 from the process itself: no session, no database. The benchmarks' empty view too."""
    return HttpResponse(status=204)


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 when the database answers; what a load balancer or a test waits for."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})
