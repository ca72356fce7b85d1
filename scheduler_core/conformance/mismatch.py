"""One difference between what was measured and what the engine answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    # Name of the case.
    case: str
    # What the case is about at this point: usually a pod.
    subject: str
    # "feasible", "score of ImageLocality", "message", ...
    what: str
    expected: Any
    got: Any
    # The node concerned; "" where it is none in particular.
    node: str = ""

    def __str__(self) -> str:
        place = " ".join(part for part in (self.case, self.subject, self.node, self.what) if part)
        return f"{place}\n    expected {self.expected!r}\n    got      {self.got!r}"
