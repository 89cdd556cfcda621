"""The part of allauth's headless API that exists here: signing in and out, and passwords.

Everything else that allauth could serve (signing up, more addresses for one account, telephone
numbers) is left out rather than forbidden: an account has the one address it was invited with.
"""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.account.internal.flows.login_by_code import LoginCodeVerificationProcess
from allauth.account.stages import LoginByCodeStage, LoginStageController
from allauth.headless.account import views
from allauth.headless.base.response import ConflictResponse
from allauth.headless.base.views import APIView
from allauth.headless.constants import Client
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from backend.accounts import proof
from backend.common import handlers, parsers

View = Callable[[HttpRequest], HttpResponseBase]


class ConfirmCode(views.ConfirmLoginCodeView):  # type: ignore[misc]  # allauth has no types
    """A code proves the address. Whoever is signed in may prove her own, and stays signed in."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.stage = LoginStageController.enter(request, LoginByCodeStage.key)
        self.process = self.stage and LoginCodeVerificationProcess.resume(self.stage)
        if not self.process or is_anothers(self.process, request) or is_used_up(self.process):
            refusal: HttpResponseBase = ConflictResponse(request)
            return refusal
        answer: HttpResponseBase = APIView.dispatch(self, request, *args, **kwargs)
        return answer

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        proof.prove_address(actor=self.process.user)
        signed_in: HttpResponse = super().post(request, *args, **kwargs)
        return signed_in


def is_anothers(process: LoginCodeVerificationProcess, request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user != process.user


def is_used_up(process: LoginCodeVerificationProcess) -> bool:
    """Counts this try. The session has a count too, which parallel requests all read as zero."""
    asked = f"{process.state['email']} {process.state['at']}"
    key = "sign-in-code:" + hashlib.sha256(asked.encode()).hexdigest()
    cache.add(key, 0, settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT)
    return bool(cache.incr(key) > process.max_attempts)


class ResetPassword(views.ResetPasswordView):  # type: ignore[misc]  # allauth has no types
    """The key of a link that was mailed proves the address, as a code does."""

    @transaction.atomic
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        proof.prove_address(actor=self.input.user)
        reset: HttpResponse = super().post(request, *args, **kwargs)
        return reset


class ChangePassword(views.ChangePasswordView):  # type: ignore[misc]  # allauth has no types
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            changed: HttpResponse = super().post(request, *args, **kwargs)
        except proof.PasswordReplaced as error:
            return handlers.respond(request, error.status, error.code, error.detail)
        return changed


VIEWS = {
    "auth/session": views.SessionView,
    "auth/login": views.LoginView,
    "auth/code/request": views.RequestLoginCodeView,
    "auth/code/confirm": ConfirmCode,
    "auth/reauthenticate": views.ReauthenticateView,
    "auth/password/request": views.RequestPasswordResetView,
    "auth/password/reset": ResetPassword,
    "account/password/change": ChangePassword,
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
