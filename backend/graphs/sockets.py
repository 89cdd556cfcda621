from django.urls import path
from django.urls.resolvers import URLPattern

from backend.graphs.consumers import ImportConsumer

urlpatterns: list[URLPattern] = [
    path("ws/graph-imports/<uuid:import_id>", ImportConsumer.as_asgi())
]
