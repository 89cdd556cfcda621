"""Who I am, the invitation I hold, and the people of the site."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib.auth import login
from django.db.models import QuerySet
from django.middleware.csrf import get_token
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from backend.accounts import mail, policies, services, studies
from backend.accounts.api import serializers
from backend.accounts.api.actor import actor_of, get_actor
from backend.accounts.api.throttles import PerAddress, PerToken
from backend.accounts.models import Invitation, User
from backend.accounts.proof import keep_session
from backend.common.authentication import Session
from backend.common.schema import problems

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def validated(serializer: Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class Me(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(operation_id="me", responses=serializers.MeSerializer)
    def get(self, request: Request) -> Response:
        """Who is signed in, if anybody. Sets the cookie with the CSRF token."""
        get_token(request._request)
        return Response(serializers.MeSerializer({"user": get_actor(request)}).data)

    @extend_schema(
        operation_id="change_me",
        request=serializers.NameSerializer,
        responses={200: serializers.MeSerializer, **problems(401, 403, 422)},
    )
    def patch(self, request: Request) -> Response:
        fields = validated(serializers.NameSerializer(data=request.data))
        user = services.change_name(actor=actor_of(request), **fields)
        return Response(serializers.MeSerializer({"user": user}).data)


class LookUpInvitation(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [PerAddress, PerToken]

    @extend_schema(
        operation_id="look_up_invitation",
        request=serializers.TokenSerializer,
        responses={200: serializers.FoundInvitationSerializer, **problems(404, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """A POST, because the token is a secret and addresses are logged."""
        fields = validated(serializers.TokenSerializer(data=request.data))
        invitation = services.find_invitation_or_raise(**fields)
        context = {"actor": get_actor(request)}
        return Response(serializers.FoundInvitationSerializer(invitation, context=context).data)


class AcceptInvitation(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [PerAddress, PerToken]

    @extend_schema(
        operation_id="accept_invitation",
        request=serializers.AcceptSerializer,
        responses={
            200: serializers.AcceptedSerializer,
            **problems(403, 404, 409, 410, 422, 429),
        },
    )
    def post(self, request: Request) -> Response:
        """Use the invitation up. A new account is made and signed in."""
        Session().enforce_csrf(request)
        fields = validated(serializers.AcceptSerializer(data=request.data))
        actor = get_actor(request)
        invitation, user = services.accept_invitation(actor=actor, **fields)
        if actor is None:
            login(request._request, user, backend=BACKEND)
        else:
            keep_session(request._request, user)
        study = studies.study_of(invitation)
        answer = {"role": invitation.role, "study_id": study.id if study else None}
        return Response(serializers.AcceptedSerializer(answer).data)


class People(ListAPIView[User]):
    serializer_class = serializers.AccountSerializer

    @extend_schema(
        operation_id="people",
        responses={200: serializers.AccountSerializer(many=True), **problems(401, 403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[User]:
        policies.require_administrator(actor_of(self.request))
        return User.objects.all()


class OneAccount(APIView):
    @extend_schema(
        operation_id="change_account",
        request=serializers.ChangedAccountSerializer,
        responses={200: serializers.AccountSerializer, **problems(401, 403, 404, 409, 422)},
    )
    def patch(self, request: Request, user_id: UUID) -> Response:
        """Close or open an account; give or take roles of the site."""
        actor = actor_of(request)
        policies.require_administrator(actor)
        flags = validated(serializers.ChangedAccountSerializer(data=request.data))
        user = services.change_account(actor=actor, user_id=user_id, **flags)
        return Response(serializers.AccountSerializer(user).data)


class Invitations(ListAPIView[Invitation]):
    """Invitations to the site; those to a study are on its board."""

    serializer_class = serializers.InvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        policies.require_administrator(actor_of(self.request))
        return Invitation.objects.to_site().select_related("invited_by")

    @extend_schema(
        operation_id="site_invitations",
        responses={200: serializers.InvitationSerializer(many=True), **problems(401, 403)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="invite_to_site",
        request=serializers.NewInvitationSerializer,
        responses={201: serializers.MadeInvitationSerializer, **problems(401, 403, 409, 422)},
    )
    def post(self, request: Request) -> Response:
        actor = actor_of(request)
        policies.require_administrator(actor)
        fields = validated(serializers.NewInvitationSerializer(data=request.data))
        invitation, token = services.invite_to_site(actor=actor, **fields)
        sent = mail.send_invitation(invitation, token)
        return Response(made(invitation, token, sent), status=HTTPStatus.CREATED)


def made(invitation: Invitation, token: str, mail_sent: bool) -> dict[str, Any]:
    shown = serializers.InvitationSerializer(invitation).data
    return {**shown, "link": mail.link_to(token), "mail_sent": mail_sent}


class RevokeInvitation(APIView):
    @extend_schema(
        operation_id="revoke_site_invitation",
        request=None,
        responses={200: serializers.InvitationSerializer, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, invitation_id: UUID) -> Response:
        invitation = services.revoke_site_invitation(
            actor=actor_of(request), invitation_id=invitation_id
        )
        return Response(serializers.InvitationSerializer(invitation).data)


class ResendInvitation(APIView):
    @extend_schema(
        operation_id="resend_site_invitation",
        request=None,
        responses={200: serializers.MadeInvitationSerializer, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, invitation_id: UUID) -> Response:
        """Mail it once more, with a new link; the earlier one no longer works."""
        invitation, token = services.renew_site_invitation(
            actor=actor_of(request), invitation_id=invitation_id
        )
        return Response(made(invitation, token, mail.send_invitation(invitation, token)))
