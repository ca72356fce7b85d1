from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.objects.decode import decode_as
from scheduler_core.objects.resource_claims import Device
from scheduler_core.plugins.dynamic_resources.cel_selectors import MAX_EXPRESSION_LENGTH, CelError, device_selector

DRIVER = "gpu.example.com"
MANIFEST: dict[str, Any] = {
    "name": "gpu-0",
    "attributes": {
        "model": {"string": "a100"},
        "index": {"int": 1},
        "mig": {"bool": False},
        "version": {"version": "1.2.3"},
        "other.example.com/numa": {"int": 7},
    },
    "capacity": {"memory": {"value": "40Gi"}},
}
DEVICE = decode_as(Device, MANIFEST)

# (expression, matches)
EXPRESSIONS = [
    ('device.driver == "gpu.example.com"', True),
    ('device.attributes["gpu.example.com"].model == "a100"', True),
    ('device.attributes["gpu.example.com"].model in ["h100"]', False),
    ('device.attributes["gpu.example.com"].index > 0', True),
    ('!device.attributes["gpu.example.com"].mig', True),
    ('device.attributes["other.example.com"].numa == 7', True),
    ('has(device.attributes["unknown.example.com"].x)', False),
    ('"model" in device.attributes["gpu.example.com"]', True),
    ('device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) == 0', True),
    ('device.capacity["gpu.example.com"].memory.isLessThan(quantity("1Ti"))', True),
    ('device.capacity["gpu.example.com"].memory.sub(quantity("40Gi")).sign() == 0', True),
    ('device.capacity["gpu.example.com"].memory.add(1).asInteger() == 42949672961', True),
    ('quantity("1Gi") == quantity("1024Mi")', True),
    ('isQuantity("1.5.2")', False),
    ('device.attributes["gpu.example.com"].version.compareTo(semver("1.10.0")) < 0', True),
    ('device.attributes["gpu.example.com"].version.isGreaterThan(semver("1.2.3-rc.1"))', True),
    ('device.attributes["gpu.example.com"].version.minor() == 2', True),
    ('isSemver("1.2")', False),
    ('device.attributes["gpu.example.com"].?model.orValue("none") == "a100"', True),
    ('cel.bind(gpu, device.attributes["gpu.example.com"], gpu.model == "a100" && gpu.index == 1)', True),
]


@pytest.mark.parametrize(("expression", "matches"), EXPRESSIONS)
def test_expressions(expression: str, matches: bool) -> None:
    assert device_selector(expression).matches(DRIVER, DEVICE) is matches


# (expression, part of the message)
BROKEN = [
    ("device.driver ==", "CEL compile error"),
    ("nothing.driver", "CEL compile error"),
    ("1 + 1", "must be a boolean"),
    ("device.driver", "must be a boolean"),
    ('device.attributes["gpu.example.com"].gone == 1', "CEL runtime error"),
    ('quantity("lots").sign() > 0', "'lots' is not a quantity"),
    ("true || " * MAX_EXPRESSION_LENGTH + "true", "longer than"),
]


@pytest.mark.parametrize(("expression", "message"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_expression_says_why(expression: str, message: str) -> None:
    with pytest.raises(CelError, match=message):
        device_selector(expression).matches(DRIVER, DEVICE)


def test_a_name_for_a_sum_of_names_cannot_be_used_to_fill_the_memory() -> None:
    expression = "cel.bind(x0, device.driver, "
    expression += "".join(f"cel.bind(x{i + 1}, x{i} + x{i}, " for i in range(28)) + "size(x28) > 0" + ")" * 29

    with pytest.raises(CelError, match="CEL compile error: its maps could make a value .* times larger"):
        device_selector(expression)


def test_a_spent_budget_is_an_error_of_the_selector() -> None:
    numbers = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
    expression = "true"
    for name in "abcde":
        expression = f"{numbers}.all({name}, {expression})"

    with pytest.raises(CelError, match="Iteration budget exceeded"):
        device_selector(expression).matches(DRIVER, DEVICE)
