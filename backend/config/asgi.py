"""One ASGI application: HTTP by Django, WebSockets by Channels."""

import os

import django
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django.setup(set_prefix=False)

from annotation.api.imports import LARGEST_UPLOAD  # noqa: E402  needs Django set up
from annotation.policies import may_import_studies  # noqa: E402
from backend.config.bodies import BoundedBodies, Upload  # noqa: E402
from backend.config.sockets import websocket_urlpatterns  # noqa: E402
from backend.config.turns import HandlerInTurns  # noqa: E402
from backend.graphs.policies import may_import_graphs  # noqa: E402

settings.UPLOADS.mkdir(parents=True, exist_ok=True)
application = ProtocolTypeRouter(
    {
        "http": BoundedBodies(
            HandlerInTurns(settings.REQUESTS_AT_ONCE),
            uploads={
                "/api/v1/studies/import": Upload(LARGEST_UPLOAD, may_import_studies),
                "/api/v1/graph-imports": Upload(settings.LARGEST_GRAPH_UPLOAD, may_import_graphs),
            },
        ),
        "websocket": AllowedHostsOriginValidator(
            AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
        ),
    }
)
