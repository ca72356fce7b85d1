"""Bringing raw scores to 0..100."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_NODE_SCORE = 100


def normalize_to_maximum(scores: NDArray[np.int64], *, reverse: bool = False) -> NDArray[np.int64]:
    """The highest raw score becomes 100 (reversed: 0), the others in proportion, rounded down.

    Where all raw scores are 0 they stay 0, or become 100 when reversed.
    """
    # argmax finds the maximum several times as fast as max does in a short array.
    highest = scores.item(scores.argmax()) if len(scores) else 0
    if highest == 0:
        return np.full_like(scores, MAX_NODE_SCORE) if reverse else scores
    scaled = MAX_NODE_SCORE * scores // highest
    return MAX_NODE_SCORE - scaled if reverse else scaled
