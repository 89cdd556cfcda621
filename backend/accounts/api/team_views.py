"""The team of the current user: its members, and invitations to and from it."""

import uuid
from http import HTTPStatus
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from backend.accounts import teams
from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.api.serializers import EmailField
from backend.accounts.models import Team, TeamInvitation, TeamMember, User
from backend.common.fields import OneLineField
from backend.common.openapi import operation
from backend.common.serializers import validate


class NewTeamSerializer(serializers.Serializer[Any]):
    name = OneLineField(max_length=120)


class NewTeamInvitationSerializer(serializers.Serializer[Any]):
    email = EmailField(max_length=254)


class TeamMemberSerializer(serializers.Serializer[TeamMember]):
    id = serializers.UUIDField(source="user_id")
    name = serializers.CharField(source="user.name")
    email = serializers.CharField(source="user.email")
    joined_at = serializers.DateTimeField()


class SentTeamInvitationSerializer(serializers.Serializer[TeamInvitation]):
    id = serializers.UUIDField()
    email = serializers.CharField()
    created_at = serializers.DateTimeField()


class ReceivedTeamInvitationSerializer(serializers.Serializer[TeamInvitation]):
    id = serializers.UUIDField()
    team = serializers.CharField(source="team.name")
    owner = serializers.CharField(source="team.owner.name")


class TeamSerializer(serializers.Serializer[Team]):
    """invitations: those that wait for an answer; for the owner alone."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    owner = serializers.UUIDField(source="owner_id")
    members = TeamMemberSerializer(many=True)
    invitations = SentTeamInvitationSerializer(many=True)


class OwnTeamSerializer(serializers.Serializer[Any]):
    """The current user's team, if any, and the invitations that they received."""

    team = TeamSerializer(allow_null=True)
    invitations = ReceivedTeamInvitationSerializer(many=True)


def own_team_payload(user: User) -> dict[str, Any]:
    team = teams.find_team(user)
    details = None
    if team is not None:
        details = {
            "id": team.pk,
            "name": team.name,
            "owner_id": team.owner_id,
            "members": teams.current_members(team),
            "invitations": team.invitations.all() if team.owner_id == user.pk else [],
        }
    payload = {"team": details, "invitations": teams.invitations_of(user)}
    return dict(OwnTeamSerializer(payload).data)


class OwnTeam(APIView):
    @operation("team_read", OwnTeamSerializer)
    def get(self, request: Request) -> Response:
        """Your team, and invitations to teams."""
        return Response(own_team_payload(get_actor_or_raise(request)))

    @operation("team_create", OwnTeamSerializer, 409, status=201, request=NewTeamSerializer)
    def post(self, request: Request) -> Response:
        """Create a team that you own."""
        actor = get_actor_or_raise(request)
        teams.create_team(actor=actor, **validate(NewTeamSerializer(data=request.data)))
        return Response(own_team_payload(actor), status=HTTPStatus.CREATED)


class TeamMemberView(APIView):
    @operation("team_end_membership", None, 404, 409, status=204)
    def delete(self, request: Request, user_id: uuid.UUID) -> Response:
        """Leave your team, or remove a member as its owner."""
        teams.end_membership(actor=get_actor_or_raise(request), user_id=user_id)
        return Response(status=HTTPStatus.NO_CONTENT)


class TeamInvitationThrottle(UserRateThrottle):
    """Each invitation sends a message to somebody else."""

    scope = "team_invitation"


class TeamInvitations(APIView):
    throttle_classes = [TeamInvitationThrottle]

    @operation(
        "team_invite",
        SentTeamInvitationSerializer,
        404,
        429,
        status=201,
        request=NewTeamInvitationSerializer,
    )
    def post(self, request: Request) -> Response:
        """Invite an address; it is not revealed whether it has an account."""
        fields = validate(NewTeamInvitationSerializer(data=request.data))
        invitation = teams.invite_to_team(actor=get_actor_or_raise(request), **fields)
        payload = SentTeamInvitationSerializer(invitation).data
        return Response(payload, status=HTTPStatus.CREATED)


class TeamInvitationView(APIView):
    @operation("team_remove_invitation", None, 404, status=204)
    def delete(self, request: Request, invitation_id: uuid.UUID) -> Response:
        """Decline an invitation, or withdraw one that you sent."""
        teams.remove_team_invitation(actor=get_actor_or_raise(request), invitation_id=invitation_id)
        return Response(status=HTTPStatus.NO_CONTENT)


class AcceptTeamInvitation(APIView):
    @operation("team_join", OwnTeamSerializer, 404, 409, request=None)
    def post(self, request: Request, invitation_id: uuid.UUID) -> Response:
        """Join the team that invites you."""
        actor = get_actor_or_raise(request)
        teams.accept_team_invitation(actor=actor, invitation_id=invitation_id)
        return Response(own_team_payload(actor))
