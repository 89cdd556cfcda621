"""What a checkpoint of a training is of: a digest of all arrays that it reads."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray


def digest_arrays(*arrays: NDArray[Any] | None) -> str:
    """Of values, types and shapes; None differs from every array."""
    result = hashlib.sha256()
    for one in arrays:
        if one is None:
            result.update(b"none;")
            continue
        result.update(f"{one.dtype.str}{one.shape};".encode())
        result.update(np.ascontiguousarray(one).data)
    return result.hexdigest()
