"""Every HTTP route: the API, sign-in, the schema, and the single page for all other addresses."""

from django.urls import include, path, re_path
from rest_framework.negotiation import DefaultContentNegotiation

from backend.config import spa_views
from backend.config.api_description import DescriptionView
from backend.evaluation.api.mcp import McpEndpoint

handler400 = "backend.common.error_views.bad_request"
handler403 = "backend.common.error_views.forbidden"
handler404 = "backend.common.error_views.not_found"
handler500 = "backend.common.error_views.server_error"

# Files that browsers and robots request by themselves (favicon.ico, robots.txt) are not pages: a
# page would set a second CSRF cookie beside that of the page that is being opened.
SPA_PATTERN = r"^(?!api/|_allauth/|static/|ws/|.*\.[a-z]{2,5}$).*$"

# Routes are tried in this order, and experts at work send most requests: with their routes last,
# finding one took a tenth of the processor time of saving an answer.
api = [
    path("", include("annotation.api.urls")),
    path("", include("backend.accounts.api.urls")),
    path("", include("backend.jobs.api.urls")),
    path("", include("backend.studies.api.urls")),
    path("", include("backend.llm.api.urls")),
    path("", include("backend.graphs.api.urls")),
    path("", include("backend.benchmarks.api.urls")),
    path("", include("backend.evaluation.api.urls")),
    path("", include("backend.leaderboard.api.urls")),
]

# YAML or JSON by content negotiation; all other addresses have one format.
schema = DescriptionView.as_view(
    permission_classes=[], content_negotiation_class=DefaultContentNegotiation
)

urlpatterns = [
    path("api/v1/", include(api)),
    path("api/schema", schema, name="schema"),
    path("mcp", McpEndpoint.as_view(), name="mcp"),
    path("_allauth/", include("backend.accounts.api.auth_urls")),
    path("livez", spa_views.liveness, name="alive"),
    path("healthz", spa_views.readiness, name="health"),
    path("embed/board/<slug:slug>", spa_views.embedded_board, name="embedded-board"),
    path("sw.js", spa_views.service_worker, name="service-worker"),
    re_path(SPA_PATTERN, spa_views.index, name="page"),
]
