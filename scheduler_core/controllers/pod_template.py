"""From a workload's pod template to the pods it asks for."""

from __future__ import annotations

from random import Random

from scheduler_core.controllers.names import generated_name
from scheduler_core.objects.manifest import Manifest, owner_reference

# Set by the owner on templates and pods, never part of what makes two templates differ.
POD_TEMPLATE_HASH = "pod-template-hash"


def pod_from_template(owner: Manifest, *, name: str, generate_name: str = "") -> Manifest:
    """A pod that `owner` controls. The spec is the template's own dict: replace it, do not change it."""
    template = owner["spec"]["template"]
    metadata = template.get("metadata") or {}
    made: Manifest = {"name": name, "namespace": owner["metadata"]["namespace"]}
    if generate_name:
        made["generateName"] = generate_name
    for field in ("labels", "annotations", "finalizers"):
        if metadata.get(field):
            made[field] = metadata[field]
    made["ownerReferences"] = [owner_reference(owner)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": made, "spec": template["spec"]}


def generated_pod(owner: Manifest, generator: Random) -> Manifest:
    """A pod named after its owner with five random-looking letters."""
    base = f"{owner['metadata']['name']}-"
    return pod_from_template(owner, name=generated_name(base, generator), generate_name=base)


def with_pod_labels(pod: Manifest, **labels: str) -> Manifest:
    metadata = pod["metadata"]
    return {**pod, "metadata": {**metadata, "labels": {**(metadata.get("labels") or {}), **labels}}}
