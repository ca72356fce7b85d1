"""Addresses of pods and nodes: made up, but different for different ones."""

from __future__ import annotations

import hashlib
from ipaddress import IPv4Address, IPv4Network

from scheduler_core.objects.manifest import Manifest

POD_NETWORK = IPv4Network("10.0.0.0/8")
NODE_NETWORK = IPv4Network("172.18.0.0/16")


def pod_ip(serial: int) -> str:
    """The address of the pod that was the cluster's `serial`-th to get one."""
    return str(POD_NETWORK.network_address + 256 + serial % (POD_NETWORK.num_addresses - 512))


def host_ip(node: Manifest) -> str:
    """The node's InternalIP, else one made up from its name."""
    addresses = (node.get("status") or {}).get("addresses") or ()
    internal = next((each["address"] for each in addresses if each.get("type") == "InternalIP"), None)
    return internal or str(_from_name(node["metadata"]["name"]))


def _from_name(name: str) -> IPv4Address:
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])
    return NODE_NETWORK.network_address + 2 + number % (NODE_NETWORK.num_addresses - 4)
