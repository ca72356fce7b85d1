"""What MutatingAdmissionPolicies make of an object.

A policy's mutations are applied one after the other, each to what the one
before it left. `ApplyConfiguration` gives the fields it wants and they are
merged as apply does, lists by their keys; `JSONPatch` gives operations. The
merge is Kubernetes' strategic merge by the kind's schema, so a policy can add
and change, and takes away by JSONPatch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from playground.clusters.admission.mutation.conditions import conditions_hold
from playground.clusters.admission.mutation.expressions import ExpressionError, compiled
from playground.clusters.admission.mutation.hooks import BoundPolicy
from playground.clusters.admission.mutation.matching import constraints_match
from playground.clusters.admission.mutation.patched import Broken, read_patched
from playground.clusters.admission.mutation.refusals import policy_failed
from playground.clusters.admission.mutation.reinvocation import Reinvocation
from playground.clusters.admission.mutation.request import AdmissionRequest, Manifest
from playground.clusters.admission.schema import shape_of
from playground.clusters.patches import json_patch, strategic_merge_patch
from playground.common.errors import ApiError

_USED_VARIABLE = re.compile(r"\bvariables\s*\.\s*(\w+)")


def apply_policies(
    policies: list[BoundPolicy],
    request: AdmissionRequest,
    manifest: Manifest,
    namespace: Manifest | None,
    rounds: Reinvocation,
) -> Manifest:
    """The object after all policies. Raises PolicyFailed."""
    failures: list[str] = []
    for bound in policies:
        if not _matches(bound, request, manifest, namespace) or not rounds.is_due(bound.key):
            continue
        application = _Application(bound, request, namespace)
        before = manifest
        manifest = application.apply(manifest)
        if application.was_asked:
            policy = bound.policy["spec"].get("reinvocationPolicy", "Never")
            rounds.note(bound.key, changed=manifest != before, policy=policy)
        if bound.policy["spec"].get("failurePolicy", "Fail") == "Fail":
            failures += application.failures
    if failures:
        raise policy_failed(request, failures)
    return manifest


def _matches(bound: BoundPolicy, request: AdmissionRequest, manifest: Manifest, namespace: Manifest | None) -> bool:
    constraints = bound.policy["spec"].get("matchConstraints") or {}
    narrower = bound.binding["spec"].get("matchResources") or {}
    return constraints_match(constraints, request, manifest, namespace) and constraints_match(
        narrower, request, manifest, namespace
    )


class _Application:
    """One bound policy, applied to one object."""

    def __init__(self, bound: BoundPolicy, request: AdmissionRequest, namespace: Manifest | None) -> None:
        self._bound = bound
        self._spec = bound.policy["spec"]
        self._request = request
        self._namespace = namespace
        # Its conditions hold.
        self.was_asked = False
        self.failures: list[str] = []

    def apply(self, manifest: Manifest) -> Manifest:
        try:
            if not conditions_hold(self._spec.get("matchConditions") or (), self._variables(manifest)):
                return manifest
        except ExpressionError as error:
            self._fail(str(error))
            return manifest
        self.was_asked = True
        for mutation in self._spec.get("mutations") or ():
            try:
                manifest = self._mutated(manifest, mutation)
            except (ExpressionError, Broken) as error:
                self._fail(str(error))
            except ApiError as error:
                self._fail(f"error applying patch: {error.message}")
        return manifest

    def _fail(self, why: str) -> None:
        policy, binding = self._bound.key
        self.failures.append(f"policy '{policy}' with binding '{binding}' denied request: {why}")

    def _mutated(self, manifest: Manifest, mutation: Manifest) -> Manifest:
        if mutation["patchType"] == "JSONPatch":
            operations = self._value(mutation["jsonPatch"]["expression"], manifest, list, "a list of JSONPatch")
            patched = json_patch(manifest, operations)
        else:
            wanted = self._value(mutation["applyConfiguration"]["expression"], manifest, dict, "an Object")
            patched = strategic_merge_patch(manifest, wanted, shape_of(self._request.kind.definition))
        return read_patched(self._request, manifest, patched, strict=True)

    def _value(self, source: str, manifest: Manifest, wanted: type, words: str) -> Any:
        variables = self._variables(manifest)
        variables["variables"] = self._own_variables(source, variables)
        value = compiled(source).evaluate(variables)
        if not isinstance(value, wanted):
            raise ExpressionError(f"the expression must give {words}, it gives {type(value).__name__}")
        return value

    def _variables(self, manifest: Manifest) -> dict[str, Any]:
        return {
            "object": manifest,
            "oldObject": self._request.old,
            "request": self._request.as_review(),
            "namespaceObject": self._namespace,
        }

    def _own_variables(self, source: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the policy's variables that the expression needs, and what these need; earlier ones only."""
        declared = {each["name"]: each["expression"] for each in self._spec.get("variables") or ()}
        values: dict[str, Any] = {}
        for name in _needed(source, declared):
            values[name] = compiled(declared[name]).evaluate({**variables, "variables": values})
        return values


def _needed(source: str, declared: Mapping[str, str]) -> list[str]:
    """In the order of their declaration."""
    wanted = set(_USED_VARIABLE.findall(source))
    for name in reversed(list(declared)):
        if name in wanted:
            wanted |= set(_USED_VARIABLE.findall(declared[name]))
    return [name for name in declared if name in wanted]
