"""Keys of endpoints: from the environment, or encrypted with a secret that is not in the database.

A key leaves this module only to be sent to its endpoint.
"""

import os
import re
from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from backend.common.errors import DomainError
from backend.llm.models import Endpoint
from backend.validation.faults import Fault

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,119}")
# Secrets of the server itself, which no endpoint may receive.
OWN_SECRETS = re.compile(
    r"SECRET_KEY|ENDPOINT_KEYS_SECRET|DATABASE_URL|REDIS_URL|(EMAIL|OIDC|PG|AWS)_.*|PGPASSWORD",
    re.IGNORECASE,
)
VISIBLE = re.compile(r"[!-~]{1,4096}")
# What servers repeat of a key is cut from answers and errors. A shorter one is a word, such as
# EMPTY, that cannot be cut without harm to texts that have it for other reasons.
SHORTEST_KEY = 8


class KeyMissing(DomainError):
    code = "endpoint_key_missing"


def check_key_env(name: str) -> None:
    """Raises DomainError."""
    if not NAME.fullmatch(name) or OWN_SECRETS.fullmatch(name):
        message = "Name an environment variable that holds this endpoint's key alone."
        raise DomainError(message, faults=[Fault("key_env", message, "key_env_invalid")])


def encrypt_key(key: str) -> str:
    """Raises DomainError, whose text does not have the key."""
    if not VISIBLE.fullmatch(key):
        message = "A key has visible ASCII characters only. Check for spaces and line breaks."
        raise DomainError(message, faults=[Fault("key", message, "key_invalid")])
    if len(key) < SHORTEST_KEY:
        message = f"A key has {SHORTEST_KEY} characters or more. Leave it out if none is needed."
        raise DomainError(message, faults=[Fault("key", message, "key_too_short")])
    return _fernet().encrypt(key.encode()).decode()


def read_key(endpoint: Endpoint) -> str:
    """ "" where the server needs none. Raises KeyMissing, also where it is too short to be cut from
    what the server repeats."""
    key = _read_any_key(endpoint)
    if key and len(key) < SHORTEST_KEY:
        message = f"The key of {endpoint.name} is shorter than {SHORTEST_KEY} characters. Set "
        raise KeyMissing(f"{message}a longer one, or none.")
    return key


def _read_any_key(endpoint: Endpoint) -> str:
    if endpoint.key_env:
        key = os.environ.get(endpoint.key_env, "").strip()
        if not VISIBLE.fullmatch(key):
            # Without the variable's name, which administrators alone see.
            message = (
                f"The environment variable of {endpoint.name} holds no key. Set it and restart."
            )
            raise KeyMissing(message)
        return key
    if endpoint.key_cipher:
        try:
            return _fernet().decrypt(endpoint.key_cipher.encode()).decode()
        except InvalidToken as error:
            message = f"The key of {endpoint.name} cannot be decrypted. Enter it again."
            raise KeyMissing(message) from error
    return ""


def _fernet() -> Fernet:
    secret = settings.ENDPOINT_KEYS_SECRET or settings.SECRET_KEY
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"serendib.llm.endpoint-keys")
    return Fernet(urlsafe_b64encode(derived.derive(secret.encode())))
