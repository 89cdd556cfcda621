from collections.abc import Sequence

import numpy as np


def sample_order(log_worths: Sequence[float], rng: np.random.Generator) -> list[int]:
    """Draw one complete order, best first, as positions in `log_worths`.

    The next item is drawn among the remaining ones R with the probability

        P(i | R) = exp(w_i) / sum_{j in R} exp(w_j)

    by sorting w_i + g_i with independent standard Gumbel noise g_i, which gives the same
    distribution (Yellott 1977).

    Parameters: n finite log worths in any unit-free scale; only differences count. Returns: a
    permutation of 0 … n-1; the empty list for n = 0. Ties have probability 0. Raises ValueError if
    a log worth is not finite.
    """
    worths = np.asarray(log_worths, dtype=np.float64)
    if not np.isfinite(worths).all():
        raise ValueError("log worths must be finite")
    noisy = worths + rng.gumbel(size=worths.shape)
    return [int(place) for place in np.argsort(-noisy, kind="stable")]
