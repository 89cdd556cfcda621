from importlib import import_module

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """In INSTALLED_APPS for its commands, its checks and its start; it has no models."""

    name = "backend.config"
    label = "config"

    def ready(self) -> None:
        # Whoever queues a task, server, command or test, does it through this Celery application.
        import_module("backend.config.celery")
        import_module("backend.config.checks")
