import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from backend.science.value_ranks import rank_values


@given(st.lists(st.integers(-4, 4) | st.floats(allow_nan=False)))
def test_ranks_are_scipys(values: list[float]) -> None:
    assert np.array_equal(rank_values(values), rankdata(values))


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN has no rank"):
        rank_values([1.0, float("nan")])
