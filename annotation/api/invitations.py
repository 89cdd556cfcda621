import uuid
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.contrib.auth import login
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.invitations import (
    MAX_ADDRESSES,
    MAX_MESSAGE_LENGTH,
    InvitationWithToken,
    invite_all_to_study,
    invite_to_study,
    join_with_batches,
    send_invitations,
)
from backend.accounts import invitation_email
from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.serializers import (
    AcceptedInvitationSerializer,
    EmailField,
    InvitationAcceptanceSerializer,
    InvitationSerializer,
)
from backend.accounts.api.throttles import InvitationAddressThrottle, InvitationTokenThrottle
from backend.accounts.email_verification import keep_session
from backend.accounts.invitations import accept_invitation
from backend.accounts.models import Invitation
from backend.common.authentication import SessionCsrfAuthentication
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.studies.api.serializers import TagsField
from backend.studies.invitations import (
    find_invited_study,
    invitations_to,
    renew_study_invitation,
    revoke_study_invitation,
)
from backend.studies.models import Member, Study
from backend.studies.policies import get_coordinated_study_or_raise

AUTH_BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


class StudyInvitationSerializer(InvitationSerializer):
    batches = serializers.SerializerMethodField(help_text="The batches' numbers.")

    def get_batches(self, invitation: Invitation) -> list[int]:
        return sorted(batch.number for batch in invitation.for_study.batches.all())


class CreatedStudyInvitationSerializer(StudyInvitationSerializer):
    """The only response that contains the link."""

    link = serializers.URLField()
    mail_sent = serializers.BooleanField()


class InvitedPartSerializer(serializers.Serializer[Any]):
    """What people are invited to."""

    role = serializers.ChoiceField(Member.Role.choices)
    batches = serializers.ListField(
        child=serializers.UUIDField(),
        max_length=1000,
        default=list,
        help_text="For an expert; an empty list means all batches of the study.",
    )
    tags = TagsField(default=list, help_text="The expert's fields of expertise.")
    message = serializers.CharField(
        max_length=MAX_MESSAGE_LENGTH,
        default="",
        allow_blank=True,
        help_text="The inviter's own words, in the e-mail.",
    )


class NewStudyInvitationSerializer(InvitedPartSerializer):
    email = EmailField(max_length=254)


class NewStudyInvitationsSerializer(InvitedPartSerializer):
    emails = serializers.ListField(
        child=serializers.CharField(max_length=1000),
        min_length=1,
        max_length=MAX_ADDRESSES,
        help_text="Every address that cannot be invited is a fault; then nobody is invited.",
    )


class CreatedStudyInvitationsSerializer(serializers.Serializer[Any]):
    results = CreatedStudyInvitationSerializer(many=True)


class StudyInvitationsView(ListAPIView[Invitation]):
    serializer_class = StudyInvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        invitations = invitations_to(self._study(self.request))
        return invitations.prefetch_related("for_study__batches")

    @operation("study_invitations", StudyInvitationSerializer(many=True), 403)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @operation(
        "invite_to_study",
        CreatedStudyInvitationSerializer,
        409,
        status=201,
        request=NewStudyInvitationSerializer,
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        study = self._study(request)
        fields = validate(NewStudyInvitationSerializer(data=request.data))
        batches = fields.pop("batches")
        created = invite_to_study(
            actor=get_actor_or_raise(request), study_id=study.id, batch_ids=batches, **fields
        )
        return Response(_send_and_serialize(study, [created])[0], status=HTTPStatus.CREATED)

    def _study(self, request: Request) -> Study:
        return get_coordinated_study_or_raise(get_actor_or_raise(request), self.kwargs["study_id"])


class SeveralInvitationsView(APIView):
    @operation(
        "invite_several_to_study",
        CreatedStudyInvitationsSerializer,
        409,
        status=201,
        request=NewStudyInvitationsSerializer,
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        """Invite all of the addresses, or nobody."""
        actor = get_actor_or_raise(request)
        study = get_coordinated_study_or_raise(actor, study_id)
        fields = validate(NewStudyInvitationsSerializer(data=request.data))
        batches = fields.pop("batches")
        created = invite_all_to_study(actor=actor, study_id=study.id, batch_ids=batches, **fields)
        return Response({"results": _send_and_serialize(study, created)}, status=HTTPStatus.CREATED)


class RevokeStudyInvitationView(APIView):
    @operation("revoke_study_invitation", StudyInvitationSerializer, 409, request=None)
    def post(self, request: Request, study_id: uuid.UUID, invitation_id: uuid.UUID) -> Response:
        invitation = revoke_study_invitation(
            actor=get_actor_or_raise(request), study_id=study_id, invitation_id=invitation_id
        )
        return Response(StudyInvitationSerializer(invitation).data)


class ResendStudyInvitationView(APIView):
    @operation("resend_study_invitation", CreatedStudyInvitationSerializer, 409, request=None)
    def post(self, request: Request, study_id: uuid.UUID, invitation_id: uuid.UUID) -> Response:
        """Send it again with a new link; the earlier link stops working."""
        renewed = renew_study_invitation(
            actor=get_actor_or_raise(request), study_id=study_id, invitation_id=invitation_id
        )
        study = renewed[0].for_study.study
        return Response(_send_and_serialize(study, [renewed])[0])


class AcceptInvitationView(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [InvitationAddressThrottle, InvitationTokenThrottle]

    @operation(
        "accept_invitation",
        AcceptedInvitationSerializer,
        404,
        409,
        410,
        429,
        request=InvitationAcceptanceSerializer,
    )
    def post(self, request: Request) -> Response:
        """Accept the invitation. A new account is created and signed in."""
        SessionCsrfAuthentication().enforce_csrf(request)
        fields = validate(InvitationAcceptanceSerializer(data=request.data))
        actor = get_actor(request)
        invitation, user = accept_invitation(actor=actor, on_accepted=join_with_batches, **fields)
        if actor is None:
            login(request._request, user, backend=AUTH_BACKEND)
        else:
            keep_session(request._request, user)
        study = find_invited_study(invitation)
        accepted = {"role": invitation.role, "study_id": study.id if study else None}
        return Response(AcceptedInvitationSerializer(accepted).data)


def _send_and_serialize(
    study: Study, created: Sequence[InvitationWithToken]
) -> list[dict[str, Any]]:
    """Send the e-mails; the response shows the links to the sender, too."""
    rows = invitations_to(study).prefetch_related("for_study__batches")
    listed = rows.in_bulk([invitation.id for invitation, _ in created])
    pairs = [(listed[invitation.id], token) for invitation, token in created]
    return [
        {
            **StudyInvitationSerializer(invitation).data,
            "link": invitation_email.invitation_link(token),
            "mail_sent": mail_sent,
        }
        for (invitation, token), mail_sent in zip(pairs, send_invitations(pairs), strict=True)
    ]
