"""Memberships, as their members see them, and invitations, as the invited people see them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.accounts.api.serializers import RolesSerializer
from backend.accounts.invitations import signs_in
from backend.accounts.models import Invitation, User
from backend.accounts.policies import is_addressee
from backend.common.serializers import serializer_of
from backend.studies.expertise import MAX_TAGS
from backend.studies.guidelines import MAX_GUIDELINES_LENGTH, Guidelines, ShownVersion
from backend.studies.invitations import find_invited_study
from backend.studies.models import Member
from backend.studies.models.studies import MAX_TAG_LENGTH
from backend.studies.policies import CONSENT_VERSION
from backend.studies.services import list_memberships


class MembershipSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    roles = serializers.ListField(child=serializers.ChoiceField(Member.Role.choices))


class CurrentUserSerializer(serializers.Serializer[User]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    is_simulated = serializers.BooleanField()
    mails_results = serializers.BooleanField(
        help_text="Whether a message comes when a submission is scored or has failed."
    )
    has_password = serializers.BooleanField(source="has_usable_password")
    roles = RolesSerializer(source="*")
    studies = serializers.SerializerMethodField()

    @extend_schema_field(MembershipSerializer(many=True))
    def get_studies(self, user: User) -> object:
        return MembershipSerializer(list_memberships(user), many=True).data


class MeSerializer(serializers.Serializer[object]):
    user = CurrentUserSerializer(allow_null=True)


class StudyNameSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class InvitationLookupSerializer(serializers.Serializer[Invitation]):
    """What the holder of a token may see before accepting.

    Of an ended invitation, only how it ended and who sent it, unless the reader is the invited
    person: links stay in mailboxes and histories, and must not reveal names to strangers.
    """

    email = serializers.EmailField(allow_null=True)
    role = serializers.ChoiceField(Invitation.Role.choices, allow_null=True)
    state = serializers.ChoiceField(Invitation.State.choices)
    expires_at = serializers.DateTimeField()
    invited_by = serializers.CharField(source="inviter_name", allow_null=True)
    has_account = serializers.SerializerMethodField()
    signs_in = serializers.SerializerMethodField(
        help_text="Whether accepting by this link signs in to the account."
    )
    study = serializers.SerializerMethodField()

    def to_representation(self, instance: Invitation) -> dict[str, object]:
        shown: dict[str, object] = super().to_representation(instance)
        actor = self.context.get("actor")
        is_own = isinstance(actor, User) and is_addressee(actor, instance)
        if instance.state == Invitation.State.OPEN or is_own:
            return shown
        return {
            **shown,
            "email": None,
            "role": None,
            "study": None,
            "has_account": False,
            "signs_in": False,
        }

    def get_has_account(self, invitation: Invitation) -> bool:
        return User.objects.by_email(invitation.email) is not None

    def get_signs_in(self, invitation: Invitation) -> bool:
        return signs_in(invitation, self.context["token"])

    @extend_schema_field(StudyNameSerializer(allow_null=True))
    def get_study(self, invitation: Invitation) -> object:
        study = find_invited_study(invitation)
        return StudyNameSerializer(study).data if study else None


class ConsentSerializer(serializers.Serializer[dict[str, object]]):
    version = serializers.CharField(max_length=20, help_text=f"Now '{CONSENT_VERSION}'.")
    guidelines = serializers.IntegerField(
        min_value=0, default=0, help_text="The newest version of the guidelines; 0 without any."
    )


class NewGuidelinesSerializer(serializers.Serializer[dict[str, object]]):
    text = serializers.CharField(max_length=MAX_GUIDELINES_LENGTH, help_text="Plain text.")
    must_be_read = serializers.BooleanField(
        help_text="Whether experts answer no further question before they have read it."
    )


class TagsField(serializers.ListField):
    child = serializers.CharField(max_length=MAX_TAG_LENGTH)

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_TAGS, **options)


class TagsSerializer(serializers.Serializer[dict[str, list[str]]]):
    tags = TagsField(help_text="Fields of expertise; they are stored in lower case.")


GuidelinesSerializer = serializer_of(
    Guidelines, versions=serializer_of(ShownVersion, "GuidelineVersion")(many=True)
)
