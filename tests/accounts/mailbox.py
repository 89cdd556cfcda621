"""E-mail that the server sends in the background."""

from concurrent.futures import wait
from threading import Barrier

from backend.accounts.mail_delivery import SENDERS, executor


def wait_until_sent() -> None:
    """Until every thread of the sender has ended what it was given before."""
    barrier = Barrier(SENDERS)
    wait([executor.submit(barrier.wait) for _ in range(SENDERS)])
