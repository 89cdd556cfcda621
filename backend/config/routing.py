from django.urls import path
from django.urls.resolvers import URLPattern

from annotation.consumers import DashboardConsumer
from backend.evaluation.consumers import RunConsumer, ToolSessionConsumer
from backend.jobs.consumers import JobsConsumer
from backend.leaderboard.consumers import BoardConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/studies/<uuid:study_id>", DashboardConsumer.as_asgi()),
    path("ws/boards/<slug:slug>", BoardConsumer.as_asgi()),
    path("ws/jobs", JobsConsumer.as_asgi()),
    path("ws/runs/<uuid:run_id>", RunConsumer.as_asgi()),
    path("ws/tool-sessions/<uuid:session_id>", ToolSessionConsumer.as_asgi()),
]
