"""The part of allauth's headless API that exists here: signing in and out, and passwords.

Everything else that allauth could serve (signing up, more addresses for one account, telephone
numbers) is left out rather than forbidden: an account has the one address it was invited with.
"""

import json
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from allauth.headless.account import views
from allauth.headless.constants import Client
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from backend.common import handlers, parsers

View = Callable[[HttpRequest], HttpResponseBase]

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


def is_readable(body: bytes) -> bool:
    try:
        parsers.require_storable(body, json.loads(body))
    except (ValueError, RecursionError):
        return False
    return True


def refusing_nonsense(view: View) -> View:
    """allauth trusts that JSON is not nested without end and that its text can be encoded."""

    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponseBase:
        if request.body and not is_readable(request.body):
            return handlers.answer(request, HTTPStatus.BAD_REQUEST)
        return view(request)

    return checked


urlpatterns: list[URLPattern] = [
    path(f"browser/v1/{address}", refusing_nonsense(view.as_api_view(client=Client.BROWSER)))
    for address, view in VIEWS.items()
]
