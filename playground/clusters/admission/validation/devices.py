"""DeviceClass, ResourceClaim, ResourceClaimTemplate: what a claim asks for, and expressions that can be compiled."""

from __future__ import annotations

from collections.abc import Iterator

from playground.clusters.admission.validation.causes import Json, duplicate, invalid, positive, required, supported
from playground.common.errors import Cause
from scheduler_core.plugins.dynamic_resources.cel_selectors import CelError, device_selector

MOST_REQUESTS = 32
MOST_SELECTORS = 32


def device_class(manifest: Json) -> Iterator[Cause]:
    yield from _selectors("spec.selectors", (manifest.get("spec") or {}).get("selectors") or ())


def resource_claim(manifest: Json) -> Iterator[Cause]:
    yield from _devices("spec.devices", manifest.get("spec") or {})


def resource_claim_template(manifest: Json) -> Iterator[Cause]:
    yield from _devices("spec.spec.devices", (manifest.get("spec") or {}).get("spec") or {})


def _devices(path: str, spec: Json) -> Iterator[Cause]:
    requests = (spec.get("devices") or {}).get("requests") or ()
    yield from _not_too_many(f"{path}.requests", len(requests), MOST_REQUESTS)
    names: set[str] = set()
    for i, request in enumerate(requests[:MOST_REQUESTS]):
        name = request.get("name")
        if name in names:
            yield duplicate(f"{path}.requests[{i}].name", name)
        names.add(name)
        yield from _request(f"{path}.requests[{i}]", request)


def _request(path: str, request: Json) -> Iterator[Cause]:
    exactly, alternatives = request.get("exactly"), request.get("firstAvailable") or ()
    if (exactly is None) == (not alternatives):
        yield required(path, "exactly one of `exactly` or `firstAvailable` is required")
    if exactly is not None:
        yield from _asked(f"{path}.exactly", exactly)
    for i, each in enumerate(alternatives):
        yield from _asked(f"{path}.firstAvailable[{i}]", each)


def _asked(path: str, asked: Json) -> Iterator[Cause]:
    if not asked.get("deviceClassName"):
        yield required(f"{path}.deviceClassName")
    yield from supported(f"{path}.allocationMode", asked.get("allocationMode"), ("All", "ExactCount"))
    if asked.get("allocationMode") != "All":
        yield from positive(f"{path}.count", asked.get("count"))
    elif asked.get("count"):
        yield invalid(f"{path}.count", asked["count"], "must not be specified when allocationMode is 'All'")
    yield from _selectors(f"{path}.selectors", asked.get("selectors") or ())


def _selectors(path: str, selectors: list[Json] | tuple[()]) -> Iterator[Cause]:
    yield from _not_too_many(path, len(selectors), MOST_SELECTORS)
    for i, selector in enumerate(selectors[:MOST_SELECTORS]):
        expression = (selector.get("cel") or {}).get("expression")
        if not expression:
            yield required(f"{path}[{i}].cel.expression")
        else:
            yield from _expression(f"{path}[{i}].cel.expression", expression)


def _expression(path: str, expression: str) -> Iterator[Cause]:
    try:
        device_selector(expression)
    except CelError as failure:
        yield invalid(path, expression, str(failure))


def _not_too_many(path: str, count: int, most: int) -> Iterator[Cause]:
    if count > most:
        yield Cause(path=path, message=f"Too many: {count}: must have at most {most} items")
