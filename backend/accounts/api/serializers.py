"""What people, roles and invitations look like from outside."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.accounts import policies, studies
from backend.accounts.models import Invitation, User, normal_email
from backend.common.fields import OneLine

STUDY_ROLES = [("expert", "Expert"), ("coordinator", "Coordinator")]
SITE_ROLES = [(role.value, role.label) for role in sorted(Invitation.SITE_ROLES)]


class EmailField(serializers.EmailField):
    def to_internal_value(self, data: str) -> str:
        return normal_email(super().to_internal_value(data))


class RolesSerializer(serializers.Serializer[User]):
    """Roles of the site; those of a study are with the study."""

    researcher = serializers.BooleanField(source="is_researcher")
    administrator = serializers.BooleanField(source="is_administrator")


class MembershipSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    roles = serializers.ListField(child=serializers.ChoiceField(STUDY_ROLES))


class SignedInSerializer(serializers.Serializer[User]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    is_simulated = serializers.BooleanField()
    has_password = serializers.BooleanField(source="has_usable_password")
    roles = RolesSerializer(source="*")
    studies = serializers.SerializerMethodField()

    @extend_schema_field(MembershipSerializer(many=True))
    def get_studies(self, user: User) -> object:
        return MembershipSerializer(studies.memberships_of(user), many=True).data


class MeSerializer(serializers.Serializer[object]):
    user = SignedInSerializer(allow_null=True)


class NameSerializer(serializers.Serializer[object]):
    name = OneLine(max_length=120)


class AccountSerializer(serializers.Serializer[User]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    roles = RolesSerializer(source="*")
    is_active = serializers.BooleanField()
    is_simulated = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class ChangedRolesSerializer(serializers.Serializer[object]):
    researcher = serializers.BooleanField(source="is_researcher", required=False)
    administrator = serializers.BooleanField(source="is_administrator", required=False)


class ChangedAccountSerializer(serializers.Serializer[object]):
    """What is to change; whatever is not named stays. A closed account is not active."""

    is_active = serializers.BooleanField(required=False)
    roles = ChangedRolesSerializer(source="*", required=False)


class NewInvitationSerializer(serializers.Serializer[object]):
    email = EmailField(max_length=254)
    role = serializers.ChoiceField(SITE_ROLES)


class InvitationSerializer(serializers.Serializer[Invitation]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(Invitation.Role.choices)
    state = serializers.ChoiceField(Invitation.State.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    accepted_at = serializers.DateTimeField(allow_null=True)
    invited_by = serializers.CharField(source="inviter_name", allow_null=True)


class MadeInvitationSerializer(InvitationSerializer):
    """The only answer that holds the link."""

    link = serializers.URLField()
    mail_sent = serializers.BooleanField()


class TokenSerializer(serializers.Serializer[object]):
    token = serializers.CharField(max_length=200)


class AcceptSerializer(TokenSerializer):
    name = OneLine(max_length=120, allow_blank=True, default="")
    # Trimmed, as allauth trims what is typed to sign in: else it could never be typed again.
    password = serializers.CharField(max_length=4096, allow_blank=True, default="")


class StudyNameSerializer(serializers.Serializer[object]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class FoundInvitationSerializer(serializers.Serializer[Invitation]):
    """What the holder of a token may know before accepting.

    Of one that has ended only how, and whom to ask: a link that lies about in a mailbox or a
    history tells a stranger nothing. `to_representation` says so; whom it is for sees all.
    """

    email = serializers.EmailField(allow_null=True)
    role = serializers.ChoiceField(Invitation.Role.choices, allow_null=True)
    state = serializers.ChoiceField(Invitation.State.choices)
    expires_at = serializers.DateTimeField()
    invited_by = serializers.CharField(source="inviter_name", allow_null=True)
    has_account = serializers.SerializerMethodField()
    study = serializers.SerializerMethodField()

    def to_representation(self, instance: Invitation) -> dict[str, object]:
        shown: dict[str, object] = super().to_representation(instance)
        actor = self.context.get("actor")
        hers = isinstance(actor, User) and policies.is_addressee(actor, instance)
        if instance.state == Invitation.State.OPEN or hers:
            return shown
        return {**shown, "email": None, "role": None, "study": None, "has_account": False}

    def get_has_account(self, invitation: Invitation) -> bool:
        return User.objects.by_email(invitation.email) is not None

    @extend_schema_field(StudyNameSerializer(allow_null=True))
    def get_study(self, invitation: Invitation) -> object:
        study = studies.study_of(invitation)
        return StudyNameSerializer(study).data if study else None


class AcceptedSerializer(serializers.Serializer[object]):
    role = serializers.ChoiceField(Invitation.Role.choices)
    study_id = serializers.UUIDField(allow_null=True)
