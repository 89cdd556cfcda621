"""Mail leaves in the background, so that an answer neither waits for it nor depends on it.

Waiting would also tell a stranger, by the time it takes, which addresses have an account. What
cannot be sent is logged and lost: every mail of this site can be asked for again.
"""

import logging
from concurrent.futures import Future, ThreadPoolExecutor, wait

from django.core.mail import EmailMessage

logger = logging.getLogger(__name__)

_carriers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mail")
_under_way: set[Future[bool]] = set()


def send(message: EmailMessage) -> bool:
    """Whether the mail server took it. SMTP's errors are OSErrors."""
    try:
        message.send()
    except OSError:
        logger.exception("A mail to %s could not be sent: %s", message.to, message.subject)
        return False
    return True


def send_soon(message: EmailMessage) -> None:
    sending = _carriers.submit(send, message)
    _under_way.add(sending)
    sending.add_done_callback(_under_way.discard)


def settle() -> None:
    """Wait until all that was given to send_soon has been sent or logged."""
    wait(_under_way.copy())
