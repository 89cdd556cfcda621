from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "backend.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed, password_reset  # needs the models

        from backend.accounts import proof

        email_confirmed.connect(proof.code_confirmed)
        password_reset.connect(proof.password_reset)
