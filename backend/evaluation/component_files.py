"""The components of all items of an evaluation, as one array file. They reveal answers."""

from functools import partial
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from backend.jobs.faults import PlatformFault
from backend.runtime.atomic_files import write_whole


def components_path(key: str) -> Path:
    return Path(settings.EVALUATIONS) / f"{key}.npy"


def store_components(key: str, components: NDArray[np.float64]) -> None:
    write_whole(components_path(key), partial(np.save, arr=components, allow_pickle=False))


def has_components(key: str) -> bool:
    """Whether the file is there and whole. Its numbers are not read."""
    try:
        np.load(components_path(key), mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError):
        return False
    return True


def load_components(key: str) -> NDArray[np.float64]:
    """Shape (items, k). Raises PlatformFault if the file is lost."""
    try:
        components: NDArray[np.float64] = np.load(components_path(key), allow_pickle=False)
    except (OSError, ValueError) as error:
        message = (
            f"The scores by item of evaluation {key} are lost or damaged. "
            "An administrator must restore the file."
        )
        raise PlatformFault("result_lost", message) from error
    return components
