from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """In INSTALLED_APPS for its management commands and checks; it has no models."""

    name = "backend.config"
    label = "config"

    def ready(self) -> None:
        from backend.config import celery, checks  # noqa: F401  the app that queues, the checks
