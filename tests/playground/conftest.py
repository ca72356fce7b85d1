from __future__ import annotations

import pytest

from playground.live import frames


@pytest.fixture(autouse=True)
def no_message_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rolled-back test's cluster id is given out again, which a database in use never does."""
    monkeypatch.setattr(frames, "_kept", frames._KeptMessages(frames.KEPT_MESSAGES))
