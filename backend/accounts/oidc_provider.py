"""Sign-in with a provider of OpenID Connect. Imported only where one is configured.

allauth runs the code flow with PKCE and state, and checks issuer, audience and time of the ID
token. Added here: the nonce, one subject in both answers, and who may use which account.

- An account is found by the provider's subject, once the two are linked.
- They are linked at the first sign-in, if the provider states that the address is verified, the
  domain is one that the operator trusts it with, and an account was invited with this address.
- Nobody gets an account, a name or a role from a provider.
"""

from http import HTTPStatus
from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.crypto import constant_time_compare, get_random_string
from requests import RequestException

from backend.accounts import email_verification, policies
from backend.accounts.models import User
from backend.common.errors import DomainError, NotFound

NONCE_LENGTH = 32
CALLBACK_ID = "oidc"
ANY_DOMAIN = "*"
MALFORMED = (AttributeError, KeyError, TypeError, ValueError)
"""Exceptions of allauth for an answer that is JSON of another form than the standard's."""


class ProviderNotConfigured(NotFound):
    code = "no_provider"

    def __init__(self) -> None:
        super().__init__("This site has no such provider. Sign in with a code or a password.")


class ProviderUnavailable(DomainError):
    code = "provider_unavailable"
    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self) -> None:
        super().__init__("The provider does not answer. Try again, or sign in with a code.")


class SiteOidcAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth has no types
    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        """The registered address: the site's, not what a client sent as its host.

        It is the same for every provider, though the id that links accounts is not.
        """
        path = reverse("openid_connect_callback", kwargs={"provider_id": CALLBACK_ID})
        return f"{settings.SITE_URL}{path}"


class SiteOidcProvider(OpenIDConnectProvider):  # type: ignore[misc]  # allauth has no types
    oauth2_adapter_class = SiteOidcAdapter


class InvitedOnlyAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return False

    def can_authenticate_by_email(self, login: SocialLogin, email: str) -> bool:
        """Whether the provider may vouch for an address. Text such as 'false' is no yes."""
        claims = login.account.extra_data
        answers = [claims.get(name) or {} for name in ("userinfo", "id_token")]
        stated = next((it for it in answers if _is_same_address(it.get("email"), email)), {})
        domains: list[str] = login.provider.app.settings["email_domains"]
        is_trusted = ANY_DOMAIN in domains or email.rpartition("@")[2].casefold() in domains
        return stated.get("email_verified") is True and is_trusted

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Raises PermissionDenied before anybody is signed in."""
        _require_own_answer(sociallogin)
        _forget_claims(sociallogin)
        if not sociallogin.is_existing:
            return
        user: User = sociallogin.user
        if not policies.may_sign_in_by_provider(user):
            raise PermissionDenied
        if sociallogin.account.pk is None:
            email_verification.verify_email(user=user)


def _is_same_address(claim: object, email: str) -> bool:
    """allauth gives the address in lower case, the claim has it as the provider stores it."""
    return isinstance(claim, str) and claim.strip().casefold() == email.strip().casefold()


def _require_own_answer(sociallogin: SocialLogin) -> None:
    """The ID token answers the request of this session, and both answers are of one subject."""
    claims = sociallogin.account.extra_data
    token, userinfo = claims.get("id_token"), claims.get("userinfo")
    nonce = sociallogin.state.get("nonce")
    if not token or not nonce or not constant_time_compare(str(token.get("nonce")), nonce):
        raise PermissionDenied
    if userinfo and userinfo.get("sub") != token.get("sub"):
        raise PermissionDenied


def _forget_claims(sociallogin: SocialLogin) -> None:
    """Nothing that the provider states of a person is stored but the subject."""
    sociallogin.account.extra_data = {}
    if sociallogin.account.pk:
        sociallogin.account.save(update_fields=["extra_data"])


def begin_sign_in(request: HttpRequest, *, provider_id: str, return_path: str) -> str:
    """The address at the provider to open. Raises DomainError."""
    nonce = get_random_string(NONCE_LENGTH)
    try:
        provider = get_adapter(request).get_provider(request, provider_id)
        response = provider.redirect(
            request,
            AuthProcess.LOGIN,
            next_url=return_path,
            headless=True,
            auth_params={"nonce": nonce},
            nonce=nonce,
        )
    except SocialApp.DoesNotExist as error:
        raise ProviderNotConfigured from error
    except (RequestException, *MALFORMED) as error:
        raise ProviderUnavailable from error
    return str(response["Location"])


def complete_sign_in(request: HttpRequest, *, provider_id: str) -> HttpResponseBase | None:
    """Sign in and answer with the way back to a page; None if the provider's answer is unusable."""
    view: Any = OAuth2CallbackView.adapter_view(SiteOidcAdapter(request, provider_id))
    try:
        response: HttpResponseBase = view(request)
    except (SocialApp.DoesNotExist, *MALFORMED):
        return None
    return response if response.status_code == HTTPStatus.FOUND else None
