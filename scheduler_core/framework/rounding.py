"""Rounding as Go does it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def round_half_up(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Non-negative numbers to the nearest integer, halves up, without adding 0.5 (which may itself round)."""
    whole = np.floor(values)
    return (whole + (values - whole >= 0.5)).astype(np.int64)
