"""Bringing raw scores to 0..100."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_NODE_SCORE = 100


def normalize_to_maximum(scores: NDArray[np.int64], *, reverse: bool = False) -> NDArray[np.int64]:
    """The highest raw score becomes 100 (reversed: 0), the others in proportion, rounded down.

    Where all raw scores are 0 they stay 0, or become 100 when reversed.
    """
    highest = int(scores.max(initial=0))
    if highest == 0:
        return np.full_like(scores, MAX_NODE_SCORE) if reverse else scores
    scaled = MAX_NODE_SCORE * scores // highest
    return MAX_NODE_SCORE - scaled if reverse else scaled
