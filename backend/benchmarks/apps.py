from django.apps import AppConfig


class BenchmarksConfig(AppConfig):
    name = "backend.benchmarks"
    label = "benchmarks"
    default_auto_field = "django.db.models.BigAutoField"
