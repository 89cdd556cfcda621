"""The part of allauth's headless API that exists here: signing in and out, and passwords.

Everything else that allauth could serve (signing up, more addresses for one account, telephone
numbers) is left out rather than forbidden: an account has the one address it was invited with.
"""

from allauth.headless.account import views
from allauth.headless.constants import Client
from django.urls import URLPattern, path

VIEWS = {
    "auth/session": views.SessionView,
    "auth/login": views.LoginView,
    "auth/code/request": views.RequestLoginCodeView,
    "auth/code/confirm": views.ConfirmLoginCodeView,
    "auth/reauthenticate": views.ReauthenticateView,
    "auth/password/request": views.RequestPasswordResetView,
    "auth/password/reset": views.ResetPasswordView,
    "account/password/change": views.ChangePasswordView,
}

urlpatterns: list[URLPattern] = [
    path(f"browser/v1/{address}", view.as_api_view(client=Client.BROWSER))
    for address, view in VIEWS.items()
]
