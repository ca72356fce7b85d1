"""Patches: JSON merge patch, JSON patch, Kubernetes' strategic merge patch, and apply's three ways.

All are pure: they answer a new value and leave what they were given as it is.
A strategic merge patch follows the schema: a list that has a merge key is
merged item by item, any other is replaced; `$patch: delete`, `$patch: replace`,
`$deleteFromPrimitiveList/...`, `$setElementOrder/...` and `$retainKeys` are
understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from playground.common.errors import BadRequest, Invalid

if TYPE_CHECKING:
    # Admission itself patches objects.
    from playground.clusters.admission.schema import Shape

Json = Any

MAX_OPERATIONS = 10_000
MAX_DEPTH = 100
# Values that the copies of one JSON patch may add: each copy can double the object.
MAX_COPIED = 50_000

_DELETE_PRIMITIVES = "$deleteFromPrimitiveList/"
_SET_ORDER = "$setElementOrder/"
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")


def merge_patch(current: Json, patch: Json, depth: int = MAX_DEPTH) -> Json:
    """RFC 7386: objects are merged, null removes, everything else replaces."""
    if not isinstance(patch, dict):
        return patch
    if depth == 0:
        raise BadRequest("the patch is nested too deeply")
    merged = dict(current) if isinstance(current, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value, depth - 1)
    return merged


# JSON patch (RFC 6902)


def json_patch(current: Json, operations: Json) -> Json:
    """Raises BadRequest for a malformed patch, Invalid where it does not apply."""
    if not isinstance(operations, list):
        raise BadRequest("a JSON patch is a list of operations")
    if len(operations) > MAX_OPERATIONS:
        raise BadRequest(f"a JSON patch may have at most {MAX_OPERATIONS} operations")
    document, left = deepcopy(current), MAX_COPIED
    try:
        for i, operation in enumerate(operations):
            if isinstance(operation, dict) and operation.get("op") == "copy":
                left -= _copied(document, operation, f"operation {i}")
                if left < 0:
                    raise BadRequest(f"operation {i}: the patch copies more than {MAX_COPIED} values")
            document = _operate(document, operation, f"operation {i}")
    except RecursionError:
        raise BadRequest("the patch is nested too deeply") from None
    return document


def _copied(document: Json, operation: Mapping[str, Json], where: str) -> int:
    """How many values a copy would add."""
    waiting = [_get(document, _pointer(str(operation.get("from", "")), where), where)]
    count = 0
    while waiting:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)
    return count


def _operate(document: Json, operation: Json, where: str) -> Json:
    if not isinstance(operation, dict) or not isinstance(operation.get("path"), str):
        raise BadRequest(f"{where}: expected an object with op and path")
    name, path = operation.get("op"), _pointer(operation["path"], where)
    match name:
        case "add" | "replace" | "test":
            if "value" not in operation:
                raise BadRequest(f"{where}: {name} needs a value")
            if name == "test":
                if _get(document, path, where) != operation["value"]:
                    raise Invalid(f"{where}: the test of {operation['path']} failed")
                return document
            return _put(document, path, deepcopy(operation["value"]), where, insert=name == "add")
        case "remove":
            return _take(document, path, where)[0]
        case "move" | "copy":
            source = _pointer(str(operation.get("from", "")), where)
            if name == "copy":
                return _put(document, path, deepcopy(_get(document, source, where)), where, insert=True)
            document, value = _take(document, source, where)
            return _put(document, path, value, where, insert=True)
    raise BadRequest(f"{where}: unknown op {name!r}")


def _pointer(text: str, where: str) -> list[str]:
    if text == "":
        return []
    if not text.startswith("/"):
        raise BadRequest(f"{where}: a path begins with /")
    return [part.replace("~1", "/").replace("~0", "~") for part in text[1:].split("/")]


def _get(document: Json, path: Sequence[str], where: str) -> Json:
    for part in path:
        document = _step(document, part, where)
    return document


def _step(document: Json, part: str, where: str) -> Json:
    if isinstance(document, dict) and part in document:
        return document[part]
    if isinstance(document, list) and _INDEX.fullmatch(part) and int(part) < len(document):
        return document[int(part)]
    raise Invalid(f"{where}: there is nothing at {part!r}")


def _put(document: Json, path: Sequence[str], value: Json, where: str, *, insert: bool) -> Json:
    if not path:
        return value
    parent, last = _get(document, path[:-1], where), path[-1]
    if isinstance(parent, dict):
        if not insert:
            _step(parent, last, where)
        parent[last] = value
    elif isinstance(parent, list) and insert and (last == "-" or last == str(len(parent))):
        parent.append(value)
    elif isinstance(parent, list):
        _step(parent, last, where)
        if insert:
            parent.insert(int(last), value)
        else:
            parent[int(last)] = value
    else:
        raise Invalid(f"{where}: {'/'.join(path[:-1])} holds neither fields nor items")
    return document


def _take(document: Json, path: Sequence[str], where: str) -> tuple[Json, Json]:
    if not path:
        raise Invalid(f"{where}: the whole object cannot be removed")
    parent, last = _get(document, path[:-1], where), path[-1]
    value = _step(parent, last, where)
    del parent[last if isinstance(parent, dict) else int(last)]
    return document, value


# Strategic merge patch


def strategic_merge_patch(current: Json, patch: Json, shape: Shape | None, depth: int = MAX_DEPTH) -> Json:
    """Merge `patch` into `current` by the schema."""
    if not isinstance(patch, dict):
        raise BadRequest("a strategic merge patch is an object")
    if depth == 0:
        raise BadRequest("the patch is nested too deeply")
    directive = patch.get("$patch")
    if directive == "replace":
        return {key: value for key, value in patch.items() if key != "$patch"}
    if directive == "delete":
        return {}
    merged = _retained(dict(current) if isinstance(current, dict) else {}, patch)
    for key, value in patch.items():
        if not key.startswith("$"):
            _merge_field(merged, key, value, field_shape(shape, key), depth)
        elif key.startswith(_DELETE_PRIMITIVES):
            name = key.removeprefix(_DELETE_PRIMITIVES)
            merged[name] = [item for item in merged.get(name) or () if item not in value]
    _set_orders(merged, patch, shape)
    return merged


def field_shape(shape: Shape | None, key: str) -> Shape | None:
    if shape is None:
        return None
    return shape.items if shape.type == "map" else shape.properties.get(key)


def _retained(merged: dict[str, Json], patch: Mapping[str, Json]) -> dict[str, Json]:
    """`$retainKeys` names the fields of a union that stay."""
    keep = patch.get("$retainKeys")
    return merged if keep is None else {key: value for key, value in merged.items() if key in keep}


def _merge_field(merged: dict[str, Json], key: str, value: Json, shape: Shape | None, depth: int) -> None:
    if value is None:
        merged.pop(key, None)
    elif isinstance(value, dict):
        if value.get("$patch") == "delete":
            merged.pop(key, None)
        else:
            merged[key] = strategic_merge_patch(merged.get(key), value, shape, depth - 1)
    elif isinstance(value, list) and shape is not None and shape.merge_key is not None:
        merged[key] = _merge_list(merged.get(key) or [], value, shape, depth)
    else:
        merged[key] = value


def _merge_list(current: list[Json], patch: list[Json], shape: Shape, depth: int) -> list[Json]:
    if not shape.merge_key:
        return [*current, *(item for item in patch if item not in current)]
    if any(isinstance(item, dict) and item.get("$patch") == "replace" for item in patch):
        return [item for item in patch if item.get("$patch") != "replace"]
    merged = list(current)
    for item in patch:
        _merge_item(merged, item, shape, depth)
    return merged


def _merge_item(merged: list[Json], item: Json, shape: Shape, depth: int) -> None:
    key = shape.merge_key or ""
    if not isinstance(item, dict) or key not in item:
        raise BadRequest(f"strategic merge patch: an item of the list has no {key!r}, by which it is merged")
    found = next((i for i, each in enumerate(merged) if each.get(key) == item[key]), None)
    if item.get("$patch") == "delete":
        if found is not None:
            del merged[found]
    elif found is None:
        merged.append(strategic_merge_patch({}, item, shape.items, depth - 1))
    else:
        merged[found] = strategic_merge_patch(merged[found], item, shape.items, depth - 1)


def _set_orders(merged: dict[str, Json], patch: Mapping[str, Json], shape: Shape | None) -> None:
    """`$setElementOrder/x`: the listed items first, in that order; others keep their places behind them."""
    for directive, wanted in patch.items():
        if not directive.startswith(_SET_ORDER):
            continue
        name = directive.removeprefix(_SET_ORDER)
        items, merge_key = merged.get(name), getattr(field_shape(shape, name), "merge_key", None)
        if not isinstance(items, list) or not isinstance(wanted, list):
            continue
        order = [item.get(merge_key) if merge_key and isinstance(item, dict) else item for item in wanted]
        place = {repr(key): i for i, key in enumerate(order)}
        merged[name] = sorted(
            items,
            key=lambda item: place.get(
                repr(item.get(merge_key) if merge_key and isinstance(item, dict) else item), len(place)
            ),
        )


# Apply


def three_way_merge(original: Json, modified: Json, current: Json, shape: Shape | None) -> Json:
    """`current` with what `modified` says, less what `original` said and `modified` says no more."""
    if not isinstance(modified, dict) or not isinstance(current, dict):
        return modified
    before = original if isinstance(original, dict) else {}
    merged = {key: value for key, value in current.items() if key not in before or key in modified}
    for key, value in modified.items():
        inner = field_shape(shape, key)
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, list) and inner is not None and inner.merge_key:
            merged[key] = _three_way_list(before.get(key), value, current.get(key), inner)
        elif key in current:
            merged[key] = three_way_merge(before.get(key), value, current[key], inner)
        else:
            merged[key] = value
    return merged


def _three_way_list(original: Json, modified: list[Json], current: Json, shape: Shape) -> list[Json]:
    key = shape.merge_key or ""
    before, now = _by_key(original, key), _by_key(current, key)
    wanted = _by_key(modified, key)
    if len(wanted) != len(modified):
        return modified
    merged = [three_way_merge(before.get(name), item, now.get(name), shape.items) for name, item in wanted.items()]
    return merged + [item for name, item in now.items() if name not in wanted and name not in before]


def _by_key(items: Json, key: str) -> dict[Any, Json]:
    if not isinstance(items, list):
        return {}
    return {item[key]: item for item in items if isinstance(item, dict) and _is_key(item.get(key))}


def _is_key(value: Json) -> bool:
    return isinstance(value, str | int)
