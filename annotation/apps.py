from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    label = "annotation"
    default_auto_field = "django.db.models.BigAutoField"
