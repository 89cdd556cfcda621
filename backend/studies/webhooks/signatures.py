"""Signatures after Standard Webhooks (standardwebhooks.com), so that its libraries verify them.

Signed is 'id.timestamp.body' by HMAC-SHA256. A receiver that refuses old timestamps and ids that it
knows accepts no message twice.
"""

import base64
import hmac
import time
import uuid
from collections.abc import Mapping

from django.utils.crypto import salted_hmac

SALT = "studies.webhook"


def _key(webhook_id: uuid.UUID) -> bytes:
    return salted_hmac(SALT, webhook_id.bytes, algorithm="sha256").digest()


def secret_of(webhook_id: uuid.UUID) -> str:
    return f"whsec_{base64.b64encode(_key(webhook_id)).decode()}"


def signed_headers(webhook_id: uuid.UUID, delivery_id: uuid.UUID, body: str) -> Mapping[str, str]:
    timestamp = str(int(time.time()))
    signed = f"{delivery_id}.{timestamp}.{body}".encode()
    signature = base64.b64encode(hmac.digest(_key(webhook_id), signed, "sha256")).decode()
    return {
        "webhook-id": str(delivery_id),
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }
