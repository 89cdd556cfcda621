"""One application: HTTP by Django, WebSockets by Channels. asgi.py sets Django up before."""

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings

from annotation.api.imports import LARGEST_UPLOAD
from annotation.policies import may_import_studies
from backend.config.bodies import BoundedBodies, Upload
from backend.config.sockets import websocket_urlpatterns
from backend.config.turns import HandlerInTurns
from backend.graphs.policies import may_import_graphs

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
