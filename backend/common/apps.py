from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "backend.common"
    label = "common"
    default_auto_field = "django.db.models.BigAutoField"
