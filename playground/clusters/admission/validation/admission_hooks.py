"""MutatingWebhookConfiguration, MutatingAdmissionPolicy and its binding.

Three things differ from Kubernetes, each told where it is met: a webhook's URL
may be `http` (people try theirs out on this machine, without certificates),
`clientConfig.service` is refused (a Service here has no process behind it), and
so is `paramKind`.
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from playground.clusters.admission.metadata import name_causes, qualified_name_causes
from playground.clusters.admission.mutation.expressions import ExpressionError, compiled, is_boolean, is_list, is_map
from playground.clusters.admission.validation.causes import (
    Json,
    duplicate,
    forbidden,
    invalid,
    required,
    selector,
    supported,
    unique,
)
from playground.common.errors import Cause
from playground.common.outgoing import CallFailed, TargetRefused, Tls, check_tls, check_url

MOST_WEBHOOKS = 32
MOST_CONDITIONS = 64
MOST_MUTATIONS = 16
MOST_RULES = 64
_OPERATIONS = ("*", "CREATE", "UPDATE", "DELETE", "CONNECT")
_SCOPES = ("*", "Cluster", "Namespaced")
_LOCAL = frozenset({"localhost"})


def mutating_webhook_configuration(manifest: Json) -> Iterator[Cause]:
    webhooks = manifest.get("webhooks") or ()
    yield from _at_most("webhooks", webhooks, MOST_WEBHOOKS)
    yield from unique("webhooks", enumerate(each.get("name") for each in webhooks), "name")
    for i, webhook in enumerate(webhooks[:MOST_WEBHOOKS]):
        yield from _webhook(f"webhooks[{i}]", webhook)


def _webhook(path: str, webhook: Json) -> Iterator[Cause]:
    name = webhook.get("name", "")
    if name_causes(name, f"{path}.name") or name.count(".") < 2:
        rule = "should be a domain with at least three segments separated by dots"
        yield invalid(f"{path}.name", name, rule)
    yield from supported(f"{path}.failurePolicy", webhook.get("failurePolicy"), ("Fail", "Ignore"))
    yield from supported(f"{path}.matchPolicy", webhook.get("matchPolicy"), ("Equivalent", "Exact"))
    yield from supported(f"{path}.reinvocationPolicy", webhook.get("reinvocationPolicy"), ("IfNeeded", "Never"))
    yield from supported(f"{path}.sideEffects", webhook.get("sideEffects"), ("None", "NoneOnDryRun"), optional=False)
    if not 1 <= webhook.get("timeoutSeconds", 10) <= 30:
        rule = "the timeout value must be between 1 and 30 seconds"
        yield invalid(f"{path}.timeoutSeconds", webhook["timeoutSeconds"], rule)
    yield from _review_versions(f"{path}.admissionReviewVersions", webhook.get("admissionReviewVersions") or ())
    yield from _client(f"{path}.clientConfig", webhook.get("clientConfig") or {})
    yield from _rules(f"{path}.rules", webhook.get("rules") or ())
    yield from selector(f"{path}.namespaceSelector", webhook.get("namespaceSelector"))
    yield from selector(f"{path}.objectSelector", webhook.get("objectSelector"))
    yield from _conditions(f"{path}.matchConditions", webhook.get("matchConditions") or ())


def _review_versions(path: str, versions: Sequence[str]) -> Iterator[Cause]:
    if not versions:
        yield required(path, "must specify one of v1, v1beta1")
    elif "v1" not in versions:
        yield invalid(path, list(versions), "must include at least one of v1")


def _client(path: str, config: Json) -> Iterator[Cause]:
    if "service" in config:
        rule = "a Service of the playground has no process behind it to call; say clientConfig.url instead"
        yield forbidden(f"{path}.service", rule)
    elif "url" not in config:
        yield required(f"{path}.url", "exactly one of url or service is required; here it is url")
    else:
        yield from _url(f"{path}.url", config["url"])
    yield from _ca_bundle(f"{path}.caBundle", config.get("caBundle"))


def _url(path: str, url: str) -> Iterator[Cause]:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        # Names are looked up when the webhook is called: nobody waits for a name server here.
        if _is_address(host) or not host or parts.scheme not in ("http", "https") or parts.username is not None:
            check_url(url)
        if parts.fragment or parts.query:
            yield invalid(path, url, "fragments and query parameters are not permitted in url")
    except (TargetRefused, ValueError) as error:
        yield invalid(path, url, str(error))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host in _LOCAL
    return True


def _ca_bundle(path: str, encoded: str | None) -> Iterator[Cause]:
    if not encoded:
        return
    try:
        check_tls(Tls(ca=base64.b64decode(encoded, validate=True).decode("ascii")))
    except (binascii.Error, UnicodeDecodeError, CallFailed):
        yield invalid(path, f"{encoded[:20]}...", "must be PEM certificates, base64-encoded")


def _rules(path: str, rules: Sequence[Json]) -> Iterator[Cause]:
    yield from _at_most(path, rules, MOST_RULES)
    for i, rule in enumerate(rules[:MOST_RULES]):
        where = f"{path}[{i}]"
        for field in ("apiGroups", "apiVersions", "resources", "operations"):
            values = rule.get(field) or ()
            if not values:
                yield required(f"{where}.{field}")
            elif "*" in values and len(values) > 1 and field != "resources":
                yield invalid(f"{where}.{field}", list(values), "if '*' is present, must not specify other values")
        for j, operation in enumerate(rule.get("operations") or ()):
            yield from supported(f"{where}.operations[{j}]", operation, _OPERATIONS, optional=False)
        yield from supported(f"{where}.scope", rule.get("scope"), _SCOPES)


def _conditions(path: str, conditions: Sequence[Json]) -> Iterator[Cause]:
    yield from _at_most(path, conditions, MOST_CONDITIONS)
    yield from unique(path, enumerate(each.get("name") for each in conditions), "name")
    for i, condition in enumerate(conditions[:MOST_CONDITIONS]):
        name = condition.get("name", "")
        if not name:
            yield required(f"{path}[{i}].name")
        else:
            yield from qualified_name_causes(name, f"{path}[{i}].name")
        yield from _expression(f"{path}[{i}].expression", condition.get("expression", ""), is_boolean, "a boolean")


def _expression(path: str, source: str, is_right: Any, words: str) -> Iterator[Cause]:
    if not source.strip():
        yield required(path)
        return
    try:
        if not is_right(compiled(source)):
            yield invalid(path, source, f"must evaluate to {words}")
    except ExpressionError as error:
        yield invalid(path, source, str(error))


def mutating_admission_policy(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    yield from supported("spec.failurePolicy", spec.get("failurePolicy"), ("Fail", "Ignore"))
    yield from supported(
        "spec.reinvocationPolicy", spec.get("reinvocationPolicy"), ("IfNeeded", "Never"), optional=False
    )
    if "paramKind" in spec:
        yield forbidden("spec.paramKind", "parameters are not supported here; write the values into the expressions")
    yield from _constraints("spec.matchConstraints", spec.get("matchConstraints"), needed=True)
    yield from _conditions("spec.matchConditions", spec.get("matchConditions") or ())
    yield from _variables("spec.variables", spec.get("variables") or ())
    mutations = spec.get("mutations") or ()
    if not mutations:
        yield required("spec.mutations", "must contain at least one item")
    yield from _at_most("spec.mutations", mutations, MOST_MUTATIONS)
    for i, mutation in enumerate(mutations[:MOST_MUTATIONS]):
        yield from _mutation(f"spec.mutations[{i}]", mutation)


def _constraints(path: str, constraints: Json | None, *, needed: bool) -> Iterator[Cause]:
    if constraints is None:
        if needed:
            yield required(path)
        return
    rules = constraints.get("resourceRules") or ()
    if needed and not rules:
        yield required(f"{path}.resourceRules")
    yield from supported(f"{path}.matchPolicy", constraints.get("matchPolicy"), ("Equivalent", "Exact"))
    yield from _rules(f"{path}.resourceRules", rules)
    yield from _rules(f"{path}.excludeResourceRules", constraints.get("excludeResourceRules") or ())
    yield from selector(f"{path}.namespaceSelector", constraints.get("namespaceSelector"))
    yield from selector(f"{path}.objectSelector", constraints.get("objectSelector"))


def _variables(path: str, variables: Sequence[Json]) -> Iterator[Cause]:
    yield from _at_most(path, variables, MOST_CONDITIONS)
    seen: set[str] = set()
    for i, variable in enumerate(variables[:MOST_CONDITIONS]):
        name = variable.get("name", "")
        if not name.isidentifier() or not name.isascii():
            yield invalid(f"{path}[{i}].name", name, "name is not a valid CEL identifier")
        if name in seen:
            yield duplicate(f"{path}[{i}].name", name)
        seen.add(name)
        yield from _expression(f"{path}[{i}].expression", variable.get("expression", ""), bool, "a value")


def _mutation(path: str, mutation: Json) -> Iterator[Cause]:
    kind = mutation.get("patchType")
    yield from supported(f"{path}.patchType", kind, ("ApplyConfiguration", "JSONPatch"), optional=False)
    field, other = ("jsonPatch", "applyConfiguration") if kind == "JSONPatch" else ("applyConfiguration", "jsonPatch")
    if other in mutation:
        yield invalid(f"{path}.{other}", other, f"must not be specified when patchType is {kind}")
    source = (mutation.get(field) or {}).get("expression", "")
    is_right, words = (is_list, "a list of JSONPatch") if kind == "JSONPatch" else (is_map, "an Object")
    yield from _expression(f"{path}.{field}.expression", source, is_right, words)


def mutating_admission_policy_binding(manifest: Json) -> Iterator[Cause]:
    spec = manifest.get("spec") or {}
    if not spec.get("policyName"):
        yield required("spec.policyName")
    else:
        yield from name_causes(spec["policyName"], "spec.policyName")
    if "paramRef" in spec:
        yield forbidden("spec.paramRef", "parameters are not supported here; write the values into the expressions")
    yield from _constraints("spec.matchResources", spec.get("matchResources"), needed=False)


def _at_most(path: str, items: Sequence[Any], most: int) -> Iterator[Cause]:
    if len(items) > most:
        message = f"Too many: {len(items)}: must have at most {most} items"
        yield Cause(path=path, message=message, reason="FieldValueTooMany")
