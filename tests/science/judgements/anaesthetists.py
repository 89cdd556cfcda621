"""The data of Dawid and Skene, Applied Statistics 28 (1979), table 1: 45 patients, 5 observers.

A row has a patient's category by observer 1 (three times) and by observers 2 to 5.
"""

from __future__ import annotations

import numpy as np

from backend.science.judgements.tables import FloatArray

PATIENTS = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223
4444444 2223343 1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322
2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121
1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111
1111111 1212111 2322222 1211111 2222222
"""
OBSERVERS = (0, 0, 0, 1, 2, 3, 4)


def anaesthetist_counts() -> FloatArray:
    """Counts (observers, patients, categories)."""
    counts = np.zeros((5, 45, 4))
    for patient, row in enumerate(PATIENTS.split()):
        for observer, category in zip(OBSERVERS, row, strict=True):
            counts[observer, patient, int(category) - 1] += 1
    return counts
