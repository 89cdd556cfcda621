"""Every WebSocket route."""

from django.urls.resolvers import URLPattern

from annotation.sockets import urlpatterns as boards
from backend.benchmarks.sockets import urlpatterns as computations
from backend.graphs.sockets import urlpatterns as graphs

websocket_urlpatterns: list[URLPattern] = [*boards, *computations, *graphs]
