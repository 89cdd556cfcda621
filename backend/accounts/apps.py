from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "backend.accounts"
    label = "accounts"

    def ready(self) -> None:
        from allauth.account.signals import email_confirmed, password_reset  # needs the models

        from backend.accounts import email_verification

        email_confirmed.connect(email_verification.on_code_confirmed)
        password_reset.connect(email_verification.on_password_reset)
