from contextlib import suppress
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings


class GraphsConfig(AppConfig):
    name = "backend.graphs"
    label = "graphs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Where it cannot be made, Django's own check names the folder."""
        with suppress(OSError):
            Path(settings.UPLOADS).mkdir(parents=True, exist_ok=True)
