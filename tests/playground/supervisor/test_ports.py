"""Which port the page gets."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from playground.supervisor import ports


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as holder:
        holder.bind((ports.HOST, 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_the_port_asked_for_is_taken_at_its_word(taken_port: int) -> None:
    with pytest.raises(ports.PortTaken, match=f"Port {taken_port} is taken .* --port N"):
        ports.choose_port(taken_port)


def test_without_a_wish_the_next_free_port_is_chosen(taken_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "DEFAULT_PORT", taken_port)
    assert taken_port < ports.choose_port(None) < taken_port + ports.TRIED


def test_no_free_port_at_all_is_said(taken_port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "DEFAULT_PORT", taken_port)
    monkeypatch.setattr(ports, "TRIED", 1)
    with pytest.raises(ports.PortTaken, match="No free port from"):
        ports.choose_port(None)
