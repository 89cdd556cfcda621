"""Links in e-mails that sign in: using one, and sending a new one to the same address."""

from django.contrib.auth import login
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor
from backend.accounts.api.serializers import TokenSerializer
from backend.accounts.api.throttles import (
    InvitationAddressThrottle,
    InvitationTokenThrottle,
    LinkRenewalThrottle,
)
from backend.accounts.sign_in_links import renew_sign_in_link, use_sign_in_link
from backend.common.authentication import SessionCsrfAuthentication
from backend.common.openapi import operation
from backend.common.serializers import validate

AUTH_BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


class LinkTargetSerializer(serializers.Serializer[dict[str, str]]):
    path = serializers.CharField(help_text="The page to open.")


class UseSignInLink(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [InvitationAddressThrottle, InvitationTokenThrottle]

    @operation(
        "use_sign_in_link", LinkTargetSerializer, 404, 409, 410, 429, request=TokenSerializer
    )
    def post(self, request: Request) -> Response:
        """Sign in. The link works once."""
        SessionCsrfAuthentication().enforce_csrf(request)
        fields = validate(TokenSerializer(data=request.data))
        actor = get_actor(request)
        user, path = use_sign_in_link(actor=actor, **fields)
        if actor is None:
            login(request._request, user, backend=AUTH_BACKEND)
        return Response(LinkTargetSerializer({"path": path}).data)


class RenewSignInLink(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [InvitationAddressThrottle, LinkRenewalThrottle]

    @operation("renew_sign_in_link", None, 404, 429, status=204, request=TokenSerializer)
    def post(self, request: Request) -> Response:
        """Mail a new link to the address of this one, also after it was used or has expired."""
        SessionCsrfAuthentication().enforce_csrf(request)
        renew_sign_in_link(**validate(TokenSerializer(data=request.data)))
        return Response(status=204)
