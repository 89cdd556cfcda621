"""Every WebSocket route."""

from django.urls.resolvers import URLPattern

from annotation.sockets import urlpatterns as boards

websocket_urlpatterns: list[URLPattern] = [*boards]
