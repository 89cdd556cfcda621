from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """In INSTALLED_APPS for its management commands; it has no models."""

    name = "backend.config"
    label = "config"
