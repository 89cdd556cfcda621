from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    name = "backend.leaderboard"
    label = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"
