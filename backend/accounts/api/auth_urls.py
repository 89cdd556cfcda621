"""The part of allauth's headless API that is served: sign-in, sign-out and passwords.

All else (sign-up, further addresses, telephone numbers) has no route: an account has the one
address that was invited.
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

from backend.accounts.api.oidc_views import return_from_provider
from backend.accounts.email_verification import PasswordReplaced
from backend.common import error_views, parsers

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


def reject_unreadable_body(view: View) -> View:
    """Refuse JSON that is nested too deeply or cannot be encoded; allauth does not check this."""

    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponseBase:
        if request.body and not is_readable(request.body):
            return error_views.error_response(request, HTTPStatus.BAD_REQUEST)
        try:
            return view(request)
        except PasswordReplaced as error:
            return error_views.problem_or_text(request, error.status, error.code, error.detail)

    return checked


def serialize_per_session(view: View) -> View:
    """Run requests of one session one after the other, each with the session read again.

    allauth counts wrong codes in the session, which concurrent requests would all read before any
    of them has counted.
    """

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


def api_view(address: str) -> View:
    view = reject_unreadable_body(VIEWS[address].as_api_view(client=Client.BROWSER))
    return serialize_per_session(view) if address == "auth/code/confirm" else view


urlpatterns: list[URLPattern] = [
    *(path(f"browser/v1/{name}", api_view(name)) for name in VIEWS),
    path("oidc/<slug:provider_id>/callback", return_from_provider, name="openid_connect_callback"),
]
