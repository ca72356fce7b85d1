"""`labelSelector` and `fieldSelector` of lists and watches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from playground.clusters.kinds import Kind
from playground.common.errors import BadRequest
from scheduler_core.objects.label_selector import Operator, Requirement, Selector

Manifest = Mapping[str, Any]

MAX_LENGTH = 10_000
MAX_TERMS = 200

_TERM = re.compile(
    r"\s*(?:"
    r"(?P<absent>!\s*(?P<absent_key>[\w./-]+))"
    r"|(?P<set_key>[\w./-]+)\s+(?P<set_operator>in|notin)\s*\((?P<set_values>[^()]*)\)"
    r"|(?P<key>[\w./-]+)\s*(?P<operator>==|=|!=)\s*(?P<value>[\w.-]*)"
    r"|(?P<present>[\w./-]+)"
    r")\s*(?:,|$)"
)


def parse_label_selector(text: str) -> Selector:
    """`a=b,c!=d,e in (x,y),f notin (z),g,!h`. Raises BadRequest."""
    requirements: list[Requirement] = []
    position = 0
    while position < len(text):
        match = _TERM.match(text, position) if len(text) <= MAX_LENGTH and len(requirements) < MAX_TERMS else None
        if match is None:
            raise BadRequest(f'unable to parse requirement: labelSelector "{text[:200]}" at {text[position:][:50]!r}')
        requirements.append(_requirement(match))
        position = match.end()
    return Selector(tuple(requirements))


def _requirement(match: re.Match[str]) -> Requirement:
    if match["absent"]:
        return Requirement(match["absent_key"], Operator.DOES_NOT_EXIST, frozenset())
    if match["set_key"]:
        operator = Operator.IN if match["set_operator"] == "in" else Operator.NOT_IN
        values = frozenset(value.strip() for value in match["set_values"].split(","))
        return Requirement(match["set_key"], operator, values)
    if match["key"]:
        operator = Operator.NOT_IN if match["operator"] == "!=" else Operator.IN
        return Requirement(match["key"], operator, frozenset({match["value"]}))
    return Requirement(match["present"], Operator.EXISTS, frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldTerm:
    # `status.phase`
    path: str
    value: str
    negated: bool

    def matches(self, manifest: Manifest) -> bool:
        return (_text_at(manifest, self.path) == self.value) != self.negated


_ALWAYS = frozenset({"metadata.name", "metadata.namespace"})
_FIELDS: Mapping[str, frozenset[str]] = {
    "Pod": frozenset({
        "spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork",
        "status.phase", "status.podIP", "status.nominatedNodeName",
    }),
    "Node": frozenset({"spec.unschedulable"}),
    "Namespace": frozenset({"status.phase"}),
    "Secret": frozenset({"type"}),
    "ReplicaSet": frozenset({"status.replicas"}),
    "ReplicationController": frozenset({"status.replicas"}),
    "Job": frozenset({"status.successful"}),
    "Event": frozenset({
        "involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
        "involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath",
        "reason", "reportingComponent", "source", "type",
    }),
}  # fmt: skip
# Paths whose value is a column; the rest is looked up in the manifest.
_COLUMNS: Mapping[tuple[str, str], str] = {
    ("Pod", "spec.nodeName"): "node_name",
    ("Pod", "spec.schedulerName"): "scheduler_name",
    ("Pod", "status.phase"): "phase",
    ("Event", "involvedObject.uid"): "regarding_uid",
    ("", "metadata.name"): "name",
    ("", "metadata.namespace"): "namespace",
}


def parse_field_selector(kind: Kind, text: str) -> Sequence[FieldTerm]:
    """`spec.nodeName=n1,status.phase!=Failed`. Raises BadRequest for a field that cannot be selected by."""
    if len(text) > MAX_LENGTH:
        raise BadRequest(f"fieldSelector: longer than {MAX_LENGTH} characters")
    terms = []
    for part in text.split(","):
        if not part.strip():
            continue
        path, operator, value = _split(part)
        if not operator or not part.isprintable():
            raise BadRequest(f'invalid field selector "{part[:200]}": expected field=value or field!=value')
        if path not in _ALWAYS and path not in _FIELDS.get(kind.kind, frozenset()):
            raise BadRequest(f'field label not supported: "{path}"')
        terms.append(FieldTerm(path=path, value=value, negated=operator == "!="))
    return terms


def _split(part: str) -> tuple[str, str, str]:
    for operator in ("!=", "==", "="):
        if operator in part:
            path, _, value = part.partition(operator)
            return path.strip(), operator, value.strip()
    return part, "", ""


def _text_at(manifest: Manifest, path: str) -> str:
    if path == "source":
        return str((manifest.get("source") or {}).get("component") or manifest.get("reportingComponent", ""))
    value: Any = manifest
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, bool):
        return "true" if value else "false"
    default = "false" if path in ("spec.unschedulable", "spec.hostNetwork") else ""
    return default if value is None else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectFilter:
    """Which objects of a kind a list or watch is about."""

    kind: Kind
    namespace: str
    labels: Selector
    fields: Sequence[FieldTerm]

    @property
    def selects(self) -> bool:
        """Whether an object can come and go by a change of itself (not only of its existence)."""
        return not self.labels.is_empty or bool(self.fields)

    @property
    def needs_manifest(self) -> bool:
        """Whether `narrowed` leaves something to `matches`."""
        return not self.labels.is_empty or any(self._column(term) is None for term in self.fields)

    def narrowed(self, query: QuerySet[Any]) -> QuerySet[Any]:
        """What the columns can decide."""
        if self.namespace:
            query = query.filter(namespace=self.namespace)
        for term in self.fields:
            column = self._column(term)
            if column is not None:
                condition = Q(**{column: term.value})
                query = query.filter(~condition if term.negated else condition)
        return query

    def _column(self, term: FieldTerm) -> str | None:
        return _COLUMNS.get((self.kind.kind, term.path)) or _COLUMNS.get(("", term.path))

    def matches(self, manifest: Manifest) -> bool:
        metadata = manifest["metadata"]
        if self.namespace and metadata.get("namespace", "") != self.namespace:
            return False
        if not all(term.matches(manifest) for term in self.fields):
            return False
        return self.labels.is_empty or self.labels.matches(metadata.get("labels") or {})
