from __future__ import annotations

from collections import OrderedDict

import pytest

from playground.scheduling.engine.binders import binders
from playground.scheduling.engine.observer import observers
from playground.scheduling.engine.warm import warm_sessions


@pytest.fixture(autouse=True)
def nothing_kept_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rolled-back test's cluster id is given out again, which a database in use never does."""
    monkeypatch.setattr(warm_sessions, "_sessions", OrderedDict())
    monkeypatch.setattr(observers, "_observers", OrderedDict())
    monkeypatch.setattr(binders, "_binders", OrderedDict())
