from django.urls import path
from django.urls.resolvers import URLPattern

from backend.benchmarks.consumers import ComputationConsumer

urlpatterns: list[URLPattern] = [
    path("ws/computations/<uuid:computation_id>", ComputationConsumer.as_asgi())
]
