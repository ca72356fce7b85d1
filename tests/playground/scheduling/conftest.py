from __future__ import annotations

import pytest

from playground.scheduling.engine.binders import Binders
from playground.scheduling.services import bindings


@pytest.fixture(autouse=True)
def no_binder_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rolled-back test's cluster id is given out again, which a database in use never does."""
    monkeypatch.setattr(bindings, "binders", Binders())
