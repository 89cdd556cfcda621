from django.urls import path
from django.urls.resolvers import URLPattern

from annotation.consumers import BoardConsumer

urlpatterns: list[URLPattern] = [path("ws/studies/<uuid:study_id>", BoardConsumer.as_asgi())]
