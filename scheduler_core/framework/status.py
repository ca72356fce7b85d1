"""What a plugin answers: a Status.

An expected rejection is a value, never an exception; an exception raised by a
plugin is a bug and is turned into `Code.ERROR` by the runtime. A plugin always
returns a Status, so "nothing" never means success.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

# Of one reason.
LONGEST_REASON = 4_096
# Half characters cannot be sent, and a database stores no NUL.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class Code(IntEnum):
    """The outcome of one plugin call, numbered as in kube-scheduler."""

    SUCCESS = 0
    # The plugin itself failed; the pod goes to backoffQ.
    ERROR = 1
    # Rejected for now; preemption may help.
    UNSCHEDULABLE = 2
    # Rejected, and removing other pods cannot help.
    UNSCHEDULABLE_AND_UNRESOLVABLE = 3
    # Permit only: keep the pod in waitingPods.
    WAIT = 4
    # PreFilter, PreScore, Bind: this plugin has nothing to do for this pod.
    SKIP = 5
    # Rejected, waiting for another component (skips backoff when woken).
    PENDING = 6

    @property
    def text(self) -> str:
        """The name as Kubernetes writes it, e.g. `UnschedulableAndUnresolvable`."""
        return _TEXT[self]


_TEXT = {
    Code.SUCCESS: "Success",
    Code.ERROR: "Error",
    Code.UNSCHEDULABLE: "Unschedulable",
    Code.UNSCHEDULABLE_AND_UNRESOLVABLE: "UnschedulableAndUnresolvable",
    Code.WAIT: "Wait",
    Code.SKIP: "Skip",
    Code.PENDING: "Pending",
}

_REJECTED = frozenset({Code.UNSCHEDULABLE, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, Code.PENDING})


@dataclass(frozen=True, slots=True)
class Status:
    """Code, human-readable reasons, and the plugin that gave them."""

    code: Code = Code.SUCCESS
    # Each reason is counted by itself in a FitError.
    reasons: tuple[str, ...] = ()
    # Filled in by the runtime when a plugin leaves it empty.
    plugin: str = ""

    @property
    def is_success(self) -> bool:
        return self.code is Code.SUCCESS

    @property
    def is_skip(self) -> bool:
        return self.code is Code.SKIP

    @property
    def is_wait(self) -> bool:
        return self.code is Code.WAIT

    @property
    def is_rejected(self) -> bool:
        """True for the three codes that say "not here" rather than "I broke"."""
        return self.code in _REJECTED

    @property
    def message(self) -> str:
        return ", ".join(self.reasons)

    def of(self, plugin: str) -> Status:
        """The same status, signed by `plugin` where nobody signed it yet."""
        return self if self.plugin else Status(self.code, self.reasons, plugin)


def plain(text: str) -> str:
    """What a plugin or a service said, as it can be stored and shown."""
    if len(text) > LONGEST_REASON:
        text = f"{text[:LONGEST_REASON]} ..."
    return text if text.isascii() and "\x00" not in text else _UNSTORABLE.sub("\ufffd", text)


SUCCESS = Status()
SKIP = Status(Code.SKIP)


def unschedulable(*reasons: str) -> Status:
    return Status(Code.UNSCHEDULABLE, reasons)


def unresolvable(*reasons: str) -> Status:
    return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, reasons)


def pending(*reasons: str) -> Status:
    return Status(Code.PENDING, reasons)


def error(*reasons: str) -> Status:
    return Status(Code.ERROR, reasons)
