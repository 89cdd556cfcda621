"""Sign-in with the site's provider: begin, and the way back from the provider."""

from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.accounts.api.throttles import ProviderThrottle
from backend.common.authentication import SessionCsrfAuthentication
from backend.common.errors import Conflict, NotFound
from backend.common.openapi import operation
from backend.common.serializers import validate

SIGN_IN_PAGE = "/sign-in"


class ProviderSerializer(serializers.Serializer[dict[str, str]]):
    name = serializers.CharField(
        allow_blank=True, help_text="What the sign-in page shows; empty without a provider."
    )


class BeginSerializer(serializers.Serializer[dict[str, str]]):
    next = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=2_000,
        help_text="Page to open.",
    )


class AddressSerializer(serializers.Serializer[dict[str, str]]):
    url = serializers.CharField(help_text="The page of the provider to open.")


class ProviderSignIn(APIView):
    permission_classes = [AllowAny]

    def get_throttles(self) -> list[BaseThrottle]:
        return [ProviderThrottle()] if self.request.method == "POST" else []

    @operation("sign_in_provider", ProviderSerializer)
    def get(self, request: Request) -> Response:
        """The provider of OpenID Connect that people of this site can sign in with."""
        provider = find_provider()
        return Response(ProviderSerializer({"name": provider[1] if provider else ""}).data)

    @operation(
        "begin_provider_sign_in", AddressSerializer, 404, 409, 429, 503, request=BeginSerializer
    )
    def post(self, request: Request) -> Response:
        """Begin to sign in with the provider. The page then opens the address."""
        SessionCsrfAuthentication().enforce_csrf(request)
        fields = validate(BeginSerializer(data=request.data))
        provider = find_provider()
        if provider is None:
            raise NotFound("This site has no provider. Sign in with a code or a password.")
        if get_actor(request) is not None:
            raise Conflict("You are signed in already. Sign out first.", code="signed_in")
        from backend.accounts.oidc_provider import begin_sign_in  # not installed without a provider

        address = begin_sign_in(
            request._request,
            provider_id=provider[0],
            return_path=sign_in_page(next=own_path(fields["next"])),
        )
        return Response(AddressSerializer({"url": address}).data)


def find_provider() -> tuple[str, str] | None:
    """The id and the name of the configured provider."""
    apps = settings.SOCIALACCOUNT_PROVIDERS.get("openid_connect", {}).get("APPS", [])
    return (apps[0]["provider_id"], apps[0]["name"]) if apps else None


def own_path(address: str) -> str:
    """The address if it is a page of this site."""
    is_path = address.startswith("/") and url_has_allowed_host_and_scheme(address, None)
    return address if is_path else ""


def sign_in_page(**parameters: str) -> str:
    stated = {name: value for name, value in parameters.items() if value}
    return f"{SIGN_IN_PAGE}?{urlencode(stated)}" if stated else SIGN_IN_PAGE


@require_GET
@never_cache
def return_from_provider(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Sign in with the provider's answer, and go to the sign-in page, which states any error."""
    response, provider = None, find_provider()
    if provider is not None:
        from backend.accounts.oidc_provider import CALLBACK_ID, complete_sign_in  # as above

        if provider_id == CALLBACK_ID:
            response = complete_sign_in(request, provider_id=provider[0])
    return response or HttpResponseRedirect(sign_in_page(error="unknown"))
