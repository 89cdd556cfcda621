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
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from backend.accounts.proof import PasswordReplaced
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
        try:
            return view(request)
        except PasswordReplaced as error:
            return handlers.respond(request, error.status, error.code, error.detail)

    return checked


def one_at_a_time(view: View) -> View:
    """allauth counts wrong codes in the session, which requests sent side by side would each
    read before any of them had counted: they wait for each other here and read it anew."""

    @wraps(view)
    def waiting(request: HttpRequest) -> HttpResponseBase:
        key = request.session.session_key
        with transaction.atomic():
            Session.objects.select_for_update().filter(session_key=key).first()
            request.session = SessionStore(key)
            answer = view(request)
            if request.session.modified and request.session.session_key == key:
                request.session.save()
                request.session.modified = False  # else saved again once others have counted
        return answer

    return waiting


def served(address: str) -> View:
    view = refusing_nonsense(VIEWS[address].as_api_view(client=Client.BROWSER))
    return one_at_a_time(view) if address == "auth/code/confirm" else view


urlpatterns: list[URLPattern] = [path(f"browser/v1/{name}", served(name)) for name in VIEWS]
