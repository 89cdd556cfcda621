"""The ASGI application: HTTP by Django, WebSockets by Channels."""

import os
import re
from dataclasses import replace

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings

from annotation.api.imports import MAX_UPLOAD_BYTES
from backend.benchmarks.policies import may_make_releases, may_submit
from backend.config.concurrency_limit import ConcurrencyLimitedHandler, RequestLimit
from backend.config.request_limits import BodySizeLimiter, UploadLimit
from backend.config.routing import websocket_urlpatterns
from backend.evaluation.prediction_uploads import LARGEST_PART_BYTES, count_stored_bytes
from backend.graphs.policies import may_import_graphs
from backend.studies.policies import may_import_studies

# Each takes seconds of processor time: they must not slow the saving of answers, nor each other.
LIMITED_AT_ONCE = min(os.cpu_count() or 1, max(2, settings.REQUESTS_AT_ONCE // 4))
SEARCHES = RequestLimit(
    re.compile(
        r"\w+ /api/v1/(graphs/[^/]+/(paths|subgraph|walk|rns|serendipity-paths)"
        r"|questions/[^/]+/(workbench|serendipity-paths)"
        r"|boards/[^/]+/(comparison|changes|points|entries\.)"
        r"|results/[^/]+/every_eval_ever_samples)"
    ),
    at_once=LIMITED_AT_ONCE,
    pending=64,
    per_address=16,
    unit="searches",
)
# While somebody types: quick, and apart from the long ones.
SITE_SEARCHES = RequestLimit(
    re.compile(r"GET /api/v1/search$"),
    at_once=LIMITED_AT_ONCE,
    pending=128,
    per_address=16,
    unit="searches",
)
# By programs, which send many: a path search among them takes seconds.
TOOL_CALLS = RequestLimit(
    re.compile(r"POST /(mcp|api/v1/tool-sessions/[^/]+/calls)$"),
    at_once=LIMITED_AT_ONCE,
    pending=64,
    per_address=16,
    unit="tool calls",
)
PREDICTION_CHECKS = RequestLimit(
    re.compile(r"POST /api/v1/(validations|submissions)$"),
    at_once=LIMITED_AT_ONCE,
    pending=32,
    per_address=4,
    unit="checks of predictions",
)

PREDICTIONS_LIMIT = UploadLimit(
    settings.LARGEST_PREDICTION_UPLOAD,
    may_submit,
    accepts_tokens=True,
    max_bytes_at_once=2 * settings.LARGEST_PREDICTION_UPLOAD,
    count_stored=count_stored_bytes,
)
# A file in parts counts as stored, with all of its bytes, from its announcement on.
ANNOUNCEMENTS_LIMIT = replace(PREDICTIONS_LIMIT, announced_in=b"upload-length")
PARTS_LIMIT = replace(
    PREDICTIONS_LIMIT,
    max_bytes=LARGEST_PART_BYTES,
    method="PATCH",
    counted_as="parts",
    max_bytes_at_once=16 * LARGEST_PART_BYTES,
    count_stored=None,
)

settings.UPLOADS.mkdir(parents=True, exist_ok=True)
application = ProtocolTypeRouter(
    {
        "http": BodySizeLimiter(
            ConcurrencyLimitedHandler(
                settings.REQUESTS_AT_ONCE, [SEARCHES, SITE_SEARCHES, TOOL_CALLS, PREDICTION_CHECKS]
            ),
            uploads={
                "/api/v1/studies/import": UploadLimit(MAX_UPLOAD_BYTES, may_import_studies),
                "/api/v1/graph-imports": UploadLimit(
                    settings.LARGEST_GRAPH_UPLOAD, may_import_graphs
                ),
                "/api/v1/releases": UploadLimit(MAX_UPLOAD_BYTES, may_make_releases),
                "/api/v1/validations": PREDICTIONS_LIMIT,
                "/api/v1/submissions": PREDICTIONS_LIMIT,
                "/api/v1/uploads": ANNOUNCEMENTS_LIMIT,
                "/api/v1/uploads/*": PARTS_LIMIT,
            },
        ),
        "websocket": AllowedHostsOriginValidator(
            AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
        ),
    }
)
