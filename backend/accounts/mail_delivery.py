"""Delivery of e-mail, immediate or in the background. A message that fails is logged and dropped.

Immediate where a signed-in user learns whether it was sent, such as an inviter. In the background
for visitors: the response time would reveal which addresses have an account.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.core.mail import EmailMessage

UNDELIVERED_BACKENDS = tuple(
    f"django.core.mail.backends.{it}.EmailBackend" for it in ("console", "dummy")
)
logger = logging.getLogger(__name__)

SENDERS = 4
executor = ThreadPoolExecutor(max_workers=SENDERS, thread_name_prefix="mail")


def send(message: EmailMessage) -> bool:
    """Send a message; return whether it was accepted for delivery. SMTP errors are OSErrors.

    Without a mail server it is only printed, so its reader is not its recipient.
    """
    try:
        message.send()
    except OSError:
        logger.exception("The e-mail to %s could not be sent: %s", message.to, message.subject)
        return False
    return settings.EMAIL_BACKEND not in UNDELIVERED_BACKENDS


def send_all(messages: Sequence[EmailMessage]) -> list[bool]:
    """Send several at the same time; return whether each was accepted for delivery."""
    return list(executor.map(send, messages))


def send_in_background(message: EmailMessage) -> None:
    """Send a message in another thread, without delaying the response."""
    executor.submit(send, message)
