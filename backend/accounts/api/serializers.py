from rest_framework import serializers

from backend.accounts.api_tokens import MAX_DAYS
from backend.accounts.models import ApiToken, Invitation, User, normalize_email
from backend.common.fields import OneLineField

SITE_ROLES = [(role.value, role.label) for role in sorted(Invitation.SITE_ROLES)]


class EmailField(serializers.EmailField):
    def to_internal_value(self, data: str) -> str:
        return normalize_email(super().to_internal_value(data))


class RolesSerializer(serializers.Serializer[User]):
    """Roles of the site; roles in a study are part of the study."""

    researcher = serializers.BooleanField(source="is_researcher")
    administrator = serializers.BooleanField(source="is_administrator")
    coordinator = serializers.BooleanField(
        source="is_coordinator", help_text="May import studies; roles in studies are theirs."
    )


class ProfileSerializer(serializers.Serializer[object]):
    """The fields to change; a missing field stays as it is."""

    name = OneLineField(max_length=120, required=False)
    mails_results = serializers.BooleanField(required=False)


class AccountSerializer(serializers.Serializer[User]):
    id = serializers.UUIDField()
    email = serializers.EmailField()
    name = serializers.CharField()
    roles = RolesSerializer(source="*")
    is_active = serializers.BooleanField()
    is_simulated = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class RolesUpdateSerializer(serializers.Serializer[object]):
    researcher = serializers.BooleanField(source="is_researcher", required=False)
    administrator = serializers.BooleanField(source="is_administrator", required=False)
    coordinator = serializers.BooleanField(source="is_coordinator", required=False)


class AccountUpdateSerializer(serializers.Serializer[object]):
    """The fields to change; a missing field stays as it is. A closed account is not active."""

    is_active = serializers.BooleanField(required=False)
    roles = RolesUpdateSerializer(source="*", required=False)


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


class CreatedInvitationSerializer(InvitationSerializer):
    """The only response that contains the link."""

    link = serializers.URLField()
    mail_sent = serializers.BooleanField()


class TokenSerializer(serializers.Serializer[object]):
    token = serializers.CharField(max_length=200)


class InvitationAcceptanceSerializer(TokenSerializer):
    name = OneLineField(max_length=120, allow_blank=True, default="")
    # Trimmed, as allauth trims passwords at sign-in.
    password = serializers.CharField(max_length=4096, allow_blank=True, default="")


class AcceptedInvitationSerializer(serializers.Serializer[object]):
    role = serializers.ChoiceField(Invitation.Role.choices)
    study_id = serializers.UUIDField(allow_null=True)


class NewApiTokenSerializer(serializers.Serializer[object]):
    name = OneLineField(max_length=120)
    scope = serializers.ChoiceField(ApiToken.Scope.choices)
    expires_in_days = serializers.IntegerField(min_value=1, max_value=MAX_DAYS, default=MAX_DAYS)


class ApiTokenSerializer(serializers.Serializer[ApiToken]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    scope = serializers.ChoiceField(ApiToken.Scope.choices)
    prefix = serializers.CharField(help_text="The first characters of the token.")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class CreatedApiTokenSerializer(ApiTokenSerializer):
    """The only response that contains the token."""

    token = serializers.CharField()
