"""The ranges of seeds and shares, for commands, routes and services alike."""

from backend.common.errors import DomainError
from backend.validation.faults import Fault

MAX_SEED = 2**31 - 1


def is_seed(seed: int) -> bool:
    return 0 <= seed <= MAX_SEED


def is_share(share: float) -> bool:
    """False for what is not a number."""
    return 0 <= share <= 1


def require_seed(seed: int, place: str = "seed") -> None:
    if not is_seed(seed):
        _refuse(place, f"A seed is a whole number from 0 to {MAX_SEED:,}.")


def require_share(share: float, place: str) -> None:
    if not is_share(share):
        _refuse(place, "A share is a number from 0 to 1.")


def _refuse(place: str, message: str) -> None:
    raise DomainError(message, code="out_of_range", faults=[Fault(place, message, "in the range")])
