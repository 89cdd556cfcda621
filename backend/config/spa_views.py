"""The single-page application, its service worker, and two health checks."""

from http import HTTPStatus
from urllib.parse import quote

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from backend.common.middleware import FRAMEABLE_POLICY
from backend.config.page_heads import SAFE_IN_PART, describe_page, page_address
from backend.config.page_outlines import fill_page

NOT_BUILT_MESSAGE = "The pages are not built yet. Run 'make run', or 'npm run build' in frontend/."


# The routes of frontend/src/app/router.tsx; a test compares the two.
PAGES = (
    "",
    "about",
    "account",
    "continue",
    "costs",
    "embed/board/:slug",
    "endpoints",
    "endpoints/:id",
    "endpoints/:id/change",
    "endpoints/new",
    "explore",
    "explore/:slug",
    "explore/:slug/canvas",
    "explore/:slug/compare",
    "explore/:slug/e/:curie",
    "explore/:slug/paths",
    "explore/:slug/paths/test",
    "explore/:slug/rns",
    "explore/:slug/rns/file",
    "explore/:slug/schema",
    "explore/import",
    "explore/view/:id",
    "grounding-batches/:id",
    "groundings",
    "groundings/:id",
    "home",
    "invite",
    "judges",
    "leaderboard",
    "leaderboard/:track",
    "models",
    "models/:slug",
    "networks",
    "next",
    "people",
    "practice",
    "privacy",
    "prompts/:name",
    "candidate-ensembles",
    "query-syntheses",
    "query-syntheses/:id",
    "rank/:batchId",
    "rank/:batchId/end",
    "releases",
    "releases/:slug",
    "releases/:slug/changes",
    "releases/:slug/correct",
    "releases/:slug/discoveries",
    "releases/:slug/importance",
    "releases/:slug/importance/:component",
    "releases/:slug/query",
    "releases/:slug/reports",
    "releases/:slug/run",
    "releases/new",
    "releases/seal",
    "reset-password",
    "results/:id",
    "runs",
    "runs/:id",
    "runs/:id/explorations/:split/:position",
    "sign-in",
    "studies",
    "studies/:id",
    "studies/:id/adjudicate/:question",
    "studies/:id/try",
    "studies/:studyId/contribution",
    "studies/:studyId/introduction",
    "studies/new",
    "studies/plan",
    "submissions",
    "submissions/:id",
    "submissions/new",
    "team",
    "tool-sessions/:id",
    "tracks/:slug",
    "workbench",
    "workbench/:questionId",
    "workbench/computations",
)


def bundle_file(name: str, content_type: str) -> HttpResponse:
    path = settings.BUNDLE / name
    if not path.is_file():
        return HttpResponse(NOT_BUILT_MESSAGE, status=503, content_type="text/plain; charset=utf-8")
    response = HttpResponse(path.read_bytes(), content_type=content_type)
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@ensure_csrf_cookie
def index(request: HttpRequest) -> HttpResponse:
    """The single page; with status 404 for an address without a route, or without its object."""
    response = bundle_file("index.html", "text/html; charset=utf-8")
    if response.status_code != HTTPStatus.OK:
        return response
    head = describe_page(request, PAGES, request.path)
    if not head.exists and (moved := _without_slash(request)):
        return moved
    address = page_address(PAGES, request.path)
    response.content = fill_page(response.content.decode(), request.path, address, head)
    if not head.exists:
        response.status_code = HTTPStatus.NOT_FOUND
    return response


def _without_slash(request: HttpRequest) -> HttpResponse | None:
    """A redirect where the same address without the slash at its end is a page."""
    path, address = request.path.removesuffix("/"), _raw_path(request)
    if path == request.path or not describe_page(request, PAGES, path).exists:
        return None
    if address is None:
        address = page_address(PAGES, path)
    elif address.endswith("/"):
        address = address.removesuffix("/")
    else:  # the slash is escaped, and so a part of an identifier
        return None
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(address + (f"?{query}" if query else ""))


def _raw_path(request: HttpRequest) -> str | None:
    """The path as it was sent, if the server states it: an escaped slash is no slash."""
    raw = getattr(request, "scope", {}).get("raw_path")
    # A header has ASCII alone; what is escaped already stays as it is.
    return None if raw is None else quote(raw, safe="%/;=" + SAFE_IN_PART)


@require_safe
@xframe_options_exempt
def embedded_board(request: HttpRequest, slug: str) -> HttpResponse:
    """The one page that others may frame. It sets no cookie, and nothing on it changes anything."""
    response = bundle_file("index.html", "text/html; charset=utf-8")
    response["Content-Security-Policy"] = FRAMEABLE_POLICY
    return response


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    return bundle_file("sw.js", "text/javascript; charset=utf-8")


@require_safe
def liveness(request: HttpRequest) -> HttpResponse:
    """204 without session and database. Benchmarks use it as the empty view."""
    return HttpResponse(status=204)


@require_safe
def readiness(request: HttpRequest) -> HttpResponse:
    """200 if the database answers, for load balancers and tests."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})
