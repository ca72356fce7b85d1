"""The shapes of kinds that Kubernetes itself does not have, in the words of its own schema.

`schema` reads them like the others; a custom resource's definition is named by
its reversed group, as the API server publishes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_META = {"$ref": "#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
_TIME = {"$ref": "#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.Time"}
_QUANTITY = {"$ref": "#/$defs/io.k8s.apimachinery.pkg.api.resource.Quantity"}
_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "format": "int32"}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


CUSTOM_DEFINITIONS: Mapping[str, Any] = {
    "io.x-k8s.scheduling.v1alpha1.PodGroup": _object(
        apiVersion=_TEXT,
        kind=_TEXT,
        metadata=_META,
        spec=_object(
            minMember=_COUNT,
            minResources={"type": "object", "additionalProperties": _QUANTITY},
            scheduleTimeoutSeconds=_COUNT,
        ),
        status=_object(
            phase=_TEXT,
            occupiedBy=_TEXT,
            running=_COUNT,
            succeeded=_COUNT,
            failed=_COUNT,
            scheduleStartTime=_TIME,
        ),
    )
}
