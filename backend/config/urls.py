"""Every HTTP route: the API, sign-in, the schema, and the page for all else."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.negotiation import DefaultContentNegotiation

from backend.config import pages

handler400 = "backend.common.handlers.bad_request"
handler403 = "backend.common.handlers.forbidden"
handler404 = "backend.common.handlers.not_found"
handler500 = "backend.common.handlers.server_error"

# What browsers and robots ask for by themselves (favicon.ico, robots.txt) is no page: were it one,
# its answer would set a second CSRF cookie beside that of the page that is being opened.
PAGE = r"^(?!api/|_allauth/|static/|ws/|.*\.[a-z]{2,5}$).*$"

api = [
    path("", include("backend.accounts.api.urls")),
    path("", include("backend.graphs.api.urls")),
    path("", include("backend.benchmarks.api.urls")),
    path("", include("annotation.api.urls")),
    path("", include("backend.leaderboard.api.urls")),
]

# As YAML or as JSON, whichever is asked for; every other address has one form.
schema = SpectacularAPIView.as_view(
    permission_classes=[], content_negotiation_class=DefaultContentNegotiation
)

urlpatterns = [
    path("api/v1/", include(api)),
    path("api/schema", schema, name="schema"),
    path("_allauth/", include("backend.accounts.api.sign_in")),
    path("livez", pages.alive, name="alive"),
    path("healthz", pages.health, name="health"),
    path("sw.js", pages.service_worker, name="service-worker"),
    re_path(PAGE, pages.index, name="page"),
]
