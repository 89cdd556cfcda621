"""Arrays of a file in the safetensors format: 8 bytes of length, a JSON header, the numbers.

Nothing in such a file is executed. Only float32 is read.
"""

import json
import struct

import numpy as np
from numpy.typing import NDArray

LARGEST_HEADER = 10_000_000


def read_arrays(content: bytes) -> dict[str, NDArray[np.float32]]:
    """The float32 arrays by name, as views of the content. Raises ValueError if it is malformed."""
    if len(content) < 8:
        raise ValueError("the header is missing")
    (length,) = struct.unpack_from("<Q", content)
    if not 0 < length <= min(LARGEST_HEADER, len(content) - 8):
        raise ValueError("the header has a wrong length")
    header = json.loads(content[8 : 8 + length])
    body = memoryview(content)[8 + length :]
    named = {name: entry for name, entry in header.items() if name != "__metadata__"}
    return {
        name: read_array(body, entry) for name, entry in named.items() if entry["dtype"] == "F32"
    }


def read_array(body: memoryview, entry: dict[str, object]) -> NDArray[np.float32]:
    offsets, shape = entry["data_offsets"], entry["shape"]
    if not isinstance(offsets, list) or not isinstance(shape, list):
        raise ValueError("an array has no place or shape")
    first, last = offsets
    if not 0 <= first <= last <= len(body):
        raise ValueError("an array lies outside the file")
    return np.frombuffer(body[first:last], dtype="<f4").reshape(shape)
