"""How often a web process looks for garbage in cycles.

A snapshot of a large cluster makes a few hundred thousand dicts that live for a
second. With Python's own thresholds each 700 of them set off a collection, and
more than half of the time went there. Nearly everything of ours is freed by
counting references, so looking less often costs little memory.
"""

from __future__ import annotations

import gc

# New containers before the youngest are looked at; such looks before the next older ones are, too.
YOUNG, MIDDLE, OLD = 50_000, 20, 50


def collect_less_often() -> None:
    """Once, when everything is loaded: what is there by then stays for good and is not looked at any more."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
