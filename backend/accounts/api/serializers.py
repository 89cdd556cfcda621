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
    address_confirmed = serializers.SerializerMethodField()
    roles = RolesSerializer(source="*")
    studies = serializers.SerializerMethodField()

    def get_address_confirmed(self, user: User) -> bool:
        return policies.is_proven(user)

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


class OfferSerializer(serializers.Serializer[Invitation]):
    """What accepting would bring, and to whom."""

    email = serializers.EmailField()
    role = serializers.ChoiceField(Invitation.Role.choices)
    expires_at = serializers.DateTimeField()
    study = serializers.SerializerMethodField()

    @extend_schema_field(StudyNameSerializer(allow_null=True))
    def get_study(self, invitation: Invitation) -> object:
        study = studies.study_of(invitation)
        return StudyNameSerializer(study).data if study else None


class FoundInvitationSerializer(serializers.Serializer[Invitation]):
    """What the holder of a token may know before accepting; once it has ended, only whom to ask.

    Whether the address has an account is no part of it: the holder may be the inviter.
    """

    state = serializers.ChoiceField(Invitation.State.choices)
    invited_by = serializers.CharField(source="inviter_name", allow_null=True)
    accepted_by_you = serializers.SerializerMethodField()
    offer = serializers.SerializerMethodField()

    def get_accepted_by_you(self, invitation: Invitation) -> bool:
        actor: User | None = self.context["actor"]
        return actor is not None and invitation.accepted_by_id == actor.pk

    @extend_schema_field(OfferSerializer(allow_null=True))
    def get_offer(self, invitation: Invitation) -> object:
        is_open = invitation.state == Invitation.State.OPEN
        return OfferSerializer(invitation).data if is_open else None


class AcceptedSerializer(serializers.Serializer[object]):
    role = serializers.ChoiceField(Invitation.Role.choices)
    study_id = serializers.UUIDField(allow_null=True)
    confirm_address = serializers.BooleanField()
