"""Base-2 logarithms that the compiler vectorizes.

x = 2^e m with m from sqrt(1/2) to sqrt(2), extracted from the bits; ln m = 2 artanh(s) as a series
in s = (m - 1) / (m + 1), |s| < 0.172. There are no branches, so loops are vectorized. Zero gives a
large negative number instead of minus infinity, so that 0 log 0 is 0; for subnormal numbers the
error is smaller than their contribution. Arguments must be finite and not negative.
"""

import numpy as np

from backend.runtime.jit import jit_vectorize

# The bits of sqrt(1/2): subtracting them moves the exponent boundary to the start of m.
HALF32, MANTISSA32, WIDTH32 = np.int32(0x3F3504F3), np.int32(0x007FFFFF), np.int32(23)
HALF64, MANTISSA64 = np.int64(0x3FE6A09E667F3BCD), np.int64(0x000FFFFFFFFFFFFF)
WIDTH64 = np.int64(52)
ONE32 = np.float32(1)
PER_LN2 = 1.4426950408889634
# 2 / ((2k + 1) ln 2)
SERIES32 = tuple(np.float32(2 * PER_LN2 / odd) for odd in (1, 3, 5, 7, 9))
# The polynomial of fdlibm's e_log.c (Sun Microsystems 1993), for ln m.
SERIES64 = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
A, B, C, D, E = SERIES32
L1, L2, L3, L4, L5, L6, L7 = SERIES64


@jit_vectorize
def log2_float32(x: np.float32) -> np.float32:
    """log2 x in float32, relative error below 3e-7 (machine epsilon is 1.2e-7)."""
    bits = np.int32(np.float32(x).view(np.int32) - HALF32)
    exponent = np.int32(bits >> WIDTH32)
    m = np.int32((bits & MANTISSA32) + HALF32).view(np.float32)
    s = (m - ONE32) / (m + ONE32)
    z = s * s
    return np.float32(exponent) + s * (A + z * (B + z * (C + z * (D + z * E))))


@jit_vectorize
def log2_float64(x: float) -> float:
    """log2 x in float64, relative error below 1e-15."""
    bits = np.int64(np.float64(x).view(np.int64) - HALF64)
    exponent = np.int64(bits >> WIDTH64)
    f = np.int64((bits & MANTISSA64) + HALF64).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (L2 + w * (L4 + w * L6))
    odd = z * (L1 + w * (L3 + w * (L5 + w * L7)))
    half = 0.5 * f * f
    return np.float64(exponent) + (f - (half - s * (half + even + odd))) * PER_LN2
