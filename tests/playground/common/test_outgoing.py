from __future__ import annotations

import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from playground.common import outgoing
from playground.common.outgoing import CallFailed, TargetRefused, Tls, check_tls, check_url, post_json
from playground.common.outgoing_targets import allowed_addresses, destinations
from tests.answering_server import AnsweringServer, Raw
from tests.certificates import certificate_of


@pytest.fixture
def never() -> Iterator[threading.Event]:
    """What a server waits for that is not meant to answer; set when the test is over."""
    event = threading.Event()
    yield event
    event.set()


def resolves_to(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Every name, one answer after the other; the last one stays. The names that were asked for."""
    asked: list[str] = []
    left = list(answers)

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
        asked.append(host)
        address = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def test_a_body_is_posted_as_json_and_the_answer_is_whole() -> None:
    with AnsweringServer({"/echo": lambda body: {"got": body}}) as server:
        answer = post_json(server.url("/echo"), b'{"a": 1}', timeout=5)
        assert (answer.status, answer.body) == (200, b'{"got": {"a": 1}}')
        assert server.calls[0].content_type == "application/json"


def test_connections_are_kept_between_calls() -> None:
    with AnsweringServer({"/echo": lambda body: body}) as server:
        for _ in range(5):
            post_json(server.url("/echo"), b"{}", timeout=5)
        assert server.connections == 1


def test_an_answer_of_500_is_an_answer() -> None:
    with AnsweringServer({"/broken": lambda _: Raw(parts=(b"oops",), status=500)}) as server:
        answer = post_json(server.url("/broken"), b"{}", timeout=5)
    assert (answer.status, answer.body) == (500, b"oops")


def test_a_redirect_is_not_followed() -> None:
    def elsewhere(_: Any) -> Raw:
        return Raw(status=307, headers={"Location": "/secret"})

    with AnsweringServer({"/a": elsewhere, "/secret": lambda _: "secret"}) as server:
        assert post_json(server.url("/a"), b"{}", timeout=5).status == 307
        assert [call.path for call in server.calls] == ["/a"]


def test_a_server_that_does_not_answer_costs_no_more_than_the_timeout(never: threading.Event) -> None:
    with AnsweringServer({"/slow": lambda _: never.wait(30)}) as server:
        started = time.monotonic()
        with pytest.raises(CallFailed, match=r"context deadline exceeded$") as failed:
            post_json(server.url("/slow"), b"{}", timeout=0.2)
    assert failed.value.timed_out
    assert time.monotonic() - started < 2


def test_an_answer_that_trickles_in_is_cut_off_at_the_timeout(never: threading.Event) -> None:
    trickle = Raw(parts=(b" ",) * 1_000, before_part=lambda: (never.wait(0.05), None)[1])
    with AnsweringServer({"/slow": lambda _: trickle}) as server:
        started = time.monotonic()
        with pytest.raises(CallFailed, match="deadline exceeded"):
            post_json(server.url("/slow"), b"{}", timeout=0.3)
    assert time.monotonic() - started < 2


def test_an_answer_that_is_too_large_is_not_read_to_its_end() -> None:
    with (
        AnsweringServer({"/huge": lambda _: Raw(parts=(b"x" * 65_536,) * 64)}) as server,
        pytest.raises(CallFailed, match="the answer is larger than 1024 KiB"),
    ):
        post_json(server.url("/huge"), b"{}", timeout=5, most_bytes=1024 * 1024)


def test_nobody_listening_is_told() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(
            CallFailed, match=f'^Post "http://{address}/": dial tcp {address}: connect: connection refused'
        ):
            post_json(f"http://{address}/", b"{}", timeout=5)


def test_bytes_that_are_not_http_are_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def rubbish() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(b"\x00\x01 nonsense\r\n\r\n")

        thread = threading.Thread(target=rubbish)
        thread.start()
        with pytest.raises(CallFailed, match='Post "http://127'):
            post_json(f"http://127.0.0.1:{listening.getsockname()[1]}/", b"{}", timeout=5)
        thread.join()


# What may be called


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://localhost/x", "http://[::1]:8080/", "https://127.1.2.3/"]
)
def test_this_machine_may_be_called(url: str) -> None:
    check_url(url)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://10.1.2.3/", "may not call 10.1.2.3: only addresses of this machine"),
        ("http://169.254.169.254/latest/meta-data", "may not call 169.254.169.254"),
        ("http://0.0.0.0:80/", "may not call 0.0.0.0"),
        ("http://[::ffff:10.0.0.1]/", "may not call"),
        ("ftp://127.0.0.1/", "should look like http://"),
        ("127.0.0.1:8888", "should look like http://"),
        ("http://", "should look like http://"),
        ("http://127.0.0.1:notaport/", "is not a URL"),
        ("http://me:secret@127.0.0.1/", "leave user and password out"),
        ("http://127.0.0.1/" + "x" * 3_000, "at most 2048"),
        ("http://no.such.host.invalid/", "has no address"),
        ("http://127.0.0.1/\r\nHost: x", "a line end or another character"),
        ("http://127.0.0.1\0.evil/", "a line end or another character"),
    ],
    ids=lambda text: text[:40],
)
def test_anything_else_is_refused_with_the_reason(url: str, why: str) -> None:
    with pytest.raises(TargetRefused) as refused:
        check_url(url)
    assert why in str(refused.value)


def test_a_refusal_names_the_setting_that_helps() -> None:
    with pytest.raises(TargetRefused, match=r"PLAYGROUND_OUTGOING=10\.1\.2\.3"):
        check_url("http://10.1.2.3/")


@pytest.mark.parametrize("allowed", ["10.0.0.0/8", "10.1.2.3", "extender.example"])
def test_hosts_addresses_and_networks_can_be_allowed(
    allowed: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLAYGROUND_OUTGOING = [allowed]
    resolves_to(monkeypatch, "10.1.2.3")
    assert allowed_addresses("extender.example", 80) == ["10.1.2.3"]


def test_the_playgrounds_own_name_leads_to_the_address_it_has_now(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with AnsweringServer({"/samples/x": lambda _: {}}) as before, AnsweringServer({"/samples/x": lambda _: {}}) as now:
        for server in (before, now):
            # A process that starts anew keeps no connection.
            monkeypatch.setattr(outgoing, "_clients", OrderedDict())
            settings.PLAYGROUND_ADDRESS = server.url("/")
            check_url("http://playground.localhost/samples/x")
            assert post_json("http://playground.localhost/samples/x", b"{}", timeout=5).status == 200
            outgoing.client().close()
        assert [len(before.calls), len(now.calls)] == [1, 1]


def test_the_playground_may_call_itself_on_a_host_that_is_not_allowed_otherwise(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLAYGROUND_ADDRESS = "http://web:8000/"
    resolves_to(monkeypatch, "10.1.2.3")
    assert destinations("playground.localhost", 80) == [("10.1.2.3", 8000)]
    with pytest.raises(TargetRefused):
        destinations("web", 8000)


def test_a_name_that_changes_its_address_between_check_and_call_gains_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolves_to(monkeypatch, "127.0.0.1", "10.1.2.3")
    with pytest.raises(TargetRefused, match=r"rebinding\.example \(10\.1\.2\.3\)"):
        post_json("http://rebinding.example/", b"{}", timeout=5)
    assert asked == ["rebinding.example", "rebinding.example"]


def test_the_address_that_was_judged_is_the_one_that_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    with AnsweringServer({"/": lambda _: "here"}) as server:
        resolves_to(monkeypatch, "127.0.0.1")
        assert post_json(f"http://some.example:{server.port}/", b"{}", timeout=5).body == b'"here"'


@pytest.mark.parametrize(
    "tls", [Tls(ca="rubbish"), Tls(certificate="rubbish", key="rubbish")], ids=["authority", "certificate"]
)
def test_certificates_that_cannot_be_read_are_told(tls: Tls) -> None:
    with pytest.raises(CallFailed, match="the certificates cannot be used"):
        check_tls(tls)


def test_clients_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "MOST_CLIENTS", 3)
    monkeypatch.setattr(outgoing, "_clients", type(outgoing._clients)())
    made = [outgoing.client(Tls(server_name=f"n{i}")) for i in range(5)]
    assert outgoing.client(Tls(server_name="n4")) is made[4]
    assert len(outgoing._clients) == 3
    for each in made:
        each.close()


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Of `extender.example`, signed by itself."""
    return certificate_of("DNS:extender.example", tmp_path_factory.mktemp("tls"))


@pytest.fixture
def secure_server(certificate: tuple[Path, Path]) -> Iterator[AnsweringServer]:
    with AnsweringServer({"/": lambda _: "secure"}, certificate=certificate) as server:
        yield server


def test_a_certificate_is_checked_by_the_authority_and_the_name_given(
    secure_server: AnsweringServer, certificate: tuple[Path, Path]
) -> None:
    url = f"https://127.0.0.1:{secure_server.port}/"
    tls = Tls(ca=certificate[0].read_text(), server_name="extender.example")
    assert post_json(url, b"{}", timeout=5, tls=tls).body == b'"secure"'
    with pytest.raises(CallFailed, match="(?i)certificate"):
        post_json(url, b"{}", timeout=5, tls=Tls(ca=certificate[0].read_text(), server_name="other.example"))
    with pytest.raises(CallFailed, match="(?i)certificate"):
        post_json(url, b"{}", timeout=5)


def test_any_certificate_will_do_where_that_was_asked_for(secure_server: AnsweringServer) -> None:
    url = f"https://127.0.0.1:{secure_server.port}/"
    assert post_json(url, b"{}", timeout=5, tls=Tls(insecure=True)).body == b'"secure"'
