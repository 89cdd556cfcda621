"""The current user with the studies joined, invitations by their token, and consent."""

import uuid

from django.middleware.csrf import get_token
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor, get_actor_or_raise
from backend.accounts.api.serializers import ProfileSerializer, TokenSerializer
from backend.accounts.api.throttles import InvitationAddressThrottle, InvitationTokenThrottle
from backend.accounts.invitations import find_invitation_or_raise
from backend.accounts.services import change_profile
from backend.common.openapi import operation
from backend.common.serializers import validate
from backend.studies.api.serializers import (
    ConsentSerializer,
    GuidelinesSerializer,
    InvitationLookupSerializer,
    MeSerializer,
    NewGuidelinesSerializer,
    TagsSerializer,
)
from backend.studies.expertise import set_expert_tags
from backend.studies.guidelines import publish_guidelines, read_guidelines
from backend.studies.services import give_consent


class MeView(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation("me", MeSerializer)
    def get(self, request: Request) -> Response:
        """The current user, or null. Sets the cookie with the CSRF token."""
        get_token(request._request)
        return Response(MeSerializer({"user": get_actor(request)}).data)

    @operation("change_me", MeSerializer, request=ProfileSerializer)
    def patch(self, request: Request) -> Response:
        fields = validate(ProfileSerializer(data=request.data))
        user = change_profile(actor=get_actor_or_raise(request), **fields)
        return Response(MeSerializer({"user": user}).data)


class LookUpInvitationView(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [InvitationAddressThrottle, InvitationTokenThrottle]

    @operation("look_up_invitation", InvitationLookupSerializer, 404, 429, request=TokenSerializer)
    def post(self, request: Request) -> Response:
        """A POST, because the token is a secret and addresses are logged."""
        fields = validate(TokenSerializer(data=request.data))
        invitation = find_invitation_or_raise(**fields)
        context = {"actor": get_actor(request), **fields}
        return Response(InvitationLookupSerializer(invitation, context=context).data)


class ConsentView(APIView):
    @operation("give_consent", None, status=204, request=ConsentSerializer)
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        fields = validate(ConsentSerializer(data=request.data))
        give_consent(actor=get_actor_or_raise(request), study_id=study_id, **fields)
        return Response(status=204)


class GuidelinesView(APIView):
    @operation("guidelines", GuidelinesSerializer)
    def get(self, request: Request, study_id: uuid.UUID) -> Response:
        """Every version, the newest first, for the members of the study."""
        shown = read_guidelines(actor=get_actor_or_raise(request), study_id=study_id)
        return Response(GuidelinesSerializer(shown).data)

    @operation(
        "publish_guidelines",
        GuidelinesSerializer,
        403,
        409,
        status=201,
        request=NewGuidelinesSerializer,
    )
    def post(self, request: Request, study_id: uuid.UUID) -> Response:
        actor = get_actor_or_raise(request)
        fields = validate(NewGuidelinesSerializer(data=request.data))
        publish_guidelines(actor=actor, study_id=study_id, **fields)
        shown = read_guidelines(actor=actor, study_id=study_id)
        return Response(GuidelinesSerializer(shown).data, status=201)


class ExpertTagsView(APIView):
    @operation("set_expert_tags", TagsSerializer, 403, 409, request=TagsSerializer)
    def put(self, request: Request, study_id: uuid.UUID, expert_id: uuid.UUID) -> Response:
        """Replace the fields of expertise of one expert."""
        tags = set_expert_tags(
            actor=get_actor_or_raise(request),
            study_id=study_id,
            expert_id=expert_id,
            tags=validate(TagsSerializer(data=request.data))["tags"],
        )
        return Response({"tags": tags})
