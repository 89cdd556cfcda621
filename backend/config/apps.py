from importlib import import_module

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Registers the commands, the checks and the Celery application; it has no models."""

    name = "backend.config"
    label = "config"

    def ready(self) -> None:
        # Tasks are queued through this Celery application by the server, commands and tests.
        import_module("backend.config.celery")
        import_module("backend.config.checks")
