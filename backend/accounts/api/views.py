"""The people of the site and the invitations to it, for administrators."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts import invitation_email, invitations, policies, services
from backend.accounts.api import serializers
from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.models import Invitation
from backend.common.openapi import operation
from backend.common.serializers import validate


class Account(APIView):
    @operation(
        "change_account",
        serializers.AccountSerializer,
        409,
        request=serializers.AccountUpdateSerializer,
    )
    def patch(self, request: Request, user_id: UUID) -> Response:
        """Close or open an account; grant or revoke roles of the site."""
        actor = get_actor_or_raise(request)
        policies.require_administrator(actor)
        flags = validate(serializers.AccountUpdateSerializer(data=request.data))
        user = services.change_account(actor=actor, user_id=user_id, **flags)
        return Response(serializers.AccountSerializer(user).data)


class Invitations(ListAPIView[Invitation]):
    """Invitations to the site; those to a study are on its dashboard."""

    serializer_class = serializers.InvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        policies.require_administrator(get_actor_or_raise(self.request))
        return Invitation.objects.to_site().select_related("invited_by")

    @operation("site_invitations", serializers.InvitationSerializer(many=True), 403)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @operation(
        "invite_to_site",
        serializers.CreatedInvitationSerializer,
        409,
        status=201,
        request=serializers.NewInvitationSerializer,
    )
    def post(self, request: Request) -> Response:
        actor = get_actor_or_raise(request)
        policies.require_administrator(actor)
        fields = validate(serializers.NewInvitationSerializer(data=request.data))
        invitation, token = invitations.invite_to_site(actor=actor, **fields)
        sent = invitation_email.send_invitation(invitation, token)
        return Response(
            created_invitation_payload(invitation, token, sent), status=HTTPStatus.CREATED
        )


def created_invitation_payload(
    invitation: Invitation, token: str, mail_sent: bool
) -> dict[str, Any]:
    shown = serializers.InvitationSerializer(invitation).data
    return {**shown, "link": invitation_email.invitation_link(token), "mail_sent": mail_sent}


class RevokeInvitation(APIView):
    @operation("revoke_site_invitation", serializers.InvitationSerializer, 409, request=None)
    def post(self, request: Request, invitation_id: UUID) -> Response:
        invitation = invitations.revoke_site_invitation(
            actor=get_actor_or_raise(request), invitation_id=invitation_id
        )
        return Response(serializers.InvitationSerializer(invitation).data)


class ResendInvitation(APIView):
    @operation("resend_site_invitation", serializers.CreatedInvitationSerializer, 409, request=None)
    def post(self, request: Request, invitation_id: UUID) -> Response:
        """Send the invitation again with a new link; the earlier link no longer works."""
        invitation, token = invitations.renew_site_invitation(
            actor=get_actor_or_raise(request), invitation_id=invitation_id
        )
        return Response(
            created_invitation_payload(
                invitation, token, invitation_email.send_invitation(invitation, token)
            )
        )
