"""The base of every decoded object.

A Kubernetes object is a frozen struct with one attribute per field that the
engine reads; fields it does not read are ignored (being strict is the API's
work). `rename="camel"` maps `node_name` to `nodeName`. Lists are tuples, so a
decoded object can be shared without fear. Objects hold no cycles, so they are
kept out of the garbage collector.
"""

from __future__ import annotations

import msgspec


class Model(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, gc=False):
    """A part of a Kubernetes object."""


Labels = dict[str, str]


class OwnerReference(Model, frozen=True, kw_only=True):
    """Who owns an object."""

    api_version: str = ""
    kind: str
    name: str
    uid: str = ""
    controller: bool = False


class ObjectMeta(Model, frozen=True, kw_only=True):
    """The metadata every object has."""

    name: str = ""
    # Pod templates and bare test pods may have none; the API fills it in.
    namespace: str = ""
    uid: str = ""
    labels: Labels = {}
    annotations: dict[str, str] = {}
    owner_references: tuple[OwnerReference, ...] = ()
    # RFC 3339.
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    deletion_grace_period_seconds: int | None = None
    finalizers: tuple[str, ...] = ()
    resource_version: str = ""
    generation: int = 0

    @property
    def controller(self) -> OwnerReference | None:
        """The owner that manages this object, if any."""
        return next((owner for owner in self.owner_references if owner.controller), None)


class KubernetesObject(Model, frozen=True, kw_only=True):
    """An object with an identity of its own."""

    metadata: ObjectMeta = ObjectMeta()

    @property
    def name(self) -> str:
        return self.metadata.name

    @property
    def namespace(self) -> str:
        return self.metadata.namespace
