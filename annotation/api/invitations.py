"""Inviting people to a study, from its board."""

import uuid
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.invitations import (
    invitations_to,
    invite_to_study,
    renew_study_invitation,
    revoke_study_invitation,
)
from annotation.models import Member, Study
from annotation.policies import get_coordinated_study_or_raise
from backend.accounts import mail
from backend.accounts.api.actor import actor_of
from backend.accounts.api.serializers import EmailField, InvitationSerializer
from backend.accounts.models import Invitation
from backend.common.schema import problems


class StudyInvitationSerializer(InvitationSerializer):
    batches = serializers.SerializerMethodField(help_text="Their numbers.")

    def get_batches(self, invitation: Invitation) -> list[int]:
        return sorted(batch.number for batch in invitation.for_study.batches.all())


class MadeStudyInvitationSerializer(StudyInvitationSerializer):
    """The only answer that holds the link."""

    link = serializers.URLField()
    mail_sent = serializers.BooleanField()


class NewStudyInvitationSerializer(serializers.Serializer[Any]):
    email = EmailField(max_length=254)
    role = serializers.ChoiceField(Member.Role.choices)
    batches = serializers.ListField(
        child=serializers.UUIDField(),
        max_length=1000,
        default=list,
        help_text="For an expert; none named means all of the study.",
    )


class StudyInvitations(ListAPIView[Invitation]):
    serializer_class = StudyInvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        return invitations_to(self._study(self.request))

    @extend_schema(
        operation_id="study_invitations",
        responses={
            200: StudyInvitationSerializer(many=True),
            **problems(401, 403, 404),
        },
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="invite_to_study",
        request=NewStudyInvitationSerializer,
        responses={201: MadeStudyInvitationSerializer, **problems(401, 403, 404, 409, 422)},
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        study = self._study(request)
        sent = NewStudyInvitationSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        fields = dict(sent.validated_data)
        invitation, token = invite_to_study(
            actor=actor_of(request),
            study_id=study_id,
            email=fields["email"],
            role=fields["role"],
            batch_ids=fields["batches"],
        )
        listed = invitations_to(study).get(id=invitation.id)
        return Response(_sent(listed, token), status=HTTPStatus.CREATED)

    def _study(self, request: Request) -> Study:
        return get_coordinated_study_or_raise(actor_of(request), self.kwargs["study_id"])


class RevokeStudyInvitation(APIView):
    @extend_schema(
        operation_id="revoke_study_invitation",
        request=None,
        responses={200: StudyInvitationSerializer, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, study_id: uuid.UUID, invitation_id: uuid.UUID) -> Response:
        invitation = revoke_study_invitation(
            actor=actor_of(request), study_id=study_id, invitation_id=invitation_id
        )
        return Response(StudyInvitationSerializer(invitation).data)


class ResendStudyInvitation(APIView):
    @extend_schema(
        operation_id="resend_study_invitation",
        request=None,
        responses={200: MadeStudyInvitationSerializer, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, study_id: uuid.UUID, invitation_id: uuid.UUID) -> Response:
        """Mail it once more, with a new link; the earlier one no longer works."""
        invitation, token = renew_study_invitation(
            actor=actor_of(request), study_id=study_id, invitation_id=invitation_id
        )
        return Response(_sent(invitation, token))


def _sent(invitation: Invitation, token: str) -> dict[str, Any]:
    """Mail it, and tell the link to whoever sends it."""
    study_name = invitation.for_study.study.name
    mail_sent = mail.send_invitation(invitation, token, study_name=study_name)
    shown = StudyInvitationSerializer(invitation).data
    return {**shown, "link": mail.link_to(token), "mail_sent": mail_sent}
