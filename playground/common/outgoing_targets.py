"""Which addresses the server may call on behalf of a user.

Users name URLs: of extenders, of webhooks. A server that called whatever it is
told would lend them its place in the network. So it calls this machine only,
unless PLAYGROUND_OUTGOING names other hosts, addresses or networks.

A name is judged by what it resolves to, and the very address that was judged is
the one that is connected to: a name that resolves differently the next moment
gains nothing. A host that is allowed by its name may resolve to anything.

`playground.localhost` is the playground itself, at the address it has at that
moment: what is stored of its own services outlives a start at another port.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# No name of a network can end like this (RFC 6761).
OWN_HOST = "playground.localhost"
LONGEST_URL = 2_048
_PORTS = {"http": 80, "https": 443}


class TargetRefused(Exception):
    """The server does not call this; the text says why, and the way out."""


def check_url(url: str) -> None:
    """Raises TargetRefused for a URL that cannot be called, or may not. Looks the host's name up."""
    destinations(*_host_and_port(url))


def _host_and_port(url: str) -> tuple[str, int]:
    if len(url) > LONGEST_URL:
        raise TargetRefused(f"the URL has {len(url)} characters; at most {LONGEST_URL} are allowed")
    if not url.isprintable() or " " in url:
        raise TargetRefused(f"{url!r} has a space, a line end or another character in it that no URL has")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise TargetRefused(f"{url!r} is not a URL: {error}") from None
    if parts.scheme not in _PORTS or not host:
        raise TargetRefused(f"{url!r} should look like http://127.0.0.1:8888/path")
    if parts.username is not None or parts.password is not None:
        raise TargetRefused("leave user and password out of the URL: reports show it to everybody")
    return host, port or _PORTS[parts.scheme]


def destinations(host: str, port: int) -> Sequence[tuple[str, int]]:
    """(address, port) of what may be connected to, as it is now; at least one. Raises TargetRefused."""
    if host.lower() == OWN_HOST:
        own = urlsplit(settings.PLAYGROUND_ADDRESS)
        host, port = own.hostname or "", own.port or _PORTS["http"]
        return [(str(each), port) for each in _resolve(host, port)]
    return [(address, port) for address in allowed_addresses(host, port)]


def allowed_addresses(host: str, port: int) -> Sequence[str]:
    """What may be connected to for that host, as it resolves now; at least one. Raises TargetRefused."""
    addresses = _resolve(host, port)
    if host.lower().rstrip(".") in _allowed_names():
        return [str(each) for each in addresses]
    allowed = [str(each) for each in addresses if _is_allowed(each)]
    if not allowed:
        raise TargetRefused(_refusal(host, addresses))
    return allowed


def _refusal(host: str, addresses: Sequence[Address]) -> str:
    shown = str(addresses[0])
    what = shown if shown == host else f"{host} ({shown})"
    return (
        f"the server may not call {what}: only addresses of this machine are allowed; "
        f"start the playground with PLAYGROUND_OUTGOING={host} to allow it"
    )


def _resolve(host: str, port: int) -> list[Address]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise TargetRefused(f"the host {host!r} has no address; is it spelled right?") from None
    texts = dict.fromkeys(str(each[4][0]).partition("%")[0] for each in found)
    return [_plain(ipaddress.ip_address(text)) for text in texts]


def _plain(address: Address) -> Address:
    """An IPv4 address that is written as an IPv6 one is what it stands for."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _is_allowed(address: Address) -> bool:
    return address.is_loopback or any(address in network for network in _allowed_networks())


def _allowed_names() -> set[str]:
    return {entry.lower() for entry in settings.PLAYGROUND_OUTGOING if _network(entry) is None}


def _allowed_networks() -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return [network for entry in settings.PLAYGROUND_OUTGOING if (network := _network(entry)) is not None]


def _network(entry: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return None
