"""Mail, sent at once or soon. What cannot be sent is logged and lost, and can be asked for again.

At once where somebody who is signed in is told whether it went, as an inviter is. Soon, in the
background, where a visitor asks: waiting would tell a stranger, by the time it takes, which
addresses have an account.
"""

import logging
from concurrent.futures import Future, ThreadPoolExecutor, wait

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)

_carriers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mail")
_under_way: set[Future[bool]] = set()


def send(message: EmailMessage) -> bool:
    """Send it now; whether the mail server took it. SMTP's errors are OSErrors."""
    try:
        message.send()
    except OSError:
        logger.exception("A mail to %s could not be sent: %s", message.to, message.subject)
        return False
    return True


def send_soon(message: EmailMessage) -> None:
    """Send it on another thread; the answer neither waits for it nor depends on it."""
    sending = _carriers.submit(send, message)
    _under_way.add(sending)
    sending.add_done_callback(_under_way.discard)


def settle() -> None:
    """Wait until all that was given to send_soon has been sent or logged."""
    wait(_under_way.copy())
