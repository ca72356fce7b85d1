"""Who is asked a second time.

When a hook has changed the object, those asked before it that want to know
(reinvocationPolicy IfNeeded) are asked once more, in a second round after the
first; there is no third. A hook that was passed over in the first round stays
so in the second.
"""

from __future__ import annotations

from collections.abc import Hashable
from copy import deepcopy
from typing import Any


class Reinvocation:
    """The memory of one kind of hooks (policies, webhooks) over the two rounds of one request."""

    def __init__(self) -> None:
        self.is_second_round = False
        # Asked so far, and to be asked again if somebody changes the object after them.
        self._asked: set[Hashable] = set()
        self._again: set[Hashable] = set()
        self._left_as: Any = None

    def begin_second_round(self, manifest: dict[str, Any]) -> None:
        self.is_second_round = True
        if manifest != self._left_as:
            self._changed()

    def is_due(self, hook: Hashable) -> bool:
        return not self.is_second_round or hook in self._again

    def note(self, hook: Hashable, *, changed: bool, policy: str) -> None:
        """A hook was asked."""
        if changed:
            self._changed()
        if policy == "IfNeeded":
            self._asked.add(hook)

    def finish_round(self, manifest: dict[str, Any]) -> None:
        self._left_as = deepcopy(manifest)

    def _changed(self) -> None:
        self._again |= self._asked
        self._asked = set()
