"""Building Filter's answer from masks and tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import ALL_FIT, Verdicts
from scheduler_core.framework.status import Status


def reject_where(mask: NDArray[np.bool_], status: Status) -> Verdicts:
    """Rejects the nodes where `mask` is true."""
    return Verdicts(mask.astype(np.int16), (status,)) if mask.any() else ALL_FIT


class StatusTable:
    """Collects distinct statuses and hands out their codes, for answers with several reasons."""

    def __init__(self) -> None:
        self.statuses: list[Status] = []
        self._codes: dict[Status, int] = {}

    def code(self, status: Status) -> int:
        """0 for success, else the code to put into `Verdicts.codes`."""
        if status.is_success:
            return 0
        code = self._codes.get(status)
        if code is None:
            self.statuses.append(status)
            code = self._codes[status] = len(self.statuses)
        return code

    def verdicts(self, codes: NDArray[np.int16]) -> Verdicts:
        return Verdicts(codes, self.statuses) if self.statuses else ALL_FIT


def look_up(per_class: Sequence[int], classes: NDArray[np.int32]) -> NDArray[np.int16]:
    """The code of each node from the code of its class; class -1 takes the last entry."""
    return np.asarray(per_class, dtype=np.int16)[classes]
