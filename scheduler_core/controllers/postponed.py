"""When the API cannot say yet whether it takes an object.

An admission webhook may have to be asked, and nobody waits for a network while
the cluster is locked. The store then raises `Postponed` before it has made any
of the objects, and the look is broken off where it stands. Controllers know
nothing of it: being level-triggered, they find at the next look what is still
missing. The manager keeps the key aside until the answers are there.
"""

from __future__ import annotations


class Postponed(Exception):
    """Nothing was created; somebody is asked first. Raised by `Store.create_many`."""
