from django.urls import path

from backend.leaderboard.api.views import Leaderboard, Leaderboards

urlpatterns = [
    path("leaderboards", Leaderboards.as_view(), name="leaderboards"),
    path("leaderboards/<str:track>", Leaderboard.as_view(), name="leaderboard"),
]
