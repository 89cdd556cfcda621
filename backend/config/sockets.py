"""Every WebSocket route."""

from django.urls.resolvers import URLPattern

websocket_urlpatterns: list[URLPattern] = []
