"""Request bodies and answers, as kube-scheduler v1.34 writes and reads them.

Keys of requests are Go's field names. Answers are read as Go reads JSON: keys
in any case, `null` and absent alike, what is unknown passed over; a value of a
wrong type is an error that names the field, and so is one of an absurd size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any, NamedTuple, TypeVar

import msgspec

from scheduler_core.framework.status import plain

# Reasons are shown to people and counted by their text.
LONGEST_REASON = 1_024
# Of a list or a map: twice as many nodes as the largest cluster has.
MOST_ENTRIES = 10_000
S = TypeVar("S", bound=Sized)

_INT64 = range(-(2**63), 2**63)


class WrongAnswer(Exception):
    """The answer is not what its verb asks for."""


# Requests


def filter_body(pod: bytes, names: Sequence[str], nodes: Sequence[bytes] | None) -> bytes:
    """Of filter and prioritize: whole nodes, or (None) their names only."""
    node_list = None if nodes is None else {"metadata": {}, "items": [msgspec.Raw(node) for node in nodes]}
    node_names = list(names) if nodes is None else None
    return msgspec.json.encode({"Pod": msgspec.Raw(pod), "Nodes": node_list, "NodeNames": node_names})


def preempt_body(pod: bytes, victims: Mapping[str, Any], *, meta: bool) -> bytes:
    """`victims`: node -> Victims, or (meta) MetaVictims."""
    return msgspec.json.encode(
        {
            "Pod": msgspec.Raw(pod),
            "NodeNameToVictims": None if meta else victims,
            "NodeNameToMetaVictims": victims if meta else None,
        }
    )


def bind_body(*, name: str, namespace: str, uid: str, node: str) -> bytes:
    return msgspec.json.encode({"PodName": name, "PodNamespace": namespace, "PodUID": uid, "Node": node})


# Answers


class FilterAnswer(NamedTuple):
    # None: the answer has no such list.
    node_names: list[str] | None
    # Names of the whole nodes in the answer.
    nodes: list[str] | None
    # Node -> reason.
    failed: dict[str, str]
    failed_and_unresolvable: dict[str, str]
    error: str


class MetaVictims(NamedTuple):
    uids: list[str]
    pdb_violations: int


def read_filter(body: bytes) -> FilterAnswer:
    fields = _object(_json(body), "the answer")
    nodes = fields.get("nodes")
    return FilterAnswer(
        node_names=_texts(fields.get("nodenames"), "NodeNames"),
        nodes=None if nodes is None else _node_list(nodes),
        failed=_reasons(fields.get("failednodes"), "FailedNodes"),
        failed_and_unresolvable=_reasons(fields.get("failedandunresolvablenodes"), "FailedAndUnresolvableNodes"),
        error=_text(fields.get("error"), "Error"),
    )


def read_priorities(body: bytes) -> list[tuple[str, int]]:
    """(host, score), as they come."""
    found = []
    for i, each in enumerate(_list(_json(body), "the answer")):
        fields = _object(each, f"[{i}]")
        found.append((_text(fields.get("host"), f"[{i}].Host"), _integer(fields.get("score"), f"[{i}].Score")))
    return found


def read_preemption(body: bytes) -> dict[str, MetaVictims]:
    """By node."""
    by_node = _mapping(_object(_json(body), "the answer").get("nodenametometavictims"), "NodeNameToMetaVictims")
    return {node: _meta_victims(value, f"NodeNameToMetaVictims[{node}]") for node, value in by_node.items()}


def read_error(body: bytes) -> str:
    """Of bind."""
    return _text(_object(_json(body), "the answer").get("error"), "Error")


def _meta_victims(value: Any, path: str) -> MetaVictims:
    fields = _object(value, path)
    pods = [_object(each, f"{path}.Pods[{i}]") for i, each in enumerate(_list(fields.get("pods"), f"{path}.Pods"))]
    uids = [_text(each.get("uid"), f"{path}.Pods[{i}].UID") for i, each in enumerate(pods)]
    return MetaVictims(uids, _integer(fields.get("numpdbviolations"), f"{path}.NumPDBViolations"))


def _node_list(value: Any) -> list[str]:
    items = _list(_object(value, "Nodes").get("items"), "Nodes.items")
    return [_node_name(item, f"Nodes.items[{i}]") for i, item in enumerate(items)]


def _node_name(item: Any, path: str) -> str:
    metadata = _object(_object(item, path).get("metadata"), f"{path}.metadata")
    return _text(metadata.get("name"), f"{path}.metadata.name")


def _json(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WrongAnswer(f"the answer is not JSON: {error}") from None


def _object(value: Any, path: str) -> dict[str, Any]:
    """Its fields by their names in lower case."""
    return {key.lower(): each for key, each in _mapping(value, path).items()}


def _mapping(value: Any, path: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong(path, "an object", value)
    return _bounded(value, path)


def _list(value: Any, path: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _wrong(path, "a list", value)
    return _bounded(value, path)


def _bounded(value: S, path: str) -> S:
    if len(value) > MOST_ENTRIES:
        raise WrongAnswer(f"{path[:200]} has {len(value)} entries; at most {MOST_ENTRIES} are read")
    return value


def _texts(value: Any, path: str) -> list[str] | None:
    return None if value is None else [_text(each, f"{path}[{i}]") for i, each in enumerate(_list(value, path))]


def _reasons(value: Any, path: str) -> dict[str, str]:
    return {name: _cut(_text(each, f"{path}[{name}]")) for name, each in _mapping(value, path).items()}


def _cut(reason: str) -> str:
    return plain(reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]} ...")


def _text(value: Any, path: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong(path, "a text", value)
    return value


def _integer(value: Any, path: str) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value not in _INT64:
        raise _wrong(path, "a whole number", value)
    return value


def _wrong(path: str, expected: str, value: Any) -> WrongAnswer:
    found = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}.get(type(value), repr(value)[:40])
    return WrongAnswer(f"{path[:200]} should be {expected}, not {found}")
