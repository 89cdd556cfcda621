from django.apps import AppConfig


class GraphsConfig(AppConfig):
    name = "backend.graphs"
    label = "graphs"
    default_auto_field = "django.db.models.BigAutoField"
