from importlib import import_module

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    label = "annotation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Its doors use models, which exist only now."""
        doors = import_module("annotation.doors")
        signals = import_module("backend.accounts.signals")
        import_module("backend.accounts.studies").register(doors.StudiesDoor())
        citations = import_module("backend.graphs.citations")
        citations.register(import_module("annotation.pins").studies_citing)
        import_module("backend.benchmarks.policies").register(doors.QuestionSetsDoor())
        signals.invitation_accepted.connect(doors.invitation_accepted)
