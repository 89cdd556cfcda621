"""API tokens: created, used and revoked. A token is shown once, when it is created."""

import secrets
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from backend.accounts.models import ApiToken, User
from backend.accounts.services import hash_token
from backend.common.errors import Conflict, NotFound

TOKEN_PREFIX = "srd_"  # noqa: S105  marks leaked tokens, is no secret
SHOWN_CHARACTERS = 8
MAX_USABLE_TOKENS = 20
MAX_DAYS = 365
LAST_USE_PRECISION = timedelta(minutes=1)


def create_api_token(
    *, actor: User, name: str, scope: str, expires_in_days: int = MAX_DAYS
) -> tuple[ApiToken, str]:
    """The token's row and the token itself. Raises Conflict at MAX_USABLE_TOKENS."""
    if actor.api_tokens.usable().count() >= MAX_USABLE_TOKENS:
        raise Conflict(
            f"You have {MAX_USABLE_TOKENS} tokens. Revoke one before you create another.",
            code="too_many_tokens",
        )
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=actor,
        name=name,
        scope=scope,
        prefix=secret[:SHOWN_CHARACTERS],
        token_hash=hash_token(secret),
        expires_at=timezone.now() + timedelta(days=expires_in_days),
    )
    return token, secret


def revoke_api_token(*, actor: User, token_id: UUID) -> ApiToken:
    """Revoking twice changes nothing. Raises NotFound for a token of another account."""
    token = actor.api_tokens.filter(pk=token_id).first()
    if token is None:
        raise NotFound("This token does not exist.")
    if token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
    return token


def find_usable_token(secret: str) -> ApiToken | None:
    """The token, with its use recorded once a minute at most."""
    usable = ApiToken.objects.usable().select_related("user")
    token = usable.filter(token_hash=hash_token(secret)).first()
    now = timezone.now()
    if token is not None and (
        token.last_used_at is None or now - token.last_used_at > LAST_USE_PRECISION
    ):
        token.last_used_at = now
        token.save(update_fields=["last_used_at"])
    return token
