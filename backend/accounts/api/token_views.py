"""The API tokens of the signed-in account. Tokens are managed by session, never by token."""

from http import HTTPStatus
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts import api_tokens
from backend.accounts.api import serializers
from backend.accounts.api.current_user import get_actor_or_raise
from backend.common.openapi import operation
from backend.common.serializers import validate


class ApiTokens(APIView):
    @operation("tokens", serializers.ApiTokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The newest first, revoked ones included."""
        tokens = get_actor_or_raise(request).api_tokens.all()
        return Response([serializers.ApiTokenSerializer(token).data for token in tokens])

    @operation(
        "create_token",
        serializers.CreatedApiTokenSerializer,
        409,
        status=201,
        request=serializers.NewApiTokenSerializer,
    )
    def post(self, request: Request) -> Response:
        """Create a token. The response shows it for the only time."""
        fields = validate(serializers.NewApiTokenSerializer(data=request.data))
        token, secret = api_tokens.create_api_token(actor=get_actor_or_raise(request), **fields)
        payload = {**serializers.ApiTokenSerializer(token).data, "token": secret}
        return Response(payload, status=HTTPStatus.CREATED)


class ApiTokenView(APIView):
    @operation("revoke_token", serializers.ApiTokenSerializer)
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Revoke a token. It stays in the list."""
        actor = get_actor_or_raise(request)
        token = api_tokens.revoke_api_token(actor=actor, token_id=token_id)
        return Response(serializers.ApiTokenSerializer(token).data)
